"""Columns of Arrow's arrays, and the way back, by way of pyarrow where the user has it."""

from __future__ import annotations

import importlib
from collections.abc import Callable
from typing import Any

import numpy as np

import phalanx as px

from ..arrow_dtypes import MOST_DIGITS, DecimalDtype, ListDtype
from ..dtypes import NULLABLE, STRING, CategoricalDtype, DatetimeTZDtype, family, nullable_of
from .categories import CategoryColumn, code_dtype
from .column import Column
from .decimals import DecimalColumn
from .lists import ListColumn
from .numbers import NumberColumn
from .objects import ObjectColumn, object_array
from .strings import StringColumn


def is_arrow(data: Any) -> bool:
    """Returns whether something has an array of Arrow's."""
    return (
        hasattr(data, "__arrow_c_array__")
        or hasattr(data, "__arrow_c_stream__")
        or type(data).__module__.startswith("pyarrow.")
    )


def _pyarrow() -> Any:
    try:
        return importlib.import_module("pyarrow")
    except ImportError:
        raise ImportError("arrays of Arrow's need pyarrow: pip install pyarrow") from None


def one_array(data: Any) -> Any:
    """An array of pyarrow's of one piece, of whatever hands out one or several."""
    arrow = _pyarrow()
    if not isinstance(data, (arrow.Array, arrow.ChunkedArray)):
        stream = hasattr(data, "__arrow_c_stream__")
        data = (arrow.chunked_array if stream else arrow.array)(data)
    if isinstance(data, arrow.ChunkedArray):
        data = data.combine_chunks()
        if isinstance(data, arrow.ChunkedArray):
            data = arrow.concat_arrays(data.chunks) if data.chunks else arrow.array([], data.type)
    return data


def of_arrow(data: Any) -> Column:
    """A column of an array of Arrow's, as ``to_pandas()`` of pyarrow has it.

    Integers with missing rows are float64, bools with such are objects; times keep their unit.
    """
    arrow = _pyarrow()
    data = one_array(data)
    types = arrow.types
    for fits, make in (
        (types.is_dictionary, _category),
        (types.is_boolean, _bool),
        (types.is_integer, _number),
        (types.is_floating, _number),
        (types.is_timestamp, _timestamp),
        (types.is_duration, _duration),
        (_is_text(types), _text),
        (types.is_decimal, _decimal),
        (_is_list(types), _list),
    ):
        if fits(data.type):
            return make(arrow, data)
    return _objects(data)


def _objects(data: Any) -> Column:
    return ObjectColumn(object_array(data.to_pylist()))


def _is_text(types: Any) -> Callable[[Any], bool]:
    return lambda kind: (
        types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind)
    )


def _is_list(types: Any) -> Callable[[Any], bool]:
    return lambda kind: (
        types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind)
    )


def _buffer(data: Any, dtype: Any) -> np.ndarray:
    """The values of an array with bytes for each, missing ones too, without a copy."""
    buffer = data.buffers()[1]
    if buffer is None:
        return np.zeros(0, dtype)
    return np.frombuffer(buffer, dtype)[data.offset : data.offset + len(data)]


def _gone(data: Any) -> np.ndarray | None:
    """Which rows are missing, None where none is."""
    return np.asarray(data.is_null()) if data.null_count else None


def _number(arrow: Any, data: Any) -> Column:
    values, gone = _buffer(data, data.type.to_pandas_dtype()), _gone(data)
    if gone is not None:
        values = values.astype(values.dtype if values.dtype.kind == "f" else np.float64)
        values[gone] = np.nan
    return NumberColumn(px.asarray(values))


def _bool(arrow: Any, data: Any) -> Column:
    if data.null_count:
        return ObjectColumn(object_array(data.to_pylist()))
    return NumberColumn(px.asarray(data.to_numpy(zero_copy_only=False)))


def _times(data: Any, kind: str) -> Any:
    values = _buffer(data, np.int64)
    gone = _gone(data)
    if gone is not None:
        values = np.where(gone, np.iinfo(np.int64).min, values)
    return px.asarray(values).view(np.dtype(f"{kind}8[{data.type.unit}]"))


def _timestamp(arrow: Any, data: Any) -> Column:
    values = _times(data, "M")
    dtype = DatetimeTZDtype(data.type.unit, data.type.tz) if data.type.tz else None
    return NumberColumn(values, None, dtype)


def _duration(arrow: Any, data: Any) -> Column:
    return NumberColumn(_times(data, "m"))


def _text(arrow: Any, data: Any) -> Column:
    data = data.cast(arrow.large_string())
    _, offsets, text = data.buffers()
    places = np.frombuffer(offsets, np.int64)[data.offset : data.offset + len(data) + 1]
    if len(data) == 0:
        places = np.zeros(1, np.int64)
    letters = np.zeros(0, np.uint8) if text is None else np.frombuffer(text, np.uint8)
    gone = _gone(data)
    valid = None if gone is None else px.asarray(~gone)
    return StringColumn(px.asarray(places), px.asarray(letters), valid)


def _decimal(arrow: Any, data: Any) -> Column:
    """Decimals of 32 and 64 bits are of 128 here; those of 256, and other scales, are objects."""
    precision, scale = data.type.precision, data.type.scale
    if precision > MOST_DIGITS or not 0 <= scale <= precision:
        return _objects(data)
    same = arrow.types.is_decimal128(data.type)
    wide = data if same else data.cast(arrow.decimal128(precision, scale))
    buffer = wide.buffers()[1]
    words = np.zeros(0, np.int64) if buffer is None else np.frombuffer(buffer, np.int64)
    words = words[: len(words) // 2 * 2].reshape(-1, 2)[wide.offset : wide.offset + len(wide)]
    gone = _gone(wide)
    valid = None if gone is None else ~gone
    return DecimalColumn(words, valid, DecimalDtype(precision, scale))


def _list(arrow: Any, data: Any) -> Column:
    """Lists of one dtype; of elements that have none of a column's they are objects."""
    field = data.type.value_field
    if arrow.types.is_fixed_size_list(data.type):
        data = data.cast(arrow.list_(field))
    elements = _elements(arrow, data.values)
    if elements is None:
        return _objects(data)
    offsets = np.asarray(data.offsets).astype(np.int64, copy=False)
    if not len(offsets):
        offsets = np.zeros(1, np.int64)
    gone = _gone(data)
    valid = None if gone is None else ~gone
    return ListColumn(offsets, elements, valid, ListDtype(elements.dtype, field.name))


def _elements(arrow: Any, data: Any) -> Column | None:
    """The elements of lists, in a dtype that missing ones have too; None where there is none."""
    types, kind = arrow.types, data.type
    if types.is_boolean(kind) or types.is_integer(kind) or types.is_floating(kind):
        return _nullable_elements(arrow, data)
    made = of_arrow(data)
    if family(made.dtype) in ("object", "category"):
        return None
    return made.astype(STRING) if family(made.dtype) == "text" else made


def _nullable_elements(arrow: Any, data: Any) -> Column | None:
    gone = _gone(data)
    valid = None if gone is None else px.asarray(~gone)
    if arrow.types.is_boolean(data.type):
        values = np.asarray(data.fill_null(False))
        return NumberColumn(px.asarray(values), valid, NULLABLE["boolean"])
    values = _buffer(data, data.type.to_pandas_dtype())
    if values.dtype == np.float16:
        return None
    return NumberColumn(px.asarray(values), valid, nullable_of(values.dtype))


def _category(arrow: Any, data: Any) -> Column:
    values = of_arrow(data.dictionary)
    if not len(values) and isinstance(values, StringColumn):
        # As pandas has it: no value tells that they are texts.
        values = ObjectColumn(object_array([]))
    indices = data.indices.cast(arrow.int64())  # -1 is none of the unsigned ones
    codes = np.asarray(indices.fill_null(-1) if data.null_count else indices)
    codes = codes.astype(code_dtype(len(values)))
    return CategoryColumn(px.asarray(codes), CategoricalDtype(values, data.type.ordered))


def to_arrow(column: Column) -> Any:
    """An array of pyarrow's with the same values; NaN, NaT and NA are null.

    Raises ImportError without pyarrow, and Arrow's error for objects of no one type.
    """
    return _ARRAYS[family(column.dtype)](_pyarrow(), column)


def _plain_array(arrow: Any, column: Any) -> Any:
    return arrow.array(np.asarray(column.values), from_pandas=True)


def _nullable_array(arrow: Any, column: Any) -> Any:
    gone = np.asarray(column.isna()) if column.valid is not None else None
    return arrow.array(np.asarray(column.values), mask=gone)


def _zoned_array(arrow: Any, column: Any) -> Any:
    kind = arrow.timestamp(column.dtype.unit, column.dtype.name.split(", ")[1][:-1])
    return arrow.array(np.asarray(column.values)).cast(kind)


def _text_array(arrow: Any, column: Any) -> Any:
    offsets = arrow.py_buffer(np.ascontiguousarray(np.asarray(column.offsets)))
    text = arrow.py_buffer(np.ascontiguousarray(np.asarray(column.text)))
    bits = _bits(arrow, column.valid)
    return arrow.LargeStringArray.from_buffers(len(column), offsets, text, bits)


def _decimal_array(arrow: Any, column: Any) -> Any:
    words = arrow.py_buffer(np.ascontiguousarray(column.words))
    kind = column.dtype.pyarrow_dtype
    return arrow.Array.from_buffers(kind, len(column), [_bits(arrow, column.valid), words])


def _bits(arrow: Any, valid: Any) -> Any:
    """A mask as Arrow has it, a bit a row; None of none."""
    if valid is None:
        return None
    return arrow.py_buffer(np.packbits(np.asarray(valid), bitorder="little"))


def _list_array(arrow: Any, column: Any) -> Any:
    """Lists with offsets of 32 bits, where these are enough, as pandas has them."""
    made = column.compact()
    elements = to_arrow(made.elements)
    if arrow.types.is_large_string(elements.type) and elements.nbytes < 2**31:
        elements = elements.cast(arrow.string())
    is_small = len(made.elements) < 2**31
    offsets = made.offsets.astype(np.int32) if is_small else made.offsets
    field = arrow.field(column.dtype.field, elements.type)
    kind = (arrow.list_ if is_small else arrow.large_list)(field)
    buffers = [_bits(arrow, column.valid), arrow.py_buffer(offsets)]
    return arrow.Array.from_buffers(kind, len(column), buffers, children=[elements])


def _category_array(arrow: Any, column: Any) -> Any:
    codes = np.asarray(column.codes)
    indices = arrow.array(codes, mask=codes < 0)
    values = to_arrow(column.dtype.values)
    return arrow.DictionaryArray.from_arrays(indices, values, ordered=bool(column.dtype.ordered))


def _object_array(arrow: Any, column: Any) -> Any:
    objects = column.objects.copy()
    objects[column.missing_rows()] = None
    return arrow.array(objects.tolist())


_ARRAYS: dict[str, Callable[[Any, Any], Any]] = dict.fromkeys(
    ("bool", "number", "datetime", "timedelta"), _plain_array
) | {
    "nullable": _nullable_array,
    "zoned": _zoned_array,
    "text": _text_array,
    "category": _category_array,
    "decimal": _decimal_array,
    "list": _list_array,
    "object": _object_array,
}
