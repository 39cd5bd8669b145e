"""The dtypes that columns of CSV text are asked to have."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

import numpy as np


@dataclass(frozen=True)
class CsvColumn:
    """The parts of a column, laid out as Arrow has them.

    `kind` is the name of a NumPy dtype, "string", "category", "dictionary", "datetime64[us]" (or
    another unit), or "empty", of a column without rows and a dtype asked for.
    """

    kind: str
    # One dimension: numbers, booleans; int64 of dates; int32 codes of a category or a dictionary,
    # -1 where the value is missing. None of strings.
    values: Any = None
    # bool, true where there is a value; None where none is missing. Missing floats are NaN too.
    valid: Any = None
    # int64, one more than there are strings (of a category: its words), and uint8 of UTF-8.
    offsets: Any = None
    bytes: Any = None
    # A dtype of pandas with missing values was asked for: Int64, boolean.
    nullable: bool = False

    def strings(self) -> list[str | None]:
        """The strings, or a category's words; None where one is missing."""
        data = self.bytes.tobytes()
        bounds = self.offsets.tolist()
        made: list[str | None] = [data[a:b].decode() for a, b in itertools.pairwise(bounds)]
        if self.valid is not None and self.kind == "string":
            made = [s if v else None for s, v in zip(made, self.valid.tolist(), strict=True)]
        return made


class Wanted(NamedTuple):
    """What is asked for: the engine's kind, the dtype of the result, a unit."""

    kind: str = "inferred"
    dtype: np.dtype[Any] | None = None
    nullable: bool = False
    unit: str = "us"


_STRINGS = frozenset({"str", "string", "object", "O", "U", "<U0", "|O"})
_NULLABLE = {
    name: name.lower()
    for name in (
        *("Int8", "Int16", "Int32", "Int64", "UInt8", "UInt16", "UInt32", "UInt64"),
        *("Float32", "Float64"),
    )
} | {"boolean": "bool"}
_KINDS = {"i": "int64", "u": "int64", "f": "float64", "b": "boolean"}


def wanted_of(given: object) -> Wanted:
    """What a dtype asks for. Raises TypeError for one that columns do not have."""
    name = given if isinstance(given, str) else getattr(given, "name", None)
    if isinstance(name, str) and not isinstance(given, np.dtype):
        if name in ("category", "dictionary"):
            return Wanted(name)
        if name in _NULLABLE:
            dtype = np.dtype(_NULLABLE[name])
            return Wanted(_KINDS[dtype.kind].replace("boolean", "bool"), dtype, nullable=True)
    if given is None:
        return Wanted()
    if given in (str, object) or (isinstance(name, str) and name in _STRINGS):
        return Wanted("string")
    dtype = np.dtype(given)  # type: ignore[call-overload]
    if dtype.kind == "M":
        unit = np.datetime_data(dtype)[0]
        if unit not in ("s", "ms", "us", "ns"):
            raise TypeError(f"read_csv: dtype {dtype} is to have a unit of s, ms, us or ns")
        return Wanted("datetime", dtype, unit=unit)
    if dtype.kind in "USO":
        return Wanted("string")
    if dtype.kind not in _KINDS or dtype.itemsize not in (1, 2, 4, 8) or dtype == np.float16:
        raise TypeError(f"read_csv: columns have no dtype {dtype}")
    return Wanted(_KINDS[dtype.kind].replace("boolean", "bool"), dtype)


def wanted_by_column(dtype: Any) -> Any:
    """A function of a column's name and place that says what is asked of it."""
    if isinstance(dtype, Mapping):
        default = getattr(dtype, "default_factory", None)
        given = {name: wanted_of(each) for name, each in dtype.items()}
        other = wanted_of(default()) if default is not None else Wanted()
        return lambda name, place: given.get(name, given.get(place, other))
    one = wanted_of(dtype)
    return lambda name, place: one


class CastError(ValueError):
    """A column that has no such dtype: `row` is the first that does not fit, or None."""

    def __init__(self, message: str, row: int | None = None) -> None:
        super().__init__(message)
        self.row = row


def _first(where: Any) -> int:
    return int(np.argmax(where))


def _refuse(name: object, column: CsvColumn, dtype: np.dtype[Any], row: int) -> None:
    if column.kind == "string":
        start, end = column.offsets[row], column.offsets[row + 1]
        found: object = column.bytes[start:end].tobytes().decode()
    else:
        found = column.values[row].item()
    raise CastError(f"column {name!r} of dtype {dtype} has {found!r}", row)


def _first_text(column: CsvColumn, dtype: np.dtype[Any]) -> int:
    """The row of the first string that is no number."""
    for row, text in enumerate(column.strings()):
        try:
            if text is not None and dtype.type(float(text)) is None:
                break
        except ValueError:
            return row
    return 0


def _cast_dates(name: object, column: CsvColumn, dtype: np.dtype[Any]) -> CsvColumn:
    if column.kind == "string":
        raise CastError(f"column {name!r} of dtype {dtype} has dates that are not ISO 8601")
    if column.kind == dtype.name:
        return column
    dates = column.values.view(f"M8[{np.datetime_data(column.kind)[0]}]")
    return replace(column, kind=dtype.name, values=dates.astype(dtype).view(np.int64))


def cast(name: object, column: CsvColumn, wanted: Wanted) -> CsvColumn:
    """The column with the dtype that is asked for, as pandas casts it. Raises CastError."""
    dtype = wanted.dtype
    if dtype is None:
        return column
    if dtype.kind == "M":
        return _cast_dates(name, column, dtype)
    column = replace(column, nullable=wanted.nullable)
    if column.kind == "empty":
        return replace(column, kind=dtype.name, values=np.empty(0, dtype))
    if column.kind == "string":
        _refuse(name, column, dtype, _first_text(column, dtype))
    if wanted.nullable and column.kind == "bool" != dtype.name:
        _refuse(name, column, dtype, 0)
    if column.valid is not None and dtype.kind != "f" and not wanted.nullable:
        what = "Bool" if dtype.kind == "b" else "Integer"
        raise CastError(f"{what} column has NA values in column {name!r}", _first(~column.valid))
    if dtype.kind in "iu":
        _check_integers(name, column, dtype)
    values = _without_missing(column, dtype)
    made = values.astype(dtype, copy=False)
    if dtype.kind == "b" and (made != values).any():
        _refuse(name, column, dtype, _first(made != values))
    return replace(column, kind=dtype.name, values=made)


def _without_missing(column: CsvColumn, dtype: np.dtype[Any]) -> Any:
    """The values, with something that the dtype holds where one is missing."""
    if column.valid is None or column.values.dtype.kind == dtype.kind:
        return column.values
    return np.where(column.valid, column.values, np.nan if dtype.kind == "f" else 0)


def _check_integers(name: object, column: CsvColumn, dtype: np.dtype[Any]) -> None:
    values = column.values
    if values.dtype == dtype or values.dtype.kind == "b":
        return
    info = np.iinfo(dtype)
    with np.errstate(invalid="ignore"):
        bad = (values < info.min) | (values > info.max)
        if values.dtype.kind == "f":
            bad |= values != np.floor(values)
    if column.valid is not None:
        bad &= column.valid
    if bad.any():
        _refuse(name, column, dtype, _first(bad))
