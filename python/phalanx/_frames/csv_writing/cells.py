"""Columns as the engine writes them to CSV text."""

from __future__ import annotations

import datetime
import numbers
from collections.abc import Callable
from csv import QUOTE_NONNUMERIC
from typing import Any

import numpy as np

from ..columns.categories import CategoryColumn
from ..columns.column import Column
from ..columns.numbers import NumberColumn
from ..columns.objects import ObjectColumn, object_array
from ..columns.strings import StringColumn, of_texts
from ..columns.time_texts import texts_of_durations, texts_of_zoned
from ..dtypes import family, zone_of
from ..missing import NA, is_missing
from ..scalars.cells import datetime_cells, duration_text, moment_text
from ..scalars.units import NANOSECONDS
from .options import Options

Cells = tuple[Any, ...]
_DAY = 86400
# Years of four digits, in days since 1970: what the engine writes.
_DAYS = (int(np.datetime64("0000-01-01", "D").astype(np.int64)), 2932896)


def cells_of(column: Column, options: Options, *, is_index: bool = False) -> Cells:
    """A column for `_engine.CsvWriter`. Dates of an index that are missing have no text in
    pandas where they have a format.
    """
    kind = family(column.dtype)
    if isinstance(column, NumberColumn) and column.values.dtype.kind == "c":
        kind = "object"
    made: Cells = _CELLS[kind](column, options)
    if is_index and options.date_format is not None and kind in ("datetime", "zoned"):
        return _with_empty_texts(made)
    return made


def level_cells(column: Column, options: Options) -> Cells:
    """A level of several: where labels are missing pandas makes texts of all."""
    made = cells_of(column, options, is_index=True)
    if options.quoting == QUOTE_NONNUMERIC and column.has_missing():
        return _texts(_decoded(made, len(column), options), None)
    return made


def _with_empty_texts(cells: Cells) -> Cells:
    _, codes, offsets, text, numeric = cells
    gone = len(offsets) - 1
    more = np.append(offsets, offsets[-1])
    return "codes", np.where(codes < 0, gone, codes).astype(np.int32), more, text, numeric


def _flat(values: Any) -> np.ndarray:
    return np.ascontiguousarray(np.asarray(values))


def _number(column: Any, options: Options) -> Cells:
    values = _flat(column.values)
    mask = None if column.valid is None else _flat(column.valid)
    if values.dtype.kind != "f":
        return "number", values, mask, "", 6
    form = options.engine_format()
    if form is None:
        return _formatted(values, mask, options)
    if values.dtype.itemsize == 2:
        values = values.astype(np.float32)
    return "number", values, mask, *form


def _formatted(values: np.ndarray, mask: np.ndarray | None, options: Options) -> Cells:
    there = ~np.isnan(values) if mask is None else mask & ~np.isnan(values)
    texts = [
        options.float_text(each) if is_there else ""
        for each, is_there in zip(values, there, strict=True)
    ]
    return _texts(texts, there)


def _texts(texts: list[str], there: np.ndarray | None, numeric: np.ndarray | None = None) -> Cells:
    made = of_texts(texts)
    return "text", _flat(made.offsets), _flat(made.text), there, numeric


def _text(column: Any, options: Options) -> Cells:
    mask = None if column.valid is None else _flat(column.valid)
    return "text", _flat(column.offsets), _flat(column.text), mask, None


def _datetime(column: Any, options: Options) -> Cells:
    values = _flat(column.values)
    if options.date_format is not None:
        return _in_format(values, options.date_format, None)
    return _dates(values, "")


def _dates(values: np.ndarray, suffix: str) -> Cells:
    unit = np.datetime_data(values.dtype)[0]
    per_second = 10**9 // NANOSECONDS[unit]
    counts = values.view(np.int64)
    there = counts[~np.isnat(values)]
    if len(there) and not (
        _DAYS[0] * _DAY * per_second <= int(there.min())
        and int(there.max()) < _DAYS[1] * _DAY * per_second
    ):
        return _far_dates(values, suffix)
    has_time = bool(suffix) or bool((there % (_DAY * per_second)).any())
    return "date", counts, per_second, has_time, _digits(there, per_second), suffix


def _digits(counts: np.ndarray, per_second: int) -> int:
    """The digits of a second that some row needs: 0, 3, 6 or 9."""
    for digits in (0, 3, 6):
        if 10**digits >= per_second or not (counts % (per_second // 10**digits)).any():
            return digits
    return 9


def _far_dates(values: np.ndarray, suffix: str) -> Cells:
    texts = [each + suffix for each in datetime_cells(values)]
    return _texts(texts, ~np.isnat(values))


def _zoned(column: Any, options: Options) -> Cells:
    values = _flat(column.values)
    if options.date_format is not None:
        return _in_format(values, options.date_format, column.dtype.tz)
    if column.dtype.tz == zone_of("UTC"):
        return _dates(values, "+00:00")
    there = ~np.isnat(values)
    texts = np.full(len(values), "", object)
    texts[there] = texts_of_zoned(values[there], column.dtype.tz)
    return _texts(texts.tolist(), there)


def _in_format(values: np.ndarray, date_format: str, zone: Any) -> Cells:
    """Dates by strftime, each different one once."""
    different, codes = np.unique(values, return_inverse=True)
    texts = []
    for each in different[~np.isnat(different)].astype("M8[us]").tolist():
        moment = each if isinstance(each, datetime.datetime) else None
        if moment is None:
            raise ValueError("date_format needs dates of the years 1 to 9999")
        if zone is not None:
            moment = moment.replace(tzinfo=datetime.UTC).astimezone(zone)
        texts.append(moment.strftime(date_format))
    made = of_texts(texts)
    numbered = np.where(np.isnat(values), -1, codes).astype(np.int32)
    return "codes", numbered, _flat(made.offsets), _flat(made.text), None


def _timedelta(column: Any, options: Options) -> Cells:
    values = _flat(column.values)
    there = ~np.isnat(values)
    texts = np.full(len(values), "", object)
    texts[there] = texts_of_durations(values[there])
    return _texts(texts.tolist(), there)


def _category(column: CategoryColumn, options: Options) -> Cells:
    values = column.dtype.values
    if values.dtype.kind in "mM":
        return cells_of(column.values(), options)
    codes = np.asarray(column.codes).astype(np.int32)
    if isinstance(values, StringColumn):
        _, offsets, text, _, numeric = _text(values, options)
    else:
        _, offsets, text, _, numeric = _objects(values.objects_of(), options)
    return "codes", codes, offsets, text, numeric


def _object(column: Column, options: Options) -> Cells:
    return _objects(column.objects_of(), options)


def _objects(objects: np.ndarray, options: Options) -> Cells:
    there = np.fromiter((not is_missing(each) for each in objects), bool, len(objects))
    numeric = np.fromiter(map(is_number, objects), bool, len(objects))
    texts = [
        object_text(each, options) if is_there else ""
        for each, is_there in zip(objects, there, strict=True)
    ]
    return _texts(texts, there, numeric)


def is_number(value: Any) -> bool:
    """True for what Python's csv module takes as a number."""
    return isinstance(value, (numbers.Number, np.number, np.bool_)) and not isinstance(
        value, np.timedelta64
    )


def object_text(value: Any, options: Options) -> str:
    """One object as text: floats as repr() has them, dates as pandas writes one."""
    if isinstance(value, np.datetime64):
        if options.date_format is not None:
            return value.astype("M8[us]").item().strftime(options.date_format)  # type: ignore[no-any-return]
        return moment_text(value)
    if isinstance(value, datetime.datetime) and options.date_format is not None:
        return value.strftime(options.date_format)
    if isinstance(value, np.timedelta64):
        unit = np.datetime_data(value.dtype)[0]
        return duration_text(int(value.view(np.int64)), unit, 0, False)
    if isinstance(value, float):
        return float.__repr__(value)
    return str(value)


def _decimal(column: Any, options: Options) -> Cells:
    kind, offsets, text, mask, _ = _text(column.as_texts(), options)
    return kind, offsets, text, mask, np.ones(len(column), bool)


def _list(column: Any, options: Options) -> Cells:
    return _object(ObjectColumn(_as_texts(column)), options)


def _as_texts(column: Any) -> np.ndarray:
    """The arrays of lists as NumPy writes them, and NA."""
    return object_array([each if each is NA else str(each) for each in column.objects_of()])


_CELLS: dict[str, Callable[[Any, Options], Cells]] = {
    "bool": _number,
    "number": _number,
    "nullable": _number,
    "text": _text,
    "datetime": _datetime,
    "zoned": _zoned,
    "timedelta": _timedelta,
    "category": _category,
    "decimal": _decimal,
    "list": _list,
    "object": _object,
}


def label_fields(column: Column, options: Options) -> list[Any]:
    """Labels of columns as Python's csv writer takes them: numbers are numbers."""
    values = column.objects_of()
    if isinstance(column, (ObjectColumn, StringColumn, CategoryColumn)):
        return [options.na_rep if is_missing(each) else each for each in values]
    if family(column.dtype) in ("datetime", "zoned", "timedelta"):
        return _decoded(cells_of(column, options), len(column), options)
    if column.dtype.kind == "f" and (options.float_format is not None or options.decimal != "."):
        return [options.na_rep if is_missing(each) else options.float_text(each) for each in values]
    return [options.na_rep if is_missing(each) else each for each in values]


def _decoded(cells: Cells, rows: int, options: Options) -> list[str]:
    """The texts of a column that the engine would write."""
    from phalanx import _engine

    plain = (1, -1, -1, True, 3, ".", "\x02", options.na_rep)
    text = _engine.CsvWriter(plain, [cells, _texts([""] * rows, None)], rows).text(0, rows)
    return [each[:-1] for each in text.decode().split("\x02")[:-1]]
