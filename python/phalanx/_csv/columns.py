"""Columns of a text whose structure is known, each by kernels of its kind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

import phalanx as px

from .._arrays.launching import read, written
from .._grouping.kernels import launch_over, put
from . import numbers, strings
from .fields import Fields
from .missing import Missing
from .numbers import FAILED, FORMS, LARGE, LEFT, MISSING, NANOSECONDS, Rules
from .structure import Structure

# Rows of decimals that 64 bits leave undecided; with more of them the host reads the column.
_MOST_LEFT = 1 << 16
_UNITS = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
# Kinds that kernels read; the host reads columns of others.
DTYPES = {
    "int64": np.int64, "float64": np.float64, "bool": np.bool_, "datetime": np.int64,
    "string": np.int64,  # the lengths
}  # fmt: skip
_KERNELS: dict[str, Callable[[], Any]] = {
    "int64": numbers.read_integers, "float64": numbers.read_floats, "bool": numbers.read_bools,
    "datetime": numbers.read_dates, "string": strings.measure,
}  # fmt: skip
Part = tuple[Any, ...]  # as the host's reader gives one
FieldText = Callable[[int, int], bytes]  # the bytes of a text from a place to another


@dataclass
class Column:
    """A column that is read: as which kind, and what kernels write of it."""

    place: int  # of its fields in a record
    kind: str | None  # None: the host reads it
    unit: str
    missing: Missing
    keeps_integers: bool
    out: Any = None
    valid: Any = None
    left: Any = None


class Places(NamedTuple):
    """What kernels of all columns of a text read and write."""

    structure: Structure
    point: int
    state: Any  # int32, a row for each column
    tables: tuple[Any, Any]  # of powers, for decimals


def start(places: Places, column: Column, at: int) -> None:
    """Queues the kernel of a column; row `at` of the state is 0."""
    structure, state = places.structure, places.state
    text, device = structure.text, structure.text._device
    assert column.kind is not None
    dtype = np.dtype(DTYPES[column.kind]).name
    column.out = px.empty(structure.rows, dtype=dtype, device=text.device)
    column.valid = px.empty(structure.rows, dtype="bool", device=text.device)
    has_numbers = column.missing.has_numbers
    rules = Rules(*(np.int64(each) for each in (at, has_numbers, places.point)))
    fields = tuple(fields_of(structure, column))
    gone: tuple[Any, ...] = (read(column.missing.texts), read(column.missing.ends))
    if column.kind == "float64":
        gone = (*gone, read(column.missing.numbers))
    made = (written(column.out), written(column.valid), written(state))
    more: tuple[Any, ...] = ()
    if column.kind == "float64":
        column.left = px.empty(_MOST_LEFT, dtype="int64", device=text.device)
        tables = tuple(read(each) for each in places.tables)
        more = ((tables, written(column.left)),)
    elif column.kind == "datetime":
        more = (np.int64(_UNITS[column.unit]),)
    source = (read(text), read(structure.starts))
    kernel = _KERNELS[column.kind]()
    launch_over(kernel, structure.rows, device, source, fields, tuple(rules), gone, made, *more)


def fields_of(structure: Structure, column: Column) -> Fields:
    """Which fields are those of a column, for kernels."""
    has_return = structure.has_returns and column.place == structure.width - 1
    values = (column.place, structure.width, has_return, structure.quote)
    return Fields(*map(np.int64, values))


def settled(column: Column, state: Any) -> bool:
    """Tells if the column is read; else it has the kind that it is read as next."""
    if column.kind == "datetime":
        forms = int(state[FORMS])
        if state[FAILED] or forms & (forms - 1):
            column.kind = "string"
            return False
        if state[NANOSECONDS] and column.unit != "ns":
            column.unit = "ns"
            return False
        return True
    if state[LARGE] or (column.kind == "float64" and _is_beyond(column, state)):
        column.kind = None  # which numbers come first decides
        return False
    if state[FAILED]:
        column.kind = "float64" if column.kind == "int64" else None
        return False
    return True


def _is_beyond(column: Column, state: Any) -> bool:
    """Too many numbers are undecided, or they may be missing ones."""
    return bool(state[LEFT] > _MOST_LEFT or (state[LEFT] > 0 and column.missing.numbers.size > 0))


def finished(places: Places, column: Column, state: Any, field_text: FieldText) -> Part:
    """The column as the host's reader gives it: kind, unit, values, valid, offsets, bytes."""
    kind, values, offsets, texts = column.kind, column.out, None, None
    valid = column.valid if state[MISSING] else None
    if kind == "string":
        offsets, texts = _strings(places.structure, column)
        values = None
    elif kind == "int64" and valid is not None and not column.keeps_integers:
        kind, values = "float64", px.where(valid, values.astype(np.float64), np.nan)
    elif kind == "float64" and state[LEFT]:
        _round_left(places, column, int(state[LEFT]), field_text)
    return kind, column.unit, values, valid, offsets, texts


def _strings(structure: Structure, column: Column) -> tuple[Any, Any]:
    """Offsets and bytes of a column whose lengths are known."""
    text, device = structure.text, structure.text._device
    zero = px.zeros(1, "int64", device=text.device)
    offsets = px.concatenate([zero, px.cumsum(column.out)])
    made = px.empty(int(offsets[-1]), dtype="uint8", device=text.device)
    if made.size:
        fields = tuple(fields_of(structure, column))
        source = (read(text), read(structure.starts))
        given = (source, fields, read(column.valid), read(offsets), written(made))
        launch_over(strings.copy(), structure.rows, device, *given)
    return offsets, made


def _round_left(places: Places, column: Column, count: int, field_text: FieldText) -> None:
    """Rounds the numbers of more than 19 digits that 64 bits leave undecided."""
    structure = places.structure
    rows = column.left[:count]
    fields = rows * structure.width + column.place
    bounds = (np.asarray(structure.starts[each]).tolist() for each in (fields, fields + 1))
    quotes = bytes([structure.quote]) if structure.quote >= 0 else b""
    found = []
    for begin, end in zip(*bounds, strict=True):
        number = field_text(begin, end - 1).strip().strip(quotes).strip()
        found.append(float(number.replace(bytes([places.point]), b".")))
    put(column.out, rows, px.asarray(np.array(found), device=column.out.device))
