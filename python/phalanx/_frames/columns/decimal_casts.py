"""Decimals as other dtypes, and other dtypes as decimals."""

from __future__ import annotations

import decimal
from typing import Any

import numpy as np

import phalanx as px
from phalanx.errors import DecimalOverflowError

from ..arrow_dtypes import DecimalDtype
from ..dtypes import BOOLEAN, NULLABLE, family
from ..missing import is_missing
from . import decimal_rows, string_rows
from .column import Column
from .decimals import DecimalColumn
from .numbers import NumberColumn
from .strings import StringColumn, of_texts


def of_decimals(column: DecimalColumn, dtype: Any) -> Column:
    """A column of decimals in another dtype. Raises what pandas raises: TypeError, ValueError."""
    made: Column = _RULES.get(family(dtype), _refused)(column, dtype)
    return made


def _refused(column: Any, dtype: Any) -> Column:
    raise TypeError(f"Cannot cast a column of dtype {column.dtype} to dtype {dtype}")


def _to_decimals(column: DecimalColumn, dtype: DecimalDtype) -> Column:
    """In another precision and scale, which must hold each."""
    power = dtype.scale - column.dtype.scale
    words, failed = decimal_rows.scale(column.numbers, power, dtype.precision)
    if failed >= 0:
        _fail(column.element(failed), dtype)
    return DecimalColumn(words, column.valid, dtype)


def _fail(value: Any, dtype: DecimalDtype) -> None:
    """Raise the error for a number that a dtype does not hold."""
    number = decimal.Decimal(value)
    if number.is_finite() and abs(number) < 10 ** (dtype.precision - dtype.scale):
        raise ValueError(
            f"Rescaling Decimal value would cause data loss: {value} has more than "
            f"{dtype.scale} digits after the point; round(...) before"
        )
    raise DecimalOverflowError(
        f"Decimal value does not fit in precision {dtype.precision}: {value} as {dtype}"
    )


def _to_numbers(column: DecimalColumn, dtype: Any) -> Column:
    if dtype.kind == "f":
        return NumberColumn(px.asarray(column.as_floats().astype(dtype)))
    if dtype.kind == "c":
        return _refused(column, dtype)
    if column.has_missing():
        raise TypeError(f"NA is no number of {dtype}: fill missing decimals first, or 'Int64'")
    if dtype.kind == "b":
        return NumberColumn(px.asarray(column.words.any(axis=1)))
    unit = decimal_rows.of_integer(10**column.dtype.scale)
    whole = decimal_rows.compute("div", column.numbers, (unit, None))
    return NumberColumn(px.asarray(_integers(whole, np.ones(len(whole), bool), dtype)))


def _integers(words: np.ndarray, there: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Integers of words, where they are. Raises OverflowError for what a dtype does not hold."""
    low = words[:, 0]
    if dtype == np.uint64:
        fits, values = words[:, 1] == 0, low.view(np.uint64)
    else:
        values = low.astype(dtype)
        fits = decimal_rows.is_int64(words) & (values == low)
        if dtype.kind == "u":
            fits &= low >= 0
    if not fits[there].all():
        raise OverflowError(f"decimals that {dtype} does not hold: cast to a larger dtype")
    return values


def _to_nullable(column: DecimalColumn, dtype: Any) -> Column:
    if dtype == BOOLEAN:
        raise TypeError("Need to pass bool-like values")
    valid = None if column.valid is None else px.asarray(column.valid)
    if dtype.kind == "f":
        values = column.as_floats()
        values[~column.present()] = 0
        return NumberColumn(px.asarray(values.astype(dtype.numpy_dtype)), valid, dtype)
    whole, failed = decimal_rows.scale(column.numbers, -column.dtype.scale)
    if failed >= 0:
        raise TypeError(
            f"cannot safely cast non-equivalent decimals to {dtype.numpy_dtype}: "
            f"{column.element(failed)} is not whole"
        )
    values = _integers(whole, column.present(), dtype.numpy_dtype)
    return NumberColumn(px.asarray(values), valid, dtype)


def _to_texts(column: DecimalColumn, dtype: Any) -> Column:
    made = column.as_texts()
    return StringColumn(made.offsets, made.text, made.valid, dtype)


_RULES: dict[str, Any] = {
    "decimal": _to_decimals,
    "bool": _to_numbers,
    "number": _to_numbers,
    "nullable": _to_nullable,
    "text": _to_texts,
}


# Other dtypes as decimals.


def to_decimals(column: Any, dtype: Any) -> Column:
    """A column of another dtype as decimals, which must hold each; floats are rounded.

    Raises TypeError for what is no number, ValueError and DecimalOverflowError for numbers that the
    dtype does not hold and for texts that are no decimals.
    """
    if isinstance(column, NumberColumn) and column.values.dtype.kind in "iuf":
        return _of_numbers(column, dtype)
    if isinstance(column, StringColumn):
        return _of_texts(column, dtype)
    return _refused(column, dtype)


def _of_numbers(column: NumberColumn, dtype: DecimalDtype) -> Column:
    values = np.asarray(column.values)
    valid = ~np.asarray(column.isna()) if column.has_missing() else None
    if values.dtype.kind == "f":
        if values.dtype.itemsize < 4:
            values = values.astype(np.float32)
        valid = None if not np.isnan(values).any() and valid is None else (
            ~np.isnan(values) if valid is None else valid & ~np.isnan(values)
        )  # fmt: skip
        wide = values.astype(np.float64)
        words, failed = decimal_rows.of_floats(wide, valid, dtype.scale, dtype.precision)
        if failed >= 0:
            _fail(float(wide[failed]), dtype)
    else:
        whole = decimal_rows.of_integers(values)
        words, failed = decimal_rows.scale((whole, valid), dtype.scale, dtype.precision)
        if failed >= 0:
            _fail(int(values[failed]), dtype)
    return DecimalColumn(words, valid, dtype)


def _of_texts(column: StringColumn, dtype: DecimalDtype) -> DecimalColumn:
    key = string_rows.key_of(column.parts)
    words, failed = decimal_rows.of_texts(key, dtype.scale, dtype.precision)
    if failed >= 0:
        text = column.element(failed)
        try:
            decimal.Decimal(text)
        except decimal.InvalidOperation:
            raise ValueError(f"The string '{text}' is not a valid decimal128 number") from None
        _fail(text, dtype)
    return DecimalColumn(words, None if column.valid is None else key[3], dtype)


def of_decimal_objects(objects: np.ndarray, gone: np.ndarray, dtype: Any) -> Column:
    """A column of Python's decimals, integers and texts of them; `gone` says which are missing.

    Raises TypeError for other objects, and what ``to_decimals`` raises.
    """
    nans = (isinstance(each, decimal.Decimal) and each.is_nan() for each in objects)
    missing = gone | np.fromiter(nans, bool, len(objects))
    texts = []
    for value, is_gone in zip(objects, missing, strict=True):
        if not is_gone and not isinstance(value, str) and not is_decimal(value):
            raise TypeError(f"int or Decimal object expected, got {type(value).__name__}")
        texts.append("" if is_gone else str(value))
    return _of_texts(of_texts(texts, missing), dtype)


def is_decimal(value: Any) -> bool:
    """True for values that are decimals without a loss: Python's decimals, integers."""
    if isinstance(value, (bool, np.bool_)):
        return False
    return isinstance(value, (decimal.Decimal, int, np.integer)) and not is_missing(value)


def floats_of(column: DecimalColumn) -> NumberColumn:
    """The nearest numbers as Float64, for what decimals have no rule of their own."""
    made: Any = column.astype(NULLABLE["Float64"])
    return made  # type: ignore[no-any-return]
