"""Groups whose rows follow one another: bins of sorted times."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import Any

import numpy as np

from .. import engine
from ..columns.column import Column
from .grouping import Grouping
from .keys import Key


class Runs(Grouping):
    """Groups that are known by their bounds: group i has the rows from ``bounds[i]`` up to
    ``bounds[i + 1]``. No group is without rows. Codes are made for what asks for them.
    """

    def __init__(self, bounds: np.ndarray, labels: Column, name: Any) -> None:
        self._begin([Key(labels, name)], sort=True, dropna=True, labels=[labels])
        self.order = None
        self._run_bounds = bounds
        self.count = len(bounds) - 1
        self.firsts = bounds[:-1]

    @cached_property
    def raw(self) -> engine.Array:
        """The group of each row."""
        return np.repeat(np.arange(self.count, dtype=np.int32), np.diff(self._run_bounds))

    @cached_property
    def any_values(self) -> engine.Array:
        """Pages of zeros that nobody touches."""
        return np.zeros(int(self._run_bounds[-1]), np.int8)

    @property
    def rows(self) -> np.ndarray:
        """All rows as they are."""
        return np.arange(self._run_bounds[-1])

    @property
    def bounds(self) -> np.ndarray:
        """Where the groups begin, and where the last one ends."""
        return self._run_bounds

    def aggregate(self, requests: Sequence[tuple[Any, ...]]) -> list[Any]:
        """The engine's numbers for each group, without codes."""
        return engine.aggregate_runs(self._run_bounds, requests)
