"""Functions of NumPy's that CPU functions have as Python source, compiled with their callers."""

from __future__ import annotations

import functools
from typing import Any

from . import _linear_algebra, _random

matrix_product = _linear_algebra.dot


@functools.cache
def _table() -> dict[Any, Any]:
    return {**_linear_algebra.table(), **_random.table()}


def find(function: Any) -> Any:
    """The Python function that stands for `function`, or None."""
    try:
        return _table().get(function)
    except TypeError:  # not hashable
        return None
