"""Check mode on the CPU device: races, and reads of what no thread wrote."""

import numpy as np
import pytest
from faults import launch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from phalanx.types import float32, int32, int64

from phalanx import KernelError, cuda


@pytest.fixture(autouse=True)
def cpu_only(device):
    if device != "cpu":
        pytest.skip("words of accesses are kept on the CPU device only")


def line_of(kernel, text):
    """The number of the kernel's first line with this text."""
    import inspect

    lines, start = inspect.getsourcelines(kernel.py_func)
    return start + next(i for i, line in enumerate(lines) if text in line)


@cuda.jit(check="races")
def shift(x, out):
    tile = cuda.shared.array(128, float32)
    i = cuda.threadIdx.x
    tile[i] = x[i]
    out[i] = tile[(i + 1) % 128]


def test_a_missing_barrier_is_reported_with_both_accesses(device):
    with pytest.raises(KernelError) as caught:
        shift[1, 128](np.ones(128, np.float32), np.ones(128, np.float32))
    faults = caught.value.faults
    assert {fault.category for fault in faults} == {"races"}
    assert {fault.array for fault in faults} == {"tile"}
    fault = faults[0]
    assert {fault.line, fault.other.line} == {
        line_of(shift, "tile[i] = x"), line_of(shift, "out[i] =")
    }  # fmt: skip
    assert fault.thread != fault.other.thread
    assert fault.block == fault.other.block == (0, 0, 0)
    reader = fault.thread if fault.text == "read tile" else fault.other.thread
    writer = fault.other.thread if fault.text == "read tile" else fault.thread
    assert fault.index == ((reader[0] + 1) % 128,) == (writer[0],)
    text = str(caught.value)
    assert "[races]" in text and "the other: " in text and "cuda.syncthreads()" in text


@cuda.jit(check="races,uninitialized")
def shift_rightly(x, out):
    tile = cuda.shared.array(128, float32)
    i = cuda.threadIdx.x
    for _ in range(3):
        tile[i] = x[i]
        cuda.syncthreads()
        out[i] = tile[(i + 1) % 128]
        cuda.syncthreads()


@pytest.mark.parametrize("threads", [128, 100])
def test_barriers_order_accesses(device, threads):
    x = np.arange(128, dtype=np.float32)
    out = np.zeros(128, np.float32)
    if threads == 128:
        assert launch(shift_rightly, 1, 128, x, out) == ()
        np.testing.assert_array_equal(out, np.roll(x, -1))
    else:
        (fault,) = launch(shift_rightly, 1, threads, x, out)
        assert (fault.category, fault.index, fault.thread) == ("uninitialized", (100,), (99, 0, 0))


@cuda.jit(check="races")
def read_then_write(out):
    tile = cuda.shared.array(64, int32)
    i = cuda.threadIdx.x
    tile[i] = i
    cuda.syncthreads()
    v = tile[63 - i]
    tile[i] = v
    cuda.syncthreads()
    out[i] = tile[i]


def test_a_write_after_a_read_races(device):
    faults = launch(read_then_write, 1, 64, np.zeros(64, np.int32))
    assert {fault.text for fault in faults} <= {"write tile", "read tile"}
    assert {fault.line for fault in faults} <= {
        line_of(read_then_write, "v = tile"), line_of(read_then_write, "tile[i] = v")
    }  # fmt: skip
    assert faults


@cuda.jit(check="races")
def many_rounds(x, rounds):
    i = cuda.grid(1)
    for _ in range(rounds):
        x[i] += 1
    cuda.cg.this_grid().sync()
    x[i] += 1


def test_kernels_that_wait_for_the_grid(device):
    x = np.zeros(64, np.int64)
    assert launch(many_rounds, 4, 16, x, 40000) == ()
    np.testing.assert_array_equal(x, 40001)


@cuda.jit(check="races")
def sum_of_blocks(x, out):
    i = cuda.grid(1)
    out[0] += x[i]


@cuda.jit(check="races")
def sum_atomically(x, out):
    i = cuda.grid(1)
    cuda.atomic.add(out, 0, x[i])
    cuda.atomic.max(out, 1, x[i])


def test_global_memory_and_atomics(device):
    x = np.arange(64.0)
    faults = launch(sum_of_blocks, 4, 16, x, np.zeros(1))
    assert faults and all(fault.index == (0,) and fault.array == "out" for fault in faults)
    assert launch(sum_atomically, 4, 16, x, np.zeros(2)) == ()


@cuda.jit(check="all")
def counts_in_shared(values, bins):
    own = cuda.shared.array(16, int32)
    i = cuda.threadIdx.x
    if i < 16:
        own[i] = 0
    cuda.syncthreads()
    if i < values.shape[0]:
        cuda.atomic.add(own, values[i], 1)
    cuda.syncthreads()
    if i < 16:
        cuda.atomic.add(bins, i, own[i])


def test_a_histogram_has_no_fault(device):
    values = (np.arange(200) * 7 % 16).astype(np.uint8)
    bins = np.zeros(16, np.int32)
    assert launch(counts_in_shared, 3, 256, values, bins) == ()
    np.testing.assert_array_equal(bins, np.bincount(values) * 3)


@cuda.jit(check="races")
def neighbour_block(x):
    i = cuda.grid(1)
    x[i] = x[(i + 16) % x.shape[0]] + 1


def test_blocks_are_not_ordered(device):
    faults = launch(neighbour_block, 4, 16, np.zeros(64))
    assert faults
    fault = faults[0]
    assert fault.other.block is not None and fault.other.block != fault.block
    assert launch(neighbour_block, 1, 16, np.zeros(16)) == ()
    # The next launch comes after this one: its words are not taken for the same launch's.
    y = np.zeros(64)
    for _ in range(3):
        assert launch(scale, 4, 16, y) == ()


@cuda.jit(check="races")
def scale(x):
    i = cuda.grid(1)
    x[i] = x[i] * 2 + 1


@cuda.jit(check="races")
def overlapping(a, b):
    i = cuda.grid(1)
    if i < a.shape[0]:
        a[i] = b[i]


def test_arrays_that_overlap_are_one(device):
    memory = np.arange(65.0)
    assert launch(overlapping, 1, 64, memory[1:], memory[:-1])
    assert launch(overlapping, 1, 64, np.zeros(64), memory[:-1]) == ()
    assert launch(overlapping, 1, 32, memory[32:], memory[:32]) == ()


@cuda.jit(check="races")
def scattered(index, out):
    i = cuda.grid(1)
    if i < index.shape[0]:
        out[index[i]] = i


def test_lanes_of_one_store_can_race(device):
    index = np.arange(32)
    index[20] = 3
    (fault,) = launch(scattered, 1, 32, index, np.zeros(32, np.int64))
    assert fault.index == (3,)
    assert launch(scattered, 1, 32, np.arange(32)[::-1].copy(), np.zeros(32, np.int64)) == ()


@cuda.jit(check="races")
def flag(x, found):
    i = cuda.grid(1)
    if x[i] > 10:
        found[0] = 1


@cuda.jit(check="races")
def last_one(x, found):
    i = cuda.grid(1)
    if x[i] > 10:
        found[0] = i


def test_who_writes_what_is_there_does_no_harm(device):
    x = np.arange(128.0)
    assert launch(flag, 2, 64, x, np.ones(1, np.int64)) == ()
    assert launch(last_one, 2, 64, x, np.zeros(1, np.int64))
    assert launch(last_one, 1, 32, x[8:], np.zeros(1, np.int64))


@cuda.jit(check="races")
def swap_views(a, b, steps):
    i = cuda.grid(1)
    for step in range(steps):
        if step % 2 == 0:
            src = a
            dst = b
        else:
            src = b
            dst = a
        dst[i] = src[(i + 1) % a.shape[0]] + 1
        cuda.syncthreads()


def test_arrays_that_only_the_launch_tells_apart(device):
    a, b = np.zeros(64), np.zeros(64)
    assert launch(swap_views, 1, 64, a, b, 4) == ()
    assert launch(swap_views, 1, 64, a, a, 4)


@cuda.jit(check="races")
def tiles(a, out):
    tile = cuda.shared.array((16, 16), float32)
    x, y = cuda.grid(2)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    tile[ty, tx] = a[y, x]
    out[y, x] = tile[tx, ty]


def test_two_dimensions(device):
    a = np.arange(1024, dtype=np.float32).reshape(32, 32)
    out = np.zeros_like(a)
    fault = launch(tiles, (2, 2), (16, 16), a, out)[0]
    assert {fault.text, fault.other.text} == {"read tile", "write tile"}
    assert fault.thread[:2] == fault.other.thread[1::-1] and fault.thread != fault.other.thread
    assert fault.index in (fault.thread[:2], fault.other.thread[:2])
    assert launch(transposed, (2, 2), (16, 16), a, out) == ()
    np.testing.assert_array_equal(out, a.T)


@cuda.jit(check="races,bounds")
def transposed(a, out):
    tile = cuda.shared.array((16, 16), float32)
    x, y = cuda.grid(2)
    tx, ty = cuda.threadIdx.x, cuda.threadIdx.y
    if y < a.shape[0] and x < a.shape[1]:
        tile[ty, tx] = a[y, x]
    cuda.syncthreads()
    if x < out.shape[0] and y < out.shape[1]:
        out[x, y] = tile[ty, tx]


@cuda.jit(check="uninitialized")
def forgotten(x, out):
    tile = cuda.shared.array(64, float32)
    i = cuda.threadIdx.x
    if i < x.shape[0]:
        tile[i] = x[i]
    cuda.syncthreads()
    out[i] = tile[i]


def test_shared_memory_that_nobody_wrote(device):
    (fault,) = launch(forgotten, 3, 64, np.ones(60, np.float32), np.zeros(64, np.float32))
    assert (fault.category, fault.array, fault.index) == ("uninitialized", "tile", (60,))
    assert fault.count == 12
    assert launch(forgotten, 3, 64, np.ones(64, np.float32), np.zeros(64, np.float32)) == ()


@cuda.jit(check="races,uninitialized")
def sized(x, out, n, waits):
    before = cuda.shared.array(cuda.blockDim.x, int32)
    tile = cuda.shared.array((2, n), float32)
    i = cuda.threadIdx.x
    before[i] = i
    tile[1, i] = x[i]
    if waits:
        cuda.syncthreads()
    out[i] = tile[1, (i + 1) % n] + before[i]


def test_arrays_that_the_launch_sizes_are_tracked(device):
    x, out = np.ones(96, np.float32), np.zeros(96, np.float32)
    assert launch(sized, 2, 96, x, out, 96, True) == ()
    np.testing.assert_array_equal(out, 1 + np.arange(96, dtype=np.float32))
    faults = launch(sized, 2, 96, x, out, 96, False)
    assert {(fault.category, fault.array) for fault in faults} == {("races", "tile")}
    (fault,) = launch(sized, 2, 64, x, out, 65, True)
    assert (fault.category, fault.array) == ("uninitialized", "tile")
    assert fault.index == (1, 64)


@cuda.jit(check="uninitialized")
def local_sum(x, out, n):
    own = cuda.local.array((2, 4), int32)
    for i in range(n):
        own[1, i] = x[i]
    total = 0
    for i in range(4):
        total += own[1, i]
    out[cuda.grid(1)] = total


def test_local_memory_that_nobody_wrote(device):
    x = np.arange(4, dtype=np.int32)
    (fault,) = launch(local_sum, 1, 40, x, np.zeros(40, np.int64), 3)
    assert (fault.array, fault.index, fault.shape, fault.count) == ("own", (1, 3), (2, 4), 40)
    out = np.zeros(40, np.int64)
    assert launch(local_sum, 1, 40, x, out, 4) == ()
    np.testing.assert_array_equal(out, 6)


@cuda.jit(check="races")
def all_to_one(out):
    out[0] = cuda.grid(1)


@cuda.jit(check="races")
def all_to_one_shared(out):
    tile = cuda.shared.array(1, np.float64)
    tile[0] = cuda.grid(1)
    cuda.syncthreads()
    tile[0] = -cuda.grid(1)
    cuda.syncthreads()
    out[cuda.grid(1)] = tile[0]


@pytest.mark.parametrize("kernel", [all_to_one, all_to_one_shared])
def test_threads_of_a_warp_that_meet_at_one_access(device, kernel):
    if device != "cpu":
        pytest.skip("races are looked for on the CPU device")
    for _ in range(3):  # words of the launches before are still there
        for fault in launch(kernel, 2, 32, np.zeros(64)):
            assert fault.other.line == fault.line
            assert fault.other.block == fault.block
            assert fault.other.thread is None


ENDLESS = """
import os, signal, threading
import numpy as np
from phalanx import cuda

signal.signal(signal.SIGINT, signal.default_int_handler)  # shells ignore it for background jobs


@cuda.jit({options})
def endless(x, n):
    i = cuda.grid(1)
    while n > 0:
        {body}




endless[1, 32](np.ones(160), 0)
threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
try:
    endless[{blocks}, 32](np.ones(160), 1)
except KeyboardInterrupt as error:
    print("stopped:", error)
endless[1, 32](np.ones(160), 0)
"""


@pytest.mark.parametrize("blocks", [1, 5])
@pytest.mark.parametrize("options", ["check=True", "debug=True, opt=False"])
@pytest.mark.parametrize(
    "body", ["x[i] += 1", "cuda.syncthreads()", "x[i] += 1\n    cuda.cg.this_grid().sync()"]
)
def test_an_endless_block_can_be_interrupted(run_python, blocks, options, body):
    code = ENDLESS.format(options=options, blocks=blocks, body=body)
    done = run_python(code, PHALANX_DEVICE="cpu")
    assert "stopped:" in done.stdout


# No write puts there what may be there already: such a write is let pass.
@cuda.jit(check="races")
def random_steps(kinds, index, shared, memory, out):
    tile = cuda.shared.array(12, int64)
    i = cuda.threadIdx.x
    for at in range(i, 12, cuda.blockDim.x):
        tile[at] = -1
    cuda.syncthreads()
    total = 0
    for step in range(kinds.shape[0]):
        kind = kinds[step, cuda.blockIdx.x, i]
        at = index[step, cuda.blockIdx.x, i]
        if shared:
            if kind == 1:
                total += tile[at]
            elif kind == 2:
                tile[at] = ((step * 2 + cuda.blockIdx.x) * 64 + i) * 1000 + 500
            elif kind == 3:
                cuda.atomic.add(tile, at, 1)
        else:
            if kind == 1:
                total += memory[at]
            elif kind == 2:
                memory[at] = ((step * 2 + cuda.blockIdx.x) * 64 + i) * 1000 + 500
            elif kind == 3:
                cuda.atomic.add(memory, at, 1)
        cuda.syncthreads()
    out[cuda.grid(1)] = total


def has_race(kinds, index, shared):
    """Returns whether two threads' accesses to one element are unordered, looking at all pairs."""
    accesses = [
        (step, block, thread, kinds[step, block, thread], index[step, block, thread])
        for step, block, thread in np.ndindex(kinds.shape)
        if kinds[step, block, thread]
    ]
    for first in accesses:
        for second in accesses:
            if first[4] != second[4] or first[1:3] == second[1:3]:
                continue
            is_ordered = first[0] != second[0] and first[1] == second[1]
            is_apart = shared and first[1] != second[1]
            is_harmless = {first[3], second[3]} in ({1}, {3})
            if not is_ordered and not is_apart and not is_harmless:
                return True
    return False


@settings(
    max_examples=150, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_races_are_found_exactly_where_there_are_some(device, data):
    threads = data.draw(st.sampled_from([4, 16, 40]))
    shape = (data.draw(st.integers(1, 3)), data.draw(st.integers(1, 2)), threads)
    density = data.draw(st.sampled_from([1, 3, 12]))
    random = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    kinds = random.integers(0, 4, shape) * (random.integers(0, threads, shape) < density)
    index = random.integers(0, 12, shape)
    shared = data.draw(st.booleans())
    memory = np.full(12, -1)
    out = np.zeros(shape[1] * threads, np.int64)
    faults = launch(random_steps, shape[1], threads, kinds, index, shared, memory, out)
    assert bool(faults) == has_race(kinds, index, shared)
