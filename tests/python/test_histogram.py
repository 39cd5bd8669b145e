"""`np.histogram` in CPU functions: the bins of values at and near edges are NumPy's."""

from __future__ import annotations

import numpy as np
import pytest

import phalanx

by_count = phalanx.njit(lambda a, bins: np.histogram(a, bins))
by_range = phalanx.njit(lambda a, bins, low, high: np.histogram(a, bins, (low, high)))


def assert_same(found, wanted):
    for ours, theirs in zip(found, wanted, strict=True):
        np.testing.assert_array_equal(ours, theirs)


@pytest.mark.parametrize("offset", [0, 1e3, -5, 1e9])
@pytest.mark.parametrize("scale", [1e-9, 1, 1e7])
@pytest.mark.parametrize("bins", [1, 2, 7, 10, 1000])
@pytest.mark.parametrize("dtype", ["float64", "float32", "int64", "uint8"])
def test_values_at_edges(dtype, bins, scale, offset):
    rng = np.random.default_rng(bins)
    low, high = offset - scale, offset + scale
    values = np.linspace(low, high, bins + 1)
    values = np.concatenate([values, np.nextafter(values, low), rng.normal(offset, scale, 200)])
    if dtype == "uint8":
        values = np.abs(values) % 256
    values = values.astype(dtype)
    for ours, arguments in ((by_count, (bins,)), (by_range, (bins, low, high))):
        try:
            wanted = np.histogram(values, bins, *([arguments[1:]] if arguments[1:] else []))
        except ValueError:  # no room for that many edges between the two ends
            continue
        assert_same(ours(values, *arguments), wanted)


@pytest.mark.parametrize("values", [[0, 1e-310, 5e-311], [0.0, 5e-324], [1.0, 1 + 2**-52], [3, 3]])
def test_narrow_ranges(values):
    values = np.array(values, float)
    assert_same(by_count(values, 1), np.histogram(values, 1))
