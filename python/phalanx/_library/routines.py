"""Calls of the runtime's routines, from the library's functions (phalanx/base/routines.h)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .._core.intrinsic import Intrinsic
from .._frontend.extensions import Overload, add
from .._types.objects import Array, Scalar

# routine(name, array, ...): arrays, whose elements lie together, are passed as pointers, numbers
# as int64. Gives an int64.
routine = Intrinsic("phalanx.routine", "Calls a routine of the runtime by its name.")

NARROW = frozenset(["boolean", "int8", "uint8"])
SHORT = frozenset(["int16", "uint16"])
WIDE = frozenset(["int32", "int64", "uint32", "uint64", "float32", "float64"])


def elements_of(given: Any) -> str:
    """The name of the type of an array's elements, empty where they are no numbers."""
    is_numbers = isinstance(given, Array) and isinstance(given.dtype, Scalar)
    return given.dtype.dtype_name if is_numbers else ""


def is_in_place(given: Any) -> bool:
    """Returns whether a routine may write to the array itself."""
    return bool(given.layout == "C" and given.mutable)


def by_type(function: Callable[..., Any]) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Registers what chooses, by the types of a call, what a function of the library does.

    The function's own body is for readers.
    """

    def register(choose: Callable[..., Any]) -> Callable[..., Any]:
        add(function, Overload(choose))
        return choose

    return register


def check_memory(status):
    """Raises `MemoryError` where a routine found no memory to work in."""
    if status == -1:
        raise MemoryError("unable to allocate memory to work in")
