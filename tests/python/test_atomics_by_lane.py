"""Atomics at elements of shared arrays that each thread chooses, of all types of the index."""

import re

import numpy as np
import pytest

from phalanx import cuda

BINS = 100
THREADS = 128
BLOCKS = 3
INDICES = ["int8", "uint8", "int16", "uint16", "int32", "uint32", "int64", "uint64"]
# The index as it was loaded; from the array's other end; computed; loaded, and then overwritten.
SOURCES = ["loaded", "negative", "computed", "overwritten"]
VALUES = {"int32": ["add", "sub", "max", "min"], "int64": ["add"], "float32": ["add"]}
ROWS = [(name, dtype) for dtype, names in VALUES.items() for name in names]


def counter(name, source, value_type):
    """Each thread changes one element of its block's bins, which are then written out."""
    atomic = getattr(cuda.atomic, name)

    @cuda.jit
    def count(indices, values, out):
        bins = cuda.shared.array(BINS, value_type)
        t = cuda.threadIdx.x
        if t < BINS:
            bins[t] = 0
        cuda.syncthreads()
        i = cuda.grid(1)
        if source == "loaded":
            atomic(bins, indices[i], values[i])
        elif source == "negative":
            atomic(bins, -1 - np.int64(indices[i]), values[i])
        elif source == "computed":
            atomic(bins, (indices[i] * 3 + 1) % BINS, values[i])
        else:
            index = indices[i]
            indices[i] = 0
            atomic(bins, index, values[i])
        cuda.syncthreads()
        if t < BINS:
            out[cuda.blockIdx.x, t] = bins[t]

    return count


def expected_bins(name, source, indices, values):
    """NumPy's, of all blocks."""
    at = indices.astype(np.int64)
    if source == "negative":
        at = BINS - 1 - at
    elif source == "computed":
        at = (at * 3 + 1) % BINS
    update = {"add": np.add, "sub": np.subtract, "max": np.maximum, "min": np.minimum}[name]
    bins = np.zeros((BLOCKS, BINS), values.dtype)
    update.at(bins, (np.arange(at.size) // THREADS, at), values)
    return bins


@pytest.mark.parametrize("source", SOURCES)
@pytest.mark.parametrize("index_type", INDICES)
@pytest.mark.parametrize(("name", "value_type"), ROWS)
def test_each_thread_changes_the_element_it_chose(device, name, value_type, index_type, source):
    rng = np.random.default_rng(5)
    most = 40 if source == "computed" and index_type.endswith("int8") else BINS
    indices = rng.integers(0, most, BLOCKS * THREADS).astype(index_type)
    values = rng.integers(-9, 10, indices.size).astype(value_type)
    expected = expected_bins(name, source, indices, values)
    out = np.zeros((BLOCKS, BINS), value_type)
    counter(name, source, np.dtype(value_type))[BLOCKS, THREADS](indices, values, out)
    np.testing.assert_array_equal(out, expected)


@cuda.jit
def count_one(indices, out):
    bins = cuda.shared.array(BINS, np.int32)
    t = cuda.threadIdx.x
    bins[t % BINS] = 0
    cuda.syncthreads()
    cuda.atomic.add(bins, indices[t], 1)
    cuda.syncthreads()
    out[t % BINS] = bins[t % BINS]


def test_indices_are_read_where_they_lie(device):
    """On the CPU device no copy of the loaded indices is made for the loop over the lanes."""
    if device != "cpu":
        pytest.skip("GPUs have no loop over lanes")
    out = np.zeros(BINS, np.int32)
    count_one[1, THREADS](np.zeros(THREADS, np.uint8), out)
    assert out[0] == THREADS
    (code,) = count_one.inspect_llvm().values()
    assert "lshr i64" in code
    assert not re.search(r"alloca <\d+ x i8>", code)


def test_an_index_whose_cast_wraps(device):
    @cuda.jit
    def count(x, out):
        bins = cuda.shared.array(256, np.int32)
        t = cuda.threadIdx.x
        bins[t] = 0
        cuda.syncthreads()
        cuda.atomic.add(bins, np.uint16(x[t]) - np.uint16(65280), 1)
        cuda.atomic.add(bins, np.uint8(x[t]), 2)
        cuda.syncthreads()
        out[t] = bins[t]

    x = np.random.default_rng(0).integers(-128, 0, 256).astype(np.int8)
    out = np.zeros(256, np.int32)
    count[1, 256](x, out)
    np.testing.assert_array_equal(out, 3 * np.bincount(x.astype(np.uint8), minlength=256))


def test_an_index_cast_to_more_unsigned_bits(device):
    @cuda.jit
    def count(x, out):
        bins = cuda.shared.array(0, np.float16)
        t = cuda.threadIdx.x
        for i in range(t, bins.size, 256):
            bins[i] = 0
        cuda.syncthreads()
        cuda.atomic.add(bins, np.uint16(x[t]), np.float16(1))
        cuda.syncthreads()
        for i in range(t, bins.size, 256):
            out[i] = bins[i]

    x = np.arange(-128, 128).astype(np.int8)
    out = np.zeros(1 << 16, np.float16)
    count[1, 256, 0, 2 << 16](x, out)
    np.testing.assert_array_equal(np.flatnonzero(out), np.unique(x.astype(np.uint16)))
