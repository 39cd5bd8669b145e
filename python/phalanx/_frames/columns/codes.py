"""Equal rows: the number of each row's group, and where each group is first met."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from .. import engine
from .column import Column


def codes_of(columns: Sequence[Column], *, keep_missing: bool = False) -> tuple[ndarray, ndarray]:
    """The groups of equal rows of some columns of one length.

    Returns the group of each row and the first row of each group, both int64; groups are numbered
    in the order in which they are met. A row in which a column is missing has -1; with
    `keep_missing` missing values are equal to each other and to nothing else.
    """
    codes, _, firsts = _grouped(columns, keep_missing)
    return px.asarray(codes.astype(np.int64, copy=False)), px.asarray(firsts)


def firsts_of(columns: Sequence[Column], *, keep_missing: bool = False) -> ndarray:
    """The first row of each group of equal rows, as ``codes_of`` has them."""
    firsts: ndarray = px.asarray(_grouped(columns, keep_missing)[2])
    return firsts


def counts_of(columns: Sequence[Column], *, keep_missing: bool = False) -> tuple[ndarray, ndarray]:
    """The first row of each group of equal rows, as ``codes_of`` has them, and its rows' number."""
    codes, count, firsts = _grouped(columns, keep_missing)
    if count * 4 < len(codes) or engine.is_on_gpu(codes):
        ((counts, _),) = engine.aggregate(codes, count, [(codes, None, "size")])
    else:  # A walk by group costs more than it saves where groups are small.
        counts = np.bincount(codes if keep_missing else codes[codes >= 0], minlength=count)
    return px.asarray(firsts), px.asarray(counts.astype(np.int64, copy=False))


def _grouped(columns: Sequence[Column], keep_missing: bool) -> tuple[Any, int, Any]:
    return engine.group_rows([key for each in columns for key in _keys(each)], not keep_missing)


def _keys(column: Column) -> list[Any]:
    """The keys of a column: two for complex numbers, which the engine has not."""
    kind, *parts = column.key()
    if kind == "values" and parts[0].dtype.kind == "c":
        values, mask = parts
        return [(kind, each, mask) for each in (values.real, values.imag)]
    return [(kind, *parts)]
