"""Check mode: one wrong kernel for each kind of fault, and right kernels that have none."""

import importlib.util
import linecache
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from faults import launch
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from phalanx import KernelError, cuda

CERTAIN = "bounds,division,races,uninitialized,barriers,masks,unassigned"
REPOSITORY = Path(__file__).resolve().parents[2]


@cuda.jit(check=True)
def scale(src, dst):
    i = cuda.grid(1)
    dst[i] = src[i] * 2


def test_a_write_out_of_bounds_is_reported_and_does_not_happen(device):
    memory = np.full(100, 7.0, np.float32)
    src = np.ones(128, np.float32)
    with pytest.raises(KernelError) as caught:
        scale[1, 128](src, memory[:50])
        cuda.synchronize()
    (fault,) = caught.value.faults
    assert (fault.category, fault.array, fault.text) == ("bounds", "dst", "write dst")
    assert fault.shape == (50,)
    assert fault.index == (fault.thread[0],) and fault.thread[0] >= 50
    assert fault.block == (0, 0, 0)
    assert fault.count == 78
    assert fault.source.strip() == "dst[i] = src[i] * 2"
    np.testing.assert_array_equal(memory[:50], 2)
    np.testing.assert_array_equal(memory[50:], 7)


def test_the_message_names_everything(device):
    with pytest.raises(KernelError) as caught:
        scale[2, 32](np.ones(40, np.float32), np.ones(64, np.float32))
        cuda.synchronize()
    text = str(caught.value)
    line = scale.py_func.__code__.co_firstlineno + 3
    assert f"{__file__}:{line}: [bounds] reads src[40] of shape (40,): index 40 on axis 0" in text
    assert "dst[i] = src[i] * 2\n" in text
    assert re.search(r"\n +\^+\n", text)
    assert "in kernel scale, block (1, 0, 0), thread (8, 0, 0); 24 times here in all" in text
    assert "which takes 0 to 39" in text


def test_later_launches_work(device):
    assert launch(scale, 1, 32, np.ones(8, np.float32), np.ones(32, np.float32))
    out = np.zeros(32, np.float32)
    assert launch(scale, 1, 32, np.ones(32, np.float32), out) == ()
    np.testing.assert_array_equal(out, 2)


@cuda.jit(check=True)
def neighbours(image, out):
    x, y = cuda.grid(2)
    if x < out.shape[1] and y < out.shape[0]:
        out[y, x] = image[y + 1, x]


def test_each_axis_is_looked_at(device):
    (fault,) = launch(neighbours, (1, 1), (16, 16), np.ones((16, 16)), np.ones((16, 16)))
    assert fault.index == (16, fault.thread[0])
    assert fault.shape == (16, 16)
    assert fault.count == 16


@cuda.jit(check=True)
def shared_too_small(out):
    tile = cuda.shared.array(32, np.int32)
    i = cuda.threadIdx.x
    tile[i] = i
    cuda.syncthreads()
    out[i] = tile[i]


def test_shared_arrays_have_bounds(device):
    faults = launch(shared_too_small, 1, 64, np.zeros(64, np.int32))
    assert [fault.text for fault in faults] == ["write tile", "read tile"]
    assert all(fault.shape == (32,) and fault.count == 32 for fault in faults)


@cuda.jit(check=True)
def local_too_small(out, n):
    stack = cuda.local.array(4, np.int32)
    for i in range(n):
        stack[i] = i
    out[cuda.grid(1)] = stack[0]


def test_local_arrays_have_bounds(device):
    assert launch(local_too_small, 1, 32, np.zeros(32, np.int32), 4) == ()
    (fault,) = launch(local_too_small, 1, 32, np.zeros(32, np.int32), 6)
    assert (fault.array, fault.index, fault.shape, fault.count) == ("stack", (4,), (4,), 64)


@cuda.jit(check=True)
def count(values, bins):
    i = cuda.grid(1)
    if i < values.shape[0]:
        cuda.atomic.add(bins, values[i], 1)


def test_atomics_have_bounds(device):
    values = np.arange(100) % 12
    bins = np.zeros(10, np.int32)
    (fault,) = launch(count, 1, 128, values, bins)
    assert fault.text == "atomic bins" and fault.index == (10,)
    np.testing.assert_array_equal(bins, np.bincount(values)[:10])


@cuda.jit(check=True)
def divide(a, b, out):
    i = cuda.grid(1)
    out[i] = a[i] // b[i]


def test_division_by_zero(device):
    b = np.ones(32, np.int64)
    b[5] = 0
    (fault,) = launch(divide, 1, 32, np.ones(32, np.int64), b, np.zeros(32, np.int64))
    assert (fault.category, fault.thread, fault.count) == ("division", (5, 0, 0), 1)


@cuda.jit(check=True)
def vote(mask, out):
    i = cuda.grid(1)
    if i < 20:
        out[i] = cuda.any_sync(mask, i == 3)
    cuda.syncwarp()
    out[i] += cuda.shfl_sync(0xFFFFFFFF, i, 0)


def test_a_warp_operation_whose_mask_does_not_hold_its_thread(device):
    vote[1, 32](0xFFFFF, cuda.to_device(np.zeros(32, np.int64)))
    cuda.synchronize()
    with pytest.raises(KernelError, match="mask 0x000ffeff, which does not hold its lane, 8") as it:
        vote[1, 32](0xFFEFF, cuda.to_device(np.zeros(32, np.int64)))
        cuda.synchronize()
    (fault,) = it.value.faults
    assert (fault.category, fault.thread, fault.count) == ("masks", (8, 0, 0), 1)
    assert fault.source.strip() == "out[i] = cuda.any_sync(mask, i == 3)"


FULL = 0xFFFFFFFF


def shuffles_in_a_branch(a, i):
    if i < 16:
        a[i] = cuda.shfl_down_sync(FULL, i, 2)


def votes_in_the_other_branch(a, i):
    if i % 2 == 0:
        a[i] = 1
    else:
        a[i] = cuda.any_sync(FULL, i == 3)


def shuffles_in_a_loop(a, i):
    for turn in range(i):
        a[i] += cuda.shfl_xor_sync(FULL, turn, 1)


def matches_with_own_masks(a, i):
    if i < 4:
        a[i] = cuda.match_any_sync(1 << i | 0x30, i)


def waits_alone(a, i):
    if i == 0:
        cuda.syncwarp()
    a[i] = 1


@pytest.mark.parametrize(
    ("body", "mask", "missing"),
    [
        (shuffles_in_a_branch, FULL, 0xFFFF0000),
        (votes_in_the_other_branch, FULL, 0x55555555),
        (shuffles_in_a_loop, FULL, 0x00000001),
        (matches_with_own_masks, 0x31, 0x30),
        (waits_alone, FULL, 0xFFFFFFFE),
    ],
)
@pytest.mark.parametrize("block", [32, 96])
def test_masks_that_name_lanes_which_take_another_way(device, body, mask, missing, block):
    inner = cuda.jit(device=True)(body)

    @cuda.jit(check="masks")
    def kernel(a):
        inner(a, cuda.threadIdx.x % 32)

    text = f"mask {mask:#010x}, which names lanes that take another path, {missing:#010x}"
    with pytest.raises(KernelError, match=text) as it:
        kernel[1, block](cuda.to_device(np.zeros(block, np.int64)))
        cuda.synchronize()
    assert it.value.faults[0].category == "masks"


def test_masks_may_name_lanes_that_returned_or_are_not_there(device):
    @cuda.jit(check="masks")
    def kernel(a):
        i = cuda.threadIdx.x
        if i % 8 == 3:
            return
        if i >= 60:
            return
        a[i] = cuda.shfl_down_sync(FULL, i, 1)
        for turn in range(3):
            if turn == 1 and i % 8 == 4:
                return
            a[i] += cuda.ballot_sync(FULL, turn == 1) & 1
        here = cuda.ballot_sync(FULL, i % 2 == 0)
        if i % 2 == 0:
            a[i] += cuda.popc(cuda.ballot_sync(here, True))
            cuda.syncwarp(here)
        else:
            a[i] += cuda.popc(cuda.activemask())
            cuda.syncwarp(~here)
        cuda.syncwarp()

    for block in (32, 40, 61, 64):
        kernel[1, block](np.zeros(block, np.int64))


@cuda.jit(check="wraps")
def before(x, out):
    i = cuda.grid(1)
    out[i] = x[i - 1]


def test_wraps_are_opt_in(device):
    (fault,) = launch(before, 1, 32, np.ones(32), np.zeros(32))
    assert (fault.category, fault.array, fault.thread) == ("wraps", "x", (0, 0, 0))
    plain = cuda.jit(check=True)(before.py_func)
    assert launch(plain, 1, 32, np.ones(32), np.zeros(32)) == ()


@cuda.jit(check={"nan"})
def quotient(a, b, out):
    i = cuda.grid(1)
    out[i] = a[i] / b[i] + 1


def test_nan_is_reported_where_it_is_born(device):
    a = np.ones(32, np.float32)
    b = np.ones(32, np.float32)
    b[3] = 0
    (fault,) = launch(quotient, 1, 32, a, b, np.zeros(32, np.float32))
    assert (fault.category, fault.thread, fault.text) == ("nan", (3, 0, 0), "true_divide")
    a[4] = np.nan  # was there before
    b[3] = 1
    assert launch(quotient, 1, 32, a, b, np.zeros(32, np.float32)) == ()


@cuda.jit(check=True)
def first_large(x, out):
    i = cuda.grid(1)
    for k in range(4):
        if x[4 * i + k] > 2:
            found = x[4 * i + k]
            break
    out[i] = found  # read


def test_a_name_that_the_way_taken_did_not_assign_is_reported(device):
    x = np.arange(128.0).reshape(32, 4) % 7
    x[5] = x[9] = 1
    out = np.full(32, -1.0)
    with pytest.raises(KernelError) as caught:
        first_large[1, 32](x.reshape(-1), out)
        cuda.synchronize()
    (fault,) = caught.value.faults
    assert (fault.category, fault.text, fault.count, fault.array) == ("unassigned", "found", 2, "")
    assert fault.thread in ((5, 0, 0), (9, 0, 0))
    assert fault.source.strip() == "out[i] = found  # read"
    line = first_large.py_func.__code__.co_firstlineno + 7
    text = str(caught.value)
    what = "reads 'found', which has no value on the path taken and is read as 0"
    assert f"{__file__}:{line}: [unassigned] {what}\n" in text
    assert "\n                 ^^^^^\n  in kernel first_large, block (0, 0, 0), thread (" in text
    assert "to fix it: assign it on every path that leads here" in text
    assert out[5] == out[9] == 0 and (out[:5] > 2).all()
    assert launch(first_large, 1, 32, np.full(128, 3.0), out) == ()


# A body, and how often threads 0 to 31 read a name of each that has no value.
UNASSIGNED = {
    "if i > 3: y = i\nout[i] = y": {"y": 4},
    "if i > 3: y = 7\nout[i] = y": {"y": 4},
    "if i > 3: y = 7\nelse: y = 8\nout[i] = y": {},
    "if i > 3: y = 7\nelif i < 2: y = 8\nout[i] = y": {"y": 2},
    "if i > 3: y = 7\nif i > 3: out[i] = y": {},
    "for k in range(i): y = k\nout[i] = y": {"y": 1},
    "for k in range(i): pass\nout[i] = k": {"k": 1},
    "for k in range(3):\n if k > 0: out[i] = y\n y = k": {},
    "for k in range(3):\n if k < i: out[i] = y\n y = k": {"y": 31},
    "k = i\nwhile k > 3:\n y = k\n k -= 1\nout[i] = y": {"y": 4},
    "while True:\n if i > 3:\n  y = 1\n  break\n if i < 9: break\nout[i] = y": {"y": 4},
    "for k in range(9):\n if k == i:\n  y = k\n  break\nelse: y = 0\nout[i] = y": {},
    "if i > 3: y, z = 1, i\nout[i] = y + z": {"y": 4, "z": 4},
    "if i > 3: y = (1, i)\nout[i] = y[1]": {"y": 4},
    "if i > 3: y = 1\ny += 1\nout[i] = y": {"y": 4},
    "y = 1\nif i > 3: del y\nif i < 9: out[i] = y": {"y": 5},
    "if i > 3: y = out\nout[i] = 1 if y.size == 32 else 0": {"y": 4},
    "if i > 3: y = cuda.local.array(4, 'i8')\nif i > 2: y[0] = 1": {"y": 1},
    "if i > 3: y = 2\ndef inner(): return y\nout[i] = inner()": {"y": 4},
    "if i > 3: y = 2\ninner = lambda a: a + y\nif i > 3: out[i] = inner(i)": {},
    "if i > 30: return\nif i > 3: y = 2\nelse: return\nout[i] = y": {},
    "out[i] = helper(i)": {"z": 4},
    "out[i] = max(i, 3)": {},
    "if i > 3 and (y := i) > 5: pass\nout[i] = y": {"y": 4},
}


@cuda.jit(device=True)
def helper(i):
    if i > 3:
        z = i
    return z


@pytest.mark.parametrize("body", UNASSIGNED)
def test_reads_of_names_without_a_value_are_counted(device, body):
    names = {"cuda": cuda, "helper": helper}
    text = "def f(out):\n    i = cuda.grid(1)\n"
    text += "".join(f"    {line}\n" for line in body.splitlines())
    exec(compile(text, f"<{body}>", "exec"), names)
    linecache.cache[f"<{body}>"] = (len(text), None, text.splitlines(True), f"<{body}>")
    kernel = cuda.jit(check="unassigned")(names["f"])
    faults = launch(kernel, 1, 32, np.zeros(32, np.int64))
    assert {fault.text: fault.count for fault in faults} == UNASSIGNED[body]
    assert all(fault.category == "unassigned" for fault in faults)


def test_unknown_categories_are_refused():
    with pytest.raises(ValueError, match="no category 'bound'; it takes bounds"):
        cuda.jit(check="bound")(before.py_func)


@cuda.jit(check=True)
def gather(x, index, out):
    i = cuda.grid(1)
    if i < out.shape[0]:
        out[i] = x[index[i]]


@settings(
    max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(data=st.data())
def test_an_index_faults_exactly_when_it_is_outside(device, data):
    extent = data.draw(st.integers(1, 40))
    size = data.draw(st.integers(1, 100))
    index = np.array(
        data.draw(st.lists(st.integers(-60, 60), min_size=size, max_size=size)), np.int64
    )
    x = np.arange(extent, dtype=np.int64) + 1
    out = np.zeros(size, np.int64)
    faults = launch(gather, 3, 40, x, index, out)
    inside = (index >= -extent) & (index < extent)
    assert sum(fault.count for fault in faults) == np.count_nonzero(~inside)
    np.testing.assert_array_equal(out[inside], x[index[inside]])


def test_the_variable_turns_it_on(run_python):
    code = (
        "import numpy as np\nfrom phalanx import cuda\n\n@cuda.jit\ndef k(x):\n"
        "    x[cuda.grid(1)] = 1\n\nk[1, 32](np.zeros(8))\ncuda.synchronize()\n"
    )
    done = run_python(code, check=False, PHALANX_CHECK="1")
    assert "KernelError: check mode found a fault" in done.stderr
    run = run_python(code, "-m", "phalanx", "run", "--check=bounds", check=False)
    assert "[bounds] writes x[8] of shape (8,)" in run.stderr


@pytest.mark.parametrize(
    "example",
    ["game_of_life", "heat_equation", "histogram", "mandelbrot", "matrix_product",
     "monte_carlo_pi", "quicksort", "vector_add"],
)  # fmt: skip
def test_examples_have_no_fault(example):
    done = subprocess.run(
        [sys.executable, "-m", "phalanx", "run", f"--check={CERTAIN}", f"examples/{example}.py"],
        cwd=REPOSITORY,
        env={**os.environ, "PHALANX_DEVICE": "cpu"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr


def module_of(path, code):
    path.write_text(code)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_functions_of_other_files_are_named(device, tmp_path):
    helper = module_of(
        tmp_path / "helper.py",
        "from phalanx import cuda\n\n\n@cuda.jit(device=True)\ndef pick(x, i):\n"
        "    if i == 77:\n        raise ValueError('no')\n    return x[i + 100]\n",
    ).pick

    def use(x, start):
        i = cuda.grid(1)
        x[i] = helper(x, i + start)

    (fault,) = launch(cuda.jit(check=True)(use), 1, 32, np.zeros(32), 0)
    assert (Path(fault.file).name, fault.line, fault.source) == (
        "helper.py", 8, "    return x[i + 100]"
    )  # fmt: skip
    with pytest.raises(ValueError, match=r"helper\.py, line 7"):
        cuda.jit(debug=True, opt=False)(use)[1, 32](np.zeros(200), 60)
        cuda.synchronize()


@cuda.jit(check=True)
def hinted(x, out):
    i = cuda.grid(1)
    cuda.stcs(out, i, cuda.ldcg(x, i + 1))


def test_cache_operators_have_bounds(device):
    out = np.zeros(32)
    (fault,) = launch(hinted, 1, 32, np.ones(32), out)
    assert (fault.text, fault.index, fault.shape, fault.count) == ("read x", (32,), (32,), 1)
    np.testing.assert_array_equal(out[:31], 1)
    faults = launch(hinted, 1, 64, np.ones(80), np.zeros(32))
    assert [(fault.text, fault.count) for fault in faults] == [("write out", 32)]


point = np.dtype([("x", np.float32), ("y", np.float64), ("tail", np.int16, (3,))])


@cuda.jit(check=True)
def fields(points, out):
    i = cuda.grid(1)
    points[i].y = 2.0
    out[i] = points[i].tail[i]


def test_fields_of_records_have_bounds(device):
    out = np.zeros(8, np.int64)
    points = np.zeros(5, point)
    faults = launch(fields, 1, 8, points, out)
    # On a GPU the lanes that were inside go on first.
    counts = {(fault.text, fault.count) for fault in faults}
    assert {("write points", 3), ("view points", 3)} <= counts
    np.testing.assert_array_equal(points["y"], 2)
    assert any(fault.index == (3,) and fault.shape == (3,) for fault in faults)


@cuda.jit(check=True)
def rows(matrix, out):
    i = cuda.grid(1)
    row = matrix[i, :]
    for j in range(row.shape[0]):
        row[j] = 5
    out[i] = 1


def test_a_row_out_of_bounds_is_not_touched(device):
    memory = np.zeros((8, 16))
    faults = launch(rows, 1, 8, memory[:6], np.zeros(8))
    assert (faults[0].text, faults[0].index, faults[0].shape) == ("view matrix", (6, 0), (6, 16))
    assert faults[0].count == 2
    np.testing.assert_array_equal(memory[:6], 5)
    np.testing.assert_array_equal(memory[6:], 0)


@cuda.jit(check=True)
def tails(x, start, out):
    part = x[start:]
    back = x[start::-1]
    out[cuda.grid(1)] = part.shape[0] + back.shape[0]


@pytest.mark.parametrize("size", [0, 1, 7])
@pytest.mark.parametrize("start", [-9, -1, 0, 1, 7, 12])
def test_slices_are_never_out_of_bounds(device, size, start):
    x = np.zeros(size)
    out = np.zeros(4, np.int64)
    assert launch(tails, 1, 4, x, start, out) == ()
    np.testing.assert_array_equal(out, x[start:].size + x[start::-1].size)


@cuda.jit(check=True)
def swap(x, out):
    i = cuda.grid(1)
    out[i] = cuda.atomic.cas(x, i, 0, 7) + cuda.atomic.exch(x, i, 9)


def test_every_atomic_has_bounds(device):
    x = np.zeros(20, np.int32)
    faults = launch(swap, 1, 32, x, np.zeros(32, np.int32))
    assert [(fault.text, fault.count) for fault in faults] == [("atomic x", 12)]  # one look
    np.testing.assert_array_equal(x, 9)


PAIR = np.dtype([("position", "f4", (3,)), ("id", "i4")])


@cuda.jit(check=True)
def sets_field(records, k):
    records[cuda.grid(1)].position[k] = 2


@cuda.jit(check="wraps")
def counts_from_the_end(a, out):
    i = cuda.grid(1)
    out[i] = a[i - 1]


def test_fields_and_extents_are_named(device):
    with pytest.raises(KernelError, match=r"writes records\.position\[3\] of shape \(3,\)"):
        sets_field[1, 2](np.zeros(2, PAIR), 3)
    with pytest.raises(KernelError, match=r"indexes 'a' with -1 on an axis of 50, which counts"):
        counts_from_the_end[1, 8](np.zeros(50), np.zeros(8))
