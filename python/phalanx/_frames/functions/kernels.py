"""Rewritten functions as ufuncs: compiled once, and run over columns on all cores."""

from __future__ import annotations

import functools
import hashlib
import linecache
from collections.abc import Callable
from typing import Any

import numpy as np

import phalanx as px

from .compiling import exact
from .compiling.program import Program

_MATH_FILE = "<phalanx math>"


class RowRaised(Exception):
    """Compiled code raised, first for this row: Python has the last word."""

    def __init__(self, row: int, reason: str) -> None:
        super().__init__(reason)
        self.row = row


@functools.cache
def library() -> dict[str, Any]:
    """What the text of a program refers to."""
    names = exact.namespace()
    define(exact.module_text(), _MATH_FILE, names)
    return names


def define(text: str, name: str, names: dict[str, Any]) -> None:
    """Defines a text's functions among `names`."""
    # The front end reads sources where tracebacks do.
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    exec(compile(text, name, "exec"), names)


@functools.lru_cache(maxsize=512)
def _ufuncs(text: str) -> dict[str, Any]:
    """The ufuncs of a program's text; the name in the disk cache is by what the text says."""
    from ..._ufunc.ufunc import Ufunc  # with the compiler's classes: not before it is needed

    names = dict(library())
    digest = hashlib.sha256(text.encode()).hexdigest()[:16]
    define(text, f"<user function {digest}>", names)
    made: dict[str, Any] = {}
    for name in ("value", "code"):
        if name in names:
            made[name] = Ufunc(names[name], "cpu")
    return made


DTYPES = {"float": np.float64, "int": np.int64, "text": np.int64, "bool": np.bool_}


def run(program: Program, columns: list[np.ndarray]) -> tuple[Any, Any]:
    """The values of all rows, and the places of their kinds, None where there is one kind.

    Raises RowRaised where compiled code raised.
    """
    ufuncs = _ufuncs(program.text)
    arguments = [*columns, *(np.asarray(each)[()] for each in program.numbers)]
    count = len(columns[0])
    dtype = next(DTYPES[each] for each in DTYPES if each in program.kinds)
    values = _filled(ufuncs["value"], arguments, count, dtype)
    if "code" not in ufuncs:
        return values, None
    return values, _filled(ufuncs["code"], arguments, count, np.int64)


def _filled(ufunc: Any, arguments: list[Any], count: int, dtype: Any) -> Any:
    # Arrays of ours take memory that is already mapped; NumPy's would be fresh pages.
    made = px.empty(count, dtype, device="cpu")
    _into(np.from_dlpack(made), ufunc, arguments, count)
    place = px.empty(0).device  # Where columns are made.
    return made if place == made.device else made.to_device(place)


def _into(out: np.ndarray, ufunc: Any, arguments: list[Any], count: int) -> None:
    def called(part: slice) -> None:
        ufunc(*(each[part] if np.ndim(each) else each for each in arguments), out[part])

    try:
        called(slice(0, count))
    except Exception as error:
        row, reason = first_raising(called, count)
        raise RowRaised(row, f"{reason or error} (row {row})") from None


def first_raising(called: Callable[[slice], None], count: int) -> tuple[int, str]:
    """The first row for which compiled code raises, by halves, and what it says there."""
    first, end, reason = 0, count, ""
    while end - first > 1:
        middle = (first + end) // 2
        try:
            called(slice(first, middle))
            first = middle
        except Exception as error:
            end, reason = middle, str(error)
    return first, reason
