"""`merge_asof`: each left row with the right row of the nearest key, by the engine."""

from __future__ import annotations

import datetime
import numbers
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

from phalanx.errors import MergeError

from .. import engine
from ..building.columns import ours
from ..columns.column import Column
from ..columns.numbers import NumberColumn
from ..dtypes import CategoricalDtype, family
from ..in_place import in_place
from ..indexes.index import Index
from ..scalars.units import NANOSECONDS
from .merge_keys import Keys, Request, Sides, _listed, frame_of_side, index_columns, keys_of
from .merge_result import Joined, Table
from .merge_rows import Pairs, engine_keys, joined_index

DIRECTIONS = ("backward", "forward", "nearest")


class Nearness(NamedTuple):
    """How far and to which side the right row may be."""

    tolerance: Any
    allow_exact_matches: bool
    direction: str


@in_place
def merge_asof(
    left: Any,
    right: Any,
    on: Any = None,
    left_on: Any = None,
    right_on: Any = None,
    left_index: bool = False,
    right_index: bool = False,
    by: Any = None,
    left_by: Any = None,
    right_by: Any = None,
    suffixes: Sequence[str | None] = ("_x", "_y"),
    tolerance: Any = None,
    allow_exact_matches: bool = True,
    direction: str = "backward",
) -> Any:
    """Each left row with the right row whose key is the nearest, as ``pandas.merge_asof``.

    The right row is the last whose key is not greater (``direction="backward"``), the first whose
    key is not less (``"forward"``) or the ``"nearest"``; ``by`` names columns that must be equal.
    ``tolerance`` is the greatest distance: a number, for dates a ``timedelta``.

    Raises MergeError for keys that are no numbers or dates, that differ in dtype, for more than
    one, and for a tolerance that does not fit; ValueError for keys that are not sorted or missing.

    >>> left = px.DataFrame({"t": [1, 5], "x": [1, 2]})
    >>> px.merge_asof(left, px.DataFrame({"t": [0, 4], "y": [7, 8]}), on="t")
       t  x  y
    0  1  1  7
    1  5  2  8
    """
    nearness = Nearness(tolerance, allow_exact_matches, direction)
    if direction not in DIRECTIONS:
        raise MergeError(f"direction invalid: {direction}")
    if not isinstance(allow_exact_matches, (bool, np.bool_)):
        raise MergeError(f"allow_exact_matches must be boolean, passed {allow_exact_matches}")
    sides = frame_of_side(ours(left), "left"), frame_of_side(ours(right), "right")
    request = Request(on, left_on, right_on, left_index, right_index)
    keys, searched = _keys(sides, request, (by, left_by, right_by))
    count = len(keys.left) - (not (left_index and right_index))
    _check_dtypes(keys, searched)
    rows = _rows(searched, keys, count, nearness)
    pairs = Pairs(np.arange(len(rows)), rows)
    index = joined_index(sides, pairs, request, "asof")
    table = Table(Joined(sides, keys, index, pairs), suffixes)
    table.fill_keys()
    return table.frame()


def _keys(sides: Sides, request: Request, by: Any) -> tuple[Keys, tuple[Column, Column]]:
    """All keys, those that must be equal first, and the two columns that are searched."""
    found = keys_of(sides, request)
    for frame, is_index, columns, name in (
        (sides[0], request.left_index, found.left, "left"),
        (sides[1], request.right_index, found.right, "right"),
    ):
        if not is_index and len(columns) != 1:
            raise MergeError(f"can only asof on a key for {name}")
        if is_index and frame.index.nlevels > 1:
            raise MergeError(f"{name} can only have one index")
    searched = tuple(
        index_columns(frame.index)[0] if is_index else columns[0]
        for frame, is_index, columns in (
            (sides[0], request.left_index, found.left),
            (sides[1], request.right_index, found.right),
        )
    )
    one, other = searched
    _check_searched(one, other)
    labels = _by(*by)
    if labels is None:
        return found, (one, other)
    of_by = keys_of(sides, Request(None, *labels))
    names = found.names
    if found.left_on and found.left_on[0] is None and found.left and request.left_index:
        names = [sides[0].index.name]
    return Keys(
        [*of_by.left_on, *found.left_on],
        [*of_by.right_on, *found.right_on],
        [*of_by.left, *found.left],
        [*of_by.right, *found.right],
        [*of_by.names, *names],
    ), (one, other)


def _by(by: Any, left_by: Any, right_by: Any) -> tuple[list[Any], list[Any]] | None:
    if by is not None:
        if left_by is not None or right_by is not None:
            raise MergeError("Can only pass by OR left_by and right_by")
        left_by = right_by = by
    if left_by is None and right_by is None:
        return None
    if left_by is None or right_by is None:
        raise MergeError(f"missing {'left' if left_by is None else 'right'}_by")
    left, right = (_labels(each) for each in (left_by, right_by))
    if len(left) != len(right):
        raise MergeError("left_by and right_by must be the same length")
    return left, right


def _labels(by: Any) -> list[Any]:
    if isinstance(by, Index):
        return list(by)
    return _listed(by) or []


def _check_searched(left: Column, right: Column) -> None:
    if any(family(each.dtype) in ("object", "text", "category") for each in (left, right)):
        raise MergeError(
            f"Incompatible merge dtype, {left.dtype!r} and {right.dtype!r}, both sides must have "
            "numeric dtype"
        )


def _check_dtypes(keys: Keys, searched: tuple[Column, Column]) -> None:
    pairs = [*zip(keys.left, keys.right, strict=True), searched]
    for i, (left, right) in enumerate(pairs):
        if left.dtype == right.dtype:
            continue
        both = all(isinstance(each.dtype, CategoricalDtype) for each in (left, right))
        raise MergeError(
            f"incompatible merge keys [{i}] {left.dtype!r} and {right.dtype!r}, "
            + ("both sides category, but not equal ones" if both else "must be the same type")
        )


def _rows(
    searched: tuple[Column, Column], keys: Keys, count: int, nearness: Nearness
) -> np.ndarray:
    distance = _distance(nearness.tolerance, searched[0])
    one, other = (
        _sorted_values(each, name) for each, name in zip(searched, ("left", "right"), strict=True)
    )
    equal = [engine_keys(*pair) for pair in zip(keys.left[:count], keys.right[:count], strict=True)]
    return engine.asof_rows(
        (one, [left for left, _ in equal]),
        (other, [right for _, right in equal]),
        nearness.direction,
        distance,
        bool(nearness.allow_exact_matches),
    )


def _sorted_values(column: Column, side: str) -> np.ndarray:
    assert isinstance(column, NumberColumn)
    if column.has_missing():
        raise ValueError(f"Merge keys contain null values on {side} side")
    values = np.ascontiguousarray(np.asarray(column.values))
    if values.dtype.kind == "c":
        raise MergeError("key must be integer, timestamp or float")
    if (values[1:] < values[:-1]).any():
        raise ValueError(f"{side} keys must be sorted")
    return values


def _distance(tolerance: Any, column: Column) -> float:
    """A tolerance as the engine counts it, -1 for none. Raises MergeError for one of no fit."""
    if tolerance is None:
        return -1.0
    kind = column.dtype.kind
    wrong = MergeError(
        f"incompatible tolerance {tolerance}, must be compat with type {column.dtype!r}"
    )
    if kind in "mM":
        if not isinstance(tolerance, (datetime.timedelta, np.timedelta64)):
            raise wrong
        found = _time(tolerance, column)
    elif kind in "iuf":
        integral = isinstance(tolerance, numbers.Integral)
        if isinstance(tolerance, bool) or not isinstance(tolerance, numbers.Real):
            raise wrong
        if kind != "f" and not integral:
            raise wrong
        found = float(tolerance)
    else:
        raise MergeError("key must be integer, timestamp or float")
    if found < 0:
        raise MergeError("tolerance must be non-negative")
    return found


def _time(tolerance: Any, column: Column) -> float:
    assert isinstance(column, NumberColumn)
    # pandas' own durations have nanoseconds, which Python's have not.
    plain = getattr(tolerance, "to_timedelta64", lambda: np.timedelta64(tolerance))()
    unit = np.datetime_data(column.values.dtype)[0]
    return float(round(int(plain.astype("m8[ns]").astype(np.int64)) / NANOSECONDS[unit]))
