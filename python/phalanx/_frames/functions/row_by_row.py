"""Functions that Python calls for each element or row."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np

from ..._core.warnings import warn


def results_of(function: Callable[[Any], Any], things: Iterable[Any], index: Any) -> list[Any]:
    """What a function gives for each thing. An error has a note with the row's label."""
    made: list[Any] = []
    try:
        for each in things:
            result = function(each)
            # An array without dimensions is its element.
            is_element = isinstance(result, np.ndarray) and result.ndim == 0
            made.append(result.item() if is_element else result)
    except Exception as error:
        add_row(error, index, len(made))
        raise
    return made


def add_row(error: Exception, index: Any, row: int) -> None:
    """Notes in an error for which row it was raised."""
    if row < len(index):
        error.add_note(f"raised for row {row}, whose label is {index._label(row)!r}")


_told: ContextVar[set[Any] | None] = ContextVar("told", default=None)


@contextmanager
def one_warning() -> Iterator[None]:
    """Within it a function has one warning, of however many columns it is."""
    if _told.get() is not None:
        yield
        return
    token = _told.set(set())
    try:
        yield
    finally:
        _told.reset(token)


def warn_of(function: Any, reason: str, place: str = "", how: str = "row by row") -> None:
    """Says that a function is run by Python, and why; `place` is a file and a line."""
    told = _told.get()
    if told is not None:
        if id(function) in told:
            return
        told.add(id(function))
    name = getattr(function, "__name__", type(function).__name__)
    code = getattr(function, "__code__", None)
    if not place and code is not None:
        place = f"{code.co_filename}:{code.co_firstlineno}"
    shown = f" ({place})" if place else ""
    warn("UserFunctionWarning", f"{name} is run by Python, {how}: {reason}{shown}")
