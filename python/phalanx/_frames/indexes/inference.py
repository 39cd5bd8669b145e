"""What the labels of an index are, as pandas calls it."""

from __future__ import annotations

import datetime
from typing import Any

import numpy as np

from .. import dtypes
from ..columns.column import Column
from ..missing import is_missing

_OF_DTYPES = {
    "bool": "boolean",
    "datetime": "datetime64",
    "zoned": "datetime64",
    "timedelta": "timedelta64",
    "text": "string",
    "category": "categorical",
}
_OF_KINDS = {"i": "integer", "u": "integer", "f": "floating", "c": "complex", "b": "boolean"}
_OF_OBJECTS: tuple[tuple[Any, str], ...] = (
    ((bool, np.bool_), "boolean"),
    ((int, np.integer), "integer"),
    ((float, np.floating), "floating"),
    ((complex, np.complexfloating), "complex"),
    (str, "string"),
    (bytes, "bytes"),
    ((datetime.datetime, np.datetime64), "datetime"),
    (datetime.date, "date"),
    (datetime.time, "time"),
    ((datetime.timedelta, np.timedelta64), "timedelta"),
)


def inferred_type(column: Column) -> str:
    """What pandas' ``inferred_type`` says of labels."""
    family = dtypes.family(column.dtype)
    if family in _OF_DTYPES:
        return _OF_DTYPES[family]
    if family != "object":
        return _OF_KINDS[column.dtype.kind]
    labels = column.objects_of()
    kinds = {_kind_of(each) for each in labels if not is_missing(each)}
    if len(kinds) == 1:
        return kinds.pop()
    if not kinds:
        return "mixed" if len(labels) else "empty"
    if kinds == {"integer", "floating"}:
        return "mixed-integer-float"
    return "mixed-integer" if "integer" in kinds else "mixed"


def _kind_of(label: Any) -> str:
    for types, name in _OF_OBJECTS:
        if isinstance(label, types):
            return name
    return "mixed"
