"""Registers the library's functions."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .._frontend.extensions import Overload, add
from .._type_objects import Array

Make = Callable[..., Any]


def implements(*names: str) -> Callable[[Make], Make]:
    """Registers an overload under names such as ``numpy.sum`` and, of arrays, ``method.sum``."""

    def register(make: Make) -> Make:
        for name in names:
            owner = Array if name.startswith("method.") else None
            add(name, Overload(make, owner=owner))
        return make

    return register
