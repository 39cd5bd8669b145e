"""The cells of the table: each call with each dtype, number of dimensions and layout."""

from __future__ import annotations

import itertools
import random
import re
from collections.abc import Iterator
from typing import NamedTuple

from .operands import DTYPES, layouts
from .rows import TABLE, Row


class Cell(NamedTuple):
    """What is compiled once: a call, and the types of its operands."""

    row: Row
    call: str
    dtype: str
    ndim: int
    layout: str

    @property
    def operands(self) -> list[str]:
        """The names of the operands that the call has."""
        return [name for name in self.row.operands.split() if re.search(rf"\b{name}\b", self.call)]

    def __str__(self) -> str:
        return f"{self.call} of {self.dtype}, {self.ndim}d, {self.layout}"


def written(row: Row, call: str) -> str:
    """The call as Python has it."""
    return call.replace("{f}", f"np.{row.name}").replace("{n}", row.name)


def of_axes(call: str, row: Row, ndim: int) -> Iterator[str]:
    """A call of a row for an array of that many dimensions; the last axis is one too many."""
    text = written(row, call)
    if "{axis}" not in text:
        yield text
        return
    for axis in range(-ndim, ndim + 1):
        yield text.replace("{axis}", str(axis))


def all_cells(row: Row) -> Iterator[Cell]:
    """The whole product of a row."""
    for ndim in range(5):
        texts = [text for call in row.calls for text in of_axes(call, row, ndim)]
        for text, layout, dtype in itertools.product(texts, layouts(ndim), DTYPES):
            yield Cell(row, text, dtype, ndim, layout)


def sampled_cells(row: Row, size: int = 6) -> list[Cell]:
    """A part that has each call and each number of dimensions, and over the table each dtype and
    layout many times: the same one each time."""
    rng = random.Random(row.name + row.calls[0])
    pairs = [
        (call, text, ndim)
        for ndim in range(5)
        for call in row.calls
        for text in of_axes(call, row, ndim)
    ]
    rng.shuffle(pairs)
    first, others = [], []
    seen: set[object] = set()
    for call, text, ndim in pairs:
        (others if {call, ndim} <= seen else first).append((text, ndim))
        seen |= {call, ndim}
    dtypes = rng.sample(DTYPES, len(DTYPES))
    chosen = first + others[: max(0, size - len(first))]
    return [
        Cell(row, text, dtypes[i % len(dtypes)], ndim, rng.choice(layouts(ndim)))
        for i, (text, ndim) in enumerate(chosen)
    ]


__all__ = ["TABLE", "Cell", "all_cells", "sampled_cells"]
