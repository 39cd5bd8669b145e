"""Reductions of whole arrays that the compiler has not itself: np.ptp(a), np.count_nonzero(a)."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._types.objects import Array, Boolean, Float, Integer, Number
from .elements import element_of
from .register import implements


@implements("numpy.ptp", "method.ptp")
def _ptp(a: Any) -> Any:
    if not isinstance(a, Array) or not isinstance(a.dtype, (Integer, Float)):
        return None

    def impl(a):
        return np.subtract(np.max(a), np.min(a))  # in the type of the elements

    return impl


@implements("numpy.count_nonzero")
def _count_nonzero(a: Any) -> Any:
    if not isinstance(a, Array) or not isinstance(a.dtype, (Boolean, Number)):
        return None
    at = element_of(a)
    if at is None:
        return None

    def impl(a):
        count = 0
        for i in range(a.size):
            if at(a, i):
                count += 1
        return count

    return impl
