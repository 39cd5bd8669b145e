"""Concatenations as operands: of what they consist in each part of a kernel's space."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

import phalanx as px
from arrays.oracle import check_same, layouts, ours, sample

SHAPES = {
    "1d": [(5,), (3,)],
    "2d": [(4, 3), (4, 3)],
    "3d": [(2, 3, 4), (2, 3, 4), (2, 3, 4)],
    "empty": [(0, 2), (0, 2)],
}


def parts_of(shapes, dtypes, axis):
    made = []
    for number, (shape, dtype) in enumerate(zip(shapes, itertools.cycle(dtypes))):
        extents = list(shape)
        extents[axis] += 2 * number
        made.append(sample(dtype, tuple(extents)))
    return made


CONSUMERS = {
    "looked at": lambda xp, c: c,
    "elementwise": lambda xp, c: c * 2 + c,
    "twice": lambda xp, c: xp.where(c == c, c, 1) + c,
    "slice": lambda xp, c: c[1:],
    "slice of a value": lambda xp, c: (c + c)[..., ::-1],
    "neighbours": lambda xp, c: c[:-1] + c[1:],
    "reversed": lambda xp, c: c[::-1] * 2 + c,
    "steps": lambda xp, c: c[::-2] + 1,
    "transposed": lambda xp, c: c.T + c.T,
    "reduction": lambda xp, c: c.max() if c.size else c.sum(),
    "reduction of a value": lambda xp, c: (c == c).sum(axis=0),
    "reduction in a value": lambda xp, c: c - c.sum(axis=0),
    "concatenation": lambda xp, c: xp.concatenate([c, c[:1], c], 0) * 2,
    "other axis": lambda xp, c: xp.concatenate([c, c + c], -1) * 2,
    "other shape": lambda xp, c: c.reshape(-1) + 1,
    "broadcast": lambda xp, c: c[None] * c[:, None],
    "indices": lambda xp, c: (c + c)[xp.asarray([0, -1, 0])] if len(c) else c,
    "scan": lambda xp, c: xp.cumsum(c == c, axis=0),
}


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
@pytest.mark.parametrize("name", SHAPES)
@pytest.mark.parametrize("consumer", CONSUMERS)
@pytest.mark.parametrize(
    "dtypes", [("int64",), ("float32", "float64"), ("bool", "int8"), ("complex64", "int16")]
)
def test_what_is_computed_of_concatenations_is_numpys(device, name, consumer, dtypes):
    shapes = SHAPES[name]
    for axis in range(len(shapes[0])):
        parts = parts_of(shapes, dtypes, axis)
        with np.errstate(all="ignore"):
            expected = CONSUMERS[consumer](np, np.concatenate(parts, axis))
            check_same(CONSUMERS[consumer](px, px.concatenate(ours(parts), axis)), expected)
            pending = [each + each for each in parts]
            expected = CONSUMERS[consumer](np, np.concatenate(pending, axis))
            recorded = [each + each for each in ours(parts)]
            check_same(CONSUMERS[consumer](px, px.concatenate(recorded, axis)), expected)


def stencil(p):
    inner = p[1:-1, 1:-1]
    return p[:-2, 1:-1] + p[2:, 1:-1] + p[1:-1, :-2] + p[1:-1, 2:] - 4 * inner


OPERATIONS = {
    "pad": lambda xp, x: xp.pad(x, 1) * 2,
    "pad of a value": lambda xp, x: stencil(xp.pad(x * 2, 1, constant_values=3)),
    "uneven pad": lambda xp, x: xp.pad(x, ((0, 2), (3, 0)))[::-1, 1:] + 1,
    "five points": lambda xp, x: stencil(xp.pad(x, 1)),
    "roll": lambda xp, x: x - xp.roll(x, 1, 0),
    "roll of all": lambda xp, x: x - xp.roll(x, -7),
    "roll of a value": lambda xp, x: xp.roll(x * 2, (2, -1), (0, 1)) + x,
    "four rolls": lambda xp, x: (
        xp.roll(x, 1, 0) + xp.roll(x, -1, 0) + xp.roll(x, 1, 1) + xp.roll(x, -1, 1) - 4 * x
    ),
    "rolls of rolls": lambda xp, x: xp.roll(xp.roll(x, 3, 0) + x, -2, 1) * x,
    "many rolls": lambda xp, x: sum(xp.roll(x, i, i % 2) for i in range(1, 12)) + x,
    "stack": lambda xp, x: xp.stack([x, x + 1, x[::-1]], 1)[..., 1:] * x[:, None, 1:],
    "last axis": lambda xp, x: xp.stack([x, x], -1) * xp.asarray([1, 2], dtype=x.dtype),
    "many parts": lambda xp, x: xp.concatenate([x, x, x + 1, x, x]) * 2,
    "block": lambda xp, x: xp.block([[x, x + 1], [x * 2, x]]) + 1,
    "column of all": lambda xp, x: xp.concatenate([x, x.sum(axis=1, keepdims=True)], 1) * 2,
    "of broadcasts": lambda xp, x: xp.concatenate([xp.broadcast_to(x[:1], x.shape), x]) + 1,
    "of positions": lambda xp, x: xp.concatenate([xp.arange(5), xp.arange(7)]) * 2,
}


@pytest.mark.parametrize("name", OPERATIONS)
@pytest.mark.parametrize("shape", [(3, 4), (300, 500), (700, 400)])
def test_stencils_and_others_are_numpys(device, name, shape):
    x = sample("int64", shape)
    expected = OPERATIONS[name](np, x)
    for layout, array in layouts(x) if shape == (3, 4) else [("C", x)]:
        check_same(OPERATIONS[name](px, ours(array)), expected), layout


def test_a_concatenation_is_of_the_time_when_it_is_recorded(device):
    x, y = px.ones(4), px.zeros(3)
    joined = px.concatenate([x, y])
    moved = px.roll(x, 1) + px.pad(y, (1, 0))
    x += 5
    y[1] = 7
    assert joined.tolist() == [1] * 4 + [0] * 3
    assert moved.tolist() == [1] * 4
    joined[2:5] = 9
    assert joined.tolist() == [1, 1, 9, 9, 9, 0, 0]
    assert x.tolist() == [6] * 4


def test_memory_that_is_shared_with_numpy_keeps_its_value_when_it_is_assigned_to():
    memory = np.ones(4)
    x = px.asarray(memory, device="cpu")
    joined = px.concatenate([x, x + 1])
    x[:] = 3
    assert memory.tolist() == [3] * 4
    assert joined.tolist() == [1] * 4 + [2] * 4
    assert px.concatenate([px.ones(1, device="cpu"), memory]).tolist() == [1] + [3] * 4


def test_numbers_and_arrays_of_no_device_yet(device):
    recorded = px.concatenate([px.ones(3), px.zeros(2)]) + px.arange(5)
    assert recorded.tolist() == [1, 2, 3, 3, 4]
    assert (px.pad(px.arange(3), 1, constant_values=-1) * 2).tolist() == [-2, 0, 2, 4, -2]
    for value in (-1, 300, 1.5):
        padded = px.explain(px.pad(px.arange(3), 1, constant_values=value))
        assert not any(each.inputs for each in padded.kernels)
    assert len(px.explain(px.concatenate([px.ones(3), px.zeros(2)]) * 2).kernels) == 2


def test_an_array_is_assigned_what_is_concatenated_of_itself(device):
    x = px.arange(6.0)
    x[:] = px.roll(x, 2)
    assert x.tolist() == [4, 5, 0, 1, 2, 3]
    x[1:] = px.concatenate([x[:2], x[3:]])
    assert x.tolist() == [4, 4, 5, 1, 2, 3]
    x += px.concatenate([x[3:], x[:3]])
    assert x.tolist() == [5, 6, 8, 5, 6, 8]


def test_dates_are_concatenated_in_their_common_unit(device):
    days = np.array(["2020-02-28", "NaT"], "datetime64[D]")
    hours = np.array(["1999-01-01T05"], "datetime64[h]")
    one = px.concatenate([px.array(days), px.array(hours)])
    made, expected = one + np.timedelta64(1, "h"), np.concatenate([days, hours])
    assert made.dtype == expected.dtype
    assert str(made) == str(expected + np.timedelta64(1, "h"))


def test_parts_that_are_read_in_chunks(tmp_path):
    host = np.arange(1 << 20) % 1000 / 8
    np.save(tmp_path / "host.npy", host)
    used = px.memory_info("cpu").used_bytes
    px.set_memory_limit(used + 12 * (1 << 20), "cpu")
    try:
        whole = px.load(tmp_path / "host.npy", mmap_mode="r", device="cpu")
        joined = px.concatenate([whole * 2, px.ones(1000, device="cpu")]) + 1
        check_same(joined, np.concatenate([host * 2, np.ones(1000)]) + 1)
        del joined
        check_same(px.roll(whole, 5), np.roll(host, 5))
    finally:
        px.set_memory_limit(None, "cpu")


def test_explain_tells_a_kernel_for_each_part(device):
    x, y = px.array(np.ones(100)), px.array(np.zeros(50))
    value = px.concatenate([x, y]) * 2 + 1
    kernels = px.explain(value).kernels
    assert [each.shape for each in kernels] == [(100,), (50,)]
    assert "from part to part" in str(px.explain(value))
    value._evaluate()
    assert value.tolist() == [3] * 100 + [1] * 50


def test_explain_tells_the_kernels_of_all_parts_that_ran(device):
    x, y = px.array(np.ones(100)), px.array(np.zeros(50))
    value = px.concatenate([x, y]) * 2 + 1
    kernels = px.explain(value, measure=True).kernels
    assert [each.shape for each in kernels] == [(100,), (50,)]
    assert all(each.has_run and each.seconds > 0 for each in kernels)
    assert [each.has_run for each in px.explain(value - 1).kernels] == [True, True, False]
    joined = px.concatenate([x, y, x])
    made = px.explain(joined, measure=True)
    assert [each.shape for each in made.kernels] == [(100,), (50,), (100,)]
    joined += 1
    assert [each.shape for each in px.explain(joined).kernels] == [(100,), (50,), (100,), (250,)]


def test_rolls_by_what_numpy_takes(device):
    host = np.arange(12.0).reshape(3, 4)
    for shift, axis in ((1.5, None), (np.float64(2), 0), (np.array([1, 2]), (0, 1)), (True, 1)):
        made = px.roll(px.array(host), shift, axis=axis)
        np.testing.assert_array_equal(np.asarray(made), np.roll(host, shift, axis=axis))
    made = px.roll(px.array(host), px.asarray([1, 2]), axis=(0, 1))
    np.testing.assert_array_equal(np.asarray(made), np.roll(host, (1, 2), axis=(0, 1)))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(
    "value", [300, -1, 2**40, 2**63, 2**70, 1.5, -1.5, 1e300, np.nan, np.inf, 1 + 2j, True]
)
@pytest.mark.parametrize(
    "dtype",
    ["bool", "uint8", "int8", "int16", "uint64", "int64", "float16", "float32", "complex64"],
)
def test_what_is_padded_by_is_converted_as_numpy_does_it(device, dtype, value):
    host = np.arange(3).astype(dtype)
    try:
        expected = np.pad(host, 1, constant_values=value)
    except (OverflowError, ValueError) as error:
        with pytest.raises(type(error)):
            px.pad(px.asarray(host), 1, constant_values=value)
        return
    made = px.pad(px.asarray(host), 1, constant_values=value)
    assert made._is_pending
    assert made.dtype == expected.dtype
    np.testing.assert_array_equal(np.asarray(made), expected)


@pytest.mark.parametrize("width", [2**64, 2**63, 2**63 - 1, 2**62])
def test_results_that_no_array_can_be_are_refused(device, width):
    with pytest.raises(ValueError, match="array is too big: it has"):
        px.pad(px.arange(3), width)
    with pytest.raises(ValueError, match="along axis 1, at most 9223372036854775807"):
        px.zeros((2, 2 * width))


def test_pads_of_integers_by_no_number_are_refused(device):
    with pytest.raises(ValueError, match="NaN"):
        px.pad(px.arange(2), 1, constant_values=float("nan"))
