"""Orders of rows by words near each other, far from each other, equal and wide, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from phalanx import _engine

# One bucket of few rows, one that is sorted by digits, and several.
ROWS = [0, 1, 1000, 1024, 5000, 70_000]
_RNG = np.random.default_rng(7)
KEYS = {
    "bits of one digit": lambda n: _RNG.integers(0, 2**11, n) * 2**40,
    "few more than a table has": lambda n: _RNG.integers(-(2**20), 2**20, n),
    "five digits": lambda n: _RNG.integers(0, 2**55, n),
    "all bits": lambda n: _RNG.integers(-(2**63), 2**63 - 1, n, endpoint=True),
    "all of uint64": lambda n: _RNG.integers(0, 2**64 - 1, n, dtype=np.uint64, endpoint=True),
    "floats": lambda n: np.where(_RNG.random(n) < 0.1, np.nan, _RNG.normal(size=n)),
    "rounded floats": lambda n: np.round(_RNG.random(n) * 100, 2),
    "one far from the others": lambda n: np.r_[_RNG.integers(0, 9, max(n - 1, 0)), [2**62]][:n],
    "all alike but one": lambda n: np.r_[np.full(max(n - 1, 0), 2.5), [-1e300]][:n],
    "in order": lambda n: np.arange(n) * 10**12,
    "from the last on": lambda n: np.arange(n)[::-1] * 10**12,
}


def _turned(values):
    """Numbers whose order is the other way round; NaN stays last."""
    return -values if values.dtype.kind == "f" else ~values


@pytest.mark.parametrize("is_descending", [False, True])
@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("name", KEYS)
def test_one_key(name, rows, is_descending):
    values = np.ascontiguousarray(KEYS[name](rows))
    made = _engine.frames.order_rows([("values", values, None)], [is_descending], False)
    expected = np.argsort(_turned(values) if is_descending else values, kind="stable")
    np.testing.assert_array_equal(made, expected)


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("second", KEYS)
@pytest.mark.parametrize("first", ["few more than a table has", "rounded floats", "all bits"])
def test_two_keys(first, second, rows):
    keys = [np.ascontiguousarray(KEYS[each](rows)) for each in (first, second)]
    given = [("values", each, None) for each in keys]
    made = _engine.frames.order_rows(given, [False, True], False)
    np.testing.assert_array_equal(made, np.lexsort((_turned(keys[1]), keys[0])))
