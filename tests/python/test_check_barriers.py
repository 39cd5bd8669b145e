"""Check mode on the CPU device: barriers that not all threads of a block come to."""

import inspect

import numpy as np
import pytest

from phalanx import KernelError, cuda


@pytest.fixture(autouse=True)
def cpu_only(device):
    if device != "cpu":
        pytest.skip("barriers are counted on the CPU device only")


def launch(kernel, grid, block, *arguments):
    """The faults of a launch; none when it goes well."""
    try:
        kernel[grid, block](*arguments)
        cuda.synchronize()
    except KernelError as error:
        return error.faults
    return ()


def line_of(kernel, text):
    """The number of the kernel's first line with this text."""
    lines, start = inspect.getsourcelines(kernel.py_func)
    return start + next(i for i, line in enumerate(lines) if text in line)


@cuda.jit(check=True)
def parted(out):
    i = cuda.threadIdx.x
    if i < 20:
        cuda.syncthreads()
    out[i] = i
    cuda.syncthreads()


@cuda.jit(check=True)
def leaves(out, n):
    i = cuda.threadIdx.x
    if i >= n:
        return
    cuda.syncthreads()
    out[i] = i


@cuda.jit(check=True)
def two_places(out):
    i = cuda.threadIdx.x
    if i < 32:
        out[i] = 1
        cuda.syncthreads()
    else:
        out[i] = 2
        cuda.syncthreads()


def test_barriers_that_threads_part_at(device):
    faults = launch(parted, 1, 64, np.zeros(64))
    assert faults and faults[0].category == "barriers"
    assert faults[0].line in (
        line_of(parted, "cuda.syncthreads()"), line_of(parted, "out[i] = i") + 1
    )  # fmt: skip
    assert launch(two_places, 1, 64, np.zeros(64))[0].category == "barriers"
    assert launch(leaves, 1, 64, np.zeros(64), 50) == ()  # threads that ended are not waited for


@cuda.jit(check=True)
def some_go_to_the_end(out, n):
    i = cuda.threadIdx.x
    if i < n:
        cuda.syncthreads()
    out[i] = i


@cuda.jit(check=True)
def loops_of_other_lengths(out, n):
    i = cuda.threadIdx.x
    for _ in range(i % n):
        cuda.syncthreads()
    out[i] = i


@cuda.jit(device=True)
def returns_before_a_barrier(i, n):
    if i >= n:
        return 0
    cuda.syncthreads()
    return 1


@cuda.jit(check=True)
def calls_what_returns(out, n):
    i = cuda.threadIdx.x
    out[i] = returns_before_a_barrier(i, n)


@pytest.mark.parametrize("threads", [31, 32, 64, 96])
@pytest.mark.parametrize("n", [5, 20])
@pytest.mark.parametrize(
    ("kernel", "text"),
    [
        (some_go_to_the_end, "cuda.syncthreads()"),
        (loops_of_other_lengths, "cuda.syncthreads()"),
        (calls_what_returns, "returns_before_a_barrier(i, n)"),
    ],
)
def test_threads_that_end_are_missed_at_barriers(device, kernel, text, n, threads):
    faults = launch(kernel, 2, threads, np.zeros(threads), n)
    assert {fault.category for fault in faults} == {"barriers"}
    assert line_of(kernel, text) in {fault.line for fault in faults}


def test_barriers_that_all_threads_reach_or_none(device):
    for n in (0, 64):
        assert launch(some_go_to_the_end, 2, 64, np.zeros(64), n) == ()
        assert launch(calls_what_returns, 2, 64, np.zeros(64), n) == ()
    assert launch(loops_of_other_lengths, 2, 64, np.zeros(64), 1) == ()


@cuda.jit(check=True)
def meets_in_branches_of_blocks(out, n):
    tile = cuda.shared.array(64, np.float64)
    i = cuda.threadIdx.x
    for _ in range(n):
        tile[i] = out[i]
        cuda.syncthreads()
        if cuda.blockIdx.x == 0:
            cuda.syncthreads()
            out[i] = tile[63 - i]
        cuda.syncthreads()
    step = 32
    while step > 0:
        cuda.syncthreads()
        if i < step:
            tile[i] += tile[i + step]
        step //= 2


@cuda.jit(check=True)
def leaves_from_a_loop(out, n):
    i = cuda.threadIdx.x
    while True:
        if i >= n:
            return
        cuda.syncthreads()
        out[i] += 1
        n -= 20


def test_barriers_that_all_come_to_are_no_fault(device):
    assert launch(meets_in_branches_of_blocks, 2, 64, np.zeros(64), 3) == ()
    assert launch(meets_in_branches_of_blocks, 2, 64, np.zeros(64), 0) == ()
    assert launch(leaves_from_a_loop, 1, 64, np.zeros(64), 64) == ()


def test_debug_mode_looks_at_barriers(device):
    kernel = cuda.jit(debug=True, opt=False)(parted.py_func)
    with pytest.raises(KernelError, match=r"\[barriers\]"):
        kernel[1, 64](np.zeros(64))


@cuda.jit(check=True)
def some_vote(out, n):
    i = cuda.threadIdx.x
    if i < n:
        out[i] = cuda.syncthreads_count(i > 3)
    out[i] += 1


def test_votes_that_threads_go_around(device):
    out = np.zeros(64, np.int32)
    faults = launch(some_vote, 1, 64, out, 40)
    assert faults[0].category == "barriers"
    assert faults[0].line == line_of(some_vote, "syncthreads_count")
    assert launch(some_vote, 1, 64, out, 64) == ()
