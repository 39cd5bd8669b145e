"""Assignments to objects that nobody keeps, which change nothing that anybody will see.

``frame["a"][0] = 1`` assigns to a series of its own, and ``frame["a"].fillna(0, inplace=True)``
fills one: pandas has warned of both since its version 3, and so do we, by the same sign, which is
the number of references to the object (`pandas.compat._constants`, `Series.__setitem__`).
"""

from __future__ import annotations

import sys
import warnings
from typing import Any

from phalanx.errors import ChainedAssignmentError

# References to what only an expression holds: its argument, and that of `getrefcount`, and up to
# 3.13 the caller's stack. Python without such numbers warns of nothing.
_OF_NOBODY = 2 if sys.version_info >= (3, 14) else 3
_OF_INDEXER = 2
_COUNTS = sys.implementation.name == "cpython"

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
    if references <= _OF_NOBODY and _COUNTS and not _is_local(of, sys._getframe(2)):
        warnings.warn(_ASSIGNED, ChainedAssignmentError, stacklevel=3)


def warn_of_indexer(references: int) -> None:
    """Warns where ``of.loc[...] = value`` and the like are of an object that nobody keeps."""
    if references <= _OF_INDEXER and _COUNTS:
        warnings.warn(_ASSIGNED, ChainedAssignmentError, stacklevel=3)


def warn_of_method(references: int, of: Any) -> None:
    """Warns where a method with ``inplace`` is of an object that nobody keeps."""
    if references > _OF_NOBODY or not _COUNTS:
        return
    method = sys._getframe(2)
    caller = method.f_back
    is_ours = caller is None or caller.f_globals.get("__name__", "").startswith("phalanx.")
    if method.f_locals.get("self") is of and not is_ours and not _is_local(of, caller):
        warnings.warn(_IN_PLACE, ChainedAssignmentError, stacklevel=4)


def _is_local(of: Any, frame: Any) -> bool:
    return any(each is of for each in frame.f_locals.values())
