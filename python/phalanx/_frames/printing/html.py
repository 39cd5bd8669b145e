"""Frames as tables of HTML."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..options import get_option, option_context
from .cells import has_levels, label_cells, levels_cells, sparsified
from .table import Table, TableOptions
from .things import escaped, name_text

if TYPE_CHECKING:
    from ..frame import DataFrame

_ESCAPES = {"&": "&amp;", "<": "&lt;", ">": "&gt;"}
_REPEATED = object()
_TIMES = chr(215)


def notebook_html(frame: DataFrame) -> str:
    """A frame as notebooks show it, by the options of display."""
    options = TableOptions(
        max_rows=get_option("display.max_rows"),
        min_rows=get_option("display.min_rows"),
        max_cols=get_option("display.max_columns"),
        show_dimensions=get_option("display.show_dimensions"),
    )
    return frame_html(frame, options, {"bold_rows": True, "escape": True}, notebook=True)


def frame_html(
    frame: DataFrame, options: TableOptions, marks: dict[str, Any], *, notebook: bool = False
) -> str:
    """A frame as pandas' ``to_html`` writes it."""
    writer = _Writer(Table(frame, options), marks, notebook)
    writer.table_tag()
    if options.header or writer.table.shows_index_names:
        writer.head()
    writer.body()
    writer.line("</table>")
    if writer.table.shows_dimensions:
        writer.line(f"<p>{frame.shape[0]} rows {_TIMES} {frame.shape[1]} columns</p>")
    text = "\n".join(writer.lines)
    return f"<div>\n{_style(frame)}\n{text}\n</div>" if notebook else text


def _style(frame: DataFrame) -> str:
    rules = [
        ("tbody tr th:only-of-type", "vertical-align", "middle"),
        ("tbody tr th", "vertical-align", "top"),
    ]
    if has_levels(frame.columns):
        rules.append(("thead tr th", "text-align", "left"))
        if any(each is not None for each in frame.index.names):
            rules.append(("thead tr:last-of-type th", "text-align", "right"))
    else:
        rules.append(("thead th", "text-align", "right"))
    body = "\n\n".join(
        f"    .dataframe {what} {{\n        {key}: {value};\n    }}" for what, key, value in rules
    )
    return f"<style scoped>\n{body}\n</style>"


def _spans(levels: list[list[Any]]) -> list[dict[int, int]]:
    """For each level where a label begins, and for how many rows it holds."""
    made = []
    for level in levels:
        starts = [i for i, each in enumerate(level) if each is not _REPEATED]
        ends = [*starts[1:], len(level)]
        made.append({start: end - start for start, end in zip(starts, ends, strict=True)})
    return made


class _Writer:
    """The lines of a table."""

    def __init__(self, table: Table, marks: dict[str, Any], notebook: bool) -> None:
        self.table = table
        self.marks = marks
        self.notebook = notebook
        self.escapes = _ESCAPES if marks.get("escape", True) else {}
        self.lines: list[str] = []
        self.index_levels = (
            table.frame.index.nlevels if table.options.index else int(table.shows_column_names)
        )

    def line(self, text: str, indent: int = 0) -> None:
        self.lines.append(" " * indent + text)

    def table_tag(self) -> None:
        classes = ["dataframe"]
        if not get_option("display.html.use_mathjax"):
            classes += ["tex2jax_ignore", "mathjax_ignore"]
        given = self.marks.get("classes")
        classes += given.split() if isinstance(given, str) else list(given or ())
        border = self.marks.get("border")
        if border is None or border is True:
            border = get_option("display.html.border")
        border_text = f' border="{border}"' if border else ""
        table_id = self.marks.get("table_id")
        id_text = f' id="{table_id}"' if table_id is not None else ""
        self.line(f'<table{border_text} class="{" ".join(classes)}"{id_text}>')

    def cell(self, text: Any, kind: str, tag: str = "", is_head: bool = False) -> str:
        written = escaped(text, self.escapes).strip().replace("  ", "&nbsp;&nbsp;")
        space = self.table.col_space.get(text) if is_head else None
        if space is not None:
            tag += f'style="min-width: {space}{"px" if isinstance(space, int) else ""};"'
        return f"<{kind}{' ' + tag if tag else ''}>{written}</{kind}>"

    def row(
        self,
        cells: list[Any],
        *,
        heads: int = 0,
        align: str | None = None,
        tags: Any = None,
        is_head: bool = False,
    ) -> None:
        style = f' style="text-align: {align};"' if align else ""
        self.line(f"<tr{style}>", 4)
        tags = tags or {}
        for i, each in enumerate(cells):
            self.line(self.cell(each, "th" if i < heads else "td", tags.get(i, ""), is_head), 6)
        self.line("</tr>", 4)

    # The head.

    def head(self) -> None:
        self.line("<thead>", 2)
        if self.table.options.header:
            self._column_rows()
        if self.table.shows_index_names:
            names = [name_text(each) for each in self.table.frame.index.names]
            blank = [""] * (self.table.shown.shape[1] + self.table.cut_columns)
            self.row([*names, *blank], heads=len(names) + len(blank), is_head=True)
        self.line("</thead>", 2)

    def _corner(self, number: int) -> list[str]:
        corner = [""] * (self.index_levels - 1)
        if self.table.options.index or self.table.shows_column_names:
            name = self.table.frame.columns.names[number]
            corner.append(name_text(name) if self.table.options.index_names else "")
        return corner

    def _column_rows(self) -> None:
        columns = self.table.shown.columns
        if has_levels(columns):
            self._level_rows(columns)
            return
        labels: list[Any] = label_cells(columns) if self.notebook else list(columns)
        if isinstance(self.table.options.header, (list, tuple)):
            labels = list(self.table.options.header)
        cells = [*self._corner(0), *labels]
        if self.table.cut_columns:
            cells.insert(self.index_levels + self.table.first_columns, "...")
        self.row(cells, heads=len(cells), align=self.table.justify, is_head=True)

    def _level_rows(self, columns: Any) -> None:
        levels = levels_cells(columns, with_names=False, sparse=False)
        marked = sparsified(levels, 0, _REPEATED) if self.table.sparse else levels
        for number, (texts, spans) in enumerate(zip(levels, _spans(marked), strict=True)):
            cells, tags = self._corner(number), {}
            for start, span in self._with_dots(spans, number == len(levels) - 1):
                if span > 1:
                    tags[len(cells)] = f'colspan="{span}" halign="left"'
                cells.append("..." if start < 0 else texts[start])
            self.row(cells, heads=len(cells), tags=tags, is_head=True)

    def _with_dots(self, spans: dict[int, int], innermost: bool) -> list[tuple[int, int]]:
        at = self.table.first_columns if self.table.cut_columns else None
        made: list[tuple[int, int]] = []
        for start, span in spans.items():
            if at is not None and start == at:
                made.append((-1, 1))
            if at is not None and start < at < start + span:
                made.append((start, span + 1))
            else:
                made.append((start, span))
        return made

    # The body.

    def body(self) -> None:
        self.line("<tbody>", 2)
        with option_context(
            "display.max_colwidth", get_option("display.max_colwidth") if self.notebook else None
        ):
            columns = [self.table.cells(i) for i in range(self.table.shown.shape[1])]
        index = self.table.shown.index
        if self.table.options.index and has_levels(index):
            self._level_body(columns)
        else:
            self._plain_body(columns)
        self.line("</tbody>", 2)

    def _plain_body(self, columns: list[list[str]]) -> None:
        labels = (
            label_cells(self.table.shown.index, self.table.index_formatter())
            if self.table.options.index
            else None
        )
        count = len(self.table.shown)
        heads = self.index_levels if self.marks.get("bold_rows", True) else 0
        for i in range(count):
            row = [labels[i]] if labels is not None else [""] * self.index_levels
            row += [each[i] for each in columns]
            if self.table.cut_columns:
                row.insert(self.index_levels + self.table.first_columns, "...")
            if self.table.cut_rows and i == self.table.first_rows:
                self.row(["..."] * len(row), heads=heads)
            self.row(row, heads=heads)

    def _level_body(self, columns: list[list[str]]) -> None:
        index = self.table.shown.index
        levels = levels_cells(index, with_names=False, sparse=False)
        marked = sparsified(levels, 0, _REPEATED) if self.table.sparse else levels
        spans = _spans(marked)
        bold = self.marks.get("bold_rows", True)
        for i in range(len(self.table.shown)):
            if self.table.cut_rows and i == self.table.first_rows:
                self._dot_row(spans, columns)
            row: list[Any] = []
            tags: dict[int, str] = {}
            for texts, each in zip(levels, spans, strict=True):
                if i not in each:
                    continue
                span = self._row_span(i, each[i])
                if span > 1:
                    tags[len(row)] = f'rowspan="{span}" valign="top"'
                row.append(texts[i])
            heads = len(row)
            row += [each[i] for each in columns]
            if self.table.cut_columns:
                row.insert(heads + self.table.first_columns, "...")
            self.row(row, heads=heads if bold else 0, tags=tags)

    def _row_span(self, start: int, span: int) -> int:
        at = self.table.first_rows if self.table.cut_rows else None
        return span + 1 if at is not None and start < at < start + span else span

    def _dot_row(self, spans: list[dict[int, int]], columns: list[list[str]]) -> None:
        at = self.table.first_rows
        inside = sum(
            any(start < at < start + span for start, span in each.items()) for each in spans[:-1]
        )
        heads = len(spans) - inside
        count = heads + len(columns) + self.table.cut_columns
        self.row(["..."] * count, heads=heads if self.marks.get("bold_rows", True) else 0)
