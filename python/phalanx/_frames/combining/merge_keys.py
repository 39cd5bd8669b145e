"""What the rows of two frames are matched by: columns, levels of indexes, arrays."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, NamedTuple

import numpy as np

from phalanx.errors import MergeError

from ..._arrays.ndarray import ndarray
from ..building.columns import is_frame, is_series, ours
from ..columns.categories import CategoryColumn
from ..columns.column import Column
from ..columns.decimals import DecimalColumn
from ..columns.making import column_of
from ..dtypes import OBJECT
from ..indexes.index import Index
from ..indexes.making import index_of
from ..operations.common import common_dtype, in_common, in_zone_of
from ..operations.decimals import of_one_dtype

Sides = tuple[Any, Any]  # the left frame and the right one

# What `validate` asks: whether the keys of the left side and of the right side are unique.
VALIDATE = {
    "one_to_one": (True, True), "1:1": (True, True),
    "one_to_many": (True, False), "1:m": (True, False),
    "many_to_one": (False, True), "m:1": (False, True),
    "many_to_many": (False, False), "m:m": (False, False),
}  # fmt: skip


class Request(NamedTuple):
    """The keywords of a merge that say what rows are matched by."""

    on: Any = None
    left_on: Any = None
    right_on: Any = None
    left_index: bool = False
    right_index: bool = False

    @property
    def is_empty(self) -> bool:
        """True where nothing is said."""
        given = self.on, self.left_on, self.right_on
        return all(each is None for each in given) and not self.left_index and not self.right_index


class Keys(NamedTuple):
    """Columns to match by, and how each side names them.

    Of ``left_on`` and ``right_on`` an element is a label, None for the index or for an array.
    """

    left_on: list[Hashable]
    right_on: list[Hashable]
    left: list[Column]
    right: list[Column]
    names: list[Hashable]

    def dropped(self) -> list[Hashable]:
        """The labels that both sides name, whose column of the right side is left out."""
        return [
            one
            for one, other in zip(self.left_on, self.right_on, strict=True)
            if one is not None and one == other
        ]


def frame_of_side(given: Any, name: str) -> Any:
    """A frame, or a series with a name as one. Raises TypeError and ValueError for others."""
    given = ours(given)
    if is_frame(given):
        return given
    if not is_series(given):
        raise TypeError(f"Can only merge Series or DataFrame objects, {name} is a {type(given)}")
    if given.name is None:
        raise ValueError("Cannot merge a Series without a name")
    return given.to_frame()


def check_sides(sides: Sides, request: Request) -> None:
    """Raises MergeError for columns of other levels, ValueError for flags that are no bools."""
    for name in ("left_index", "right_index"):
        given = getattr(request, name)
        if not isinstance(given, (bool, np.bool_)):
            raise ValueError(f"{name} parameter must be of type bool, not {type(given)}")
    levels = [each.columns.nlevels for each in sides]
    if levels[0] != levels[1]:
        raise MergeError(
            f"Not allowed to merge between different levels. ({levels[0]} levels on the left, "
            f"{levels[1]} on the right)"
        )


def keys_of(sides: Sides, request: Request) -> Keys:
    """The keys of a merge. Raises MergeError, KeyError and ValueError for what does not fit."""
    check_sides(sides, request)
    left_on, right_on = _named(sides, request)
    if len(left_on) != len(right_on):
        raise ValueError("len(right_on) must equal len(left_on)")
    left = _columns(sides[0], left_on, request.left_index)
    right = _columns(sides[1], right_on, request.right_index)
    if not left_on:
        return Keys([], [], [], [], [])
    of_left, of_right = ([_label(each) for each in on] for on in (left_on, right_on))
    names = [
        one if one is not None else other for one, other in zip(of_left, of_right, strict=True)
    ]
    return Keys(of_left, of_right, left, right, names)


def _label(key: Any) -> Any:
    return None if _is_array(key) else key


def _is_array(key: Any) -> bool:
    return isinstance(key, (np.ndarray, ndarray, Index)) or is_series(key)


def _listed(labels: Any) -> list[Any] | None:
    if labels is None:
        return None
    labels = ours(labels)
    if not isinstance(labels, (list, tuple)):
        return [labels]
    return [ours(each) for each in labels]


def _named(sides: Sides, request: Request) -> tuple[list[Any], list[Any]]:
    """Both lists of keys, None for each level of an index that is matched by."""
    on, left_on, right_on = (_listed(each) for each in request[:3])
    if on is not None:
        _refuse_beside_on(left_on, right_on, request)
        return on, on
    if left_on is None and right_on is None:
        return _unnamed(sides, request)
    _refuse_twice(left_on, right_on, request)
    if left_on is None:
        assert right_on is not None
        _check_levels(right_on, sides[0].index, ("right_on", "left"))
        return [None] * len(right_on), right_on
    if right_on is None:
        _check_levels(left_on, sides[1].index, ("left_on", "right"))
        return left_on, [None] * len(left_on)
    return left_on, right_on


def _refuse_beside_on(left_on: Any, right_on: Any, request: Request) -> None:
    if left_on is not None or right_on is not None:
        raise MergeError(
            'Can only pass argument "on" OR "left_on" and "right_on", not a combination of both.'
        )
    if request.left_index or request.right_index:
        raise MergeError(
            'Can only pass argument "on" OR "left_index" and "right_index", not a combination of '
            "both."
        )


def _refuse_twice(left_on: Any, right_on: Any, request: Request) -> None:
    for on, is_index, other, has_index, name in (
        (left_on, request.left_index, right_on, request.right_index, ("left", "right")),
        (right_on, request.right_index, left_on, request.left_index, ("right", "left")),
    ):
        if on is None:
            continue
        if is_index:
            raise MergeError(
                f'Can only pass argument "{name[0]}_on" OR "{name[0]}_index" not both.'
            )
        if other is None and not has_index:
            raise MergeError(f'Must pass "{name[1]}_on" OR "{name[1]}_index".')


def _check_levels(on: list[Any], index: Index, names: tuple[str, str]) -> None:
    if len(on) != index.nlevels:
        raise ValueError(
            f'len({names[0]}) must equal the number of levels in the index of "{names[1]}"'
        )


def _unnamed(sides: Sides, request: Request) -> tuple[list[Any], list[Any]]:
    if request.left_index and request.right_index:
        return [], []
    if request.left_index:
        raise MergeError("Must pass right_on or right_index=True")
    if request.right_index:
        raise MergeError("Must pass left_on or left_index=True")
    there = set(sides[1].columns)
    common = [each for each in sides[0].columns if each in there]
    if not common:
        raise MergeError(
            "No common columns to perform merge on. Merge options: left_on=None, "
            "right_on=None, left_index=False, right_index=False"
        )
    return common, common


def index_columns(index: Any) -> list[Column]:
    """A column for each level of an index."""
    return [index.get_level_values(i)._values_column() for i in range(index.nlevels)]


def _columns(frame: Any, on: list[Any], is_index: bool) -> list[Column]:
    if is_index:
        return index_columns(frame.index)
    return [_values(frame, each) for each in on]


def _values(frame: Any, key: Any) -> Column:
    if _is_array(key):
        if len(key) != len(frame):
            raise ValueError(
                f"a key of {len(key)} values for a side of {len(frame)} rows: the lengths must be "
                "equal"
            )
        return column_of(key._parts[0] if is_series(key) else key)
    if key is None:
        return index_columns(frame.index)[0]
    is_level = key in list(frame.index.names)
    if key not in frame.columns and is_level:
        found: Column = frame.index.get_level_values(key)._values_column()
        return found
    if is_level:
        raise ValueError(f"'{key}' is both an index level and a column label, which is ambiguous.")
    where = frame.columns.get_loc(key)  # KeyError with the nearest one
    if not isinstance(where, (int, np.integer)):
        raise MergeError(f"the label {key!r} of a key is not unique")
    part: Column = frame._parts[where]
    return part


def coerced(keys: Keys, sides: Sides) -> Sides:
    """Both sides, whose columns of categories that are keys are of the categories' dtype."""
    frames = list(sides)
    for one, other, label in zip(keys.left, keys.right, keys.names, strict=True):
        for side, dtype in enumerate(_dtypes_to_compare(one, other)):
            if dtype is not None and label is not None and label in frames[side].columns:
                frames[side] = frames[side].astype({label: dtype})
    return frames[0], frames[1]


def _dtypes_to_compare(left: Column, right: Column) -> tuple[Any, Any]:
    """Dtypes that two keys are compared in where these are others than their own."""
    if not len(left) or not len(right):
        return None, None
    categories = [isinstance(each, CategoryColumn) for each in (left, right)]
    if not any(categories):
        return None, None
    if all(categories) and _same_categories(left, right):
        return None, None
    one, other = (
        each.dtype.values.dtype if is_category else (None if each.dtype == OBJECT else OBJECT)  # type: ignore[union-attr]
        for each, is_category in zip((left, right), categories, strict=True)
    )
    return one, other


def _same_categories(left: Any, right: Any) -> bool:
    lists = [each.dtype.values.tolist() for each in (left, right)]
    return left.dtype.ordered == right.dtype.ordered and set(lists[0]) == set(lists[1])


def comparable(left: Column, right: Column, label: Any) -> tuple[Column, Column]:
    """Both in one dtype. Raises ValueError where values of the two are never equal."""
    left, right = (
        each if dtype is None else each.astype(dtype)
        for each, dtype in zip((left, right), _dtypes_to_compare(left, right), strict=True)
    )
    right = in_zone_of(right, left)
    if isinstance(left, DecimalColumn) or isinstance(right, DecimalColumn):
        left, right = of_one_dtype(left, right)
    dtype = common_dtype(left.dtype, right.dtype)
    if dtype == OBJECT and OBJECT not in (left.dtype, right.dtype) and len(left) and len(right):
        raise ValueError(
            f"You are trying to merge on {left.dtype} and {right.dtype} columns for key "
            f"'{label}'. If you wish to proceed you should use pd.concat"
        )
    one, other = in_common([left, right])
    return one, other


def check_unique(validate: Any, sides: Sides, keys: Keys, request: Request) -> None:
    """Raises MergeError where keys are repeated that ``validate`` says are not."""
    if validate is None:
        return
    if validate not in VALIDATE:
        raise ValueError(f'"{validate}" is not a valid argument: {", ".join(VALIDATE)}')
    for frame, columns, is_index, name, must in zip(
        sides,
        (keys.left, keys.right),
        (request.left_index, request.right_index),
        ("left", "right"),
        VALIDATE[validate],
        strict=True,
    ):
        if must and _is_repeated(frame, columns, is_index):
            raise MergeError(f"Merge keys are not unique in {name} dataset; not a {validate} merge")


def _is_repeated(frame: Any, columns: list[Column], is_index: bool) -> bool:
    if is_index:
        return not frame.index.is_unique
    table = type(frame)._of(columns, frame.index, index_of(list(range(len(columns)))))
    return bool(table.duplicated().any())
