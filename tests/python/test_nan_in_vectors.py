"""The greatest and least of contiguous arrays, whose loops are vector code: NaN is not lost."""

from __future__ import annotations

import numpy as np
import pytest

from phalanx import njit

ends = njit(lambda a: (a.max(), a.min(), np.argmax(a), np.nanmax(a), np.nanmin(a)))
ends_on_all_cores = njit(parallel=True)(lambda a: (a.max(), a.min()))


@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
@pytest.mark.parametrize("size", [1, 15, 16, 33, 64, 131])
def test_ends_with_nan_anywhere(dtype, size):
    for place in {0, 1, size // 2, size - 1} - {size}:
        a = np.arange(1, size + 1).astype(dtype)
        a[place] = np.nan
        for values in (a, -a):
            np.testing.assert_array_equal(ends(values)[:3], (np.nan, np.nan, place))
            np.testing.assert_array_equal(ends_on_all_cores(values), (np.nan, np.nan))
            if size > 1:
                np.testing.assert_array_equal(
                    ends(values)[3:], (np.nanmax(values), np.nanmin(values))
                )
