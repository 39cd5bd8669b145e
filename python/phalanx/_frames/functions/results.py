"""Columns of what compiled functions give, in the dtypes that pandas infers."""

from __future__ import annotations

from typing import Any

import numpy as np

import phalanx as px

from ..columns import Column
from ..columns.making import column_of
from ..columns.numbers import NumberColumn
from ..columns.strings import StringColumn
from ..dtypes import STR
from . import kernels
from .compiling.kinds import BOOL, FLOAT, INT, NONE, TEXT
from .compiling.program import Program
from .text_columns import TextColumns


def result_of(program: Program, columns: list[np.ndarray], texts: TextColumns) -> Column:
    """What a program gives for each row. Raises `kernels.RowRaised` and Refused."""
    direct = program.direct
    if direct is not None and program.kinds == (TEXT,):
        number = program.texts.symbols.index(direct)
        return _texts(np.full(texts.rows, number), None, program.kinds, texts)
    if direct is not None:
        return NumberColumn(px.asarray(texts.array(direct)))
    arrays = [texts.array(each) for each in program.arrays]
    values, codes = kernels.run(program, [*columns, *arrays])
    if TEXT in program.kinds:
        return _texts(values, codes, program.kinds, texts)
    return assembled(values, codes, program.kinds)


def _texts(values: Any, codes: Any, kinds: tuple[str, ...], texts: TextColumns) -> Column:
    """The column of results among which are texts: `values` are then numbers of columns."""
    numbers = np.asarray(values)
    if codes is None:
        made = texts.chosen(numbers.astype(np.int64, copy=False))
        return _as_str(made) or column_of(list(made.to_numpy()))
    places = np.asarray(codes)
    found = {kind for i, kind in enumerate(kinds) if (places == i).any()}
    if TEXT not in found:
        return assembled(values, codes, kinds)
    is_text = places == kinds.index(TEXT)
    numbers = np.where(is_text, numbers, -1).astype(np.int64)
    made = texts.chosen(numbers)
    others = found - {TEXT}
    nothing = others <= {NONE} or (others == {FLOAT} and np.isnan(values[~is_text]).all())
    found_texts = _as_str(made) if nothing else None
    if found_texts is not None:
        return found_texts
    objects = _objects(np.asarray(values), places, kinds)
    objects[is_text] = made.to_numpy()[is_text]
    return column_of(list(objects))


def _as_str(made: StringColumn) -> StringColumn | None:
    """Texts as pandas infers `str` for them; None where it infers another dtype."""
    if made.has_missing() and (made.dtype != STR or not bool(made.present().any())):
        return None
    return StringColumn(*made.parts, STR)


def assembled(values: Any, codes: Any, kinds: tuple[str, ...]) -> Column:
    """The column of results, in the dtype that pandas infers for Python's objects of these kinds.

    `codes` says which of several kinds each row has.
    """
    if codes is None:
        return NumberColumn(values)
    places = np.asarray(codes)
    found = {kind for i, kind in enumerate(kinds) if (places == i).any()}
    if found <= {INT} or found <= {BOOL} or found <= {FLOAT}:
        dtype = np.dtype({INT: np.int64, BOOL: np.bool_, FLOAT: np.float64}[found.pop()])
        return NumberColumn(values.astype(dtype))
    if found <= {INT, FLOAT, NONE} and found != {NONE}:
        floats = values.astype(np.float64)
        if NONE in found:
            floats = px.where(px.asarray(places == kinds.index(NONE)), np.nan, floats)
        return NumberColumn(floats)
    return column_of(list(_objects(np.asarray(values), places, kinds)))


def _objects(values: np.ndarray, places: np.ndarray, kinds: tuple[str, ...]) -> np.ndarray:
    made = np.full(len(values), None, object)
    dtypes = {INT: np.int64, BOOL: np.bool_, FLOAT: np.float64}
    for i, kind in enumerate(kinds):
        rows = places == i
        if kind in dtypes:
            made[rows] = values[rows].astype(dtypes[kind]).astype(object)
    return made
