"""`read_html`: the tables of a page, through lxml."""

from __future__ import annotations

import csv
import importlib
import io
import re
from typing import Any

from ..reading import read_csv
from ..storage.input import refuse, text_of

_BLANKS = re.compile(r"[\r\n]+|\s{2,}")
_EXSLT = {"re": "http://exslt.org/regular-expressions"}
Rows = list[list[Any]]  # of texts, or of pairs of a text and a link


def read_html(
    io: Any,
    *,
    match: str | re.Pattern[str] = ".+",
    flavor: Any = None,
    header: Any = None,
    index_col: Any = None,
    skiprows: Any = None,
    attrs: dict[str, str] | None = None,
    parse_dates: Any = False,
    thousands: str | None = ",",
    encoding: str | None = None,
    decimal: str = ".",
    converters: Any = None,
    na_values: Any = None,
    keep_default_na: bool = True,
    displayed_only: bool = True,
    extract_links: str | None = None,
    dtype_backend: Any = None,
    storage_options: Any = None,
) -> list[Any]:
    """Frames of the tables of an HTML page: a path, a URL or an open file.

    ``match`` is a pattern that tables have text of, ``attrs`` attributes that they have. Cells that
    span rows or columns are repeated. Types are found as `read_csv` finds them, whose keywords the
    others are. Needs lxml (`pip install lxml`).

    Raises ValueError where no table is found, ImportError without lxml, OSError, what `read_csv`
    raises, and NotImplementedError for other parsers, ``extract_links`` and dtype backends.

    >>> import io
    >>> px.read_html(io.StringIO(px.DataFrame({"a": [1, 2]}).to_html(index=False)))[0]
       a
    0  1
    1  2
    """
    if flavor not in (None, "lxml", ["lxml"], ("lxml",)):
        raise NotImplementedError(f"read_html: flavor={flavor!r}; 'lxml' is there")
    refuse("read_html", extract_links=extract_links, dtype_backend=dtype_backend)
    page = text_of(io, "read_html", None, encoding, storage_options=storage_options)
    keywords = {
        "index_col": index_col,
        "skiprows": skiprows,
        "parse_dates": parse_dates,
        "thousands": thousands,
        "decimal": decimal,
        "converters": converters,
        "na_values": na_values,
        "keep_default_na": keep_default_na,
    }
    made = []
    for table in _tables(page, match, attrs or {}, displayed_only):
        head, body = _rows_of(table)
        if head or body:
            made.append(_frame_of(head, body, header, keywords))
    return made


def _tables(page: str, match: Any, attrs: dict[str, str], displayed_only: bool) -> list[Any]:
    """The tables that have the text and the attributes. Raises ValueError if there are none."""
    try:
        html: Any = importlib.import_module("lxml.html")
    except ImportError:
        raise ImportError("read_html needs lxml: pip install lxml") from None
    if not page.strip():
        raise ValueError("No tables found")
    document = html.document_fromstring(page)
    for line_end in document.xpath("*//br"):
        line_end.tail = "\n" + (line_end.tail or "")
    pattern = match.pattern if isinstance(match, re.Pattern) else match
    tests = [
        f"[@{'class' if name == 'class_' else name}={value!r}]" for name, value in attrs.items()
    ]
    found = document.xpath(
        f"//table[.//text()[re:test(., {_quoted(pattern)})]]{''.join(tests)}", namespaces=_EXSLT
    )
    if not found:
        raise ValueError(f"No tables found matching pattern {pattern!r}")
    if displayed_only:
        for table in found:
            hidden = "translate(@style, ' ', '')"
            for each in table.xpath(f".//*[contains({hidden}, 'display:none')]|.//style"):
                each.drop_tree()
    return list(found)


def _quoted(text: str) -> str:
    """A text as XPath has it, which has no escapes."""
    if "'" not in text:
        return f"'{text}'"
    parts = ', "\'", '.join(f"'{part}'" for part in text.split("'"))
    return f"concat({parts})"


def _rows_of(table: Any) -> tuple[Rows, Rows]:
    """The rows of the header, and those of the body and the footer."""
    head = [row for each in table.xpath(".//thead") for row in each.xpath("./tr") or [each]]
    body = table.xpath(".//tbody//tr") + table.xpath("./tr")
    foot = table.xpath(".//tfoot//tr")
    if not head:
        while body and all(cell.tag == "th" for cell in body[0].xpath("./td|./th")):
            head.append(body.pop(0))
    spread = _spread(head + body + foot)
    return spread[: len(head)], spread[len(head) :]


def _spread(rows: list[Any]) -> Rows:
    """Texts of cells, those that span rows and columns in each of these."""
    made: Rows = []
    below: dict[int, tuple[str, int]] = {}  # columns that a cell of a row above goes down to
    for row in rows:
        texts: list[str] = []
        left: dict[int, tuple[str, int]] = {}
        for cell in [*row.xpath("./td|./th"), None]:
            while len(texts) in below:
                text, count = below.pop(len(texts))
                if count > 1:
                    left[len(texts)] = text, count - 1
                texts.append(text)
            if cell is None:
                break
            text = _BLANKS.sub(" ", str(cell.text_content()).strip())
            for _ in range(_span(cell, "colspan")):
                if _span(cell, "rowspan") > 1:
                    left[len(texts)] = text, _span(cell, "rowspan") - 1
                texts.append(text)
        made.append(texts)
        below = left
    return made


def _span(cell: Any, name: str) -> int:
    given = re.match(r"\s*(\d+)", cell.get(name) or "1")
    return max(int(given.group(1)), 1) if given else 1


def _frame_of(head: Rows, body: Rows, header: Any, keywords: dict[str, Any]) -> Any:
    if header is None and head:
        header = [i for i, row in enumerate(head) if any(row)]
        header = 0 if len(head) == 1 else header
        header = header[0] if isinstance(header, list) and len(header) == 1 else header
        header = None if header == [] else header
    width = max(len(row) for row in [*head, *body])
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(
        [*row, *[""] * (width - len(row))] for row in [*head, *body]
    )
    text.seek(0)
    return read_csv(text, header=header, skip_blank_lines=False, **keywords)
