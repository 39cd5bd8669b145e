"""`.plot` of frames and series, `hist` and `boxplot`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from ..building.columns import is_series
from ..building.kinds import is_list_like
from ..dtypes import family
from ..indexes.making import index_of
from ..shared.base import Labelled
from .bars import draw_bars, draw_boxes, draw_lying_bars, draw_pies
from .by_groups import boxes_by, histograms_by
from .figures import Canvas, _turn
from .lines import _missing, draw_areas, draw_densities, draw_histograms, draw_lines
from .points import draw_hexagons, draw_points
from .request import Drawn, Request, array_of, drawn_of, pyplot, request_of, text_of

_KINDS: dict[str, Callable[[Drawn, Request], Any]] = {
    "line": draw_lines,
    "area": draw_areas,
    "bar": draw_bars,
    "barh": draw_lying_bars,
    "hist": draw_histograms,
    "kde": draw_densities,
    "density": draw_densities,
    "box": draw_boxes,
    "pie": draw_pies,
}
_PLANES = {"scatter": draw_points, "hexbin": draw_hexagons}
_NUMBERS = ("number", "nullable")


class PlotAccessor:
    """Plots by matplotlib under pandas' names; each gives the axes back."""

    def __init__(self, data: Any) -> None:
        self._data = data

    def __call__(self, *args: Any, kind: str = "line", **keywords: Any) -> Any:
        """A plot of a kind: line, bar, barh, hist, box, kde, density, area, pie, scatter, hexbin.

        Keywords are pandas'; those that no plot has go to matplotlib. Raises ValueError for
        another kind, KeyError for columns that are not there, TypeError where nothing is a number,
        ImportError without matplotlib, and NotImplementedError for what is not supported.
        """
        if args and self._data.ndim == 1:
            raise TypeError("`Series.plot()` should not be called with positional arguments")
        named = dict(zip(("x", "y", "kind"), args, strict=False))
        kind = named.pop("kind", kind)
        keywords = {**named, **keywords}
        if kind not in _KINDS and kind not in _PLANES:
            raise ValueError(
                f"{kind} is not a valid plot kind Valid plot kinds: {[*_KINDS, *_PLANES]}"
            )
        x, y = keywords.pop("x", None), keywords.pop("y", None)
        request = request_of(keywords, is_series=self._data.ndim == 1)
        plt = pyplot()
        if self._data.ndim == 1 and request.ax is None and plt.get_fignums():
            request.ax = plt.gca()
        if kind in _PLANES:
            if self._data.ndim == 1:
                raise ValueError(f"plot kind {kind} can only be used for data frames")
            return _PLANES[kind](self._data, x, y, request)
        return _KINDS[kind](self._drawn(kind, x, y, request), request)

    def _drawn(self, kind: str, x: Any, y: Any, request: Request) -> Drawn:
        data = self._data
        if data.ndim == 1:
            name = request.label if request.label is not None else data.name
            frame = data.to_frame("" if name is None else name)
        else:
            if kind == "pie" and y is None and not request.subplots:
                raise ValueError("pie requires either y column or 'subplots=True'")
            frame = _columns_against(data, x, y, request)
        return drawn_of(frame, request, _NUMBERS if kind == "box" else ())

    def line(self, x: Any = None, y: Any = None, **keywords: Any) -> Any:
        """A line for each column."""
        return self(kind="line", x=x, y=y, **keywords)

    def bar(self, x: Any = None, y: Any = None, **keywords: Any) -> Any:
        """A bar upwards for each row."""
        return self(kind="bar", x=x, y=y, **keywords)

    def barh(self, x: Any = None, y: Any = None, **keywords: Any) -> Any:
        """A bar to the right for each row."""
        return self(kind="barh", x=x, y=y, **keywords)

    def area(self, x: Any = None, y: Any = None, stacked: bool = True, **keywords: Any) -> Any:
        """A filled area for each column, by default one on the other."""
        return self(kind="area", x=x, y=y, stacked=stacked, **keywords)

    def hist(self, by: Any = None, bins: Any = 10, **keywords: Any) -> Any:
        """A histogram for each column."""
        return self(kind="hist", by=by, bins=bins, **keywords)

    def box(self, by: Any = None, **keywords: Any) -> Any:
        """A box plot for each column."""
        return self(kind="box", by=by, **keywords)

    def kde(self, bw_method: Any = None, ind: Any = None, weights: Any = None, **more: Any) -> Any:
        """A kernel density estimate for each column, by SciPy."""
        return self(kind="kde", bw_method=bw_method, ind=ind, weights=weights, **more)

    density = kde

    def pie(self, **keywords: Any) -> Any:
        """A slice for each row."""
        return self(kind="pie", **keywords)

    def scatter(self, x: Any, y: Any, s: Any = None, c: Any = None, **keywords: Any) -> Any:
        """A point for each row."""
        return self(kind="scatter", x=x, y=y, s=s, c=c, **keywords)

    def hexbin(self, x: Any, y: Any, C: Any = None, **keywords: Any) -> Any:
        """Hexagons colored by the rows in them; ``reduce_C_function``, ``gridsize`` as pandas."""
        more = {name: each for name, each in keywords.items() if each is not None}
        return self(kind="hexbin", x=x, y=y, C=C, **more)


def _columns_against(frame: Any, x: Any, y: Any, request: Request) -> Any:
    """The columns that are drawn over the index, or over a column as one."""
    if x is not None:
        label = _label(frame, x)
        frame = frame.set_index(label)
    if y is None:
        return frame
    chosen = [_label(frame, each) for each in y] if is_list_like(y) else [_label(frame, y)]
    made = frame[chosen]
    if request.label is not None:
        names = list(request.label) if is_list_like(request.label) else [request.label]
        if len(names) != len(chosen):
            raise ValueError("label should be list-like and same length as y")
        made = made.set_axis(index_of(names), axis=1)
    return made


def _label(frame: Any, given: Any) -> Any:
    if isinstance(given, (int, np.integer)) and frame.columns.inferred_type != "integer":
        return frame.columns[given]
    return given


class Plotting(Labelled):
    """`.plot`."""

    @property
    def plot(self) -> PlotAccessor:
        """Plots by matplotlib: ``plot.bar()``, ``plot(kind="bar")``."""
        return PlotAccessor(self)


class SeriesPlotting(Plotting):
    """`.plot` and `hist`."""

    def hist(
        self,
        by: Any = None,
        ax: Any = None,
        grid: bool = True,
        xlabelsize: Any = None,
        xrot: Any = None,
        ylabelsize: Any = None,
        yrot: Any = None,
        figsize: Any = None,
        bins: Any = 10,
        backend: Any = None,
        legend: bool = False,
        **kwargs: Any,
    ) -> Any:
        """A histogram of the values, or of each group of ``by`` in axes of its own.

        Raises ImportError without matplotlib.
        """
        request_of({"backend": backend}, is_series=True)
        if by is not None:
            request = Request(ax=ax, figsize=figsize, grid=grid, rot=xrot, fontsize=xlabelsize)
            request.sharex = False
            return histograms_by(self, by, request, bins, kwargs)
        if legend and "label" in kwargs:
            raise ValueError("Cannot use both legend and label")
        if legend:
            kwargs["label"] = self.name  # type: ignore[attr-defined]
        plt = pyplot()
        if ax is None and plt.get_fignums() and figsize is None:
            ax = plt.gca()
        axes = Canvas(Request(ax=ax, figsize=figsize), 1).axes[0]
        values = array_of(self._parts[0])
        axes.hist(values[~_missing(values)], bins=bins, **kwargs)
        axes.grid(grid)
        if legend:
            axes.legend()
        _turn(axes.xaxis, xrot, xlabelsize)
        _turn(axes.yaxis, yrot, ylabelsize)
        return axes


class FramePlotting(Plotting):
    """`.plot`, `hist` and `boxplot`."""

    def hist(
        self,
        column: Any = None,
        by: Any = None,
        grid: bool = True,
        xlabelsize: Any = None,
        xrot: Any = None,
        ylabelsize: Any = None,
        yrot: Any = None,
        ax: Any = None,
        sharex: bool = False,
        sharey: bool = False,
        figsize: Any = None,
        layout: Any = None,
        bins: Any = 10,
        backend: Any = None,
        legend: bool = False,
        **kwargs: Any,
    ) -> Any:
        """A histogram of each column, in a table of axes; with ``by`` one of each group.

        Raises ImportError without matplotlib, ValueError where there is no number.
        """
        request_of({"backend": backend}, is_series=False)
        if legend and "label" in kwargs:
            raise ValueError("Cannot use both legend and label")
        if by is not None:
            request = Request(ax=ax, figsize=figsize, layout=layout, sharex=sharex, sharey=sharey)
            request.grid, request.rot, request.fontsize = grid, xrot, xlabelsize
            return histograms_by(_beside(self, column, by), by, request, bins, kwargs)
        frame = _chosen(self, column)
        labels, arrays = _numbers_and_dates(frame)
        if not labels:
            raise ValueError("hist method requires numerical or datetime columns, nothing to plot.")
        request = Request(sharex=sharex, sharey=sharey, figsize=figsize, layout=layout)
        request.ax, request.subplots = ax, ax is None or len(labels) > 1
        canvas = Canvas(request, len(labels), "box")
        for axes, label, values in zip(canvas.axes, labels, arrays, strict=True):
            if legend:
                kwargs["label"] = label
            axes.hist(values[~_missing(values)], bins=bins, **kwargs)
            axes.set_title(text_of(label))
            axes.grid(grid)
            if legend:
                axes.legend()
            _turn(axes.xaxis, xrot, xlabelsize)
            _turn(axes.yaxis, yrot, ylabelsize)
        canvas.figure.subplots_adjust(wspace=0.3, hspace=0.3)
        if ax is not None:
            made = np.empty(len(canvas.axes), object)
            made[:] = canvas.axes
            return made
        return _table_of_axes(canvas)

    def boxplot(
        self,
        column: Any = None,
        by: Any = None,
        ax: Any = None,
        fontsize: Any = None,
        rot: float = 0,
        grid: bool = True,
        figsize: Any = None,
        layout: Any = None,
        return_type: str | None = None,
        backend: Any = None,
        **kwargs: Any,
    ) -> Any:
        """A box plot of each column of numbers, with ``by`` of each group in axes of the column.

        Raises ImportError without matplotlib, ValueError for another ``return_type``, and for a
        layout without ``by``.
        """
        request_of({"backend": backend}, is_series=False)
        if return_type not in (None, "axes", "dict"):
            raise ValueError("return_type must be {'axes', 'dict'}")
        if by is not None:
            request = Request(ax=ax, figsize=figsize, layout=layout, fontsize=fontsize, rot=rot)
            request.grid = grid
            return boxes_by(self, column, by, request, kwargs)
        if layout is not None:
            raise ValueError("The 'layout' keyword is not supported when 'by' is None")
        plt = pyplot()
        if ax is None and figsize is None:
            ax = plt.gca()
        request = Request(ax=ax, figsize=figsize, fontsize=fontsize, rot=rot, grid=grid)
        request.more = {**kwargs, "return_type": return_type or "axes"}
        return draw_boxes(drawn_of(_chosen(self, column), request, _NUMBERS), request)


def _chosen(frame: Any, column: Any) -> Any:
    if column is None:
        return frame
    listed = list(column) if isinstance(column, (list, np.ndarray)) or is_series(column) else None
    return frame[[column] if listed is None else listed]


def _beside(frame: Any, column: Any, by: Any) -> Any:
    """The columns that are chosen, and those of their groups."""
    if column is None:
        return frame
    keys = [each for each in (by if is_list_like(by) else [by]) if each in frame.columns]
    return frame[[*(column if is_list_like(column) else [column]), *keys]]


def _numbers_and_dates(frame: Any) -> tuple[list[Any], list[np.ndarray]]:
    found = [
        (label, array_of(part))
        for label, part in zip(frame.columns, frame._parts, strict=True)
        if family(part.dtype) in ("number", "nullable", "datetime", "zoned")
        and str(part.dtype) != "boolean"
    ]
    return [label for label, _ in found], [values for _, values in found]


def _table_of_axes(canvas: Canvas) -> np.ndarray:
    """All axes of the figure as rows and columns, those without a plot too."""
    grid = canvas.axes[0].get_subplotspec().get_gridspec()
    made = np.empty(grid.nrows * grid.ncols, object)
    made[:] = canvas.figure.axes[: len(made)]
    return made.reshape(grid.nrows, grid.ncols)
