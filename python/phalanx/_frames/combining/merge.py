"""`merge`: rows of two frames put together where keys are equal.

The engine finds the pairs of rows, in pandas' order (docs/decisions/0071-groups-and-joins.md).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

import phalanx as px
from phalanx import _engine

from ..building.columns import is_frame, is_series, ours
from ..columns.categories import CategoryColumn
from ..columns.column import Column
from ..columns.making import column_of
from ..columns.objects import OBJECT, ObjectColumn
from ..dtypes import CategoricalDtype
from ..errors import MergeError
from ..indexes.making import index_of
from ..indexes.ranges import RangeIndex
from ..operations.common import common_dtype, in_common
from ..shared import classes

HOW = ("inner", "left", "right", "outer", "cross", "left_anti", "right_anti")
INDICATOR = ("left_only", "right_only", "both")
# What `validate` asks: whether the keys of the left side and of the right side are unique.
VALIDATE = {
    "one_to_one": (True, True), "1:1": (True, True),
    "one_to_many": (True, False), "1:m": (True, False),
    "many_to_one": (False, True), "m:1": (False, True),
    "many_to_many": (False, False), "m:m": (False, False),
}  # fmt: skip


Sides = tuple[Any, Any]  # the left frame and the right one


class Keys(NamedTuple):
    """What rows are matched by: a label of each side, the same one where they share a column."""

    left: list[Any]
    right: list[Any]

    def shared(self) -> list[Any]:
        """The labels that both sides have, whose columns become one."""
        return [one for one, other in zip(self.left, self.right, strict=True) if one == other]


class Pairs(NamedTuple):
    """Rows of both sides, -1 where there is no partner; None: none is missing."""

    left: np.ndarray
    right: np.ndarray


def merge(
    left: Any,
    right: Any,
    how: str = "inner",
    on: Any = None,
    left_on: Any = None,
    right_on: Any = None,
    left_index: bool = False,
    right_index: bool = False,
    sort: bool = False,
    suffixes: Sequence[str | None] = ("_x", "_y"),
    copy: Any = None,
    indicator: bool | str = False,
    validate: str | None = None,
) -> Any:
    """Rows of two frames side by side where their keys are equal, as ``pandas.merge``.

    ``on`` names columns of both, ``left_on`` and ``right_on`` those of each; without them the
    columns are taken that both have. Missing keys are equal to one another. ``inner`` and ``left``
    keep the order of the left rows, ``right`` of the right ones, ``outer`` sorts by the keys.

    ``copy`` means nothing, as in pandas 3. Raises MergeError where there is nothing to match by,
    where ``validate`` does not hold, or for wrong arguments, KeyError for a key that is no column,
    ValueError for keys of dtypes that do not compare and for names that no suffix tells apart,
    NotImplementedError for indexes as keys.
    """
    sides = _frame(left, "left"), _frame(right, "right")
    if left_index or right_index:
        raise NotImplementedError(
            "merge: the keywords 'left_index' and 'right_index'; reset_index() makes a column"
        )
    if how not in HOW:
        raise ValueError(f"'{how}' is not a valid Merge type: {', '.join(HOW)}")
    if how == "cross":
        keys = _no_keys(on, left_on, right_on)
        pairs = _all_pairs(len(sides[0]), len(sides[1]))
    else:
        keys = _keys(sides, on, left_on, right_on)
        pairs = _pairs(sides, keys, how, validate)
    labels, columns = _put_together(sides, keys, pairs, suffixes)
    if indicator:
        labels.append(_indicator_label(indicator, labels))
        columns.append(_indicator(pairs))
    made = classes.DataFrame._of(columns, RangeIndex(len(pairs.left)), index_of(labels))
    if sort and how not in ("outer", "cross"):
        made = made.sort_values(keys.left, ignore_index=True, kind="stable")
    return made


def _frame(given: Any, name: str) -> Any:
    given = ours(given)
    if is_frame(given):
        return given
    if not is_series(given):
        raise TypeError(f"Can only merge Series or DataFrame objects, {name} is a {type(given)}")
    if given.name is None:
        raise ValueError("Cannot merge a Series without a name")
    return given.to_frame()


def _no_keys(on: Any, left_on: Any, right_on: Any) -> Keys:
    if on is not None or left_on is not None or right_on is not None:
        raise MergeError(
            "Can not pass on, right_on, left_on or set right_index=True or left_index=True"
        )
    return Keys([], [])


def _all_pairs(left: int, right: int) -> Pairs:
    return Pairs(np.repeat(np.arange(left), right), np.tile(np.arange(right), left))


def _listed(labels: Any) -> list[Any]:
    return list(labels) if isinstance(labels, (list, np.ndarray)) else [labels]


def _keys(sides: Sides, on: Any, left_on: Any, right_on: Any) -> Keys:
    if on is not None:
        if left_on is not None or right_on is not None:
            raise MergeError(
                'Can only pass argument "on" OR "left_on" and "right_on", not a combination of '
                "both."
            )
        left_on = right_on = on
    if (left_on is None) != (right_on is None):
        raise MergeError('Must pass both "left_on" and "right_on"')
    if left_on is None:
        there = set(sides[1].columns)
        left_on = right_on = [each for each in sides[0].columns if each in there]
        if not left_on:
            raise MergeError(
                "No common columns to perform merge on. Merge options: left_on=None, "
                "right_on=None, left_index=False, right_index=False"
            )
    made = Keys(_listed(left_on), _listed(right_on))
    if len(made.left) != len(made.right):
        raise ValueError("len(right_on) must equal len(left_on)")
    for frame, labels in zip(sides, made, strict=True):
        for label in labels:
            if frame.columns.get_indexer_for([label]).size != 1:
                raise MergeError(f"the label {label!r} of a key is not unique")
            frame.columns.get_loc(label)  # KeyError with the nearest one
    return made


def _column(frame: Any, label: Any) -> Column:
    found: Column = frame._parts[frame.columns.get_loc(label)]
    return found


def _comparable(left: Column, right: Column, label: Any) -> tuple[Column, Column]:
    """Both in one dtype. Raises ValueError where values of the two are never equal."""
    dtype = common_dtype(left.dtype, right.dtype)
    if dtype == OBJECT and OBJECT not in (left.dtype, right.dtype):
        raise ValueError(
            f"You are trying to merge on {left.dtype} and {right.dtype} columns for key "
            f"'{label}'. If you wish to proceed you should use pd.concat"
        )
    one, other = in_common([left, right])
    return one, other


def _engine_keys(left: Column, right: Column) -> tuple[Any, Any]:
    if not isinstance(left, (CategoryColumn, ObjectColumn)):
        return left.key(), right.key()
    # The numbers of such values mean the same within one column only.
    kind, codes, mask = left.joined([right]).key()
    count = len(left)
    return (kind, codes[:count], mask), (kind, codes[count:], mask)


def _pairs(sides: Sides, keys: Keys, how: str, validate: Any) -> Pairs:
    of_left: list[Any] = []
    of_right: list[Any] = []
    for one, other in zip(keys.left, keys.right, strict=True):
        columns = _comparable(_column(sides[0], one), _column(sides[1], other), one)
        for listed, key in zip((of_left, of_right), _engine_keys(*columns), strict=True):
            listed.append(key)
    _check(validate, sides, keys)
    if how == "right_anti":
        rows = _engine.frames.join_rows(of_right, of_left, "anti")[0]
        return Pairs(np.full(len(rows), -1), np.asarray(rows))
    if how == "left_anti":
        rows = _engine.frames.join_rows(of_left, of_right, "anti")[0]
        return Pairs(np.asarray(rows), np.full(len(rows), -1))
    left, right = _engine.frames.join_rows(of_left, of_right, how)
    return Pairs(np.asarray(left), np.asarray(right))


def _check(validate: Any, sides: Sides, keys: Keys) -> None:
    if validate is None:
        return
    if validate not in VALIDATE:
        raise ValueError(f'"{validate}" is not a valid argument: {", ".join(VALIDATE)}')
    for frame, labels, name, must in zip(
        sides, keys, ("left", "right"), VALIDATE[validate], strict=True
    ):
        if must and frame.duplicated(labels).any():
            raise MergeError(f"Merge keys are not unique in {name} dataset; not a {validate} merge")


def _taken(column: Column, rows: np.ndarray) -> Column:
    return column.take(px.asarray(rows), has_missing=bool((rows < 0).any()))


def _put_together(
    sides: Sides, keys: Keys, pairs: Pairs, suffixes: Sequence[str | None]
) -> tuple[list[Any], list[Column]]:
    shared = keys.shared()
    left = [(each, part) for each, part in zip(sides[0].columns, sides[0]._parts, strict=True)]
    right = [
        (each, part)
        for each, part in zip(sides[1].columns, sides[1]._parts, strict=True)
        if each not in shared
    ]
    labels = _labels([each for each, _ in left], [each for each, _ in right], suffixes)
    columns = [
        _shared(part, _column(sides[1], each), pairs)
        if each in shared
        else _taken(part, pairs.left)
        for each, part in left
    ]
    columns += [_taken(part, pairs.right) for _, part in right]
    return labels, columns


def _shared(left: Column, right: Column, pairs: Pairs) -> Column:
    """A key's column: of the left side where it has the row, else of the right side."""
    is_left = pairs.left >= 0
    if is_left.all():
        return _taken(left, pairs.left)
    if not is_left.any():
        return _taken(right, pairs.right)
    one, other = in_common([left, right])
    both = one.joined([other])
    return _taken(both, np.where(is_left, pairs.left, pairs.right + len(left)))


def _labels(left: list[Any], right: list[Any], suffixes: Sequence[str | None]) -> list[Any]:
    if not isinstance(suffixes, (list, tuple)) or len(suffixes) != 2:
        raise TypeError(f"Passing 'suffixes' as a {type(suffixes)}, is not supported: a pair")
    overlap = set(left) & set(right)
    if overlap and not suffixes[0] and not suffixes[1]:
        raise ValueError(f"columns overlap but no suffix specified: {sorted(overlap, key=str)}")
    made = [
        f"{each}{suffix}" if each in overlap and suffix is not None else each
        for labels, suffix in zip((left, right), suffixes, strict=True)
        for each in labels
    ]
    repeated = {each for each in made if made.count(each) > 1}
    new = sorted((each for each in repeated if each not in overlap), key=str)
    if new and not any(labels.count(each) > 1 for labels in (left, right) for each in labels):
        raise MergeError(
            f"Passing 'suffixes' which cause duplicate columns {set(new)} is not allowed."
        )
    return made


def _indicator_label(indicator: bool | str, labels: list[Any]) -> str:
    label = indicator if isinstance(indicator, str) else "_merge"
    if label in labels:
        raise ValueError("Cannot use name of an existing column for indicator column")
    return label


def _indicator(pairs: Pairs) -> Column:
    codes = np.where(pairs.right < 0, 0, np.where(pairs.left < 0, 1, 2)).astype(np.int8)
    return CategoryColumn(px.asarray(codes), CategoricalDtype(column_of(list(INDICATOR))))


class Merging:
    """What frames have of `merge`: themselves as the left side."""

    merge = merge
