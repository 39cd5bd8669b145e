"""Copies of strided arrays do what NumPy's `copyto` does, on each device."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from phalanx._types.bridge import to_engine

from phalanx import _engine

DTYPES = [
    np.dtype("int8"), np.dtype("float16"), np.dtype("int32"), np.dtype("float64"),
    np.dtype("complex128"), np.dtype([("a", "f4", (3,))]), np.dtype([("a", "u1", (3,))]),
]  # fmt: skip
SHAPES = [(), (7,), (5, 6), (3, 4, 5), (2, 3, 2, 5), (2, 1, 3, 2, 3)]


def packed(shape, order, step):
    """Byte strides of an array whose dimensions lie in this order, the last one innermost."""
    strides = [0] * len(shape)
    for axis in reversed(order):
        strides[axis] = step
        step *= shape[axis]
    return strides


def layouts(shape, item):
    """(name, strides, offset) of arrays of that shape."""
    axes = list(range(len(shape)))
    contiguous = packed(shape, axes, item)
    yield "C", contiguous, 0
    yield "F", packed(shape, axes[::-1], item), 0
    yield "permuted", packed(shape, axes[1:] + axes[:1], item), 0
    yield "gaps", packed(shape, axes, 2 * item), item
    yield "permuted gaps", packed(shape, axes[::-1], 3 * item), 0
    for name, turned in ("reversed", axes), ("first reversed", axes[:1]):
        first = sum((shape[axis] - 1) * contiguous[axis] for axis in turned)
        yield name, [-s if a in turned else s for a, s in enumerate(contiguous)], first
    yield "unaligned", contiguous, 1


def repeated_layouts(shape, item):
    """Those of sources alone: elements that are the same memory, or overlap."""
    contiguous = packed(shape, range(len(shape)), item)
    yield "broadcast", [0 if axis % 2 == 0 else s for axis, s in enumerate(contiguous)], 0
    yield "windows", [item] * len(shape), 0


def pairs(shape, item):
    sources = [*layouts(shape, item), *repeated_layouts(shape, item)]
    return itertools.product(layouts(shape, item), sources)


def host_view(memory, shape, dtype, layout):
    _, strides, offset = layout
    return np.ndarray(shape, dtype, memory, offset, strides)


def device_view(memory, shape, dtype, layout):
    _, strides, offset = layout
    return _engine.DeviceArray(memory, shape, strides, offset, to_engine(dtype))


def on_device(content):
    made = _engine.DeviceArray(content.shape, to_engine(content.dtype))
    made.copy_from_host(content)
    return made


def content_of(memory):
    made = np.empty(memory.shape, np.uint8)
    memory.copy_to_host(made)
    return made


@pytest.fixture(params=DTYPES, ids=lambda dtype: f"{dtype.itemsize}_bytes")
def dtype(request):
    return request.param


@pytest.fixture(params=SHAPES, ids=lambda shape: f"{len(shape)}d")
def shape(request):
    return request.param


def memories(shape, dtype):
    """Two blocks of bytes that every layout fits into."""
    size = (3 * int(np.prod(shape)) + 2) * dtype.itemsize + 1
    numbers = np.random.default_rng(5)
    return (numbers.integers(0, 256, size, np.uint8) for _ in range(2))


def test_copies_from_the_host(device, shape, dtype):
    before, source = memories(shape, dtype)
    for to, from_ in pairs(shape, dtype.itemsize):
        expected = before.copy()
        values = host_view(source, shape, dtype, from_)
        host_view(expected, shape, dtype, to)[...] = values
        memory = on_device(before)
        device_view(memory, shape, dtype, to).copy_from_host(values)
        np.testing.assert_array_equal(content_of(memory), expected, f"{from_[0]} to {to[0]}")


def test_copies_to_the_host(device, shape, dtype):
    before, source = memories(shape, dtype)
    memory = on_device(source)
    for to, from_ in pairs(shape, dtype.itemsize):
        expected, actual = before.copy(), before.copy()
        host_view(expected, shape, dtype, to)[...] = host_view(source, shape, dtype, from_)
        target = host_view(actual, shape, dtype, to)
        device_view(memory, shape, dtype, from_).copy_to_host(target)
        np.testing.assert_array_equal(actual, expected, f"{from_[0]} to {to[0]}")


def test_copies_within_the_device(device, shape, dtype):
    before, source = memories(shape, dtype)
    source_memory = on_device(source)
    for to, from_ in pairs(shape, dtype.itemsize):
        expected = before.copy()
        host_view(expected, shape, dtype, to)[...] = host_view(source, shape, dtype, from_)
        memory = on_device(before)
        device_view(memory, shape, dtype, to).copy_from(
            device_view(source_memory, shape, dtype, from_)
        )
        np.testing.assert_array_equal(content_of(memory), expected, f"{from_[0]} to {to[0]}")


def test_a_source_that_overlaps_is_read_first(device, shape, dtype):
    before, _ = memories(shape, dtype)
    for to, from_ in pairs(shape, dtype.itemsize):
        expected = before.copy()
        host_view(expected, shape, dtype, to)[...] = host_view(before.copy(), shape, dtype, from_)
        memory = on_device(before)
        device_view(memory, shape, dtype, to).copy_from(device_view(memory, shape, dtype, from_))
        np.testing.assert_array_equal(content_of(memory), expected, f"{from_[0]} to {to[0]}")


def test_fills_leave_gaps_as_they_are(device, shape, dtype):
    before, source = memories(shape, dtype)
    item = source[: dtype.itemsize]
    for to in layouts(shape, dtype.itemsize):
        expected = before.copy()
        host_view(expected, shape, dtype, to)[...] = item.view(dtype)[0]
        memory = on_device(before)
        device_view(memory, shape, dtype, to).fill(item.tobytes())
        np.testing.assert_array_equal(content_of(memory), expected, to[0])


@pytest.mark.parametrize("item", [1, 2, 4, 8, 12, 16])
@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_large_copies_change_the_order(device, item, order):
    """Beyond one tile and one thread, with extents that fill neither."""
    dtype = np.dtype([("a", "u1", (item,))])
    shape = (67, 130, 201)
    source = np.random.default_rng(1).integers(0, 256, 67 * 130 * 201 * item, np.uint8)
    to = ("", packed(shape, (0, 1, 2), item), 0)
    from_ = ("", packed(shape, order, item), 0)
    target = on_device(np.zeros_like(source))
    device_view(target, shape, dtype, to).copy_from(
        device_view(on_device(source), shape, dtype, from_)
    )
    expected = np.ascontiguousarray(host_view(source, shape, dtype, from_))
    np.testing.assert_array_equal(content_of(target), expected.view(np.uint8).reshape(-1))
