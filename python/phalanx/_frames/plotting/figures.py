"""Figures and axes of plots, and what is written on them: ticks, titles, legends."""

from __future__ import annotations

from math import ceil, sqrt
from typing import Any

import numpy as np

from .request import Request, matplotlib, pyplot, text_of


def layout_of(count: int, layout: Any, form: str) -> tuple[int, int]:
    """Rows and columns for subplots. Raises ValueError for a layout that is too small."""
    if layout is not None:
        if not isinstance(layout, (tuple, list)) or len(layout) != 2:
            raise ValueError("Layout must be a tuple of (rows, columns)")
        rows, columns = layout
        if rows <= 0 and columns <= 0:
            raise ValueError("At least one dimension of layout must be positive")
        rows = ceil(count / columns) if rows == -1 else rows
        columns = ceil(count / rows) if columns == -1 else columns
        if rows * columns < count:
            raise ValueError(
                f"Layout of {rows}x{columns} must be larger than required size {count}"
            )
        return rows, columns
    if form != "box":
        return (1, count) if form == "horizontal" else (count, 1)
    if count <= 4:
        return {1: (1, 1), 2: (1, 2)}.get(count, (2, 2))
    side = ceil(sqrt(count))
    return (side, side - 1) if (side - 1) * side >= count else (side, side)


class Canvas:
    """The axes of a plot, one for each column where there are subplots."""

    def __init__(self, request: Request, count: int, form: str = "vertical") -> None:
        self.request = request
        self.handles: list[Any] = []
        self.labels: list[str] = []
        if request.subplots:
            self.axes = self._subplots(count, form)
        else:
            self.axes = [self._one()]
        self.figure = self.axes[0].get_figure()
        self._set_scales()

    def _one(self) -> Any:
        request = self.request
        if request.ax is None:
            return pyplot().figure(figsize=request.figsize).add_subplot(111)
        if request.figsize is not None:
            request.ax.get_figure().set_size_inches(request.figsize)
        return request.ax

    def _subplots(self, count: int, form: str) -> list[Any]:
        request = self.request
        if request.ax is not None:
            given = list(np.ravel(request.ax))
            if len(given) != count:
                raise ValueError(
                    f"The number of passed axes must be {count}, the same as the output plot"
                )
            return given
        rows, columns = layout_of(count, request.layout, form)
        _, axes = pyplot().subplots(
            rows,
            columns,
            squeeze=False,
            figsize=request.figsize,
            sharex=True if request.sharex is None else request.sharex,
            sharey=request.sharey,
        )
        flat = list(axes.ravel())
        for number in range(count, len(flat)):
            flat[number].set_visible(False)
            if number - columns in range(count):  # now the lowest of its column
                flat[number - columns].tick_params(axis="x", which="both", labelbottom=True)
        return flat[:count]

    def _set_scales(self) -> None:
        request = self.request
        for each in self.axes:
            for given, name in ((request.logx, "x"), (request.logy, "y")):
                scale = given or request.loglog
                if scale:
                    getattr(each, f"set_{name}scale")("symlog" if scale == "sym" else "log")

    def axis(self, number: int) -> Any:
        """The axes that a column is drawn on."""
        return self.axes[number if self.request.subplots else 0]

    def note(self, handle: Any, label: str) -> None:
        """Remembers what the legend says."""
        self.handles.append(handle)
        self.labels.append(label)

    def finish(self, *, title: Any = None, rot: float | None = None, turned: bool = False) -> None:
        """Ticks, limits, grid, titles and the legend. ``turned``: the index runs upwards."""
        for each in self.axes:
            self._set_properties(each)
        self._set_titles()
        self._draw_legend(title)
        self.turn_labels(rot, turned=turned)

    def turn_labels(self, rot: float | None, *, turned: bool) -> None:
        """Rotates the labels of the index by what is asked for, else by `rot`."""
        for each in self.axes:
            first, other = (each.yaxis, each.xaxis) if turned else (each.xaxis, each.yaxis)
            _turn(
                first,
                self.request.rot if self.request.rot is not None else rot,
                self.request.fontsize,
            )
            _turn(other, None, self.request.fontsize)

    def _set_properties(self, axes: Any) -> None:
        request = self.request
        for name in ("yticks", "xticks", "ylim", "xlim"):
            given = getattr(request, name)
            if given is not None:
                getattr(axes, f"set_{name}")(given)
        if request.ylabel is not None:
            axes.set_ylabel(text_of(request.ylabel))
        axes.grid(request.grid)

    def _set_titles(self) -> None:
        request = self.request
        if not request.title:
            return
        if request.title_list:
            if not request.subplots:
                raise ValueError(
                    "Using `title` of type `list` is not supported unless `subplots=True` is passed"
                )
            if len(request.title) != len(self.axes):
                raise ValueError(
                    "The length of `title` must equal the number of columns if using `title` of "
                    "type `list` and `subplots=True`."
                )
            for axes, title in zip(self.axes, request.title, strict=True):
                axes.set_title(title)
        elif request.subplots:
            self.figure.suptitle(request.title)
        else:
            self.axes[0].set_title(request.title)

    def _draw_legend(self, title: Any) -> None:
        request = self.request
        if not request.legend or not self.handles:
            return
        if request.subplots:
            for each in self.axes:
                each.legend(loc="best")
            return
        axes = self.axes[0]
        before = axes.get_legend()
        handles = list(before.legend_handles) if before is not None else []
        labels = [each.get_text() for each in before.get_texts()] if before is not None else []
        own = list(zip(self.handles, self.labels, strict=True))
        for handle, label in reversed(own) if request.legend == "reverse" else own:
            handles.append(handle)
            labels.append(label)
        axes.legend(handles, labels, loc="best", title="" if title is None else title)

    def result(self) -> Any:
        """The axes as pandas gives them back."""
        if not self.request.subplots:
            return self.axes[0]
        made = np.empty(len(self.axes), object)
        made[:] = self.axes
        layout = self.request.layout
        if layout is None or self.request.ax is not None:
            return made
        rows, columns = layout_of(len(self.axes), layout, "box")
        every = np.empty(rows * columns, object)
        every[:] = self.figure.axes[: rows * columns]
        return every.reshape(rows, columns)


def _turn(axis: Any, rot: float | None, fontsize: float | None) -> None:
    if rot is None and fontsize is None:
        return
    for label in [*axis.get_majorticklabels(), *axis.get_minorticklabels()]:
        if rot is not None:
            label.set_rotation(rot)
        if fontsize is not None:
            label.set_fontsize(fontsize)


def colors_of(request: Request, count: int, labels: list[Any]) -> list[Any]:
    """A color for each column: those asked for, of a map, or of matplotlib's cycle."""
    mpl, given = matplotlib(), request.color
    if isinstance(given, dict):
        cycle = colors_of(Request(colormap=request.colormap), count, labels)
        return [given.get(label, cycle[i]) for i, label in enumerate(labels)]
    if given is not None:
        if isinstance(given, (str, tuple)):
            return [given] * count
        listed = list(given)
        if not listed:
            raise ValueError("Invalid color argument: an empty list")
        return [listed[i % len(listed)] for i in range(count)]
    if request.colormap is not None:
        table = (
            mpl.colormaps[request.colormap]
            if isinstance(request.colormap, str)
            else (request.colormap)
        )
        return [table(each) for each in np.linspace(0, 1, num=count)]
    cycle = [each["color"] for each in mpl.rcParams["axes.prop_cycle"]]
    return [cycle[i % len(cycle)] for i in range(count)]
