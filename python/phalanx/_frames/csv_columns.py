"""CSV text as columns: the keyword arguments of pandas' read_csv, and the engine's reader."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from typing import Any, NamedTuple

from phalanx import _csv, _engine
from phalanx._arrays import placement
from phalanx.errors import EmptyDataError, EncodingError, ParserError, ParserWarning

from .csv_headers import (
    LevelHeader,
    distinct_names,
    header_of_levels,
    label_places,
    rows_of_header,
)
from .csv_keywords import (
    MissingValues,
    bad_lines_of,
    count_of,
    dialect_of,
    keywords,
    skipped_lines,
)
from .csv_rewriting import is_to_be_rewritten, rewritten
from .csv_source import open_text, undecodable_of
from .csv_types import CastError, CsvColumn, Wanted, cast, wanted_by_column

Columns = list[tuple[object, CsvColumn]]
Progress = Callable[[int, int], object]


class Field(NamedTuple):
    """A field of the records that is read."""

    place: int
    name: object
    wanted: Wanted
    is_date: bool = False  # is to be, where its texts are
    converter: Callable[[str], Any] | None = None


class CsvChunks:
    """Columns of the next rows, again and again: what `chunksize` and `iterator` give.

    `index` is how many columns at the start of each list are the rows' labels, since the records
    have more fields than the header has names.
    """

    index: int
    names: list[object]
    levels: LevelHeader | None = None  # of a header of several rows
    fields: list[Field]

    def __init__(
        self, source: object, options: dict[str, Any], progress: Progress | None = None
    ) -> None:
        self._origins: dict[object, str] = {}  # of names that were made distinct
        self._progress = progress
        self._device = placement.home()
        self._chunksize = options["chunksize"]
        if self._chunksize is not None and count_of("chunksize", self._chunksize) < 1:
            raise ValueError("'chunksize' must be an integer >=1")
        nrows = options["nrows"]
        self._left = -1 if nrows is None else count_of("nrows", nrows)
        self.labels = options["index_col"]  # for who makes a frame
        self.date_form = options["date_format"], bool(options["dayfirst"])
        self.is_iterator = self._chunksize is not None or bool(options["iterator"])
        self._has_given = False
        bad_lines = bad_lines_of(options["on_bad_lines"])
        self.missing = missing = MissingValues(options)
        self._is_rewritten = is_to_be_rewritten(options)
        self._text, options = _opened(source, options)
        self._options = options
        try:
            dialect = dialect_of(options)
            skipped = skipped_lines(options["skiprows"])
            self._dialect = dialect
            self._reader = _engine.CsvReader(self._text.source, dialect)
            self._reader.skip_lines(skipped)
            fields = self._begin()
        except ParserError as error:
            explained = self._explained(error)
            self.close()
            raise explained from None
        except BaseException:
            self.close()
            raise
        self.fields = fields
        self._plan = {
            "width": self._width,
            "columns": [
                (
                    field.place,
                    str(field.name),
                    field.wanted.kind,
                    field.wanted.unit,
                    missing.of(field.name, field.place - self.index),
                )
                for field in fields
            ],
            "missing": missing.sets,
            "true_texts": list(options["true_values"] or ()),
            "false_texts": list(options["false_values"] or ()),
            "bad_lines": bad_lines,
            "drops_more_fields": options["usecols"] is not None,
            "reads_integers_as_floats": options["quoting"] == 2,
        }

    def close(self) -> None:
        """Close the file, as far as it was opened here."""
        self._text.close()

    def __enter__(self) -> CsvChunks:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __iter__(self) -> Iterator[Columns]:
        return self

    def __next__(self) -> Columns:
        is_empty = self._has_given and self._reader.position >= self._reader.size
        if is_empty or (self._left == 0 and self._has_given):
            self.close()
            raise StopIteration
        made = self.get_chunk()
        if self._has_rows or not self._is_later:
            return made
        self.close()
        raise StopIteration

    def get_chunk(self, size: int | None = None) -> Columns:
        """The columns of the next `size` rows, or of `chunksize`; of all without either."""
        most = self._chunksize if size is None else count_of("size", size)
        most = -1 if most is None else most
        if self._left >= 0:
            most = self._left if most < 0 else min(most, self._left)
        self._is_later = self._has_given
        start = self._reader.position
        rows, parts, skipped = self._read(most)
        self._has_given = True
        self._has_rows = rows > 0
        if self._left >= 0:
            self._left -= rows
        for message in skipped:
            warnings.warn(message, ParserWarning, stacklevel=4)
        return [
            self._column(field, part, start) for field, part in zip(self.fields, parts, strict=True)
        ]

    def _read(self, most: int) -> tuple[int, list[tuple[Any, ...]], list[str]]:
        """Rows, columns and warnings: all of a long text by kernels of the device, if it is one."""
        size = self._reader.size
        if most < 0 and _csv.takes(self._dialect, self._plan):
            left = size - self._reader.position
            device = placement.name_of(self._device)
            reader = _csv.Reader(self._reader, self._text.source, self._dialect, device)
            made = reader.read(self._plan) if _csv.is_worth(left, self._device) else None
            if made is not None:
                self._reader.move_to(size)
                if self._progress is not None:
                    self._progress(size, size)
                return *made, []
        try:
            rows, parts, skipped, _ = self._reader.read(self._plan, most, self._progress)
        except ParserError as error:
            raise self._explained(error) from None
        return rows, parts, skipped

    def _explained(self, error: ParserError) -> ParserError:
        """The error of a reader, with what it does not know of the text."""
        undecodable = undecodable_of(self._text)
        if undecodable is not None:
            return EncodingError(str(error), undecodable)
        if self._is_rewritten:
            return ParserError(f"{error} (lines are counted without those left out)")
        return error

    def _column(self, field: Field, part: tuple[Any, ...], start: int) -> tuple[object, CsvColumn]:
        kind, unit, *arrays = part
        column = CsvColumn(f"datetime64[{unit}]" if kind == "datetime" else kind, *arrays)
        try:
            return field.name, cast(field.name, column, field.wanted)
        except CastError as error:
            if error.row is None:
                raise
            here = self._reader.position
            self._reader.move_to(start)
            line = self._reader.line_of_row(self._plan, error.row)
            self._reader.move_to(here)
            raise ValueError(f"line {line}: {error}") from None

    def _begin(self) -> list[Field]:
        """Read the header, and see how wide the records are; the fields that are wanted."""
        names, header_width = self._names()
        first = self._peek()
        given_width = len(names) if names is not None else 0
        self._width = max(header_width, given_width, len(first or ()))
        if header_width and self._width > max(header_width, len(first or ())):
            raise ParserError(
                f"Too many columns specified: expected {given_width} and found "
                f"{max(header_width, len(first or ()))}"
            )
        if self._width == 0:
            raise EmptyDataError("No columns to parse from file")
        if names is None:
            names = list(range(self._width))
        has_index = self._options["index_col"] is not False
        self.index = max(0, self._width - len(names)) if has_index else 0
        return self._chosen(names)

    def _names(self) -> tuple[list[object] | None, int]:
        """The columns' names, if any are given, and how many fields the header has."""
        names = self._options["names"]
        header = self._options["header"]
        rows = rows_of_header(self._options)
        if rows is not None:
            places = label_places(self._options["index_col"])
            self.levels = header_of_levels(self._reader, rows, places)
            return list(self.levels.names), len(self.levels.names)
        if header == "infer":
            header = 0 if names is None else None
        if isinstance(header, (list, tuple)) and len(header) == 1:
            header = header[0]
        if header is not None and not isinstance(header, int):
            raise ValueError("header must be integer or list of integers")
        if names is not None:
            names = list(names)
            if len(set(names)) != len(names):
                raise ValueError("Duplicate names are not allowed.")
        if header is None:
            return names, 0
        record = self._header(count_of("header", header), names is None)
        if names is None:
            names = distinct_names(record)
            self._origins = dict(zip(names, record, strict=True))
        return names, len(record)

    def _header(self, header: int, is_needed: bool) -> list[str]:
        """The record of the header; of none, where names are given, if the file is empty."""
        for at in range(header + 1):
            record = self._reader.next_record()
            if record is None and not is_needed:
                return []
            if record is None and at == 0:
                raise EmptyDataError("No columns to parse from file")
            if record is None:
                raise ParserError(f"Passed header={header} but only {at} lines in file")
        return record or []

    def _peek(self) -> list[str] | None:
        here = self._reader.position
        record = self._reader.next_record()
        self._reader.move_to(here)
        return record

    def _chosen(self, names: list[object]) -> list[Field]:
        wanted = wanted_by_column(self._options["dtype"])
        dates = self._dates(names)
        usecols = self._options["usecols"]
        places = self._used(names)
        if usecols is not None and self._options["names"] is not None and len(places) == len(names):
            # The names are those of the columns that are used.
            named = list(zip(places, names, strict=True))
            self.index = 0
        else:
            named = [(place, names[place]) for place in places if place < len(names)]
        of_index = Wanted() if isinstance(self._options["dtype"], Mapping) else wanted(None, -1)
        are_dates = self._options["parse_dates"] is True
        of_date = Wanted("string" if any(self.date_form) else "datetime")
        fields = [
            Field(i, None, of_date if are_dates else of_index, are_dates) for i in range(self.index)
        ]
        converters = self._options["converters"] or {}
        for place, name in named:
            asked = wanted(name, place)
            if asked == Wanted() and name in self._origins:
                asked = wanted(self._origins[name], -1)
            converter = converters.get(name, converters.get(place))
            is_date = name in dates or place in dates
            if is_date:
                asked = of_date
            if converter is not None:
                asked = Wanted("string")
            fields.append(Field(self.index + place, name, asked, is_date, converter))
        self.names = [name for _, name in named]
        return fields

    def _used(self, names: list[object]) -> list[int]:
        """The places of the columns that `usecols` asks for, in the order of the file."""
        usecols = self._options["usecols"]
        if usecols is None:
            return list(range(len(names)))
        if callable(usecols):
            return [i for i, name in enumerate(names) if usecols(name)]
        wanted = list(usecols)
        if all(isinstance(each, int) for each in wanted):
            bad = [each for each in wanted if not 0 <= each < self._width]
            if bad:
                raise ParserError(
                    "Defining usecols with out-of-bounds indices is not allowed. "
                    f"{bad} are out of bounds."
                )
            return sorted(set(wanted))
        if not all(isinstance(each, str) for each in wanted):
            raise ValueError(
                "'usecols' must either be list-like of all strings, all unicode, all integers or a "
                "callable."
            )
        absent = [each for each in wanted if each not in names]
        if absent:
            raise ValueError(
                "Usecols do not match columns, columns expected but not found: "
                f"{absent} (of {names})"
            )
        return sorted(names.index(each) for each in set(wanted))

    def _dates(self, names: list[object]) -> set[object]:
        given = self._options["parse_dates"]
        if given is None or given is False:
            return set()
        if given is True:  # the labels
            labels = self.labels
            if labels is None or labels is False:
                return set()
            return set(labels) if isinstance(labels, (list, tuple)) else {labels}
        if not isinstance(given, (list, tuple)):
            raise TypeError("Only booleans and lists are accepted for the 'parse_dates' parameter")
        absent = [
            each
            for each in given
            if each not in names and not (isinstance(each, int) and each < len(names))
        ]
        if absent:
            raise ValueError(f"Missing column provided to 'parse_dates': {absent}")
        return set(given)


def _opened(source: object, options: dict[str, Any]) -> tuple[Any, dict[str, Any]]:
    """The text, and the keywords that it is read with: others where it had to be rewritten."""
    if not is_to_be_rewritten(options):
        dialect_of(options)  # before a file is opened
        return open_text(source, options), options
    with closing(open_text(source, options)) as text:
        return rewritten(text, options)


def read_csv_columns(
    source: object, *, progress: Progress | None = None, **given: Any
) -> Columns | CsvChunks:
    """Read CSV text to a list of (name, CsvColumn), or of `chunksize` rows each to CsvChunks.

    `source` is a path, an open file, or bytes. The keyword arguments are those of pandas'
    read_csv; columns before the first name, whose own is None, are the rows' labels. Where the
    current device is a GPU, columns of a long text are its arrays, else NumPy's. `progress` is
    called with the bytes done and those of all, now and then.

    Floats are rounded correctly. A column of "category" has its words as strings, in order. Dates
    are read where all of a column are of ISO 8601 in one form, and are strings otherwise. Whole
    numbers beyond 64 bits are strings.

    Raises TypeError for a keyword that pandas does not have, NotImplementedError for one that is
    not there, EmptyDataError, ParserError with the line, ValueError for columns that do not have
    the dtype asked for, and OSError, also where the file changes meanwhile.
    """
    options = keywords(given)
    if options["index_col"] not in (None, False):
        raise NotImplementedError("read_csv: the keyword 'index_col' with columns")
    chunks = CsvChunks(source, options, progress)
    if chunks.is_iterator:
        return chunks
    with chunks:
        return chunks.get_chunk()
