"""The operators: what `_engine.frames` has, of arrays that a GPU has in its memory."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import phalanx as px

from . import groups, joins
from .aggregates import aggregate
from .digits import Key, Part, joint_digits, length_of, parts_of
from .in_groups import best_rows, rank_rows, rows_at_places, running, shifted_rows
from .runs import aggregate_runs, rows_before
from .sorted_groups import by_group, distinct
from .windows import slide, span_edges
from .words import Word, order_of, words_of


def _words(sides: Sequence[Sequence[Key]], keeps_missing: bool) -> list[tuple[list[Word], Any]]:
    """For each side the words of its keys, and which rows have a missing value (None: none)."""
    digits: list[list[Any]] = [[] for _ in sides]
    gone: list[Any] = [None for _ in sides]
    for column in zip(*sides, strict=True):
        of_sides = parts_of(column)
        for parts in zip(*of_sides, strict=True):
            for side, own in enumerate(joint_digits(parts, keeps_missing)):
                digits[side] += own
        for side, parts in enumerate(of_sides):
            missing = parts[0].missing
            if missing is not None:
                gone[side] = missing if gone[side] is None else gone[side] | missing
    return [(words_of(own), missing) for own, missing in zip(digits, gone, strict=True)]


def group_rows(keys: Sequence[Key], drops_missing: bool = True) -> groups.Groups:
    """The group of each row, the number of groups, and each one's first row (int64).

    Groups are numbered in the order of their first rows. Rows with a missing value are in none
    (-1), or, if they are not dropped, in groups of their own.
    """
    ((words, gone),) = _words([keys], not drops_missing)
    return groups.group(words, gone if drops_missing else None, length_of(keys[0]))


def order_rows(
    keys: Sequence[Key], descending: Sequence[bool] = (), missing_first: bool = False
) -> Any:
    """The rows in the order of the keys (int64), the first key first; equal ones as they are."""
    digits = []
    for place, key in enumerate(keys):
        is_down = bool(descending[place]) if len(descending) else False
        for part in parts_of([key])[0]:
            ((*own,),) = (joint_digits([part], True),)
            digits += [_turned(each, part, is_down, missing_first) for each in own[0]]
    if length_of(keys[0]) == 0:
        return px.zeros(0, "int64", device=keys[0][1].device)
    return order_of(words_of(digits)).astype(np.int64)


def _turned(digit: Any, part: Part, is_down: bool, missing_first: bool) -> Any:
    """A digit for an order that goes down, or has missing values first."""
    numbers, count = digit
    if part.missing is None:
        return (
            digit
            if not is_down
            else digit._replace(numbers=numbers.dtype.type(count - 1) - numbers)
        )
    last = numbers.dtype.type(count - 1)  # that of missing values
    if is_down:
        numbers = px.where(part.missing, last, last - numbers.dtype.type(1) - numbers)
    if missing_first:
        numbers = px.where(part.missing, numbers.dtype.type(0), numbers + numbers.dtype.type(1))
    return digit._replace(numbers=numbers)


def rows_by_group(codes: Any, groups_: int) -> tuple[Any, Any]:
    """The rows in order of their groups, and where groups begin and the last ends (int64)."""
    order = by_group(codes, groups_)
    end = px.asarray(np.array([order.rows.size]), device=codes.device)
    return order.rows.astype(np.int64), px.concatenate([order.begins, end])


def count_distinct(codes: Any, groups_: int, key: Key) -> Any:
    """How many different values of a key each group has that are not missing (int64)."""
    ((words, gone),) = _words([[key]], False)
    return distinct(words, codes, groups_, None if gone is None else ~gone)


def join_rows(left: Sequence[Key], right: Sequence[Key], how: str) -> tuple[Any, Any]:
    """Pairs of rows (int64, -1: no partner) whose keys are equal, in pandas' order.

    `how` is inner, left, right, outer, semi or anti. Missing keys are equal to one another.
    Raises ValueError for another one.
    """
    if how not in joins.HOW:
        raise ValueError(f"there is no join '{how}'")
    (one, _), (other, _) = _words([left, right], True)
    return joins.joined(one, other, how)


__all__ = [
    "aggregate",
    "aggregate_runs",
    "best_rows",
    "count_distinct",
    "group_rows",
    "join_rows",
    "order_rows",
    "rank_rows",
    "rows_at_places",
    "rows_before",
    "rows_by_group",
    "running",
    "shifted_rows",
    "slide",
    "span_edges",
]
