"""`Grouper`: a key of `groupby`, of bins of time too."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..columns import Column
from ..groups import grouper
from .bins import bins_of, labels_of_rows, rule_of
from .methods import Resampler
from .sorted_rows import SortedRows


class KeyColumn(NamedTuple):
    """A column to group by, its name, and its label where it is one of the frame's own."""

    column: Column
    name: Any
    own: Any


class Grouper(grouper.Grouper):
    """What `groupby` is to group by: a column, a level of the index, or bins of time of these.

    Keywords are those of `resample`; without ``freq`` only ``key`` and ``level`` are taken. Raises
    ValueError for a frequency that is none.

    >>> frame = px.DataFrame({"t": px.date_range("2026-01-01", periods=2), "x": [1, 3]})
    >>> frame.groupby(px.Grouper(key="t", freq="MS"))["x"].sum()
    t
    2026-01-01    4
    Freq: MS, Name: x, dtype: int64
    """

    __module__ = "phalanx"

    def __init__(
        self, key: Any = None, level: Any = None, freq: Any = None, sort: bool = False,
        dropna: bool = True, **keywords: Any,
    ) -> None:  # fmt: skip
        if key is not None and level is not None:
            raise ValueError("The Grouper cannot specify both a key and a level!")
        unknown = set(keywords) - {"closed", "label", "origin", "offset"}
        if unknown or (keywords and freq is None):
            name = sorted(unknown or keywords)[0]
            raise TypeError(f"Grouper() got an unexpected keyword argument {name!r}")
        super().__init__(key, level, sort, dropna)
        self.rule = None if freq is None else rule_of(freq, **keywords)

    @property
    def freq(self) -> Any:
        """The frequency, or None."""
        return None if self.rule is None else self.rule.freq

    def __repr__(self) -> str:
        if self.rule is None:
            return super().__repr__()
        shown = {"key": self.key, "level": self.level, "freq": self.freq}
        said = (f"{name}={value!r}" for name, value in shown.items() if value is not None)
        return f"TimeGrouper({', '.join(said)})"

    def resampler(self, of: Any) -> Resampler:
        """The bins of time of a frame or a series, also those without rows."""
        return Resampler(of, {"rule": self.rule, "on": self.key, "level": self.level})

    def key_column(self, frame: Any) -> KeyColumn:
        """The column of the label of each row's bin of time."""
        assert self.rule is not None
        rows = SortedRows(frame, self.key, self.level)
        bins = bins_of(rows.axis, self.rule)
        column = rows.back(labels_of_rows(bins)) if len(rows.axis) else rows.axis._column
        if len(column) != len(frame):  # no row has a time
            column = rows.axis._column.missing(len(frame))
        return KeyColumn(column, rows.axis.name, self.key)
