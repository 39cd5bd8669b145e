"""`read_fwf`: text whose columns have the same places in each line."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from typing import Any

from phalanx.errors import EmptyDataError

from ..csv_keywords import count_of
from ..reading import read_csv
from ..storage.input import text_of

_BLANKS = " \t"


def read_fwf(
    filepath_or_buffer: Any,
    *,
    colspecs: Any = "infer",
    widths: Any = None,
    infer_nrows: int = 100,
    iterator: bool = False,
    chunksize: int | None = None,
    **kwds: Any,
) -> Any:
    """A frame of text with columns of fixed places.

    ``colspecs`` are pairs of the first place and the one after the last, None for the line's ends;
    ``widths`` those of columns beside one another; without both they are the places where some of
    the first ``infer_nrows`` lines have no blanks. More keywords are those of `read_csv`;
    ``delimiter`` are the characters that are blanks.

    Raises ValueError for keywords that do not fit, EmptyDataError for text without columns, and
    what `read_csv` raises.

    >>> import io
    >>> px.read_fwf(io.StringIO("ab cd" + chr(10) + " 1  2"))
       ab  cd
    0   1   2
    """
    if colspecs is None and widths is None:
        raise ValueError("Must specify either colspecs or widths")
    if colspecs not in (None, "infer") and widths is not None:
        raise ValueError("You must specify only one of 'widths' and 'colspecs'")
    text = text_of(
        filepath_or_buffer,
        "read_fwf",
        kwds.pop("compression", "infer"),
        kwds.pop("encoding", None),
        kwds.pop("encoding_errors", "strict"),
        kwds.pop("storage_options", None),
    )
    lines = text.splitlines()
    blanks = kwds.pop("delimiter", None) or _BLANKS
    skipped = _skipped(kwds.get("skiprows"), len(lines))
    places: list[Any] | None = _places(widths, colspecs)
    if places is None:
        kept = [line for i, line in enumerate(lines) if i not in skipped]
        places = _places_of(
            kept[: count_of("infer_nrows", infer_nrows)], blanks, kwds.get("comment")
        )
        if not places and (kwds.get("names") is None or not lines):
            raise EmptyDataError("No rows from which to infer column width")
    names = kwds.get("names")
    if names is not None and "index_col" not in kwds and len(list(names)) == len(places):
        kwds["index_col"] = False
    made = _as_csv(lines, skipped, places, blanks, kwds.get("skip_blank_lines", True))
    return read_csv(made, iterator=iterator, chunksize=chunksize, **kwds)


def _as_csv(
    lines: list[str], skipped: set[int], places: list[Any], blanks: str, skips_blank: bool
) -> io.BytesIO:
    """The fields with commas between them, line by line."""
    made = io.StringIO()
    write = csv.writer(made, lineterminator="\n", quoting=csv.QUOTE_MINIMAL)
    for i, line in enumerate(lines):
        fields = [line[first:after].strip(blanks + "\r\n") for first, after in places]
        if i in skipped or (skips_blank and not any(fields)):
            made.write("\n")
        else:
            write.writerow(fields)
    return io.BytesIO(made.getvalue().encode())


def _skipped(given: Any, count: int) -> set[int]:
    if given is None:
        return set()
    if callable(given):
        return {i for i in range(count) if given(i)}
    if isinstance(given, Iterable):
        return set(given)
    return set(range(int(given)))


def _places(widths: Any, colspecs: Any) -> list[tuple[int | None, int | None]] | None:
    """The places that are given. Raises TypeError for what are no pairs of integers."""
    if widths is not None:
        made: list[tuple[int | None, int | None]] = []
        start = 0
        for each in widths:
            made.append((start, start + int(each)))
            start += int(each)
        return made
    if colspecs == "infer":
        return None
    if not isinstance(colspecs, (list, tuple)):
        raise TypeError(
            f"column specifications must be a list or tuple, not {type(colspecs).__name__}"
        )
    for each in colspecs:
        if not (
            isinstance(each, (list, tuple))
            and len(each) == 2
            and all(place is None or isinstance(place, int) for place in each)
        ):
            raise TypeError("Each column specification must be 2 element tuple or list of integers")
    return [(first, after) for first, after in colspecs]


def _places_of(lines: list[str], blanks: str, comment: str | None) -> list[tuple[int, int]]:
    """Where some line has something."""
    if comment is not None:
        lines = [line.partition(comment)[0] for line in lines]
    width = max(map(len, lines), default=0)
    used = [False] * (width + 1)
    for line in lines:
        for i, letter in enumerate(line):
            used[i] = used[i] or letter not in blanks
    edges = [i for i in range(width + 1) if used[i] != (used[i - 1] if i else False)]
    return list(zip(edges[::2], edges[1::2], strict=True))
