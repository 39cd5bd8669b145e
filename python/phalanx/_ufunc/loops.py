"""The loops of a ufunc: the types its function is compiled for, and which of them a call takes."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeVar

from .. import _engine
from .._types.aggregates import as_dtype, from_dtype
from .._types.objects import Signature, Type

if TYPE_CHECKING:
    from .._kernels.dispatcher import Dispatcher

# Python's own numbers take the type of the arrays beside them, as in NumPy 2.
_WEAK = {bool: "bool", int: "int64", float: "float64", complex: "complex128"}
_WIDEST = {"f": "float64", "c": "complex128"}


class Argument(NamedTuple):
    """What is known of an input: its dtype, whether it is a number, and whether Python's own."""

    dtype: Any
    is_number: bool
    is_weak: bool


class Loop(NamedTuple):
    """The user's function for one tuple of types."""

    inputs: tuple[Any, ...]  # NumPy dtypes
    output: Any
    core: Dispatcher[..., Any]  # a device function that takes and gives just these


class HasInputs(Protocol):
    """A loop of a ufunc or of a gufunc."""

    @property
    def inputs(self) -> tuple[Any, ...]:
        """The NumPy dtypes that it takes."""


_Loop = TypeVar("_Loop", bound=HasInputs)


def describe_number(value: Any) -> Argument | None:
    """The argument that a Python or NumPy number is, None for anything else."""
    import numpy as np

    weak = _WEAK.get(type(value))
    if weak is not None:
        return Argument(np.dtype(weak), True, weak != "bool")
    if isinstance(value, np.generic):
        return Argument(value.dtype, True, False)
    return None


def dtype_of(type_: Any) -> Any:
    """The NumPy dtype of a scalar type; raises `TypeError` for types that are no numbers."""
    try:
        return as_dtype(type_)
    except NotImplementedError:
        raise TypeError(f"a ufunc takes and gives numbers, not {type_}") from None


def device_function(
    py_func: Callable[..., Any], signature: Signature | None
) -> Dispatcher[..., Any]:
    """The function to be called from a kernel, converted to the types of the signature."""
    from .._kernels import options
    from .._kernels.dispatcher import Dispatcher

    return Dispatcher(
        py_func, options.read({"device": True}), [] if signature is None else [signature]
    )


def make_loop(py_func: Callable[..., Any], args: Sequence[Type], result: Type | None) -> Loop:
    """The loop for arguments of these types; the result is what the function gives if not said.

    Raises `TypeError` where the function returns no number, `CompileError` where it is wrong.
    """
    from .._types.bridge import from_engine, to_engines

    if result is None or str(result) == "none":
        found = _engine.result_of_python(py_func, list(to_engines(args)))
        result = from_engine(found)
        if found.kind not in ("scalar", "datetime", "timedelta"):
            name = getattr(py_func, "__name__", "the function")
            raise TypeError(f"{name} must return a number for each element, not {found}")
    core = device_function(py_func, Signature(result, tuple(args)))
    return Loop(tuple(dtype_of(each) for each in args), dtype_of(result), core)


def types_of(arguments: Sequence[Argument]) -> list[Type]:
    """The types that a loop for just these arguments has."""
    return [from_dtype(each.dtype) for each in arguments]


def choose(loops: Sequence[_Loop], arguments: Sequence[Argument]) -> _Loop | None:
    """The loop that a call with these arguments takes; None if none does.

    The first with just these types; else the first that each argument converts to without loss,
    where Python's numbers fit every type of their kind and above; else the first that only
    numbers, not arrays, must be rounded for.
    """
    at = _engine.choose_loop(
        [_types_of_inputs(loop.inputs) for loop in loops],
        [(_known_type(each), each.is_number, each.is_weak) for each in arguments],
    )
    return None if at is None else loops[at]


@functools.cache
def _types_of_inputs(dtypes: tuple[Any, ...]) -> tuple[_engine.Type, ...]:
    from .._types.bridge import to_engines

    return to_engines(dtypes)


@functools.cache
def _type_of(dtype: Any) -> _engine.Type | None:
    """The engine's type of a dtype in any byte order; None where it has none."""
    from .._types.bridge import to_engine

    try:
        return to_engine(dtype.newbyteorder("="))
    except TypeError:
        return None


def _known_type(argument: Argument) -> _engine.Type | None:
    """The engine's type of an argument; numbers beyond float64 are rounded when they are passed."""
    known = _type_of(argument.dtype)
    if known is None and argument.is_number and argument.dtype.kind in _WIDEST:
        return _engine.Type.scalar(_WIDEST[argument.dtype.kind])
    return known


def no_loop(name: str, loops: Sequence[HasInputs], arguments: Sequence[Argument]) -> TypeError:
    """The error of a call whose types fit no loop: which came, which there are."""
    came = ", ".join(str(each.dtype) for each in arguments)
    known = "; ".join(", ".join(map(str, loop.inputs)) for loop in loops)
    return TypeError(
        f"ufunc {name!r} has no loop that takes ({came}) without loss; it has ({known}). Convert "
        "the arguments first: a host array with .astype(); a device array does not support "
        ".astype()"
    )
