"""Categories of values: which there are, and the code of each row."""

from __future__ import annotations

from typing import Any

import numpy as np

import phalanx as px

from ..dtypes import CategoricalDtype
from .categories import CategoryColumn, code_dtype
from .codes import codes_of
from .column import Column
from .decimals import DecimalColumn
from .inference import infer
from .numbers import NumberColumn
from .objects import ObjectColumn


def categorized(column: Column, dtype: Any) -> CategoryColumn:
    """A column as one of categories: those of the dtype, or the values, sorted where they can be.

    Values that are no category are missing.
    """
    codes, firsts = codes_of([column])
    values = column.take(firsts)
    if isinstance(values, ObjectColumn):
        values = infer(values.objects)
    own = CategoryColumn(codes.astype(code_dtype(len(firsts))), _dtype_of(values, False))
    if dtype.values is not None:
        return own.with_dtype(dtype)
    return own.with_dtype(_dtype_of(values.take(px.asarray(in_order(values))), bool(dtype.ordered)))


def _dtype_of(values: Column, ordered: bool | None) -> CategoricalDtype:
    return CategoricalDtype(values, ordered)


def in_order(values: Column) -> np.ndarray:
    """The positions of values by their order; as they are where they cannot be compared.

    Of objects that are numbers and texts the numbers come first, as pandas has them.
    """
    if isinstance(values, NumberColumn):
        return np.argsort(np.asarray(values.values), kind="stable")
    if isinstance(values, DecimalColumn):
        return np.argsort(values.order_numbers(), kind="stable")
    labels = values.tolist()
    try:
        order = sorted(range(len(labels)), key=labels.__getitem__)
    except TypeError:
        order = list(range(len(labels)))
        if all(isinstance(each, (int, float, str)) for each in labels):
            order.sort(key=lambda row: _numbers_first(labels[row]))
    return np.array(order, np.int64)


def _numbers_first(label: Any) -> tuple[bool, Any]:
    return isinstance(label, str), label
