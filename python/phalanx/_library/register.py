"""Registers the library's functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .._frontend.extensions import Overload, add
from .._type_objects import Array

Make = Callable[..., Any]
Function = Callable[..., Any]


def implements(*names: str) -> Callable[[Make], Make]:
    """Registers an overload under names such as ``numpy.sum`` and, of arrays, ``method.sum``."""

    def register(make: Make) -> Make:
        for name in names:
            owner = Array if name.startswith("method.") else None
            add(name, Overload(make, owner=owner))
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

        implements(*names)(make)
        return function

    return register
