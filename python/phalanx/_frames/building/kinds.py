"""What kind of thing a program hands over, without importing the library that it is of."""

from __future__ import annotations

import sys
from collections.abc import Hashable, Iterable
from typing import Any

import numpy as np

from ..._arrays.ndarray import ndarray


def is_pandas(data: Any, *names: str) -> bool:
    """True if it is one of pandas' classes with such a name.

    The classes say where they are from: the module ``pandas`` may be phalanx under that name.
    """
    return "pandas" in sys.modules and any(
        kind.__name__ in names and kind.__module__.startswith("pandas")
        for kind in type(data).__mro__
    )


def is_array(data: Any) -> bool:
    """True for arrays of NumPy, of phalanx, and of those who describe themselves as such."""
    if isinstance(data, (np.ndarray, ndarray)):
        return True
    return hasattr(data, "__array__") and hasattr(data, "dtype") and hasattr(data, "shape")


def is_list_like(data: Any) -> bool:
    """True for what has elements, but for texts and arrays without dimensions."""
    if isinstance(data, (str, bytes, type)):
        return False
    if is_array(data):
        return len(data.shape) > 0
    return isinstance(data, Iterable)


def is_hashable(key: Any) -> bool:
    """True if it can be a label."""
    if not isinstance(key, Hashable):
        return False
    try:
        hash(key)
    except TypeError:
        return False
    return True


def is_arrow(data: Any) -> bool:
    """True if it hands its columns out by Arrow's interface, and is none of ours or pandas'."""
    return hasattr(data, "__arrow_c_stream__") or hasattr(data, "__arrow_c_array__")


def is_scalar(data: Any) -> bool:
    """True for one value."""
    return not is_list_like(data)
