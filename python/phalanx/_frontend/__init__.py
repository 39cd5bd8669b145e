"""The Python side of the front end: sources, meanings of names, cache keys.

The engine calls `source`, `lookup`, `attribute`, `item`, `describe` and `similar`, and for
overloads `extension`, `takes`, `choose` and `advice`, while it compiles a function.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

from .. import _engine
from .extensions import advice, choose, extension, takes
from .fingerprint import fingerprint, referred
from .missing import MISSING
from .resolve import attribute, describe, item, lookup, similar

if TYPE_CHECKING:
    from .sources import Source

__all__ = [
    "MISSING",
    "advice",
    "attribute",
    "choose",
    "compile_kernel",
    "describe",
    "extension",
    "fingerprint",
    "item",
    "location",
    "lookup",
    "referred",
    "similar",
    "source",
    "takes",
]


def source(function: Callable[..., Any]) -> Source:
    """The source of a function; see `sources`, which a kernel from the cache does not need."""
    from .sources import source as find

    return find(function)


def location(function: Callable[..., Any]) -> tuple[str, int] | None:
    """The file and line where a function is written; None where that is not known."""
    code = getattr(function, "__code__", None)
    return None if code is None else (code.co_filename, code.co_firstlineno)


def compile_kernel(
    function: Callable[..., Any],
    types: Iterable[_engine.Type],
    *,
    debug: bool = False,
    unassigned: bool = False,
    bounds: bool = False,
) -> _engine.Module:
    """The IR of a kernel for arguments of these types.

    `unassigned` puts check mode's reports of names without a value in, `bounds` those of indices
    outside of a tuple.

    Raises `phalanx.CompileError` that says where the source is wrong and what to write instead.
    """
    return _engine.compile_python(
        function, list(types), debug, unassigned=unassigned, bounds=bounds
    )
