"""Plots of groups: `.plot`, `hist` and `boxplot` of a groupby."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .. import above
from ..building.kinds import is_list_like
from ..columns.making import column_of
from ..combining.concat import concat
from .accessor import PlotAccessor
from .by_groups import box_of_axes
from .request import Request, text_of


class GroupPlotAccessor:
    """The plots of `PlotAccessor`, one for each group: a series of axes by the groups' labels."""

    def __init__(self, groups: Any) -> None:
        self._groups = groups

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        """As ``plot`` of a frame or a series, for each group."""
        return of_each(self._groups, lambda part: part.plot(*args, **keywords))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or not hasattr(PlotAccessor, name):
            raise AttributeError(f"groups have no plot {name!r}")

        def draw(*args: Any, **keywords: Any) -> Any:
            return of_each(self._groups, lambda part: getattr(part.plot, name)(*args, **keywords))

        return draw

    def __dir__(self) -> list[str]:
        return dir(PlotAccessor)


class GroupPlotting:
    """`.plot`, `hist` and, of frames, `boxplot` of groups."""

    @property
    def plot(self) -> GroupPlotAccessor:
        """Plots of each group: ``plot()``, ``plot.bar()``."""
        return GroupPlotAccessor(self)

    def hist(self, *args: Any, **keywords: Any) -> Any:
        """Histograms of each group, as ``hist`` of a frame or a series: a series of axes."""
        of: Any = self
        data = of._data
        return of_each(self, lambda part: part.hist(*args, **keywords), data)


class FrameGroupPlotting(GroupPlotting):
    """Plots of groups of a frame."""

    def boxplot(
        self,
        subplots: bool = True,
        column: Any = None,
        fontsize: Any = None,
        rot: float = 0,
        grid: bool = True,
        ax: Any = None,
        figsize: Any = None,
        layout: Any = None,
        sharex: bool = False,
        sharey: bool = True,
        **kwargs: Any,
    ) -> Any:
        """A box plot of each group in axes of its own: a series of them by the groups' labels.

        Without ``subplots`` the boxes of all groups are in one. Raises ImportError without
        matplotlib, ValueError for a layout that is too small.
        """
        groups: Any = self
        shared = {"fontsize": fontsize, "rot": rot, "grid": grid, **kwargs}
        parts = dict(iter(groups))
        if not subplots:
            joined = concat(list(parts.values()), axis=1, keys=list(parts))
            if column is not None:
                labels = column if is_list_like(column) else [column]
                column = [(key, label) for key in parts for label in labels]
            return joined.boxplot(column, ax=ax, figsize=figsize, layout=layout, **shared)
        request = Request(ax=ax, figsize=figsize, layout=layout, sharex=sharex, sharey=sharey)
        canvas = box_of_axes(request, len(parts))
        made = []
        for axes, (key, part) in zip(canvas.axes, parts.items(), strict=True):
            made.append(part.boxplot(column, ax=axes, **shared))
            axes.set_title(text_of(key))
        canvas.figure.subplots_adjust(bottom=0.15, top=0.9, left=0.1, right=0.9, wspace=0.2)
        return _by_labels(groups, made)


def of_each(groups: Any, draw: Callable[[Any], Any], data: Any = None) -> Any:
    """What is drawn of each group, by its label; of a series under the label as its name."""
    made = []
    for key, part in groups if data is None or data.ndim == 1 else groups[list(data.columns)]:
        label = key[0] if isinstance(key, tuple) and len(key) == 1 else key
        made.append(draw(part.rename(label) if part.ndim == 1 else part))
    return _by_labels(groups, made)


def _by_labels(groups: Any, made: list[Any]) -> Any:
    objects = np.empty(len(made), object)
    for number, each in enumerate(made):
        objects[number] = each
    return above.Series._of(column_of(objects, np.dtype(object)), groups._grouping.index)
