"""Functions of NumPy and Python that CPU functions have as Python source, compiled with callers."""

from __future__ import annotations

import functools
from typing import Any

from .._frontend.resolve import is_pythons_random


@functools.cache
def _linear_algebra_table() -> dict[Any, Any]:
    from . import decompositions, linear_algebra, norms

    return {**linear_algebra.table(), **decompositions.table(), **norms.table()}


@functools.cache
def _python_random_table() -> dict[Any, Any]:
    from . import python_random

    return python_random.table()


@functools.cache
def _random_table() -> dict[Any, Any]:
    from . import random

    return random.table()


def find(function: Any) -> Any:
    """The Python function that replaces `function`, or None."""
    # Who has one of its functions has imported numpy.random, which takes NumPy some time.
    is_random = str(getattr(function, "__module__", "")) == "numpy.random"
    if is_pythons_random(function):
        return _python_random_table().get(function)
    try:
        return (_random_table() if is_random else _linear_algebra_table()).get(function)
    except TypeError:  # not hashable
        return None


def operator(_: str) -> Any:
    """What an operator without a function of Python's means: ``@``."""
    from . import linear_algebra

    return linear_algebra.matmul
