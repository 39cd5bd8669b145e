"""Barriers that count, against NumPy, on blocks of every kind of shape."""

import numpy as np
import pytest

from phalanx import cuda


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


@pytest.mark.parametrize("check", [False, "uninitialized", "races", True])
@pytest.mark.parametrize("first", [0, 1, 31, 32, 50])
def test_votes_of_the_threads_that_have_not_returned(first, check, device):
    @cuda.jit(check=check)
    def late_votes(counts, alls, anys):
        i = cuda.threadIdx.x
        if i < first:
            return
        for turn in range(counts.shape[0]):
            counts[turn, i] = cuda.syncthreads_count(i % 3 == turn)
            alls[turn, i] = cuda.syncthreads_and(i >= first)
            anys[turn, i] = cuda.syncthreads_or(i < first)

    threads = 72
    results = [np.full((3, threads), -1, np.int32) for _ in range(3)]
    late_votes[1, threads](*results)
    here = np.arange(first, threads)
    counts = (here % 3 == np.arange(3)[:, None]).sum(axis=1)
    for result, expected in zip(results, (counts, [1] * 3, [0] * 3), strict=True):
        assert (result[:, :first] == -1).all()
        assert (result[:, first:] == np.asarray(expected)[:, None]).all()
