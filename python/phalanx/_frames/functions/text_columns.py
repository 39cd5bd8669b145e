"""What a function asks of its texts, computed of whole columns: see `compiling/texts.py`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import phalanx as px

from ..columns import Column
from ..columns.making import constant
from ..columns.numbers import NumberColumn
from ..columns.objects import ObjectColumn
from ..columns.strings import StringColumn, of_texts
from ..dtypes import STR
from ..missing import NA
from ..operations.equal_rows import isin
from ..strings import engine, pairs
from .compiling.kinds import INT, Refused
from .compiling.texts import Symbol, Texts
from .places import on_host

_INT64 = np.iinfo(np.int64)


class TextColumns:
    """Columns of texts and arrays by their symbols, each made when it is asked for first.

    `bases` are the columns of texts that there are, `numbers` those of numbers by their label.
    """

    def __init__(
        self, texts: Texts, bases: list[StringColumn], numbers: dict[Any, np.ndarray], rows: int
    ) -> None:
        self.texts = texts
        self.bases = bases
        self.numbers = numbers
        self.rows = rows
        # Missing texts that a function returns are what they were.
        self.dtype = next((each.dtype for each in bases if each.has_missing()), STR)
        self._made: dict[Any, Any] = {}

    def array(self, symbol: Symbol) -> np.ndarray:
        """An int, a float or a bool of each row. Raises Refused for what the engine leaves."""
        return np.asarray(self._once(symbol, _ARRAYS))

    def text(self, number: int) -> StringColumn | str:
        """A column of texts, or the text that all rows have."""
        literal = self.texts.literal(number)
        if literal is not None:
            return literal
        made: StringColumn = self._once(self.texts.symbols[number], _TEXTS)
        return made

    def column(self, number: int) -> StringColumn:
        """The same, of as many rows as there are."""
        made = self.text(number)
        if isinstance(made, str):
            made = self._once(("all", made), {"all": _all})
        return made

    def chosen(self, numbers: np.ndarray) -> StringColumn:
        """The texts that rows have in columns; those of number -1 are missing."""
        counts = np.bincount(numbers + 1, minlength=1)
        few = np.flatnonzero(counts[1:]).tolist()
        if len(few) == 1 and not counts[0]:
            return StringColumn(*self.column(few[0]).parts, self.dtype)
        place = np.full(len(counts), -1)  # the last element is what -1 finds
        place[few] = np.arange(len(few))
        return pairs.texts_at([self.text(each) for each in few], place[numbers], self.dtype)

    def _once(self, symbol: Symbol, rules: dict[str, Callable[..., Any]]) -> Any:
        if symbol not in self._made:
            self._made[symbol] = rules[symbol[0]](self, *symbol[1:])
        return self._made[symbol]

    def whole(self, function: Any, number: int) -> Any:
        """What a function of the engine makes of a column."""
        return _known(None if function is None else function(self.column(number)))


# What a function is given.


def texts_in(column: Column) -> StringColumn | None:
    """The texts of a column, also of one of objects that all are; None where there are others.

    They are in the host's memory.
    """
    if isinstance(column, StringColumn):
        return on_host(column)
    if isinstance(column, ObjectColumn) and set(map(type, column.objects)) == {str}:
        return of_texts(column.objects)
    return None


def without_mask(column: StringColumn) -> StringColumn:
    """The same column, without a mask if none is missing."""
    if column.valid is None or column.has_missing():
        return column
    return StringColumn(column.offsets, column.text, None, column.dtype)


def missing_of(column: StringColumn) -> str | None:
    """What `Texts.base` asks: what missing texts are, None where there are none."""
    if not column.has_missing():
        return None
    return "NA" if column.dtype.na_value is NA else "NaN"


def _known(made: Any) -> Any:
    """What the engine has made. Raises Refused where it has not."""
    if made is None:
        raise Refused("a method that the engine has not")
    return made


def _all(columns: TextColumns, text: str) -> Any:
    return constant(text, columns.rows, STR)


# Texts of texts.


def _base(columns: TextColumns, place: int) -> StringColumn:
    return columns.bases[place]


def _by(make: Callable[..., Any]) -> Callable[..., Any]:
    """A rule of one column by a function that makes the engine's for some arguments."""
    return lambda columns, number, *arguments: columns.whole(make(*arguments), number)


def _without(affix: str, at_start: bool) -> Any:
    return engine.without_affix(affix, at_start=at_start)


def _part_of(*bounds: Any) -> Any:
    return engine.part(slice(*bounds))


def _character(columns: TextColumns, number: int, place: int) -> StringColumn:
    return _characters(columns, number, place)[0]  # type: ignore[no-any-return]


def _characters(columns: TextColumns, number: int, place: int) -> tuple[Any, Any]:
    """The character at a place, and which texts have none there."""
    key = ("characters", number, place)
    if key not in columns._made:
        made = columns.whole(engine.element(place), number)
        short = np.zeros(columns.rows, bool) if made.valid is None else ~np.asarray(made.valid)
        columns._made[key] = StringColumn(made.offsets, made.text, None), short
    return columns._made[key]  # type: ignore[no-any-return]


def _slice_each(columns: TextColumns, number: int, first: Any, last: Any) -> Any:
    bounds = [None if each is None else _positions(columns, each) for each in (first, last)]
    return columns.whole(pairs.part_each(*bounds), number)


def _positions(columns: TextColumns, given: Any) -> np.ndarray:
    if isinstance(given, int):
        return np.full(columns.rows, given)
    return columns.array(given)


def _joined(columns: TextColumns, *numbers: int) -> StringColumn:
    parts = [columns.text(each) for each in numbers]
    made: StringColumn = _known(pairs.joined_texts(parts, columns.rows))
    return made


def _part(columns: TextColumns, symbol: Symbol, place: int) -> StringColumn:
    counts, parts = _parts(columns, symbol, place)
    starts = np.cumsum(counts) - counts
    there = (counts > place) if place >= 0 else (counts >= -place)
    rows = starts + (place if place >= 0 else counts + place)
    taken = parts.take(px.asarray(np.where(there, rows, -1)), has_missing=True)
    return StringColumn(taken.offsets, taken.text, None)


def _parts(columns: TextColumns, symbol: Symbol, place: int | None) -> tuple[np.ndarray, Any]:
    """How many parts texts have, and all parts. Those behind a place that is wanted are not cut."""
    _, number, separator, most, from_end = symbol
    if most == -1 and place is not None and (place < 0) == from_end:
        most = -place if from_end else place + 1
    key = ("all parts", number, separator, most, from_end)
    if key not in columns._made:
        split = pairs.all_parts(separator, most, from_end=from_end)
        columns._made[key] = columns.whole(split, number)
    return columns._made[key]  # type: ignore[no-any-return]


def _written(columns: TextColumns, symbol: Symbol) -> StringColumn:
    return pairs.written(columns.array(symbol))


_TEXTS: dict[str, Callable[..., Any]] = {
    "base": _base, "case": _by(engine.in_case), "strip": _by(engine.strip),
    "without": _by(_without), "replace": _by(engine.replace), "pad": _by(engine.pad),
    "zfill": _by(engine.zfill), "repeat": _by(engine.repeat), "slice": _by(_part_of),
    "slice each": _slice_each, "character": _character, "joined": _joined, "part": _part,
    "written": _written,
}  # fmt: skip


# Arrays.


def _lengths(columns: TextColumns, number: int) -> Any:
    return columns.whole(engine.lengths, number)


def _filled(columns: TextColumns, number: int) -> np.ndarray:
    return np.asarray(columns.column(number).lengths() > 0)


def _missing(columns: TextColumns, number: int) -> np.ndarray:
    return np.asarray(columns.column(number).isna())


def _column(columns: TextColumns, label: Any) -> np.ndarray:
    return columns.numbers[label]


def _sum(columns: TextColumns, left: Any, right: Any, sign: int) -> np.ndarray:
    found: np.ndarray = _positions(columns, left) + sign * _positions(columns, right)
    return found


def _find(columns: TextColumns, number: int, wanted: str, *where: Any) -> Any:
    first, last, takes_last = where
    function = engine.position(wanted, first, last, last=takes_last)
    return columns.whole(function, number)


def _is_negative(columns: TextColumns, symbol: Symbol) -> np.ndarray:
    found: np.ndarray = columns.array(symbol) < 0
    return found


def _find_each(columns: TextColumns, number: int, other: int) -> Any:
    return _known(pairs.positions_each(columns.text(number), columns.text(other), columns.rows))


def _contains(columns: TextColumns, number: int, other: int) -> Any:
    wanted = columns.text(other)
    if isinstance(wanted, str):
        return columns.whole(engine.contains(wanted), number)
    return _find_each(columns, number, other) >= 0


def _equal(columns: TextColumns, number: int, other: int) -> Any:
    found = pairs.compared(columns.text(number), columns.text(other), columns.rows, equal=True)
    return _known(found)


def _order(columns: TextColumns, number: int, other: int) -> Any:
    found = pairs.compared(columns.text(number), columns.text(other), columns.rows, equal=False)
    return _known(found).astype(np.int64)


def _one_of(columns: TextColumns, number: int, wanted: frozenset[str]) -> Any:
    found = isin(columns.column(number), sorted(wanted))
    assert isinstance(found, NumberColumn)
    return found.values


def _part_count(columns: TextColumns, symbol: Symbol) -> np.ndarray:
    return _parts(columns, symbol, None)[0]


def _few_parts(columns: TextColumns, symbol: Symbol, place: int) -> np.ndarray:
    counts, _ = _parts(columns, symbol, place)
    return (counts <= place) if place >= 0 else (counts < -place)


def _not_as_many(columns: TextColumns, symbol: Symbol, count: int) -> Any:
    return _parts(columns, symbol, None)[0] != count


def _read(columns: TextColumns, number: int, base: str) -> tuple[np.ndarray, np.ndarray]:
    """Numbers in texts, and which texts are none. What the engine leaves is read by Python."""
    key = ("read", number, base)
    if key not in columns._made:
        function: Any = int if base == INT else float
        column = columns.column(number)
        values, rows = columns.whole(pairs.numbers(np.int64 if base == INT else np.float64), number)
        wrong = np.zeros(columns.rows, bool)
        texts = column.take(px.asarray(np.array(rows, np.int64))).to_numpy() if rows else ()
        for row, text in zip(rows, texts, strict=True):
            try:
                read = function(text)
            except ValueError:
                read = None
            wrong[row] = read is None or (base == INT and not _INT64.min <= read <= _INT64.max)
            values[row] = 0 if wrong[row] else read
        columns._made[key] = values, wrong
    return columns._made[key]  # type: ignore[no-any-return]


_ARRAYS: dict[str, Callable[..., Any]] = {
    "length": _lengths, "filled": _filled, "missing": _missing, "column": _column, "sum": _sum,
    "find": _find, "is negative": _is_negative, "find each": _find_each, "contains": _contains,
    "equal": _equal, "order": _order, "one of": _one_of, "part count": _part_count,
    "few parts": _few_parts, "not as many": _not_as_many,
    "short": lambda columns, number, place: _characters(columns, number, place)[1],
    "number": lambda columns, number, base: _read(columns, number, base)[0],
    "no number": lambda columns, number, base: _read(columns, number, base)[1],
    "count": _by(pairs.count),
    "test": _by(engine.is_all), "affix": _by(engine.has_affix),
}  # fmt: skip
