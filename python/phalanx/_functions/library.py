"""Functions of NumPy and Python that CPU functions have as Python source, compiled with callers."""

from __future__ import annotations

import functools
import sys
from typing import Any

from . import _linear_algebra

matrix_product = _linear_algebra.matmul


@functools.cache
def _linear_algebra_table() -> dict[Any, Any]:
    from . import _decompositions, _norms

    return {**_linear_algebra.table(), **_decompositions.table(), **_norms.table()}


@functools.cache
def _python_random_table() -> dict[Any, Any]:
    from . import _python_random

    return _python_random.table()


def is_pythons_random(function: Any) -> bool:
    """Returns whether it is a function of the module ``random``: a method of its hidden object."""
    module = sys.modules.get("random")
    owner = getattr(function, "__self__", None)
    return module is not None and owner is not None and owner is getattr(module, "_inst", None)


@functools.cache
def _random_table() -> dict[Any, Any]:
    from . import _random

    return _random.table()


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
