"""`merge_ordered`: a merge in the order of the keys, whose gaps are filled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from ..building.columns import ours
from ..in_place import in_place
from .concat import concat
from .merge_keys import Request, coerced, frame_of_side, keys_of
from .merge_result import Joined, Table
from .merge_rows import Pairs, joined_rows


@in_place
def merge_ordered(
    left: Any,
    right: Any,
    on: Any = None,
    left_on: Any = None,
    right_on: Any = None,
    left_by: Any = None,
    right_by: Any = None,
    fill_method: str | None = None,
    suffixes: Sequence[str | None] = ("_x", "_y"),
    how: str = "outer",
) -> Any:
    """Rows of two frames put together in the order of the keys, as ``pandas.merge_ordered``.

    ``fill_method="ffill"`` fills rows without a partner from the row before. With ``left_by`` or
    ``right_by`` that side is merged group by group. Raises ValueError for both of them and for
    another way to fill, KeyError for labels that are no columns, and what `merge` raises.

    >>> left = px.DataFrame({"k": [1, 3], "x": [1, 2]})
    >>> px.merge_ordered(left, px.DataFrame({"k": [2], "y": [7]}), on="k")
       k    x    y
    0  1  1.0  NaN
    1  2  NaN  7.0
    2  3  2.0  NaN
    """
    if fill_method not in (None, "ffill"):
        raise ValueError("fill_method must be 'ffill' or None")
    if left_by is not None and right_by is not None:
        raise ValueError("Can only group either left or right frames")
    sides = frame_of_side(ours(left), "left"), frame_of_side(ours(right), "right")
    request = Request(on, left_on, right_on)

    def merged(one: Any, other: Any) -> Any:
        return _merged(one, other, request, fill_method, (suffixes, how))

    if left_by is not None:
        return _by_groups(_labels_of(left_by, sides[0], "left"), sides[0], sides[1], merged)
    if right_by is not None:
        return _by_groups(
            _labels_of(right_by, sides[1], "right"),
            sides[1],
            sides[0],
            lambda one, other: merged(other, one),
        )
    return merged(*sides)


def _merged(left: Any, right: Any, request: Request, fill_method: Any, rest: Any) -> Any:
    suffixes, how = rest
    if how not in ("left", "right", "inner", "outer", "left_anti", "right_anti"):
        raise ValueError(f"'{how}' is not a valid Merge type: left, right, inner, outer")
    keys = keys_of((left, right), request)
    sides = coerced(keys, (left, right))
    index, pairs = joined_rows(sides, keys, request, how, True)
    filled = Pairs(*map(_filled, pairs)) if fill_method == "ffill" else None
    table = Table(Joined(sides, keys, index, pairs, filled), suffixes)
    table.fill_keys()
    return table.frame()


def _filled(rows: np.ndarray) -> np.ndarray:
    """Rows of which -1 is the last one before that is not."""
    places = np.where(rows >= 0, np.arange(len(rows)), 0)
    made: np.ndarray = rows[np.maximum.accumulate(places)] if len(rows) else rows
    return made


def _labels_of(by: Any, frame: Any, name: str) -> list[Any]:
    labels = [by] if isinstance(by, str) else list(by)
    lacking = set(labels).difference(frame.columns)
    if lacking:
        raise KeyError(f"{lacking} not found in {name} columns")
    return labels


def _by_groups(by: list[Any], frame: Any, other: Any, merged: Callable[..., Any]) -> Any:
    is_shared = all(each in other.columns for each in by)
    partners = dict(iter(other.groupby(by, sort=False))) if is_shared else {}
    pieces = []
    for key, part in frame.groupby(by, sort=False):
        if is_shared and key not in partners:
            more = [each for each in other.columns if each not in set(part.columns)]
            pieces.append(part.reindex(columns=[*part.columns, *more]).reset_index(drop=True))
            continue
        made = merged(part, partners[key] if is_shared else other)
        for label, value in zip(by, key if isinstance(key, tuple) else (key,), strict=True):
            made[label] = value
        pieces.append(made)
    return concat(pieces, ignore_index=True).reindex(columns=pieces[0].columns)
