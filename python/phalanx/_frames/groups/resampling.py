"""Bins of time of the rows of each group."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..building.columns import is_frame, is_series
from ..combining.concat import concat
from ..in_place import InPlace
from ..signatures import MissingNameError
from .windows import GroupWindowing

_METHODS = frozenset(
    [
        "agg",
        "aggregate",
        "apply",
        "asfreq",
        "bfill",
        "count",
        "ffill",
        "first",
        "interpolate",
        "last",
        "max",
        "mean",
        "median",
        "min",
        "nearest",
        "nunique",
        "ohlc",
        "prod",
        "quantile",
        "sem",
        "size",
        "std",
        "sum",
        "var",
    ]
)


class GroupResampler(InPlace):
    """What `resample` of groups gives: each group's bins under the group's label.

    A method is called for one group after another, and the results are put below each other.
    """

    _lies_with = "_groupby"

    def __init__(self, groupby: Any, keywords: dict[str, Any], selection: Any = None) -> None:
        self._groupby = groupby
        self._keywords = keywords
        self._selection = selection

    def __getitem__(self, key: Any) -> GroupResampler:
        """The bins of some columns: of a label a series, of a list a frame."""
        if self._selection is not None:
            raise IndexError(f"Column(s) {key} already selected")
        for each in key if isinstance(key, list) else [key]:
            if each not in self._groupby._of.columns:
                raise KeyError(f"Column not found: {each}")
        return GroupResampler(self._groupby, self._keywords, key)

    def __getattr__(self, name: str) -> Any:
        if name in _METHODS:
            return lambda *args, **keywords: self._called(name, args, keywords)
        if not name.startswith("_") and name in self._groupby._of.columns:
            return self[name]
        if name.startswith("_"):
            raise AttributeError(name)
        raise MissingNameError(f"groupby(...).resample(...).{name} is not supported in phalanx")

    def _called(self, name: str, args: Any, keywords: Any) -> Any:
        grouping, labels, parts = self._groupby._grouping, [], []
        for label, rows in self._groupby:
            of = rows if is_series(rows) else rows[list(self._groupby._data.columns)]
            bins = of.resample(**self._keywords)
            if self._selection is not None:
                bins = bins[self._selection]
            method: Callable[..., Any] = getattr(bins, name)
            labels.append(label[0] if self._groupby._options.is_list else label)
            parts.append(method(*args, **keywords))
        if not parts:
            raise ValueError("No objects to concatenate")
        made: Any = concat(parts, keys=labels)
        made.index = made.index.set_names([*grouping.names, *parts[0].index.names])
        if is_frame(made) or not is_series(parts[0]):
            return made
        return made.rename(parts[0].name)


class GroupResampling(GroupWindowing):
    """`resample` of groups."""

    def resample(self, rule: Any, *, include_groups: bool = False, **keywords: Any) -> Any:
        """As `DataFrame.resample`, of the rows of each group; the groups' labels come first."""
        if include_groups:
            raise ValueError("include_groups=True is no longer allowed.")
        return GroupResampler(self, {"rule": rule, **keywords})
