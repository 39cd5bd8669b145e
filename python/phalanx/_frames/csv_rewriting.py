"""CSV text that the engine does not read as it is: Python's csv module makes plain text of it.

Separators of several characters, patterns and such that are to be found out, other line ends, lines
that are left out in the middle or at the end, and headers of several rows are rare, and their texts
small: records are taken apart here, a record after the other as pandas' own Python reader does, and
written again with commas, quotes and one header, which the engine then reads like any other text.
"""

from __future__ import annotations

import csv
import io
import mmap
import os
import re
from collections.abc import Callable, Iterator
from typing import Any

from phalanx.errors import ParserError

from .csv_keywords import count_of, is_of_first_lines
from .csv_source import Text

# What the text that is written here has, whatever the one that came had.
_PLAIN: dict[str, Any] = {
    "sep": ",", "quotechar": '"', "quoting": csv.QUOTE_MINIMAL, "doublequote": True,
    "escapechar": None, "comment": None, "skipinitialspace": False, "skiprows": None,
    "skipfooter": 0, "lineterminator": None,
}  # fmt: skip
_BLANKS = (r"\s+", "[ \t]+", " +")


def is_to_be_rewritten(options: dict[str, Any]) -> bool:
    """True for keywords that the engine's own reader does not have."""
    sep = options["sep"]
    return (
        sep is None
        or (isinstance(sep, str) and (len(sep) > 1 or not sep.isascii()))
        or options["lineterminator"] not in (None, "\n")
        or bool(count_of("skipfooter", options["skipfooter"]))
        or not is_of_first_lines(options["skiprows"])
    )


def rewritten(text: Text, options: dict[str, Any]) -> tuple[Text, dict[str, Any]]:
    """Plain text of the same records, and the keywords that it is read with.

    Raises ValueError for ``skipfooter`` beside ``nrows`` or ``chunksize``, and for patterns that
    are none; csv.Error where no separator is found.
    """
    if options["skipfooter"]:
        if options["iterator"] or options["chunksize"] is not None:
            raise ValueError("'skipfooter' not supported for iteration")
        if options["nrows"] is not None:
            raise ValueError("'skipfooter' not supported with 'nrows'")
    try:
        records = _kept(_records(_decoded(text), options), options)
    except csv.Error as error:
        raise ParserError(f"read_csv: {error}") from None
    made = io.StringIO()
    writer = csv.writer(made, lineterminator="\n")
    writer.writerows(records)
    return Text(made.getvalue().encode("utf-8", "surrogateescape")), {**options, **_PLAIN}


def _decoded(text: Text) -> str:
    source = text.source
    if isinstance(source, int):
        size = os.fstat(source).st_size
        if not size:
            return ""
        with mmap.mmap(source, size, access=mmap.ACCESS_READ) as mapped:
            data = bytes(mapped)
    else:
        data = bytes(source)  # type: ignore[call-overload]
    return data.decode("utf-8-sig", "surrogateescape")


def _kept(records: Iterator[list[str]], options: dict[str, Any]) -> list[list[str]]:
    """Those that neither ``skiprows`` nor ``skipfooter`` leaves out, by their number."""
    skiprows = options["skiprows"]
    is_out: Callable[[int], Any]
    if callable(skiprows):
        is_out = skiprows
    else:
        lines = range(skiprows) if isinstance(skiprows, int) else frozenset(skiprows or ())
        is_out = lines.__contains__
    every = list(records)
    kept = [record for i, record in enumerate(every) if not is_out(i)]
    footer = count_of("skipfooter", options["skipfooter"])
    return kept[: max(len(kept) - footer, _header_rows(options))]


def _header_rows(options: dict[str, Any]) -> int:
    """How many records are the header's, which no footer takes."""
    header = options["header"]
    if header == "infer":
        return int(options["names"] is None)
    if header is None:
        return 0
    return 1 + int(max(header) if isinstance(header, (list, tuple)) else header)


def _records(text: str, options: dict[str, Any]) -> Iterator[list[str]]:
    end = options["lineterminator"]
    if end in (None, "\n"):
        return _divided(text, options)
    if not isinstance(end, str) or len(end) != 1:
        raise ValueError("Only length-1 line terminators supported")
    # With the two swapped a line feed is like any other character, and is put back afterwards.
    swap = str.maketrans({end: "\n", "\n": end})
    swapped = _divided(text.translate(swap), options)
    return ([field.translate(swap) for field in record] for record in swapped)


def _divided(text: str, options: dict[str, Any]) -> Iterator[list[str]]:
    """Records of lines that end as usual, by the separator."""
    sep, comment = options["sep"], options["comment"]
    lines = text.splitlines(keepends=True) if comment else io.StringIO(text, newline="")
    if comment:
        lines = [_without_comment(line, comment, options["quotechar"]) for line in lines]
    if sep is None:
        first = next((line for line in text.splitlines() if line.strip()), "")
        sep = csv.Sniffer().sniff(first).delimiter
    if sep in _BLANKS:
        return _of_blanks(lines, options)
    if len(sep) == 1:
        return csv.reader(lines, delimiter=sep, **_quotes(options))
    pattern = re.compile(sep)
    return (pattern.split(line.strip()) if line.strip() else [] for line in lines)


def _quotes(options: dict[str, Any]) -> dict[str, Any]:
    return {
        "quotechar": options["quotechar"],
        "quoting": options["quoting"],
        "doublequote": options["doublequote"],
        "escapechar": options["escapechar"],
        "skipinitialspace": options["skipinitialspace"],
        "strict": True,
    }


def _of_blanks(lines: Any, options: dict[str, Any]) -> Iterator[list[str]]:
    """Fields with any number of blanks between them; none is at an end of a line."""
    quotes = {**_quotes(options), "skipinitialspace": True}
    spaced = (_with_spaces(line, options) for line in lines)
    for record in csv.reader(spaced, delimiter=" ", **quotes):
        while record and record[-1] == "":
            record.pop()
        yield record


def _with_spaces(line: str, options: dict[str, Any]) -> str:
    """Tabs as spaces, but for those in quotes."""
    if "\t" not in line:
        return line
    quote = options["quotechar"]
    parts = line.split(quote) if quote else [line]
    parts[::2] = [part.replace("\t", " ") for part in parts[::2]]
    return (quote or "").join(parts)


def _without_comment(line: str, comment: str, quote: str | None) -> str:
    """A line up to its comment, which does not begin within quotes."""
    at = line.find(comment)
    while at >= 0 and quote and line.count(quote, 0, at) % 2:
        at = line.find(comment, at + 1)
    return line if at < 0 else line[:at] + "\n"
