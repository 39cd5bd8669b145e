"""Covariances and correlations of columns in windows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import phalanx as px

from .. import above, engine
from ..building.columns import is_frame, is_series, ours
from ..columns.numbers import NumberColumn
from ..indexes.multi import MultiIndex
from ..indexes.multi_making import Level, level_of
from .base import Windowed
from .columns import is_number
from .columns import placed_floats as floats

# Of two columns of one length the numbers for each row.
Function = Callable[[engine.Array, engine.Array], engine.Array]


class Pairs(Windowed):
    """`cov` and `corr`."""

    def cov(
        self,
        other: Any = None,
        pairwise: bool | None = None,
        ddof: int = 1,
        numeric_only: bool = False,
    ) -> Any:
        """Covariances with another series or frame, or with ``pairwise`` of all pairs of columns.

        Raises ValueError for another thing than these.
        """
        return self._paired("cov", other, pairwise, numeric_only, ddof=ddof)

    def corr(
        self,
        other: Any = None,
        pairwise: bool | None = None,
        ddof: int = 1,
        numeric_only: bool = False,
    ) -> Any:
        """Correlations with another series or frame, or with ``pairwise`` of all pairs of columns.

        Raises ValueError for another thing than these.
        """
        return self._paired("corr", other, pairwise, numeric_only)

    def _paired(
        self, kind: str, other: Any, pairwise: bool | None, numeric_only: bool, **request: Any
    ) -> Any:
        self._refuse_pairs(kind)
        least = self._min_periods()

        def compute(x: engine.Array, y: engine.Array) -> engine.Array:
            if len(x) == 0:
                return np.zeros(0)
            wanted = {"kind": kind, "values": x, "second": y, "min_periods": least, **request}
            return self._computed([wanted], len(x))[0]

        return self._flexible(kind, other, pairwise, numeric_only, compute)

    def _refuse_pairs(self, kind: str) -> None:
        """Raises NotImplementedError where there are no pairs of such windows."""

    def _own(self, kind: str, numeric_only: bool) -> Any:
        data = self._data(kind, numeric_only)
        index = self._rows_index()
        if self._is_series:
            return above.Series._of(data.columns[0], index, self._selected.name)
        return above.DataFrame._of(list(data.columns), index, data.labels)

    def _rows_index(self) -> Any:
        """The labels of the rows as the windows have them."""
        return self._of.index

    def _flexible(
        self, kind: str, other: Any, pairwise: bool | None, numeric_only: bool, compute: Function
    ) -> Any:
        mine = self._own(kind, numeric_only)
        other = ours(other)
        if other is None:
            other, pairwise = mine, True if pairwise is None else pairwise
        elif not is_series(other) and not is_frame(other):
            raise ValueError("other must be a DataFrame or Series")
        elif is_frame(other) and numeric_only:
            kept = [i for i, each in enumerate(other._parts) if is_number(each)]
            other = other.iloc[:, kept]
        if is_series(mine) and is_series(other):
            return _of_series(mine, other, compute)
        if is_frame(mine) and is_frame(other):
            return _of_all(mine, other, compute) if pairwise else _of_frames(mine, other, compute)
        frame, series = (mine, other) if is_frame(mine) else (other, mine)
        return _of_columns(frame, series, compute)


def _of_series(left: Any, right: Any, compute: Function) -> Any:
    left, right = left.align(right, join="outer")
    made = compute(floats(left._parts[0]), floats(right._parts[0]))
    name = left.name if left.name == right.name else None
    return above.Series._of(NumberColumn(px.asarray(made)), left.index, name)


def _of_columns(frame: Any, series: Any, compute: Function) -> Any:
    """Windows of the rows of both, of which those of the frame are given out."""
    wide, series = frame.align(series, join="outer", axis=0)
    second = floats(series._parts[0])
    columns = [NumberColumn(px.asarray(compute(floats(each), second))) for each in wide._parts]
    made = above.DataFrame._of(columns, wide.index, frame.columns)
    return made if len(wide) == len(frame) else made.reindex(frame.index)


def _of_frames(left: Any, right: Any, compute: Function) -> Any:
    """Columns of the same labels; NaN in those that only one has."""
    if left is not right:
        for number, each in enumerate((left, right), 1):
            if not each.columns.is_unique:
                raise ValueError(f"'arg{number}' columns are not unique")
        left, right = left.align(right, join="outer")
    columns = [
        NumberColumn(px.asarray(compute(floats(a), floats(b))))
        for a, b in zip(left._parts, right._parts, strict=True)
    ]
    return above.DataFrame._of(columns, left.index, left.columns)


def _of_all(left: Any, right: Any, compute: Function) -> Any:
    """All pairs: a row for each label of a row and of the other's columns."""
    labels = left.columns
    if left is not right:
        left, right = left.align(right, join="outer", axis=0)
    mine, others = ([floats(each) for each in of._parts] for of in (left, right))
    found: dict[tuple[int, int], np.ndarray] = {}
    for i, x in enumerate(mine):
        for j, y in enumerate(others):
            known = found.get((j, i)) if left is right else None
            found[i, j] = compute(x, y) if known is None else known
    columns = []
    for i in range(len(mine)):
        table = np.array([engine.on_host(found[i, j]) for j in range(len(others))])
        columns.append(NumberColumn(px.asarray(np.ascontiguousarray(table.T).reshape(-1))))
    return above.DataFrame._of(columns, _all_labels(left.index, right.columns), labels)


def _all_labels(index: Any, columns: Any) -> Any:
    """Each label of a row with each of the columns', as levels."""
    count = len(columns)
    levels = index._parts() if index.nlevels > 1 else [level_of(index)]
    repeated = [Level(each.labels, np.repeat(each.codes, count)) for each in levels]
    column = level_of(columns)
    tiled = Level(column.labels, np.tile(column.codes, len(index)))
    return MultiIndex._of_levels([*repeated, tiled], [*index.names, columns.name])
