"""Groups whose rows follow one another, as bins of sorted times."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import phalanx as px

from .._sorting import searching
from .aggregates import aggregate
from .windows import slide

_BY_WINDOWS = ("sum", "mean", "min", "max", "first", "last")


def aggregate_runs(bounds: Any, aggregations: Sequence[tuple[Any, ...]]) -> list[Any]:
    """Numbers for each group as `aggregate`; group i has the rows from bounds[i] up to
    bounds[i + 1].

    Of floats they are windows that share no row, which takes no code for each row and no atomic
    additions, of which all of a run would go to one place.
    """
    made: list[Any] = [None] * len(aggregations)
    others = []
    for i, each in enumerate(aggregations):
        if each[2] in ("size", "count") or (each[2] in _BY_WINDOWS and each[0].dtype.kind == "f"):
            made[i] = _by_windows(bounds, *each[:3])
        else:
            others.append(i)
    if others:
        rows = px.arange(int(bounds[-1]), dtype="int64", device=bounds.device)
        codes = searching.searchsorted(bounds, rows, True) - np.int64(1)
        found = aggregate(codes, bounds.size - 1, [aggregations[i] for i in others])
        for i, each in zip(others, found, strict=True):
            made[i] = each
    return made


def _by_windows(bounds: Any, values: Any, valid: Any, kind: str) -> Any:
    """What the windows between the bounds have, and which there is, None if all."""
    starts, ends = bounds[:-1].copy(), bounds[1:].copy()
    if kind in ("size", "count"):
        there = None if kind == "size" else _presence(values, valid)
        if there is None:
            return ends - starts, None
        wanted = {"kind": "sum", "values": there.astype(np.float64), "min_periods": 0}
        (found,) = slide(there.size, (starts, ends), [wanted])
        return found.astype(np.int64), None
    given = values.astype(np.float64)
    if valid is not None:
        given = px.where(valid, given, np.nan)
    wanted = {
        "kind": kind, "values": given, "min_periods": 0 if kind == "sum" else 1,
        "infinities": True,
    }  # fmt: skip
    (found,) = slide(given.size, (starts, ends), [wanted])
    return found.astype(values.dtype), None if kind == "sum" else found == found


def _presence(values: Any, valid: Any) -> Any:
    """Which rows have a value, None if all."""
    there = None
    if values.dtype.kind == "f":
        there = values == values
    elif values.dtype.kind in "mM":
        there = values.view(np.int64) != np.iinfo(np.int64).min
    if there is None or valid is None:
        return valid if there is None else there
    return there & valid


def rows_before(times: Any, edges: Any, closed: bool) -> Any:
    """How many of sorted times are before each of sorted edges, with `closed` also those equal."""
    return searching.searchsorted(times, edges, closed)
