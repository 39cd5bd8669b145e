"""Columns of Phalanx and of pandas, as lists that can be compared."""

from __future__ import annotations

import io
import math
import warnings

import numpy as np
from phalanx._frames.csv_columns import read_csv_columns


def plain(value):
    """A value of a column: None where it is missing, floats by their text."""
    if value is None or type(value).__name__ in ("NAType", "NaTType") or value != value:
        return None
    if hasattr(value, "to_datetime64"):
        return str(value.to_datetime64().astype("M8[ns]"))
    if isinstance(value, np.datetime64):
        return str(value.astype("M8[ns]"))
    if isinstance(value, np.generic):
        value = value.item()
    if isinstance(value, float):
        return math.copysign(0.0, value) if value == 0 else repr(value)
    return value


def words(values):
    """A category's values; pandas makes numbers of its words where all are."""
    known = {"true": 1.0, "false": 0.0}
    try:
        return [
            None if each is None else plain(float(known.get(str(each).lower(), each)))
            for each in values
        ]
    except ValueError:
        return [None if each is None else str(each) for each in values]


def values_of(column):
    """The values of one of our columns."""
    valid = column.valid
    if column.kind == "empty":
        return []
    if column.kind == "string":
        return column.strings()
    if column.kind in ("category", "dictionary"):
        found = column.strings()
        return words([None if code < 0 else found[code] for code in column.values.tolist()])
    values = column.values
    if column.kind.startswith("datetime64"):
        values = values.view(column.kind.replace("datetime64", "M8"))
    found = [plain(each) for each in values]
    if valid is not None:
        assert valid.dtype == np.bool_
        assert not valid.all()
        found = [each if there else None for each, there in zip(found, valid, strict=True)]
    return found


def ours(text, **options):
    """(name, dtype, values) of each column."""
    made = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        columns = read_csv_columns(text, **options)
    for name, column in columns:
        values = values_of(column)
        kind = {"string": "str", "empty": "object"}.get(column.kind, column.kind)
        if column.kind == "bool" and column.valid is not None and not column.nullable:
            kind = "object"
        made.append((name, kind, values))
    return made


def as_text(kind, values):
    """Whole numbers beyond 64 bits are objects of pandas' and strings of ours."""
    if kind == "object" and any(isinstance(each, int) and abs(each) >= 2**63 for each in values):
        return "str", [None if each is None else str(each) for each in values]
    return kind, values


def theirs(text, **options):
    """The same of pandas."""
    import pandas as pd

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        frame = pd.read_csv(io.BytesIO(text), low_memory=False, **options)
    made = []
    index = frame.index
    if not isinstance(index, pd.RangeIndex) or (index.start, index.step) != (0, 1):
        levels = frame.index.levels if isinstance(frame.index, pd.MultiIndex) else [frame.index]
        for i in range(len(levels)):
            part = frame.index.get_level_values(i)
            made.append((None, *as_text(str(part.dtype).lower(), [plain(each) for each in part])))
    for i, name in enumerate(frame.columns):
        column = frame.iloc[:, i]
        values = [plain(each) for each in column]
        kind = str(column.dtype).lower()
        kind, values = as_text(kind, values)
        if kind == "category":
            values = words(values)
        if kind.startswith("datetime64") and all(each is None for each in values):
            kind = "datetime64[us]"
        made.append((name, kind, values))
    return made


def outcome(function, text, options):
    """What it gives, or the kind of its error."""
    try:
        return function(text, **options)
    except (ValueError, UnicodeDecodeError) as error:
        kind = type(error).__name__
        return "EmptyDataError" if kind == "EmptyDataError" else "error"
    except (TypeError, OverflowError):
        return "error"


def assert_same(text, **options):
    """Both give the same columns, or both refuse."""
    if isinstance(text, str):
        text = text.encode()
    expected = outcome(theirs, text, options)
    actual = outcome(ours, text, options)
    assert actual == expected, (text, options)
