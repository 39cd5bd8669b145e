"""Functions of NumPy's that CPU functions have as Python source, compiled with their callers."""

from __future__ import annotations

import functools
from typing import Any

from . import _linear_algebra

matrix_product = _linear_algebra.dot


@functools.cache
def _linear_algebra_table() -> dict[Any, Any]:
    from . import _decompositions

    return {**_linear_algebra.table(), **_decompositions.table()}


@functools.cache
def _random_table() -> dict[Any, Any]:
    from . import _random

    return _random.table()


def find(function: Any) -> Any:
    """The Python function that stands for `function`, or None."""
    # Who has one of its functions has imported numpy.random, which takes NumPy some time.
    is_random = str(getattr(function, "__module__", "")) == "numpy.random"
    try:
        return (_random_table() if is_random else _linear_algebra_table()).get(function)
    except TypeError:  # not hashable
        return None
