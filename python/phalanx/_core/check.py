"""Check mode: which categories of faults a kernel looks for."""

from __future__ import annotations

import functools
import os
from collections.abc import Iterable
from typing import Any

from .. import _engine


@functools.cache
def _categories() -> dict[str, bool]:
    """Each category's name, and whether ``check=True`` means it too, in the order of their bits."""
    return {row[0]: row[1] for row in _engine.check_categories()}


def read(given: Any) -> frozenset[str]:
    """The categories that ``check=given`` asks for; None leaves it to ``PHALANX_CHECK``.

    `given` may be a bool, the text of one or more names with commas between, or the names. "all"
    is all of them. Raises `ValueError` for a name that does not exist.
    """
    if given is None:
        given = os.environ.get("PHALANX_CHECK", "")
    if isinstance(given, str):
        words = [word.strip() for word in given.split(",") if word.strip()]
        if words in (["0"], []):
            return frozenset()
        given = True if words == ["1"] else words
    if isinstance(given, bool):
        return frozenset(name for name, usual in _categories().items() if usual and given)
    if not isinstance(given, Iterable):
        raise ValueError(f"check= takes a bool or names of categories, not {given!r}")
    names = frozenset(given)
    if "all" in names:
        return frozenset(_categories())
    for name in sorted(map(str, names)):
        if name not in _categories():
            known = ", ".join(_categories())
            raise ValueError(f"check= has no category {name!r}; it takes {known}, all")
    return names


def bits_of(names: frozenset[str]) -> int:
    """The categories as the engine takes them."""
    return sum(1 << bit for bit, name in enumerate(_categories()) if name in names)
