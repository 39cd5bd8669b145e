"""What pandas writes beside a table of Arrow's: its index, its labels and its dtypes.

The form is that of pandas' developer guide ("Storing pandas DataFrame objects in Apache Parquet
format"), so that pandas reads what we write, and we what pandas writes.
"""

from __future__ import annotations

import ast
import contextlib
import json
import re
from typing import Any, NamedTuple

import numpy as np

from ..columns import arrow as columns_of_arrow
from ..columns.categories import CategoryColumn
from ..columns.column import Column
from ..columns.making import column_of
from ..columns.numbers import NumberColumn
from ..dtypes import CategoricalDtype, DatetimeTZDtype, NullableDtype, StringDtype, pandas_dtype
from ..indexes.making import index_of
from ..indexes.multi import MultiIndex
from ..indexes.ranges import RangeIndex
from ..scalars.cells import moment_text

_LEVEL = re.compile(r"__index_level_\d+__$")
# The version of the form, as it was when pandas began to have text of its own.
_VERSION = "3.0.0"
_NAMES = {"bool": "bool", "string": "unicode", "large_string": "unicode", "string_view": "unicode"}
_NAMES |= {"binary": "bytes", "large_binary": "bytes", "null": "empty", "date32[day]": "date"}
_NAMES |= {"double": "float64", "float": "float32", "halffloat": "float16"}


class IndexLevels(NamedTuple):
    """The levels of an index as columns of a table, or the numbers of a range."""

    names: list[str]
    columns: list[Column]
    described: list[Any]
    labels: list[Any]


def index_levels(index: Any, preserve: bool | None, taken: list[str]) -> IndexLevels:
    """What of an index goes into a table: nothing if `preserve` is False, a range as numbers."""
    if preserve is False:
        return IndexLevels([], [], [], [])
    if preserve is None and isinstance(index, RangeIndex):
        described = {
            "kind": "range",
            "name": None if index.name is None else str(index.name),
            "start": index.start,
            "stop": index.stop,
            "step": index.step,
        }
        return IndexLevels([], [], [described], [])
    names = []
    for i, name in enumerate(index.names):
        own = None if name is None else str(name)
        names.append(f"__index_level_{i}__" if own is None or own in taken else own)
    columns = [index.get_level_values(i)._values_column() for i in range(index.nlevels)]
    return IndexLevels(names, columns, list(names), list(index.names))


def label_text(label: Any) -> str:
    """A label as the name of a field."""
    if isinstance(label, np.datetime64):
        return moment_text(label)
    return str(label)


def metadata_of(frame: Any, levels: IndexLevels, table: Any, version: str) -> bytes:
    """The metadata of a table that has a frame's columns and then its index."""
    count = len(frame._parts)
    columns = [
        _described(label, table.schema.field(i), part)
        for i, (label, part) in enumerate(zip(frame.columns, frame._parts, strict=True))
    ]
    columns += [
        _described(label, table.schema.field(count + i), part)
        for i, (label, part) in enumerate(zip(levels.labels, levels.columns, strict=True))
    ]
    made = {
        "index_columns": levels.described,
        "column_indexes": _described_labels(frame.columns),
        "columns": columns,
        "attributes": {},
        "creator": {"library": "pyarrow", "version": version},
        "pandas_version": _VERSION,
    }
    return json.dumps(made).encode()


def _described(label: Any, field: Any, column: Column) -> dict[str, Any]:
    kind, numpy_type, more = _types(field.type, column)
    return {
        "name": None if label is None else label_text(label),
        "field_name": field.name,
        "pandas_type": kind,
        "numpy_type": numpy_type,
        "metadata": more,
    }


def _types(arrow_type: Any, column: Column) -> tuple[str, str, Any]:
    dtype = column.dtype
    if isinstance(column, CategoryColumn):
        more = {"num_categories": len(column.dtype.values), "ordered": bool(column.dtype.ordered)}
        return "categorical", str(column.codes.dtype), more
    if isinstance(dtype, DatetimeTZDtype):
        zone = dtype.name.split(", ")[1][:-1]
        return "datetimetz", f"datetime64[{dtype.unit}]", {"timezone": zone}
    if isinstance(dtype, np.dtype) and dtype.kind in "mM":
        return {"M": "datetime", "m": "timedelta"}[dtype.kind], str(dtype), None
    name = str(arrow_type)
    if name.startswith("decimal"):
        more = {"precision": arrow_type.precision, "scale": arrow_type.scale}
        return "decimal", "object", more
    if name.startswith(("list", "large_list", "fixed_size_list")):
        return (
            f"list[{_NAMES.get(str(arrow_type.value_type), str(arrow_type.value_type))}]",
            "object",
            None,
        )
    known = _NAMES.get(name, name if re.match(r"u?int\d+$", name) else "object")
    return known, str(dtype), None


def _described_labels(labels: Any) -> list[dict[str, Any]]:
    made = []
    for i in range(labels.nlevels):
        level = labels.get_level_values(i)
        column = level._values_column()
        inferred = {"string": "unicode", "integer": "int64", "floating": "float64"}.get(
            level.inferred_type, level.inferred_type
        )
        kind = column.dtype.kind
        name = labels.names[i]
        made.append(
            {
                "name": None if name is None else str(name),
                "field_name": None if name is None else str(name),
                "pandas_type": "datetime" if kind == "M" else inferred,
                "numpy_type": str(column.dtype),
                "metadata": {"encoding": "UTF-8"} if inferred == "unicode" else None,
            }
        )
    return made


class Described:
    """The metadata of a table that is read; of one without any, nothing is said."""

    def __init__(self, schema: Any) -> None:
        written = (schema.metadata or {}).get(b"pandas")
        self._all: dict[str, Any] = {}
        if written is not None:
            with contextlib.suppress(ValueError):
                found = json.loads(written)
                self._all = found if isinstance(found, dict) else {}
        self._fields = {
            each.get("field_name", each.get("name")): each for each in self._all.get("columns", [])
        }
        self._there = set(schema.names)

    def index_fields(self) -> list[Any]:
        """Names of the fields that are levels of the index, and ranges."""
        return [
            each
            for each in self._all.get("index_columns", [])
            if isinstance(each, dict) or each in self._there
        ]

    def column(self, data: Any, field: str) -> Column:
        """A column of the dtype that it had when it was written."""
        numpy_type = self._fields.get(field, {}).get("numpy_type")
        return restored(data, numpy_type)

    def index(self, columns: dict[str, Column], rows: int) -> Any:
        """The index of what was told of it."""
        levels = []
        for each in self.index_fields():
            if isinstance(each, dict):
                numbers = range(each["start"], each["stop"], each["step"])
                if len(numbers) == rows:
                    return RangeIndex._of_range(numbers, each["name"])
                continue
            name = self._fields.get(each, {}).get("name", each)
            hidden = _LEVEL.match(each) and name in (None, each)
            levels.append(index_of(columns[each], tuples=False).rename(None if hidden else name))
        if not levels:
            return RangeIndex(rows)
        if len(levels) == 1:
            return levels[0]
        return MultiIndex.from_arrays(levels, names=[each.name for each in levels])

    def labels(self, names: list[str]) -> Any:
        """The labels of columns, of the dtype that they had."""
        told = self._all.get("column_indexes", [])
        if not names:
            return _labels_of([], told[0] if told else {})
        own = [self._fields.get(each, {}).get("name", each) for each in names]
        if len(told) > 1:
            rows = [ast.literal_eval(each) for each in own]
            levels = [
                _labels_of([str(row[i]) for row in rows], each) for i, each in enumerate(told)
            ]
            return MultiIndex.from_arrays(levels, names=[each["name"] for each in told])
        return _labels_of(own, told[0] if told else {})


def _labels_of(names: list[Any], told: dict[str, Any]) -> Any:
    numpy_type = told.get("numpy_type", "object")
    name = told.get("name")
    if numpy_type in ("object", "str", "string") or any(each is None for each in names):
        empty = pandas_dtype("str") if numpy_type == "str" else np.dtype(object)
        made = index_of(names, tuples=False) if names else index_of([], empty)
    elif str(told.get("pandas_type")).startswith("datetime"):
        made = index_of(np.array([each.replace(" ", "T") for each in names], numpy_type))
    else:
        made = index_of(column_of(names).astype(pandas_dtype(_number_type(numpy_type))))
    return made.rename(name)


def _number_type(name: str) -> str:
    return name if re.match(r"(u?int|float)\d+$", name) else "str"


def restored(data: Any, numpy_type: str | None) -> Column:
    """A column of an array of Arrow's, in the dtype of pandas' that it was written from."""
    if numpy_type is None or re.match(r"(object|bool|str|u?int\d+|float\d+|.*\[.*)$", numpy_type):
        return columns_of_arrow.of_arrow(data)
    try:
        dtype = pandas_dtype(numpy_type)
    except TypeError:
        return columns_of_arrow.of_arrow(data)
    if isinstance(dtype, NullableDtype):
        return _nullable(data, dtype)
    made = columns_of_arrow.of_arrow(data)
    if isinstance(dtype, StringDtype) and not isinstance(made.dtype, CategoricalDtype):
        return made.astype(dtype)
    return made


def _nullable(data: Any, dtype: NullableDtype) -> Column:
    import phalanx as px

    whole = columns_of_arrow.one_array(data)
    if not whole.null_count:
        made = columns_of_arrow.of_arrow(whole)
        return made.astype(dtype)
    valid = np.asarray(whole.is_valid())
    filled = np.asarray(whole.fill_null(False if dtype.kind == "b" else 0))
    values = px.asarray(filled.astype(dtype.numpy_dtype))
    return NumberColumn(values, px.asarray(valid), dtype)
