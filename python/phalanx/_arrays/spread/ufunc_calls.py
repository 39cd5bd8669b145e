"""What ufuncs and their methods do with spread arrays."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Sequence
from typing import Any

from ..._core.spread_arguments import refusal
from .. import protocols, ufuncs
from . import elementwise, products, reductions
from .core import Core


def call(function: Any, method: str, inputs: Sequence[Any], options: dict[str, Any]) -> Any:
    """What `__array_ufunc__` gives for a ufunc; NotImplemented for what another class may know.

    Raises NotImplementedError for what is not done over devices, TypeError for ufuncs that are
    neither ours nor NumPy's.
    """
    name = function.__name__
    if any(_is_foreign(each) for each in inputs):
        return NotImplemented
    ours = ufuncs.ours_of(function)
    if ours is None:  # a compiled one, or another library's
        raise refusal(name)
    if method != "__call__":
        return _of_method(f"{name}.{method}", *inputs, **options)
    if name == "matmul":
        return _multiplied(*inputs, **options)
    if ours.signature is not None:
        raise _missing(name)
    return elementwise.apply(ours, inputs, options)


_METHODS: dict[str, Callable[..., Any]] = {
    "add.reduce": functools.partial(reductions.fold, "sum"),
    "multiply.reduce": functools.partial(reductions.fold, "prod"),
    "minimum.reduce": functools.partial(reductions.fold, "min"),
    "maximum.reduce": functools.partial(reductions.fold, "max"),
    "logical_or.reduce": functools.partial(reductions.fold, "any"),
    "logical_and.reduce": functools.partial(reductions.fold, "all"),
    "add.accumulate": functools.partial(reductions.scan, "cumsum"),
    "multiply.accumulate": functools.partial(reductions.scan, "cumprod"),
}


def _of_method(name: str, x: Any, *rest: Any, axis: Any = 0, **options: Any) -> Any:
    """Methods go along the first axis unless told otherwise; functions over all of them."""
    found = _METHODS.get(name)
    if found is None or rest:
        raise _missing(name)
    _refuse(name, set(options) - set(inspect.signature(found).parameters))
    return found(x, axis, **options)


def _multiplied(a: Any, b: Any, out: Any = (None,), **options: Any) -> Any:
    _refuse("matmul", options)
    return elementwise.store(out[0], products.matmul(a, b))


def _refuse(name: str, options: set[str] | dict[str, Any]) -> None:
    if options:
        raise _missing(f"{name} with {', '.join(f'{each}=' for each in sorted(options))}")


def _missing(what: str) -> NotImplementedError:
    return NotImplementedError(f"{what} is not done over devices: x.gather() has the whole on one")


def _is_foreign(value: Any) -> bool:
    """Returns whether a class may know better what to do."""
    return not isinstance(value, Core) and bool(protocols._is_foreign(type(value)))
