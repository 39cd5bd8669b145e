"""Headers of CSV text: the names of columns, of one row or of several."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from phalanx.errors import ParserError


class LevelHeader(NamedTuple):
    """A header of several rows, each of which is a level of the columns' labels."""

    names: list[object]  # a tuple of each column, the place of one that has rows' labels
    level_names: list[str | None]
    index_names: list[str | None]


def distinct_names(header: list[str]) -> list[object]:
    """The names of a header, each once: "a", "a.1"; "Unnamed: 2" for one that is empty."""
    names = [name or f"Unnamed: {i}" for i, name in enumerate(header)]
    # Names that are there come first: those made up give way.
    order = [i for i, name in enumerate(header) if name]
    order += [i for i, name in enumerate(header) if not name]
    counts: dict[str, int] = {}
    for i in order:
        old = name = names[i]
        count = counts.get(name, 0)
        while count > 0:
            counts[old] = count + 1
            name = f"{old}.{count}"
            count = count + 1 if name in names else counts.get(name, 0)
        names[i] = name
        counts[name] = count + 1
    return list(names)


def rows_of_header(options: dict[str, Any]) -> list[int] | None:
    """The numbers of the rows of a header of several; None for another header.

    Raises ValueError for what pandas does not take beside them.
    """
    header = options["header"]
    if not isinstance(header, Sequence) or isinstance(header, str) or len(header) < 2:
        return None
    if not all(isinstance(each, int) and each >= 0 for each in header):
        raise ValueError("header must be integer or list of integers")
    for name in ("usecols", "names"):
        if options[name] is not None:
            raise ValueError(f"cannot specify {name} when specifying a multi-index header")
    return list(header)


def label_places(index_col: Any) -> list[int]:
    """The places of the columns that are the rows' labels. Raises ValueError for names."""
    if index_col is None:
        return []
    places = list(index_col) if isinstance(index_col, (list, tuple)) else [index_col]
    if not all(isinstance(each, int) and each is not False for each in places):
        raise ValueError(
            "index_col must only contain integers of column positions "
            "when specifying a multi-index header"
        )
    return places


def header_of_levels(reader: Any, rows: list[int], places: list[int]) -> LevelHeader:
    """Read the rows of a header, and the row of the labels' names if there is one behind it.

    Raises ParserError for a text with fewer rows, and for rows of different widths.
    """
    records: list[list[str]] = []
    for at in range(max(rows) + 1):
        record = reader.next_record()
        if record is None:
            raise ParserError(f"Passed header={rows} but only {at} lines in file")
        if at in rows:
            records.append(record)
    width = len(records[0])
    if any(len(record) != width for record in records):
        raise ParserError("Header rows must have an equal number of columns.")
    filled = [
        [name or f"Unnamed: {i}_level_{level}" for i, name in enumerate(record)]
        for level, record in enumerate(records)
    ]
    names: list[object] = [
        i if i in places else tuple(record[i] for record in filled) for i in range(width)
    ]
    levels = [(record[places[0]] or None) if places else None for record in records]
    return LevelHeader(names, levels, _index_names(reader, places))


def _index_names(reader: Any, places: list[int]) -> list[str | None]:
    """Of a row that has nothing but names of labels, which is read; else there are none."""
    here = reader.position
    record = reader.next_record()
    if record is not None and places:
        blanks = record.count("")
        if blanks in (len(record), *range(len(record) - len(places), len(record))):
            return [record[place] or None for place in places]
    reader.move_to(here)
    return [None] * len(places)
