"""Scatter plots and hexagons: one column against another."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..columns.categories import CategoryColumn
from ..dtypes import family
from .figures import Canvas
from .request import Request, array_of, matplotlib, text_of


def _column(frame: Any, label: Any) -> Any:
    if isinstance(label, (int, np.integer)) and label not in frame.columns:
        label = frame.columns[label]
    return frame._parts[frame.columns.get_loc(label)], label


def _is_label(frame: Any, given: Any) -> bool:
    try:
        return given is not None and given in frame.columns
    except TypeError:
        return False


def _pair(frame: Any, x: Any, y: Any, kind: str) -> tuple[Any, Any, Any, Any]:
    if x is None or y is None:
        raise ValueError(f"{kind} requires an x and y column")
    (one, x), (other, y) = _column(frame, x), _column(frame, y)
    return one, other, x, y


def draw_points(frame: Any, x: Any, y: Any, request: Request) -> Any:
    """A point for each row: its places, and if asked for its size and color, are columns."""
    one, other, x, y = _pair(frame, x, y, "scatter")
    more = request.more
    sizes, c = more.pop("s", None), more.pop("c", None)
    asked_bar = more.pop("colorbar", None)
    sizes = 20 if sizes is None else sizes
    if _is_label(frame, sizes):
        sizes = array_of(_column(frame, sizes)[0])
    if c is not None and request.color is not None:
        raise TypeError("Specify exactly one of `c` and `color`")
    if isinstance(c, (int, np.integer)) and c not in frame.columns:
        c = frame.columns[c]
    canvas = Canvas(request, 1)
    axes = canvas.axes[0]
    is_column = _is_label(frame, c)
    values, more["cmap"] = _colors(frame, c, is_column, request)
    label = request.label if request.legend else None
    if values is not None:
        more["c"] = values
    drawn = axes.scatter(array_of(one), array_of(other), s=sizes, label=label, **more)
    is_number = not isinstance(values, str) and np.asarray(values).dtype.kind in "iuf"
    if asked_bar if asked_bar is not None else (is_number and (is_column or request.colormap)):
        canvas.figure.colorbar(drawn, ax=axes, label=text_of(c) if is_column else "")
    if label is not None:
        canvas.note(drawn, label)
    _name_axes(axes, x, y, request)
    canvas.finish()
    return canvas.result()


def _colors(frame: Any, c: Any, is_column: bool, request: Request) -> tuple[Any, Any]:
    values: Any = request.color
    if is_column:
        column = _column(frame, c)[0]
        if isinstance(column, CategoryColumn):
            raise NotImplementedError("plot.scatter: colors by category; pass their codes as `c`")
        values = array_of(column)
        if family(column.dtype) == "text":
            values = values.tolist()
    elif c is not None:
        values = c
    elif values is None:
        values = matplotlib().rcParams["patch.facecolor"]
    if request.colormap is not None:
        return values, request.colormap
    is_whole = not isinstance(values, str) and np.asarray(values).dtype.kind in "iu"
    return values, "Greys" if is_whole else None


def draw_hexagons(frame: Any, x: Any, y: Any, request: Request) -> Any:
    """Hexagons colored by how many rows they have, or by what a column is there."""
    one, other, x, y = _pair(frame, x, y, "hexbin")
    for part, name in ((one, "x"), (other, "y")):
        if family(part.dtype) not in ("number", "nullable"):
            raise ValueError(f"hexbin requires {name} column to be numeric")
    chosen = request.more.pop("C", None)
    has_bar = request.more.pop("colorbar", True)
    canvas = Canvas(request, 1)
    axes = canvas.axes[0]
    values = None if chosen is None else array_of(_column(frame, chosen)[0])
    drawn = axes.hexbin(
        array_of(one), array_of(other), C=values, cmap=request.colormap, **request.more
    )
    if has_bar:
        canvas.figure.colorbar(drawn, ax=axes)
    _name_axes(axes, x, y, request)
    canvas.finish()
    return canvas.result()


def _name_axes(axes: Any, x: Any, y: Any, request: Request) -> None:
    axes.set_xlabel(text_of(x if request.xlabel is None else request.xlabel))
    axes.set_ylabel(text_of(y if request.ylabel is None else request.ylabel))
