"""What `explain` tells: the kernels that gave an array its value, or will give it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from .. import _engine
from . import explanation_picture, explanation_text, placement
from .explanation import Input, Kernel, Placed


class Explanation:
    """The kernels behind an array, in order; prints as a table, in notebooks with a picture."""

    def __init__(self, title: str, kernels: tuple[Kernel, ...]) -> None:
        self.title = title
        self.kernels = kernels

    def __repr__(self) -> str:
        return explanation_text.to_text(self.title, self.kernels)

    def _repr_html_(self) -> str:
        return explanation_picture.to_html(self.title, self.kernels)


class ColumnExplanations:
    """What `explain` tells of each column of a data frame, by its label, in `columns`."""

    def __init__(self, columns: dict[Any, tuple[str, Explanation | None]]) -> None:
        self.columns = columns

    def __repr__(self) -> str:
        parts = []
        for label, (state, found) in self.columns.items():
            parts.append(f"{label}: {state}" + ("" if found is None else f"\n{found!r}"))
        return "\n".join(parts)


# What others' collections of our arrays are told by, where their modules are loaded.
OTHERS: dict[type, Callable[[Any], Any]] = {}


def explain(a: Any, format: str = "text", *, measure: bool = False) -> Any:
    """The kernels that compute an array's value, or that did where it is in memory already.

    Nothing is run, unless `measure` asks for it. Of the kernels that ran, the last 256 of the
    process are known. The first call for a device measures its rates, some tenths of a second,
    which stay in the disk cache: `python -m phalanx info` shows them.

    Args:
        a: An array, or a data frame or series, of which each column is told. Of an array or frame
            of Dask's one chunk is computed here, and the kernels of its tasks are told.
        format: "text" gives an `Explanation`, which prints as a table and has the figures as
            `kernels`; "html" a page with a table and a picture of the graph; "svg" the picture.
        measure: Compute the array now, one kernel after the other, and tell how long each took.

    Raises:
        TypeError: `a` is no array.
        ValueError: There is no such format; of data frames there is text only.

    >>> [each.code for each in px.explain(px.ones(3) + 1).kernels]
    ['float64(1) + 1']
    """
    if format not in ("text", "html", "svg"):
        raise ValueError(f"format must be 'text', 'html' or 'svg', not {format!r}")
    if hasattr(a, "_explained_columns"):
        if format != "text":
            raise ValueError(f"explain() of data frames is text, not {format!r}")
        return ColumnExplanations(
            {
                label: (state, None if array is None else explain(array, measure=measure))
                for label, state, array in a._explained_columns()
            }
        )
    if (told := _told_by(type(a))) is not None:
        if format != "text" or measure:
            raise ValueError("explain() of a collection of Dask's is text, without measure=True")
        return told(a)
    if not isinstance(a, _engine.Array):
        _refuse(a)
    kernels = _kernels_of(a, measure)
    title = _title_of(a)
    if format == "html":
        return explanation_picture.to_page(title, kernels)
    if format == "svg":
        return explanation_picture.to_svg(title, kernels)
    return Explanation(title, kernels)


def _told_by(kind: type) -> Callable[[Any], Any] | None:
    return next((told for other, told in OTHERS.items() if issubclass(kind, other)), None)


def _refuse(a: Any) -> NoReturn:
    if getattr(a, "is_over_devices", False):
        raise TypeError("explain() takes an array of one device: each of x.parts, or x.gather()")
    kind = type(a)
    name = f"{kind.__module__}.{kind.__qualname__}".removeprefix("builtins.")
    instead = "it has explain() itself" if hasattr(a, "explain") else "px.asarray(a) is one"
    raise TypeError(f"explain() takes an array of phalanx, not {name}: {instead}")


def _title_of(array: _engine.Array) -> str:
    state = "recorded" if array._is_pending else "in memory"
    device = placement.name_of(array._device)
    return f"{array._dtype} {array.shape} on {device}, {state}"


def _kernels_of(array: _engine.Array, is_timed: bool) -> tuple[Kernel, ...]:
    return tuple(
        Kernel(
            number=number,
            code=row["code"],
            why=row["why"],
            has_run=row["has_run"],
            device=placement.name_of(row["device"]),
            dtype=row["dtype"],
            shape=row["shape"],
            results=row["outputs"],
            bytes_read=row["bytes_read"],
            bytes_written=row["bytes_written"],
            operations=row["operations"],
            expected_seconds=row["expected_seconds"],
            seconds=row["seconds"] or None,
            chunks=row["chunks"],
            copied_bytes=row["copied_bytes"],
            placed=None if row["placed"] is None else Placed(*row["placed"]),
            compiled=row["compiled"],
            inputs=tuple(
                Input(None if kernel is None else kernel + 1, memory, dtype, shape)
                for kernel, memory, dtype, shape in row["inputs"]
            ),
        )
        for number, row in enumerate(_engine.array_explain(array, is_timed), 1)
    )
