"""Equal rows: the number of each row's group, and where each group is first met."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import phalanx as px

from ... import _engine
from ..._arrays.ndarray import ndarray
from ..columns.column import Column


def codes_of(columns: Sequence[Column], *, keep_missing: bool = False) -> tuple[ndarray, ndarray]:
    """The groups of equal rows of some columns of one length.

    Returns the group of each row and the first row of each group, both int64; groups are numbered
    in the order in which they are met. A row in which a column is missing has -1; with
    `keep_missing` missing values are equal to each other and to nothing else.
    """
    engine = getattr(_engine, "frames", None)
    if engine is None:
        return _by_numpy(columns, keep_missing)
    keys = [key for each in columns for key in _keys(each)]
    codes, _, firsts = engine.group_rows(keys, not keep_missing)
    return px.asarray(codes.astype(np.int64, copy=False)), px.asarray(firsts)


def firsts_of(columns: Sequence[Column], *, keep_missing: bool = False) -> ndarray:
    """The first row of each group of equal rows, as ``codes_of`` has them."""
    engine = getattr(_engine, "frames", None)
    if engine is None:
        return _by_numpy(columns, keep_missing)[1]
    firsts: ndarray = px.asarray(
        engine.group_rows([key for each in columns for key in _keys(each)], not keep_missing)[2]
    )
    return firsts


def counts_of(columns: Sequence[Column], *, keep_missing: bool = False) -> tuple[ndarray, ndarray]:
    """The first row of each group of equal rows, as ``codes_of`` has them, and its rows' number."""
    engine = getattr(_engine, "frames", None)
    if engine is None:
        codes, firsts = _by_numpy(columns, keep_missing)
        numbers = np.asarray(codes)
        counts = np.bincount(numbers[numbers >= 0], minlength=len(firsts))
        return firsts, px.asarray(counts.astype(np.int64))
    keys = [key for each in columns for key in _keys(each)]
    codes, count, firsts = engine.group_rows(keys, not keep_missing)
    if count * 4 < len(codes):
        ((counts, _),) = engine.aggregate(codes, count, [(codes, None, "size")])
    else:  # A walk by group costs more than it saves where groups are small.
        places = np.asarray(codes)
        counts = np.bincount(places if keep_missing else places[places >= 0], minlength=count)
    return px.asarray(firsts), px.asarray(np.asarray(counts).astype(np.int64, copy=False))


def _keys(column: Column) -> list[Any]:
    """The keys of a column: two for complex numbers, which the engine has not."""
    kind, *parts = column.key()
    if kind == "values" and parts[0].dtype.kind == "c":
        values, mask = parts
        return [(kind, np.ascontiguousarray(each), mask) for each in (values.real, values.imag)]
    return [(kind, *parts)]


def _by_numpy(columns: Sequence[Column], keep_missing: bool) -> tuple[ndarray, ndarray]:
    numbers = None
    gone = np.zeros(len(columns[0]), bool)
    for column in columns:
        missing = np.asarray(column.isna())
        own = np.where(missing, -1, _numbers(column)) if missing.any() else _numbers(column)
        gone |= missing
        numbers = own if numbers is None else _paired(numbers, own)
    assert numbers is not None
    _, firsts, inverse = np.unique(numbers, return_index=True, return_inverse=True)
    if not keep_missing and gone.any():
        return _without(gone, numbers)
    return _by_appearance(firsts, inverse)


def _without(gone: np.ndarray, numbers: np.ndarray) -> tuple[ndarray, ndarray]:
    there = np.flatnonzero(~gone)
    _, firsts, inverse = np.unique(numbers[there], return_index=True, return_inverse=True)
    order = np.argsort(firsts)
    codes = np.full(len(gone), -1, np.int64)
    codes[there] = _ranks(order)[inverse]
    return px.asarray(codes), px.asarray(there[firsts[order]])


def _by_appearance(firsts: np.ndarray, inverse: np.ndarray) -> tuple[ndarray, ndarray]:
    order = np.argsort(firsts)
    return px.asarray(_ranks(order)[inverse]), px.asarray(firsts[order])


def _ranks(order: np.ndarray) -> np.ndarray:
    ranks = np.empty(len(order), np.int64)
    ranks[order] = np.arange(len(order))
    return ranks


def _paired(left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Numbers that are equal where both are."""
    _, a = np.unique(left, return_inverse=True)
    values, b = np.unique(right, return_inverse=True)
    return a * len(values) + b


def _numbers(column: Column) -> np.ndarray:
    """A number for each row, equal where the rows are."""
    kind, *parts = column.key()
    if kind == "codes":
        codes: np.ndarray = parts[0]
        return codes
    if kind == "values":
        return np.unique(parts[0], return_inverse=True)[1].astype(np.int64)
    places: dict[str, int] = {}
    return np.array([places.setdefault(each, len(places)) for each in column.tolist()], np.int64)
