"""An explanation as a picture of its kernels and arrays, and as a page."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from . import explanation_text
from .explanation import Input, Kernel

_BOX = 240  # pixels: width of a box, height, and the space between boxes
_HEIGHT = 56
_GAP = 30
_INDENT = 50  # of each row: lines to later rows pass on the left
_STYLE = (
    "svg.px{font:12px sans-serif}svg.px .k{fill:#e8f0fe;stroke:#4a6fa5}"
    "svg.px .r{fill:#e6f4ea;stroke:#4f8a5b}svg.px .m{fill:#f6f6f6;stroke:#999}"
    "svg.px path{fill:none;stroke:#777}svg.px .c{font-family:monospace}"
)


def to_svg(title: str, kernels: Sequence[Kernel]) -> str:
    """Arrays that are there in the first row, each kernel below what it reads."""
    boxes = _Boxes()
    for kernel in kernels:
        boxes.add(kernel)
    return boxes.to_svg(title)


def to_html(title: str, kernels: Sequence[Kernel]) -> str:
    """The picture and the table, as part of a page."""
    return f"<div>{to_svg(title, kernels)}{_table(kernels)}</div>"


def to_page(title: str, kernels: Sequence[Kernel]) -> str:
    """A page of its own."""
    text = escape(title)
    return (
        f'<!DOCTYPE html><html><head><meta charset="utf-8"><title>{text}</title></head>'
        f"<body><h3>{text}</h3>{to_html(title, kernels)}</body></html>"
    )


def _table(kernels: Sequence[Kernel]) -> str:
    rows = []
    for kernel in kernels:
        cells = (*explanation_text.row_of(kernel), kernel.why + explanation_text.chunks_of(kernel))
        rows.append("<tr>" + "".join(f"<td>{escape(cell)}</td>" for cell in cells) + "</tr>")
    head = "".join(f"<th>{each}</th>" for each in (*explanation_text.HEAD, "why"))
    return f"<table><tr>{head}</tr>{''.join(rows)}</table>"


class _Boxes:
    """Boxes in rows: each is one row below the lowest of those that it reads."""

    def __init__(self) -> None:
        self._rows: list[int] = []  # how many boxes there are in each
        self._places: dict[int, tuple[int, int]] = {}  # row and column, by the kernel's number
        self._arrays: dict[int, tuple[int, int]] = {}  # the same, by the memory
        self._parts: list[str] = []

    def add(self, kernel: Kernel) -> None:
        sources = list(map(self._source, kernel.inputs))
        row = 1 + max((row for row, _ in sources), default=0)
        cost = (
            f"{explanation_text.amount(kernel.bytes_read, 'B')} read, "
            f"{explanation_text.amount(kernel.bytes_written, 'B')} written, {kernel.device}"
        )
        text = f"{kernel.number}  {explanation_text.result_of(kernel)}"
        kind = "r" if kernel.has_run else "k"
        place = self._box(row, kind, text, cost, kernel.code)
        self._places[kernel.number] = place
        self._parts.extend(self._line(source, place) for source in sources)

    def _source(self, given: Input) -> tuple[int, int]:
        """The box of what a kernel reads: another kernel's, or one of the first row."""
        if given.kernel:
            return self._places[given.kernel]
        place = self._arrays.get(given.memory) if given.memory else None
        if place is None:
            place = self._box(0, "m", f"{given.dtype} {given.shape}", "in memory")
            self._arrays[given.memory] = place
        return place

    def _box(self, row: int, kind: str, *lines: str) -> tuple[int, int]:
        while len(self._rows) <= row:
            self._rows.append(0)
        column = self._rows[row]
        self._rows[row] += 1
        x, y = self._corner((row, column))
        texts = "".join(
            f'<text class="{"c" if i == 2 else "t"}" x="{x + 8}" y="{y + 16 + 16 * i}">'
            f"<title>{escape(line)}</title>{escape(_cut(line))}</text>"
            for i, line in enumerate(lines)
        )
        self._parts.append(
            f'<rect class="{kind}" x="{x}" y="{y}" width="{_BOX}" height="{_HEIGHT}" rx="6"/>'
            + texts
        )
        return row, column

    @staticmethod
    def _corner(place: tuple[int, int]) -> tuple[int, int]:
        row, column = place
        return 10 + row * _INDENT + column * (_BOX + _GAP), 10 + row * (_HEIGHT + _GAP)

    def _line(self, source: tuple[int, int], target: tuple[int, int]) -> str:
        """Down from the source's left, then to the target's side."""
        (x0, y0), (x1, y1) = self._corner(source), self._corner(target)
        return f'<path d="M{x0 + 20},{y0 + _HEIGHT} V{y1 + _HEIGHT // 2} H{x1}"/>'

    def to_svg(self, title: str) -> str:
        width = 20 + len(self._rows) * _INDENT + max(self._rows, default=1) * (_BOX + _GAP)
        height = 20 + max(len(self._rows), 1) * (_HEIGHT + _GAP)
        return (
            f'<svg class="px" xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}">'
            f"<style>{_STYLE}</style><title>{escape(title)}</title>{''.join(self._parts)}</svg>"
        )


def _cut(text: str) -> str:
    return text if len(text) <= 34 else text[:33] + "…"
