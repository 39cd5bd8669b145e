"""Atomics of many blocks on the same elements, at the end of kernels with grid-stride loops."""

import numpy as np
import pytest

from phalanx import cuda

THREADS = 64
BLOCKS = 37
UPDATES = {
    "add": np.add,
    "sub": np.subtract,
    "max": np.maximum,
    "min": np.minimum,
    "and_": np.bitwise_and,
    "or_": np.bitwise_or,
    "xor": np.bitwise_xor,
}
# Where a thread's number goes.
PLACES = {
    "own": lambda block, t: t,
    "one": lambda block, t: t * 0 + 3,
    "mirrored": lambda block, t: -1 - t,
    "block": lambda block, t: block,
}


def kernel_of(name, place, value_type):
    """Each thread's elements are combined in shared memory, and then with those of all blocks."""
    atomic = getattr(cuda.atomic, name)

    @cuda.jit
    def kernel(a, out, count):
        here = cuda.shared.array(THREADS, value_type)
        t = cuda.threadIdx.x
        here[t] = 5
        cuda.syncthreads()
        for i in range(cuda.grid(1), a.shape[0], cuda.gridsize(1)):
            atomic(here, (a[i] >> 3) % THREADS, a[i])
        cuda.syncthreads()
        if place == "own":
            atomic(out, t, here[t])
        elif place == "one":
            atomic(out, 3, here[t])
        elif place == "mirrored":
            atomic(out, -1 - t, here[t])
        else:
            atomic(out, cuda.blockIdx.x, here[t])
        cuda.atomic.add(count, t % 3, 2)

    return kernel


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("value_type", ["int32", "uint32", "int64"])
@pytest.mark.parametrize("name", UPDATES)
def test_all_blocks_have_their_part(device, name, value_type, place):
    rng = np.random.default_rng(6)
    a = rng.integers(0, 1 << 20, 50_001).astype(value_type)
    out = rng.integers(0, 1 << 20, THREADS).astype(value_type)
    update = UPDATES[name]
    block = np.arange(a.size) % (BLOCKS * THREADS) // THREADS
    here = np.full((BLOCKS, THREADS), 5, value_type)
    expected = out.copy()
    with np.errstate(over="ignore"):
        update.at(here, (block, (a >> 3) % THREADS), a)
        at = PLACES[place](np.arange(BLOCKS)[:, None], np.arange(THREADS)[None, :])
        update.at(expected, np.broadcast_to(at, here.shape), here)
    count = np.zeros(3, np.int32)
    kernel_of(name, place, np.dtype(value_type))[BLOCKS, THREADS](a, out, count)
    np.testing.assert_array_equal(out, expected)
    np.testing.assert_array_equal(count, np.bincount(np.arange(THREADS) % 3) * 2 * BLOCKS)


def test_blocks_that_run_together_send_one_atomic(device):
    """On the CPU device, what they have in common is summed before memory sees it."""
    if device != "cpu":
        pytest.skip("blocks of a GPU do not run one after another")
    for place, is_combined in {"own": True, "block": False}.items():
        kernel = kernel_of("add", place, np.dtype("int32"))
        kernel[BLOCKS, THREADS](
            np.zeros(9, np.int32), np.zeros(THREADS, np.int32), np.zeros(3, np.int32)
        )
        (code,) = kernel.inspect_llvm().values()
        assert ("%of.blocks" in code) == is_combined
