"""Bars, boxes and pies: what has a place for each label."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import above
from ..columns.making import column_of
from ..indexes.making import index_of
from .figures import Canvas, colors_of
from .lines import _index_name, _missing
from .request import Drawn, Request, pyplot, text_of


class Bars:
    """Bars of all columns, beside each other, on each other or in subplots."""

    def __init__(self, drawn: Drawn, request: Request, *, turned: bool) -> None:
        self._drawn, self._request, self._turned = drawn, request, turned
        more = request.more
        self._width = more.pop("width", 0.5)
        self._position = more.pop("position", 0.5)
        self._align = more.pop("align", "center")
        self._log = more.pop("log", False)
        start = more.pop("left" if turned else "bottom", 0)
        self._start = np.asarray(start) if isinstance(start, (list, tuple)) else start
        self._shares = bool(request.stacked) or request.subplots
        self._canvas = Canvas(request, len(drawn.labels))
        self._ticks = np.arange(len(drawn.index))

    def _offset(self) -> float:
        width = float(self._width)
        if not self._shares and self._align == "edge":
            return width * (float(self._position) - 0.5) + width / len(self._drawn.labels) * 0.5
        return float(width * self._position)

    def _limit_offset(self) -> float:
        if self._align != "edge":
            return 0.0
        return float(self._width) / (2 if self._shares else 2 * len(self._drawn.labels))

    def draw(self) -> Any:
        """Draws all columns and gives the axes back."""
        first = self._ticks - self._offset()
        up = down = np.zeros(len(self._ticks))
        count = len(self._drawn.labels)
        colors = colors_of(self._request, count, self._drawn.labels)
        several = self._request.color is not None and not isinstance(
            self._request.color, (str, tuple, dict)
        )
        for i, (label, given) in enumerate(self._drawn.pairs()):
            y = np.nan_to_num(given)
            width = self._width if self._shares else self._width / count
            start = self._start + (1 if self._log and (y >= 1).all() else 0)
            places = first + (0.5 * width if self._shares else (i + 0.5) * width)
            if self._request.stacked and not self._request.subplots:
                start = np.where(y >= 0, up, down) + self._start
                up, down = up + np.where(y >= 0, y, 0), down + np.where(y >= 0, 0, y)
            # One column takes a list of colors bar by bar.
            color = list(self._request.color) if several and count == 1 else colors[i]
            rects = self._bar(i, (places, y, width, start), {"label": label, "color": color})
            self._canvas.note(rects, label)
            if self._request.subplots:
                self._canvas.axis(i).set_title(label)
        self._decorate(first)
        return self._canvas.result()

    def _bar(self, number: int, shape: tuple[Any, ...], keywords: dict[str, Any]) -> Any:
        places, y, width, start = shape
        axes = self._canvas.axis(number)
        keywords = {"align": self._align, "log": self._log, **keywords, **self._request.more}
        if self._turned:
            return axes.barh(places, y, width, left=start, **keywords)
        return axes.bar(places, y, width, bottom=start, **keywords)

    def _decorate(self, first: np.ndarray) -> None:
        drawn, request = self._drawn, self._request
        index = drawn.index if request.use_index else range(len(drawn.index))
        texts = [text_of(each) for each in index]
        along, name = ("y", request.ylabel) if self._turned else ("x", request.xlabel)
        label = name if name is not None else _index_name(drawn)
        # The places of the bars outweigh limits that were asked for, as in pandas.
        self._canvas.finish(title=drawn.title, turned=self._turned)
        for axes in self._canvas.axes:
            if len(first):
                low = first[0] - 0.25 + self._limit_offset()
                high = first[-1] + 0.25 + self._width + self._limit_offset()
                getattr(axes, f"set_{along}lim")((low, high))
            getattr(axes, f"set_{along}ticks")(self._ticks)
            getattr(axes, f"set_{along}ticklabels")(texts)
            if label is not None and request.use_index:
                getattr(axes, f"set_{along}label")(text_of(label))
            if self._turned and request.xlabel is not None:
                axes.set_xlabel(text_of(request.xlabel))
        self._canvas.turn_labels(0 if self._turned else 90, turned=self._turned)


def draw_bars(drawn: Drawn, request: Request) -> Any:
    """A bar upwards for each row and column."""
    return Bars(drawn, request, turned=False).draw()


def draw_lying_bars(drawn: Drawn, request: Request) -> Any:
    """A bar to the right for each row and column."""
    return Bars(drawn, request, turned=True).draw()


def draw_boxes(drawn: Drawn, request: Request) -> Any:
    """A box for each column: quartiles, whiskers and what lies outside of them."""
    if request.subplots:
        request.sharex = False  # each has a label of its own
    canvas = Canvas(request, len(drawn.labels), "horizontal")
    kind = request.more.pop("return_type", "axes")
    texts = [text_of(each) for each in drawn.labels]
    values = [each[~_missing(each)] for each in drawn.arrays]
    values = [each if len(each) else np.array([np.nan]) for each in values]
    groups = (
        [([each], [text]) for each, text in zip(values, texts, strict=True)]
        if request.subplots
        else [(values, texts)]
    )
    boxes = None
    for axes, (arrays, labels) in zip(canvas.axes, groups, strict=True):
        boxes = axes.boxplot(arrays, **request.more)
        color_boxes(boxes, request)
        label_boxes(axes, labels, request.more)
        if request.xlabel:
            axes.set_xlabel(text_of(request.xlabel))
    canvas.finish(rot=0)
    if kind == "dict":
        return boxes
    if request.subplots:
        objects = column_of(canvas.axes, np.dtype(object))
        return above.Series._of(objects, index_of(drawn.labels))
    return canvas.result()


def label_boxes(axes: Any, labels: list[str], more: dict[str, Any]) -> None:
    """Writes what boxes are of; axes that are shared, or drawn on again, have ticks of others."""
    is_lying = not more.get("vert", True) or more.get("orientation") == "horizontal"
    axis = axes.yaxis if is_lying else axes.xaxis
    axis.set_ticklabels(labels * max(len(axis.get_majorticklocs()) // len(labels), 1))


def color_boxes(boxes: dict[str, Any], request: Request) -> None:
    """Colors boxes as pandas does, or as asked for. Raises ValueError for unknown parts."""
    setp = pyplot().setp
    cycle = colors_of(Request(colormap=request.colormap), 3, [0, 1, 2])
    usual = {"boxes": cycle[0], "whiskers": cycle[0], "medians": cycle[2], "caps": cycle[0]}
    given = request.color
    if isinstance(given, dict):
        for key in given:
            if key not in usual:
                raise ValueError(
                    f"color dict contains invalid key '{key}'. The key must be either {list(usual)}"
                )
        usual |= given
    elif given is not None:
        usual = dict.fromkeys(usual, given)
    for name, color in usual.items():
        if not request.more.get(f"{name.removesuffix('s').removesuffix('e')}props"):
            setp(boxes[name], color=color, alpha=1)


def draw_pies(drawn: Drawn, request: Request) -> Any:
    """A pie for each column, with a slice for each row."""
    for each in drawn.arrays:
        if (np.nan_to_num(each) < 0).any():
            raise ValueError("pie plot doesn't allow negative values")
    canvas = Canvas(request, len(drawn.labels), "horizontal")
    names = [text_of(each) for each in drawn.index]
    labels = request.more.pop("labels", names)
    request.more.setdefault("colors", colors_of(request, len(names), names))
    for i, (_, given) in enumerate(drawn.pairs()):
        y = np.nan_to_num(given)
        axes = canvas.axis(i)
        shown = labels
        if labels is not None:
            shown = ["" if value == 0 else text for text, value in zip(labels, y, strict=True)]
        patches, *texts = axes.pie(y, labels=shown, **request.more)
        if request.fontsize is not None:
            for text in (each for group in texts for each in group):
                text.set_fontsize(request.fontsize)
        for patch, text in zip(patches, names if labels is None else labels, strict=True):
            canvas.note(patch, text)
    canvas.finish(title=drawn.title)
    return canvas.result()
