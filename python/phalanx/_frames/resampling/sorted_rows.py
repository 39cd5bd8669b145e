"""The rows of a series or a frame in the order of their times."""

from __future__ import annotations

from typing import Any

import numpy as np

import phalanx as px

from ..columns import Column
from ..indexes.index import Index
from ..indexes.making import index_of
from ..indexes.times import Times


class SortedRows:
    """The times of the rows, sorted, and the rows in that order; rows without a time are left out.

    Raises KeyError for a column ``on`` that there is not, TypeError for times that are none.
    """

    def __init__(self, of: Any, on: Any, level: Any) -> None:
        if on is not None and level is not None:
            raise ValueError("The Grouper cannot specify both a key and a level!")
        axis: Any = of.index
        if on is not None:
            if of.ndim == 1 or on not in of.columns:
                raise KeyError(f"The grouper name {on} is not found")
            axis = index_of(of[on]._parts[0]).rename(on)
        elif level is not None:
            axis = axis.get_level_values(level)
        self.is_selected = on is not None or level is not None
        self.rows: np.ndarray | None = None
        if isinstance(axis, Times) and not axis.is_monotonic_increasing:
            times = axis.asi8
            order = np.argsort(times, kind="stable")
            # NaT is the least number.
            self.rows = order[int(np.isnat(axis._moments).sum()) :]
            axis = axis._take(self.rows)
        self.axis = axis
        self.count = len(of)

    def take(self, column: Column) -> Column:
        """A column in the order of the times."""
        return column if self.rows is None else column.take(px.asarray(self.rows))

    def back(self, column: Column) -> Column:
        """A column of sorted rows in the order of the rows; rows without a time miss a value."""
        if self.rows is None:
            return column
        places = np.full(self.count, -1, np.int64)
        places[self.rows] = np.arange(len(self.rows))
        return column.take(px.asarray(places), has_missing=bool((places < 0).any()))

    def index(self, of: Any) -> Index:
        """The labels of the rows in the order of the times."""
        labels: Index = of.index
        return labels if self.rows is None else labels._take(self.rows)
