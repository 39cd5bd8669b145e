"""Axes as NumPy's functions take them."""

from __future__ import annotations

import operator
from typing import Any


def is_index(value: Any) -> bool:
    """Returns whether it is one index, and no sequence of them: arrays of several say they are."""
    return hasattr(value, "__index__") and not getattr(value, "ndim", 0)


def one(axis: Any, ndim: int, name: str = "") -> int:
    """The axis from 0; raises `numpy.exceptions.AxisError` where the array has none such."""
    number = operator.index(axis)
    if not -ndim <= number < ndim:
        import numpy as np

        raise np.exceptions.AxisError(number, ndim, name or None)
    return number % ndim


def several(axis: Any, ndim: int, name: str = "") -> tuple[int, ...]:
    """The axes of an int or a sequence; raises `ValueError` where one is named twice."""
    given = (axis,) if is_index(axis) else axis
    axes = tuple(one(each, ndim, name) for each in given)
    if len({*axes}) != len(axes):
        raise ValueError(f"repeated axis in `{name}` argument" if name else "repeated axis")
    return axes
