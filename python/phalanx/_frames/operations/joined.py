"""Columns of different dtypes below each other."""

from __future__ import annotations

import functools
from collections.abc import Sequence

import numpy as np

from ..columns import Column
from ..dtypes import OBJECT, CategoricalDtype, Dtype
from . import common


def common_dtype(given: Sequence[Dtype]) -> Dtype:
    """The dtype that holds the values of all: object where numbers, text or dates meet."""
    return functools.reduce(_of_two, given)


def _of_two(left: Dtype, right: Dtype) -> Dtype:
    """The dtype that holds both: of categories that differ that of their values."""
    if left == right:
        return left
    left, right = (
        each.values.dtype if isinstance(each, CategoricalDtype) else each for each in (left, right)
    )
    # Bools are no numbers here, nullable or not.
    if (left.kind == "b") != (right.kind == "b"):
        return OBJECT
    return common.common_dtype(left, right)


def joined_in_frames(columns: Sequence[Column]) -> Column:
    """Rows of columns of frames one after the other.

    There bools are numbers, as in NumPy, where the other columns are: pandas joins the arrays of
    frames by another rule than those of series, which make objects. Floats must come first.
    """
    first = columns[0].dtype
    given = [each.dtype for each in columns if isinstance(each.dtype, np.dtype)]
    if len(given) < len(columns) or first.kind not in "biuf":
        return joined_columns(columns)
    if any(each != first and each.kind not in "biu" for each in given):
        return joined_columns(columns)
    dtype = np.result_type(*given)
    head, *others = [each.astype(dtype) for each in columns]
    return head.joined(others)


def joined_columns(columns: Sequence[Column]) -> Column:
    """Rows of columns one after the other, in the dtype that they have in common."""
    if len(columns) == 1:
        return columns[0]
    dtype = common_dtype([each.dtype for each in columns])
    first, *others = [each.astype(dtype) for each in columns]
    return first.joined(others)
