"""Groups whose rows follow one another, as bins of sorted times."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

import phalanx as px

from .._sorting import searching
from .aggregates import aggregate


def aggregate_runs(bounds: Any, aggregations: Sequence[tuple[Any, ...]]) -> list[Any]:
    """Numbers for each group as `aggregate`; group i has the rows from bounds[i] up to
    bounds[i + 1]."""
    groups = bounds.size - 1
    rows = px.arange(int(bounds[-1]), dtype="int64", device=bounds.device)
    codes = searching.searchsorted(bounds, rows, True) - np.int64(1)
    return aggregate(codes, groups, aggregations)


def rows_before(times: Any, edges: Any, closed: bool) -> Any:
    """How many of sorted times are before each of sorted edges, with `closed` also those equal."""
    return searching.searchsorted(times, edges, closed)
