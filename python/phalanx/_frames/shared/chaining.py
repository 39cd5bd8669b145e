"""Assignments to objects that nobody keeps, which change nothing that anybody will see.

``frame["a"][0] = 1`` assigns to a series of its own, and ``frame["a"].fillna(0, inplace=True)``
fills one: pandas has warned of both since its version 3, and so do we, by the same sign, which is
the number of references to the object (`pandas.compat._constants`, `Series.__setitem__`).
"""

from __future__ import annotations

import sys
from typing import Any

from phalanx.errors import ChainedAssignmentError

from ..._core.warnings import say
from ..in_place import InPlace, caller_of

# Python without numbers of references warns of nothing.
_COUNTS = sys.implementation.name == "cpython"
_OF_INDEXER = 2


class _OfNobody(InPlace):
    """What only an expression holds counts here its references, as assignments to it will."""

    def __setitem__(self, key: Any, counts: list[int]) -> None:
        counts.append(sys.getrefcount(self))

    def fill(self, *, inplace: bool) -> int:
        return self._become()

    def _become(self) -> int:
        return sys.getrefcount(self)


def _of_item() -> int:
    counts: list[int] = []
    _OfNobody()[0] = counts
    return counts[0]


# They differ from one version of Python to the next.
_OF_ITEM, _OF_METHOD = (_of_item(), _OfNobody().fill(inplace=True)) if _COUNTS else (0, 0)

_ASSIGNED = (
    "A value is set on a copy of a frame or a series: what it was taken of does not change. "
    "Assign in one step, as in frame.loc[rows, column] = value."
)
_IN_PLACE = (
    "A method with inplace=True is called of a copy: what it was taken of does not change. "
    "Assign the result, as in frame[column] = frame[column].method(...)."
)


def warn_of_item(references: int, of: Any) -> None:
    """Warns where ``of[...] = value`` is of an object that nobody keeps."""
    if references <= _OF_ITEM and _COUNTS and not _is_local(of, caller_of(sys._getframe(1))):
        say(_ASSIGNED, ChainedAssignmentError)


def warn_of_indexer(references: int) -> None:
    """Warns where ``of.loc[...] = value`` and the like are of an object that nobody keeps."""
    if references <= _OF_INDEXER and _COUNTS:
        say(_ASSIGNED, ChainedAssignmentError)


def warn_of_method(references: int, of: Any) -> None:
    """Warns where a method with ``inplace`` is of an object that nobody keeps."""
    if references > _OF_METHOD or not _COUNTS:
        return
    method = sys._getframe(2)
    caller = caller_of(method)
    is_ours = caller is None or caller.f_globals.get("__name__", "").startswith("phalanx.")
    if method.f_locals.get("self") is of and not is_ours and not _is_local(of, caller):
        say(_IN_PLACE, ChainedAssignmentError)


def _is_local(of: Any, frame: Any) -> bool:
    return any(each is of for each in frame.f_locals.values())
