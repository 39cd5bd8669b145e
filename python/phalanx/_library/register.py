"""Registers the library's functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from .._frontend.extensions import Overload, add
from .._types.literals import StringLiteral
from .._types.objects import Array
from ..errors import TypingError

Make = Callable[..., Any]
Function = Callable[..., Any]


def implements(*names: str, prefers_literals: bool = False) -> Callable[[Make], Make]:
    """Registers an overload under names such as ``numpy.sum`` and, of arrays, ``method.sum``."""

    def register(make: Make) -> Make:
        for name in names:
            owner = Array if name.startswith("method.") else None
            add(name, Overload(make, owner=owner, prefers_literals=prefers_literals))
        return make

    return register


def written(*names: str) -> Callable[[Function], Function]:
    """Registers a function that is the same for all types under such names.

    What depends on the types is left to the compiler, which leaves out branches that cannot be
    taken.
    """

    def register(function: Function) -> Function:
        def make(*types: Any, **named: Any) -> Function:
            return function

        make.written = function  # type: ignore[attr-defined]
        implements(*names)(make)
        return function

    return register


def refuse(text: str) -> NoReturn:
    """In a library function: a CompileError with this text, unless the types rule the branch out.

    The text says what the function takes.
    """
    raise AssertionError(text)


def _refused(text: Any) -> Any:
    if isinstance(text, StringLiteral):
        raise TypingError(f"{text.literal_value}\nConvert the arguments, or write a loop.")
    return None


add(refuse, Overload(_refused))
