"""Rewritten functions of series and arrays: compiled once, and run over slices on all cores."""

from __future__ import annotations

import functools
import hashlib
from typing import Any

import numpy as np

from . import kernels
from .compiling.program import Program

_LOOP = """
def over_{what}(starts, ends, out, {parameters}):
    for i in prange(len(starts)):
        first, end = starts[i], ends[i]
        {call}
"""
_NUMBERS = "out[i] = {what}({arguments})"
_ROWS = "{what}(out[first:end], {arguments})"


class SliceRaised(Exception):
    """Compiled code raised, first for this slice: Python has the last word."""

    def __init__(self, number: int, reason: str) -> None:
        super().__init__(reason)
        self.number = number


@functools.lru_cache(maxsize=256)
def _loops(text: str, columns: int, numbers: int, of_rows: bool) -> dict[str, Any]:
    """The loops over the slices of `columns` arrays, for a program's text."""
    from ..._functions import prange
    from ..._functions.decorators import njit

    names = {**kernels.library(), "prange": prange}
    arrays = [f"array_{i}" for i in range(columns)]
    rest = [f"rest_{i}" for i in range(numbers)]
    arguments = ", ".join([*(f"{each}[first:end]" for each in arrays), *rest])
    whole = text
    for what in ("value", "code"):
        if f"def {what}(" in text:
            call = (_ROWS if of_rows else _NUMBERS).format(what=what, arguments=arguments)
            whole += _LOOP.format(what=what, call=call, parameters=", ".join([*arrays, *rest]))
    # The name in the disk cache is by what the text says.
    digest = hashlib.sha256(whole.encode()).hexdigest()[:16]
    kernels.define(whole, f"<user function of slices {digest}>", names)
    return {
        what: njit(names[f"over_{what}"], parallel=True, error_model="numpy")
        for what in ("value", "code")
        if f"over_{what}" in names
    }


def run(
    program: Program,
    columns: list[np.ndarray],
    starts: np.ndarray,
    ends: np.ndarray,
    *,
    of_rows: bool = False,
) -> tuple[np.ndarray, np.ndarray | None]:
    """The values of all slices, and the places of their kinds, None where there is one kind.

    With `of_rows` a value for each row of the columns. Raises SliceRaised.
    """
    loops = _loops(program.text, len(columns), len(program.numbers), of_rows)
    arguments = [np.ascontiguousarray(each) for each in columns]
    arguments += [np.asarray(each) if np.ndim(each) else np.asarray(each)[()]
                  for each in program.numbers]  # fmt: skip
    dtypes = kernels.DTYPES
    dtype = next(dtypes[each] for each in ("float", "int", "bool") if each in program.kinds)
    made: np.ndarray = np.empty(len(columns[0]) if of_rows else len(starts), dtype)
    _into(made, loops["value"], (starts, ends), arguments, of_rows)
    if "code" not in loops:
        return made, None
    codes = np.empty(len(starts), np.int64)
    _into(codes, loops["code"], (starts, ends), arguments, False)
    return made, codes


def _into(
    out: np.ndarray,
    loop: Any,
    edges: tuple[np.ndarray, np.ndarray],
    arguments: list[Any],
    of_rows: bool,
) -> None:
    def called(part: slice) -> None:
        loop(edges[0][part], edges[1][part], out if of_rows else out[part], *arguments)

    try:
        called(slice(None))
    except Exception as error:
        number, reason = kernels.first_raising(called, len(edges[0]))
        raise SliceRaised(number, reason or str(error)) from None
