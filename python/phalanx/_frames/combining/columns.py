"""Columns of different dtypes below each other."""

from __future__ import annotations

import functools
from collections.abc import Sequence

from ..columns import Column
from ..dtypes import Dtype
from ..operations import common
from ..operations.common import in_common


def common_dtype(given: Sequence[Dtype]) -> Dtype:
    """The dtype that holds the values of all: object where numbers, text or dates meet."""
    return functools.reduce(common.common_dtype, given)


def joined_columns(columns: Sequence[Column]) -> Column:
    """Rows of columns one after the other, in the dtype that they have in common."""
    if len(columns) == 1:
        return columns[0]
    first, *others = in_common(columns)
    return first.joined(others)
