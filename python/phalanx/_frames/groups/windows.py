"""Windows of the rows of each group."""

from __future__ import annotations

from typing import Any

import numpy as np

import phalanx as px

from .. import engine
from ..columns import Column
from ..indexes.index import Index
from ..indexes.multi import MultiIndex
from ..indexes.multi_making import Level, level_of
from ..indexes.times import Times
from ..windows.base import Windowed
from ..windows.decaying import ExponentialMovingWindow
from ..windows.methods import Windowing
from ..windows.rolling import Expanding, Rolling
from ..windows.spans import span_edges


class GroupRows:
    """The rows in order of their groups, and where each group begins among them."""

    def __init__(self, grouping: Any, *, as_index: bool) -> None:
        rows, bounds = engine.rows_by_group(grouping.placed_codes, grouping.count)
        self.grouping = grouping
        self.as_index = as_index
        self.rows = np.asarray(rows)
        self.bounds = np.asarray(bounds)
        self._known: dict[int, Index] = {}

    def places(self) -> tuple[np.ndarray, np.ndarray]:
        """For each row where its group begins and ends."""
        sizes = np.diff(self.bounds)
        return np.repeat(self.bounds[:-1], sizes), np.repeat(self.bounds[1:], sizes)

    def index(self, labels: Index) -> Index:
        """The groups' labels and after them those of the rows, as levels."""
        key = id(labels)
        if key not in self._known:
            self._known[key] = self._made_index(labels)
        return self._known[key]

    def _made_index(self, labels: Index) -> Index:
        groups = np.repeat(np.arange(self.grouping.count), np.diff(self.bounds))
        levels = []
        for key in self.grouping.labels():
            level = level_of(key)
            levels.append(Level(level.labels, level.codes[groups]))
        taken = labels._take(self.rows)
        if labels.nlevels > 1:
            levels += taken._parts()
        elif labels.is_unique and labels.is_monotonic_increasing:
            levels.append(Level(labels, self.rows))
        else:
            levels.append(level_of(taken))
        return MultiIndex._of_levels(levels, [*self.grouping.names, *labels.names])


class _Grouped(Windowed):
    """Windows that end with the groups: the rows of a group come one after another."""

    def __init__(
        self, of: Any, keywords: dict[str, Any], selection: Any = None, groups: Any = None
    ) -> None:
        self._groups: GroupRows = groups
        super().__init__(of, keywords, selection)

    def _with_selection(self, key: Any) -> Any:
        kind: Any = type(self)
        return kind(self._of, self._keywords, key, self._groups)

    def _ordered(self, column: Column) -> Column:
        return column.take(px.asarray(self._groups.rows))

    def _labels(self) -> Index:
        """The labels of the rows: those of ``on`` once columns are selected."""
        on = getattr(self, "_on", None)
        return self._of.index if self._selection is None or on is None else on  # type: ignore[no-any-return]

    def _index(self, count: int) -> Index:
        return self._groups.index(self._labels())

    def _rows_index(self) -> Index:
        return self._index(0)

    def _assembled(self, arrays: list[np.ndarray], labels: Any) -> Any:
        made = super()._assembled(arrays, labels)
        if self._groups.as_index:
            return made
        keys = list(range(len(self._groups.grouping.names)))
        return made.reset_index(level=keys)

    def _paired(
        self, kind: str, other: Any, pairwise: bool | None, numeric_only: bool, **request: Any
    ) -> Any:
        if other is not None:
            raise NotImplementedError(f"{kind} of groups with another object; join them first")
        of: Any = super()
        return of._paired(kind, other, pairwise, numeric_only, **request)

    def __iter__(self) -> Any:
        of: Any = self
        ordered = self._selected._at(self._groups.rows)
        for start, end in zip(*of._edges(len(ordered)), strict=True):
            yield ordered._at(slice(int(start), int(end)))


class RollingGroupby(_Grouped, Rolling):
    """`rolling` in each group."""

    def _check(self) -> None:
        super()._check()
        if self._keywords["step"] is not None:
            raise NotImplementedError("step not implemented for groupby")

    def _check_order(self) -> None:
        on, label = self._on, self._keywords["on"]
        if not isinstance(on, Times):
            return
        name = "index" if label is None else label
        if on.hasnans:
            raise ValueError(f"{name} values must not have NaT")
        if on.is_monotonic_increasing:
            return
        steps = np.diff(on.asi8[self._groups.rows])
        inner = np.ones(len(steps), bool)
        inner[self._groups.bounds[1:-1] - 1] = False
        groups = np.repeat(np.arange(self._groups.grouping.count), np.diff(self._groups.bounds))[
            :-1
        ]
        count = self._groups.grouping.count
        rises = np.bincount(groups[inner & (steps > 0)], minlength=count)
        falls = np.bincount(groups[inner & (steps < 0)], minlength=count)
        if ((rises > 0) & (falls > 0)).any():
            raise ValueError(
                f"Each group within {name} must be monotonic. Sort the values in {name} first."
            )

    def _bounds(self, count: int) -> tuple[Any, ...]:
        if self._span is not None:
            given, times = self._keywords, self._on.asi8[self._groups.rows]
            return span_edges(
                times, self._groups.bounds, self._span, given["closed"],
                center=bool(given["center"]),
            )  # fmt: skip
        _, first, last, _ = super()._bounds(count)
        begins, stops = self._groups.places()
        rows = np.arange(count, dtype=np.int64)
        starts = np.clip(rows + first, begins, stops)
        return starts, np.maximum(starts, np.clip(rows + last, begins, stops))


class ExpandingGroupby(_Grouped, Expanding):
    """`expanding` in each group."""

    def _bounds(self, count: int) -> tuple[Any, ...]:
        return self._groups.places()[0], np.arange(1, count + 1, dtype=np.int64)


class ExponentialMovingWindowGroupby(_Grouped, ExponentialMovingWindow):
    """`ewm` in each group."""

    def _checked_times(self, given: Any, halflife: Any) -> np.ndarray:
        found: np.ndarray = super()._checked_times(given, halflife)[self._groups.rows]
        return found

    def _runs(self, count: int) -> np.ndarray:
        return self._groups.bounds

    def cov(self, other: Any = None, *args: Any, **kwargs: Any) -> Any:
        """As `ExponentialMovingWindow.cov`, of the groups' own columns."""
        self._refuse_other("cov", other)
        return super().cov(other, *args, **kwargs)

    def corr(self, other: Any = None, *args: Any, **kwargs: Any) -> Any:
        """As `ExponentialMovingWindow.corr`, of the groups' own columns."""
        self._refuse_other("corr", other)
        return super().corr(other, *args, **kwargs)

    def _refuse_other(self, kind: str, other: Any) -> None:
        if other is not None:
            raise NotImplementedError(f"{kind} of groups with another object; join them first")


_KINDS: dict[type, Any] = {
    Rolling: RollingGroupby,
    Expanding: ExpandingGroupby,
    ExponentialMovingWindow: ExponentialMovingWindowGroupby,
}


class GroupWindowing(Windowing):
    """`rolling`, `expanding` and `ewm` of the rows of each group; the groups' labels come first."""

    def _windowed(self, kind: Any, keywords: dict[str, Any]) -> Any:
        if kind not in _KINDS:
            raise NotImplementedError(
                "rolling of groups: 'win_type' is not supported (pandas leaves it out without a "
                "word); use apply(lambda rows: rows.rolling(..., win_type=...).mean())"
            )
        groupby: Any = self
        groups = GroupRows(groupby._grouping, as_index=groupby._options.as_index)
        return _KINDS[kind](groupby._data, keywords, None, groups)
