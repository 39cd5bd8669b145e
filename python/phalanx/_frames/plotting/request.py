"""What a plot is asked to be: pandas' keywords, and the data in the form that is drawn."""

from __future__ import annotations

import importlib
from dataclasses import dataclass, field, fields
from typing import Any

import numpy as np

from ..building.kinds import is_list_like
from ..columns import Column
from ..columns.making import column_of
from ..dtypes import family
from ..indexes.index import Index
from ..scalars.cells import moment_text

# Keywords of pandas that are not supported: what they are without effect.
LEFT_OUT = {
    "secondary_y": False, "table": False, "yerr": None, "xerr": None, "mark_right": True,
    "by": None, "column": None,
}  # fmt: skip


def matplotlib() -> Any:
    """matplotlib itself, which `pyplot` has found before."""
    return importlib.import_module("matplotlib")


def pyplot() -> Any:
    """matplotlib's pyplot. Raises ImportError that says what to install."""
    try:
        return importlib.import_module("matplotlib.pyplot")
    except ImportError:
        raise ImportError("plots need matplotlib: pip install matplotlib") from None


@dataclass
class Request:
    """The keywords that all kinds of plots have; the others are matplotlib's or the kind's own."""

    ax: Any = None
    subplots: bool = False
    sharex: bool | None = None
    sharey: bool = False
    layout: Any = None
    figsize: Any = None
    use_index: bool = True
    title: Any = None
    grid: bool | None = None
    legend: Any = True
    style: Any = None
    logx: Any = False
    logy: Any = False
    loglog: Any = False
    xticks: Any = None
    yticks: Any = None
    xlim: Any = None
    ylim: Any = None
    rot: float | None = None
    fontsize: float | None = None
    colormap: Any = None
    xlabel: Any = None
    ylabel: Any = None
    color: Any = None
    label: Any = None
    stacked: bool | None = None
    include_bool: bool = False
    more: dict[str, Any] = field(default_factory=dict)

    @property
    def title_list(self) -> bool:
        """True where each subplot has a title of its own."""
        return is_list_like(self.title)


def _common() -> set[str]:
    """The keywords that all kinds of plots have."""
    return {each.name for each in fields(Request)} - {"more"}


def request_of(keywords: dict[str, Any], *, is_series: bool) -> Request:
    """The request that keywords make. Raises NotImplementedError for what is not supported."""
    for name, nothing in LEFT_OUT.items():
        given = keywords.pop(name, nothing)
        if given is not nothing and not (
            nothing is False and not is_list_like(given) and not given
        ):
            raise NotImplementedError(
                f"plot: the keyword {name!r} of pandas is not supported; to_pandas() gives an "
                "object that has it"
            )
    if keywords.pop("backend", None) not in (None, "matplotlib"):
        raise NotImplementedError("plot: backends other than 'matplotlib'")
    keywords.pop("sort_columns", None)
    common = {name: keywords.pop(name) for name in _common() if name in keywords}
    if not isinstance(common.get("subplots", False), (bool, np.bool_)):
        raise NotImplementedError("plot: groups of columns as subplots")
    made = Request(**{"legend": not is_series, **common}, more=keywords)
    for name in ("logx", "logy", "loglog"):
        if getattr(made, name) not in (None, True, False, "sym"):
            raise ValueError(
                f"keyword '{name}' should be bool, None, or 'sym', not '{getattr(made, name)}'"
            )
    return made


@dataclass
class Drawn:
    """The columns of a plot as arrays, under their labels, over an index."""

    index: Index
    labels: list[Any]
    arrays: list[np.ndarray]
    title: Any = None  # the name of the labels
    bools: list[np.ndarray] = field(default_factory=list)  # columns that are not drawn

    def pairs(self) -> list[tuple[str, np.ndarray]]:
        """Labels as text, and their values."""
        return [
            (text_of(label), values) for label, values in zip(self.labels, self.arrays, strict=True)
        ]


def text_of(value: Any) -> str:
    """A label as pandas writes it in a plot."""
    if isinstance(value, np.datetime64):
        return moment_text(value)
    if isinstance(value, tuple):
        return f"({', '.join(map(text_of, value))})"
    return str(value)


def array_of(column: Column) -> np.ndarray:
    """Numbers, dates or texts that matplotlib takes; missing numbers are NaN."""
    kind = family(column.dtype)
    if kind == "nullable":
        values = column.to_numpy()
        return values.astype(np.float64) if values.dtype.kind == "O" else values
    if kind == "zoned":
        return np.asarray(column.values)  # type: ignore[attr-defined]
    return column.to_numpy()


def drawn_of(frame: Any, request: Request, families: tuple[str, ...] = ()) -> Drawn:
    """The columns that can be drawn. Raises TypeError where there is none."""
    known = families or ("number", "nullable", "datetime", "zoned")
    labels, arrays, bools = [], [], []
    for label, part in zip(frame.columns, map(_inferred, frame._parts), strict=True):
        kind = family(part.dtype)
        is_bool = kind == "bool" or str(part.dtype) == "boolean"
        if (request.include_bool and is_bool) or (kind in known and not is_bool):
            labels.append(label)
            arrays.append(array_of(part))
        elif kind == "bool":
            bools.append(array_of(part))
    if not labels:
        raise TypeError("no numeric data to plot")
    name = frame.columns.names
    title = None if name[0] is None else ",".join(map(text_of, name))
    return Drawn(frame.index, labels, arrays, title, bools)


def _inferred(column: Column) -> Column:
    """Objects as the dtype that fits all of them."""
    if family(column.dtype) != "object":
        return column
    return column_of(list(column.objects_of()))
