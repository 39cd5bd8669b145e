"""``fastmath=``: what the code of a kernel or function may take for granted of its numbers."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from .. import _engine


def read(given: Any) -> bool | tuple[str, ...]:
    """The option as it is kept: a bool, or the names of flags in the engine's order.

    `given` is a bool, names of LLVM's fast-math flags (``"fast"`` is all of them), or a dict of
    names with whether each is set. Raises `ValueError` for another name and for text.
    """
    if given is None or isinstance(given, bool):
        return bool(given)
    if isinstance(given, dict):
        given = [name for name, is_set in given.items() if is_set or name not in _names()]
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise ValueError(
            f"fastmath= takes a bool, or a set of flags such as {{'nsz', 'afn'}}, not {given!r}"
        )
    names = set(given)
    if unknown := sorted(map(str, names - {*_names(), "fast"})):
        raise ValueError(
            f"Unrecognized fastmath flags: {', '.join(unknown)}; there are "
            f"{', '.join(_names())}, and fast for all of them"
        )
    if "fast" in names or names == set(_names()):
        return True
    return tuple(name for name in _names() if name in names)


def bits_of(option: bool | tuple[str, ...]) -> int:
    """The flags as the engine takes them."""
    if isinstance(option, bool):
        return (1 << len(_names())) - 1 if option else 0
    return sum(1 << bit for bit, name in enumerate(_names()) if name in option)


def _names() -> list[str]:
    return _engine.fast_math_flags()
