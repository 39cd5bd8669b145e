"""Barriers that count, against NumPy, on blocks of every kind of shape."""

import numpy as np
import pytest

from phalanx import cuda, types


@cuda.jit
def votes(values, counts, alls, anys):
    i = cuda.threadIdx.x + cuda.blockDim.x * (cuda.threadIdx.y + cuda.blockDim.y * cuda.threadIdx.z)
    at = cuda.blockIdx.x, i
    counts[at] = cuda.syncthreads_count(values[at])
    alls[at] = cuda.syncthreads_and(values[at])
    anys[at] = cuda.syncthreads_or(values[at])


@cuda.jit
def repeated(counts):
    i = cuda.threadIdx.x
    for turn in range(counts.shape[0]):
        counts[turn, i] = cuda.syncthreads_count(i < turn)


@pytest.mark.parametrize("block", [1, 31, 32, 72, (8, 9), (3, 4, 5)])
@pytest.mark.parametrize("dtype", [np.bool_, np.int16, np.uint64])
def test_votes_of_a_block(block, dtype, device):
    threads = int(np.prod(block))
    rng = np.random.default_rng(1)
    values = (rng.integers(0, 4, (5, threads)) > np.arange(5)[:, None]).astype(dtype)
    values *= np.array(3, np.int64).astype(dtype)  # any number but 0 is true
    results = [np.full(values.shape, -1, np.int32) for _ in range(3)]
    votes[5, block](values, *results)
    truth = values != 0
    for row in range(5):
        assert set(results[0][row]) == {truth[row].sum()}
        assert set(results[1][row]) == {int(truth[row].all())}
        assert set(results[2][row]) == {int(truth[row].any())}


def test_votes_in_a_loop(device):
    counts = np.full((7, 64), -1, np.int32)
    repeated[1, 64](counts)
    assert (counts == np.arange(7)[:, None]).all()


def ends_first(i):
    return i == 0


def ends_below_50(i):
    return i < 50


def ends_whole_warp(i):
    return i // 32 == 1


def ends_here_and_there(i):
    return i % 5 == 1


def ends_but_the_last(i):
    return i < 71


@pytest.mark.parametrize("check", [False, "uninitialized", "races", True])
@pytest.mark.parametrize(
    "ends", [ends_first, ends_below_50, ends_whole_warp, ends_here_and_there, ends_but_the_last]
)
def test_votes_of_the_threads_that_have_not_returned(ends, check, device):
    has_ended = cuda.jit(device=True)(ends)

    @cuda.jit(check=check)
    def late_votes(counts, alls, anys):
        i = cuda.threadIdx.x
        if has_ended(i):
            return
        for turn in range(counts.shape[0]):
            counts[turn, i] = cuda.syncthreads_count(i % 3 == turn)
            alls[turn, i] = cuda.syncthreads_and(i % 3 == turn or turn != 1)
            anys[turn, i] = cuda.syncthreads_or(i % 3 == turn and turn == 1)

    threads = 72
    results = [np.full((3, threads), -1, np.int32) for _ in range(3)]
    late_votes[1, threads](*results)
    ended = np.array([ends(i) for i in range(threads)])
    here = np.arange(threads)[~ended]
    turns = np.arange(3)[:, None]
    holds = here % 3 == turns
    expected = (
        holds.sum(axis=1),
        (holds | (turns != 1)).all(axis=1),
        (holds & (turns == 1)).any(axis=1),
    )
    for result, each in zip(results, expected, strict=True):
        assert (result[:, ended] == -1).all()
        assert (result[:, ~ended] == each[:, None]).all()


@cuda.jit
def bubble_sort(values):
    """Neighbours change places until no thread finds a pair to change."""
    i = cuda.threadIdx.x
    swaps = 1
    while swaps:
        swapped = False
        for odd in range(2):
            at = 2 * i + odd
            if at + 1 < values.size and values[at] > values[at + 1]:
                values[at], values[at + 1] = values[at + 1], values[at]
                swapped = True
            cuda.syncthreads()
        swaps = cuda.syncthreads_or(swapped)


@pytest.mark.parametrize("threads", [16, 50, 64])
def test_a_vote_ends_a_loop_with_barriers(threads, device):
    values = np.random.default_rng(3).permutation(2 * threads).astype(np.int32)
    bubble_sort[1, threads](values)
    assert (values == np.arange(2 * threads)).all()


def test_a_vote_is_one_instruction_of_the_gpu():
    ptx, _ = cuda.compile_ptx(
        votes.py_func, types.void(types.int32[:, ::1], *[types.int32[:, ::1]] * 3), cc=(8, 0)
    )
    assert ptx.count("bar.red.popc") == 1
    assert ptx.count("bar.red.or") == 2
    assert "bar.sync" not in ptx
    assert "atom" not in ptx
