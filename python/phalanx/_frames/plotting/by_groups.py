"""What `hist` and `boxplot` draw with the keyword `by`: groups beside each other."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..building.kinds import is_list_like
from .bars import color_boxes, label_boxes
from .figures import Canvas, _turn
from .lines import _missing
from .request import Request, array_of, text_of


def box_of_axes(request: Request, count: int) -> Canvas:
    """So many axes in rows and columns, of the figure or those given."""
    request.subplots = request.ax is None or count > 1
    return Canvas(request, count, "box")


def _table(canvas: Canvas) -> Any:
    """The axes as matplotlib's `subplots` gives them: one, or an array without empty dimensions."""
    if len(canvas.axes) == 1:
        return canvas.axes[0]
    grid = canvas.axes[0].get_subplotspec().get_gridspec()
    every = np.empty(grid.nrows * grid.ncols, object)
    every[:] = canvas.figure.axes[: len(every)]
    return every.reshape(grid.nrows, grid.ncols).squeeze()


def boxes_by(frame: Any, column: Any, by: Any, request: Request, more: dict[str, Any]) -> Any:
    """A box of each group of ``by`` in axes of each column. Raises KeyError for labels."""
    keys = list(by) if is_list_like(by) else [by]
    if column is None:
        column = frame._numeric().columns.difference(keys).tolist()
        by = keys
    columns = list(column) if is_list_like(column) else [column]
    request.sharex = request.sharey = True
    canvas = box_of_axes(request, len(columns))
    groups = frame.groupby(keys if len(keys) > 1 else keys[0], observed=False)
    for axes, label in zip(canvas.axes, columns, strict=True):
        parts = [(text_of(key), array_of(part._parts[0])) for key, part in groups[label]]
        color_boxes(axes.boxplot([each[~_missing(each)] for _, each in parts], **more), request)
        label_boxes(axes, [text for text, _ in parts], more)
        axes.set_title(text_of(label))
        axes.set_xlabel(f"[{', '.join(map(text_of, by))}]" if is_list_like(by) else text_of(by))
        axes.grid(request.grid)
        _turn(axes.xaxis, request.rot, request.fontsize)
    named = text_of(keys[0]) if len(keys) == 1 else str(keys)
    canvas.figure.suptitle(f"Boxplot grouped by {named}")
    canvas.figure.subplots_adjust(bottom=0.15, top=0.9, left=0.1, right=0.9, wspace=0.2)
    return _table(canvas)


def histograms_by(data: Any, by: Any, request: Request, bins: Any, more: dict[str, Any]) -> Any:
    """A histogram of each group of ``by`` in axes of its own. Raises KeyError for labels."""
    parts = dict(iter(data.groupby(by)))
    canvas = box_of_axes(request, len(parts))
    for axes, (key, part) in zip(canvas.axes, parts.items(), strict=True):
        shown = part if part.ndim == 1 else part._numeric()
        for each in map(array_of, shown._parts):
            axes.hist(each[~_missing(each)], bins=bins, **more)
        axes.set_title(text_of(key))
        axes.grid(request.grid)
        _turn(axes.xaxis, 90 if request.rot is None else request.rot, request.fontsize)
    canvas.figure.subplots_adjust(bottom=0.15, top=0.9, left=0.1, right=0.9, wspace=0.3, hspace=0.5)
    return _table(canvas)
