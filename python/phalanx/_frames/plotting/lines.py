"""Lines, areas, densities and histograms: what is drawn column by column."""

from __future__ import annotations

import importlib
from typing import Any

import numpy as np

from ..dtypes import family
from .figures import Canvas, colors_of
from .request import Drawn, Request, array_of, text_of


def places_of(drawn: Drawn, request: Request) -> tuple[np.ndarray, bool]:
    """Where rows are drawn, and whether their labels have to be written there."""
    index = drawn.index
    if request.use_index and index.nlevels == 1:
        column = index._values_column()
        kind = family(column.dtype)
        if kind in ("number", "nullable") or kind in ("datetime", "zoned"):
            return array_of(column), False
    return np.arange(len(index)), request.use_index


def style_of(request: Request, number: int, label: Any) -> Any:
    """The format that a column is drawn in, as matplotlib's "r--"; None: none."""
    style = request.style
    if isinstance(style, dict):
        return style.get(label)
    if isinstance(style, (list, tuple)):
        return style[number] if number < len(style) else None
    return style


def _has_color(style: Any) -> bool:
    return isinstance(style, str) and any(each in "bgrcmykw" for each in style)


def _keywords(request: Request, colors: list[Any], number: int, style: Any) -> dict[str, Any]:
    made = dict(request.more)
    asked = request.color is not None or request.colormap is not None or request.subplots
    if asked and not _has_color(style):  # else it is the next of the axes' own cycle
        made.setdefault("color", colors[number])
    return made


def _plain(axes: Any, x: Any, y: np.ndarray, style: Any, keywords: dict[str, Any]) -> Any:
    hidden = np.isnat(y) if y.dtype.kind in "mM" else np.isnan(y.astype(np.float64))
    values = np.ma.masked_where(hidden, y) if hidden.any() else y
    args = (x, values) if style is None else (x, values, style)
    return axes.plot(*args, **keywords)


class Stack:
    """The heights that columns before have, upwards and downwards."""

    def __init__(self, count: int) -> None:
        self._up = np.zeros(count)
        self._down = np.zeros(count)

    def base(self, values: np.ndarray, label: str) -> np.ndarray:
        """Where a column begins. Raises ValueError where it goes both ways."""
        if (values >= 0).all():
            return self._up
        if (values <= 0).all():
            return self._down
        raise ValueError(
            "When stacked is True, each column must be either all positive or all negative. "
            f"Column '{label}' contains both positive and negative values"
        )

    def add(self, values: np.ndarray) -> None:
        """Counts a column in."""
        if (values >= 0).all():
            self._up = self._up + values
        else:
            self._down = self._down + values


def draw_lines(drawn: Drawn, request: Request) -> Any:
    """A line for each column; ``stacked`` ones begin where those before end."""
    canvas = Canvas(request, len(drawn.labels))
    x, writes = places_of(drawn, request)
    colors = colors_of(request, len(drawn.labels), drawn.labels)
    stack = Stack(len(x)) if request.stacked else None
    for i, (label, y) in enumerate(drawn.pairs()):
        if stack is not None and request.subplots:
            stack = Stack(len(x))
        style = style_of(request, i, drawn.labels[i])
        keywords = {**_keywords(request, colors, i, style), "label": label}
        if stack is not None:
            values = np.nan_to_num(y)
            y = stack.base(values, label) + values
            stack.add(values)
        (line, *_) = _plain(canvas.axis(i), x, y, style, keywords)
        canvas.note(line, label)
    return _finished(canvas, drawn, writes)


def draw_areas(drawn: Drawn, request: Request) -> Any:
    """A filled area for each column, above those before unless ``stacked`` is False."""
    if request.logy or request.loglog:
        raise ValueError("Log-y scales are not supported in area plot")
    is_stacked = request.stacked is None or request.stacked
    canvas = Canvas(request, len(drawn.labels))
    x, writes = places_of(drawn, request)
    colors = colors_of(request, len(drawn.labels), drawn.labels)
    if not is_stacked:
        request.more.setdefault("alpha", 0.5)
    stack = Stack(len(x))
    signs = set()
    for i, (label, given) in enumerate(drawn.pairs()):
        axes, values = canvas.axis(i), np.nan_to_num(given)
        stack = Stack(len(x)) if request.subplots else stack
        style = style_of(request, i, drawn.labels[i])
        keywords = _keywords(request, colors, i, style)
        start = stack.base(values, label) if is_stacked else np.zeros(len(values))
        (line, *_) = _plain(axes, x, start + values, style, keywords)
        keywords.setdefault("color", line.get_color())
        ends = line.get_data(orig=False)
        canvas.note(axes.fill_between(ends[0], start, ends[1], label=label, **keywords), label)
        if is_stacked:
            stack.add(values)
        signs |= {"+"} if (values >= 0).all() else {"-"} if (values <= 0).all() else {"+", "-"}
    if request.ylim is None and len(signs) == 1:
        for axes in canvas.axes:
            axes.set_ylim(*((0, None) if signs == {"+"} else (None, 0)))
    return _finished(canvas, drawn, writes)


def _finished(canvas: Canvas, drawn: Drawn, writes: bool) -> Any:
    request = canvas.request
    name = _index_name(drawn)
    for axes in canvas.axes:
        if writes:
            _write_labels(axes, drawn)
        label = request.xlabel if request.xlabel is not None else name
        if label is not None and request.use_index:
            axes.set_xlabel(text_of(label))
    is_date = drawn.index.nlevels == 1 and drawn.index.dtype.kind == "M" and request.use_index
    if is_date and request.rot is None:
        canvas.figure.autofmt_xdate()
    canvas.finish(title=drawn.title, rot=None if is_date else 0)
    return canvas.result()


def _index_name(drawn: Drawn) -> Any:
    names = list(drawn.index.names)
    if len(names) == 1:
        return names[0]
    return None if all(each is None for each in names) else ",".join(map(text_of, names))


def _write_labels(axes: Any, drawn: Drawn) -> None:
    ticker = importlib.import_module("matplotlib.ticker")
    ticks = axes.get_xticks()
    count = len(drawn.index)
    texts = [
        text_of(drawn.index[int(each)]) if float(each).is_integer() and 0 <= each < count else ""
        for each in ticks
    ]
    axes.xaxis.set_major_locator(ticker.FixedLocator(ticks))
    axes.set_xticklabels(texts)


def draw_histograms(drawn: Drawn, request: Request) -> Any:
    """A histogram for each column, whose bins are those of all values together."""
    bins = request.more.pop("bins", 10)
    limits = request.more.pop("range", None)
    weights = request.more.pop("weights", None)
    bottom = request.more.pop("bottom", 0)
    if isinstance(bins, (int, np.integer, str)):
        # pandas counts bools in here, which it does not draw.
        values = np.concatenate([each.astype(np.float64) for each in drawn.arrays + drawn.bools])
        bins = np.histogram_bin_edges(values[~_missing(values)], bins=bins, range=limits)
    canvas = Canvas(request, len(drawn.labels))
    colors = colors_of(request, len(drawn.labels), drawn.labels)
    heights = np.zeros(len(bins) - 1)
    for i, (label, y) in enumerate(drawn.pairs()):
        keywords = _keywords(request, colors, i, None)
        there = ~_missing(y)
        if weights is not None:
            own = np.asarray(weights)
            keywords["weights"] = (own if own.ndim == 1 else own[:, i])[there]
        base = bottom + (heights if request.stacked else 0)
        counts, _, patches = canvas.axis(i).hist(
            y[there], bins=bins, bottom=base, label=label, **keywords
        )
        heights = heights + counts
        canvas.note(patches[0], label)
    is_turned = request.more.get("orientation") == "horizontal"
    for axes in canvas.axes:
        named = {"set_xlabel": request.xlabel, "set_ylabel": request.ylabel}
        frequency = "set_xlabel" if is_turned else "set_ylabel"
        named[frequency] = "Frequency" if named[frequency] is None else named[frequency]
        for method, text in named.items():
            if text is not None:
                getattr(axes, method)(text)
    canvas.finish(title=drawn.title, rot=0, turned=is_turned)
    return canvas.result()


def _missing(values: np.ndarray) -> np.ndarray:
    return np.isnat(values) if values.dtype.kind in "mM" else np.isnan(values.astype(np.float64))


def draw_densities(drawn: Drawn, request: Request) -> Any:
    """A kernel density estimate for each column, by SciPy."""
    try:
        stats = importlib.import_module("scipy.stats")
    except ImportError:
        raise ImportError("plots of densities need SciPy: pip install scipy") from None
    method = request.more.pop("bw_method", None)
    given = request.more.pop("ind", None)
    weights = request.more.pop("weights", None)
    canvas = Canvas(request, len(drawn.labels))
    colors = colors_of(request, len(drawn.labels), drawn.labels)
    for i, (label, y) in enumerate(drawn.pairs()):
        values = y[~_missing(y)].astype(np.float64)
        places = _density_places(values, given)
        heights = stats.gaussian_kde(values, bw_method=method, weights=weights).evaluate(places)
        style = style_of(request, i, drawn.labels[i])
        keywords = {**_keywords(request, colors, i, style), "label": label}
        (line, *_) = _plain(canvas.axis(i), places, heights, style, keywords)
        canvas.note(line, label)
    for axes in canvas.axes:
        axes.set_ylabel("Density")
    canvas.finish(title=drawn.title, rot=0)
    return canvas.result()


def _density_places(values: np.ndarray, given: Any) -> np.ndarray:
    if given is not None and not isinstance(given, (int, np.integer)):
        return np.asarray(given)
    spread = values.max() - values.min()
    count = 1000 if given is None else int(given)
    return np.linspace(values.min() - 0.5 * spread, values.max() + 0.5 * spread, count)
