"""Frames of the columns that CSV text has."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np

import phalanx as px

from . import above
from .columns.categories import CategoryColumn
from .columns.column import Column
from .columns.making import column_of
from .columns.numbers import NumberColumn, nullable
from .columns.strings import StringColumn
from .csv_columns import Columns, CsvChunks, Field
from .csv_types import CsvColumn
from .dates.to_datetime import to_datetime
from .dtypes import CategoricalDtype
from .indexes.making import index_of
from .indexes.multi import MultiIndex
from .indexes.ranges import RangeIndex

if TYPE_CHECKING:
    from .frame import DataFrame

_WHOLE = re.compile(r"[+-]?[0-9]+")


def frame_of(made: Columns, chunks: CsvChunks, first: int) -> DataFrame:
    """The frame of columns; those without a name are the labels of the rows.

    Without labels the rows are numbered from `first` on. Raises what a function of ``converters``
    raises.
    """
    parts = [
        _finished(_column_of(part), field, chunks)
        for (_, part), field in zip(made, chunks.fields, strict=True)
    ]
    of_rows = sum(name is None for name, _ in made)
    count = len(parts[0]) if parts else 0
    if of_rows == 1:
        index = index_of(parts[0])
    elif of_rows > 1:
        index = MultiIndex.from_arrays([index_of(each) for each in parts[:of_rows]])
    else:
        index = RangeIndex(first, first + count)
    names = [name for name, _ in made[of_rows:]]
    if chunks.levels is not None:
        unnamed = above.DataFrame._of(parts[of_rows:], index, RangeIndex(len(names)))
        return _with_levels(unnamed, chunks)
    frame: DataFrame = above.DataFrame._of(parts[of_rows:], index, index_of(names))
    labels = chunks.labels
    if labels is None or labels is False or (of_rows == 1 and labels in (0, [0])):
        return frame
    several = list(labels) if isinstance(labels, (list, tuple)) else [labels]
    keys = [frame.columns[each] if _is_place(each, names) else each for each in several]
    return frame.set_index(keys if isinstance(labels, (list, tuple)) else keys[0])


def _with_levels(frame: DataFrame, chunks: CsvChunks) -> DataFrame:
    """The frame with the labels of a header of several rows."""
    levels: Any = chunks.levels
    places = [place for place, name in enumerate(levels.names) if not isinstance(name, tuple)]
    if places:
        frame = frame.set_index(places)
        frame.index.names = levels.index_names
    tuples = [name for name in levels.names if isinstance(name, tuple)]
    frame.columns = (
        MultiIndex.from_tuples(tuples, names=levels.level_names) if tuples else index_of([], object)
    )
    return frame


def _is_place(label: Any, names: list[object]) -> bool:
    return isinstance(label, int) and not isinstance(label, bool) and label not in names


def _finished(column: Column, field: Field, chunks: CsvChunks) -> Column:
    """A column of what its converter gives, or of the dates that its texts are."""
    if field.converter is not None:
        missing = chunks.missing.of_results(field.name, field.place - chunks.index)
        column = _converted(column, field.converter, missing)
    if field.is_date and (
        isinstance(column, StringColumn) or (field.converter and column.dtype.kind == "O")
    ):
        return _as_dates(column, field, chunks)
    if isinstance(column, StringColumn) and field.wanted.kind == "inferred":
        return _whole_numbers(column)
    return column


def _whole_numbers(column: StringColumn) -> Column:
    """Python's ints where all texts are such: the reader leaves those beyond 64 bits as texts."""
    first = 0 if column.valid is None else int(np.argmax(np.asarray(column.valid)))
    if not len(column) or not _WHOLE.fullmatch(str(column.element(first))):
        return column
    texts = column.tolist()
    if not all(isinstance(each, float) or _WHOLE.fullmatch(each) for each in texts):
        return column
    return column_of([int(each) if isinstance(each, str) else np.nan for each in texts], object)


def _converted(column: Column, function: Callable[[str], Any], missing: frozenset[str]) -> Column:
    """What a function gives for each text; texts that mean nothing are missing then."""
    given = [function(text) for text in column.tolist()]
    values = [np.nan if isinstance(each, str) and each in missing else each for each in given]
    if not values:
        return column
    if all(each is None for each in values):
        return column_of(np.full(len(values), np.nan))
    made: Column = above.Series(values)._parts[0]
    return made


def _as_dates(column: Column, field: Field, chunks: CsvChunks) -> Column:
    """Dates, or the column as it is where one of its texts is none."""
    form, dayfirst = chunks.date_form
    if isinstance(form, dict):
        form = form.get(field.name)
    try:
        dates = to_datetime(
            above.Series._of(column, RangeIndex(len(column))), dayfirst=dayfirst, format=form
        )
    except (ValueError, TypeError, OverflowError):
        return column
    made: Column = dates._parts[0]
    return made


def _column_of(part: CsvColumn) -> Column:
    if part.kind in ("string", "category"):
        valid = None if part.valid is None or part.kind == "category" else px.asarray(part.valid)
        words = StringColumn(px.asarray(part.offsets), px.asarray(part.bytes), valid)
        if part.kind == "string":
            return words
        return CategoryColumn(px.asarray(part.values), CategoricalDtype(index_of(words)))
    if part.kind == "empty":
        return column_of([], np.dtype(object))
    values = part.values
    if part.kind.startswith("datetime64"):
        # What is missing is NaT by its number already.
        return NumberColumn(px.asarray(values.view(part.kind.replace("datetime64", "M8"))))
    if part.nullable:
        return nullable(px.asarray(values), None if part.valid is None else px.asarray(part.valid))
    if part.valid is not None and values.dtype.kind == "b":
        mixed = np.asarray(values).astype(object)
        mixed[~np.asarray(part.valid)] = np.nan
        return column_of(mixed, np.dtype(object))
    return NumberColumn(px.asarray(values))
