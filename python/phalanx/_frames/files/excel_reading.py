"""`read_excel` and `ExcelFile`: sheets of workbooks, through openpyxl."""

from __future__ import annotations

import importlib
import os
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np

from phalanx.errors import DamagedFileError

from .. import above
from ..columns import Column
from ..columns.making import column_of
from ..csv_keywords import DEFAULT_MISSING, count_of
from ..indexes.making import index_of
from ..indexes.ranges import RangeIndex
from ..storage.input import refuse
from ..storage.locations import local_or_opened


class Request(NamedTuple):
    """The keywords of `read_excel` that say what is made of a sheet."""

    header: Any
    names: Any
    index_col: Any
    usecols: Any
    dtype: Any
    skiprows: Any
    nrows: Any
    missing: frozenset[Any]


def read_excel(
    io: Any,
    sheet_name: Any = 0,
    *,
    header: Any = 0,
    names: Any = None,
    index_col: Any = None,
    usecols: Any = None,
    dtype: Any = None,
    engine: str | None = None,
    skiprows: Any = None,
    nrows: int | None = None,
    na_values: Any = None,
    keep_default_na: bool = True,
    na_filter: bool = True,
    **keywords: Any,
) -> Any:
    """A frame of a sheet of a workbook (.xlsx); of several sheets, or of all for None, a dict.

    ``header`` is the number of the row of names, or None. ``usecols`` are numbers, names, letters
    as in "A:C,F", or a function. Needs openpyxl (`pip install openpyxl`).

    Raises ValueError for a sheet that is not there, DamagedFileError for what is no workbook,
    ImportError, OSError, and NotImplementedError for other engines and pandas' other keywords.

    >>> px.DataFrame({"a": [1, 2]}).to_excel("t.xlsx", index=False)
    >>> px.read_excel("t.xlsx")
       a
    0  1
    1  2
    """
    if engine not in (None, "openpyxl"):
        raise NotImplementedError(f"read_excel: engine={engine!r}; 'openpyxl' is there")
    storage_options = keywords.pop("storage_options", None)
    _check_keywords(keywords)
    missing: set[Any] = set()
    if na_filter:
        given = na_values if isinstance(na_values, (list, tuple, set)) else [na_values]
        missing |= {each for each in given if each is not None}
        missing |= set(DEFAULT_MISSING) if keep_default_na else set()
    if isinstance(header, (list, tuple)):
        refuse("read_excel", header=header)
    request = Request(header, names, index_col, usecols, dtype, skiprows, nrows, frozenset(missing))
    if isinstance(io, ExcelFile):
        return io._frames(sheet_name, request)
    with ExcelFile(io, engine, storage_options) as book:
        return book._frames(sheet_name, request)


_OTHERS = frozenset({
    "converters", "true_values", "false_values", "verbose", "parse_dates", "date_format",
    "thousands", "decimal", "comment", "skipfooter", "dtype_backend",
    "engine_kwargs",
})  # fmt: skip


def _check_keywords(given: dict[str, Any]) -> None:
    for name, value in given.items():
        if name not in _OTHERS:
            raise TypeError(f"read_excel() got an unexpected keyword argument {name!r}")
        if value not in (None, False, 0, "."):
            raise NotImplementedError(
                f"read_excel: the keyword {name!r} of pandas is not supported"
            )


def openpyxl_module(caller: str) -> Any:
    """openpyxl. Raises ImportError that says what to install."""
    try:
        return importlib.import_module("openpyxl")
    except ImportError:
        raise ImportError(f"{caller} needs openpyxl: pip install openpyxl") from None


class ExcelFile:
    """A workbook of which several sheets are read; closed by `close` or at the end of ``with``.

    Raises what `read_excel` raises.

    >>> px.DataFrame({"a": [1, 2]}).to_excel("t.xlsx", index=False)
    >>> px.ExcelFile("t.xlsx").sheet_names
    ['Sheet1']
    """

    def __init__(
        self, path_or_buffer: Any, engine: str | None = None, storage_options: Any = None
    ) -> None:
        if engine not in (None, "openpyxl"):
            raise NotImplementedError(f"ExcelFile: engine={engine!r}; 'openpyxl' is there")
        openpyxl = openpyxl_module("read_excel")
        self._io = path_or_buffer
        source = local_or_opened(path_or_buffer, storage_options, "read_excel")
        if isinstance(source, (str, os.PathLike)):
            source = os.path.expanduser(os.fspath(source))  # noqa: PTH111
            if not os.path.exists(source):  # noqa: PTH110
                raise FileNotFoundError(2, "No such file or directory", str(source))
        try:
            self.book = openpyxl.load_workbook(source, data_only=True, read_only=True)
        except OSError:
            raise
        except Exception as error:  # what zip files, XML and openpyxl raise of damage
            raise DamagedFileError(f"{source!r}: no workbook that can be read: {error}") from error

    @property
    def sheet_names(self) -> list[str]:
        """The names of the sheets."""
        return list(self.book.sheetnames)

    def parse(self, sheet_name: Any = 0, **keywords: Any) -> Any:
        """A sheet, or several; the keywords are those of `read_excel`."""
        return read_excel(self, sheet_name, **keywords)

    def _frames(self, wanted: Any, request: Request) -> Any:
        if wanted is None or isinstance(wanted, list):
            several = self.sheet_names if wanted is None else wanted
            return {each: self._frame(each, request) for each in dict.fromkeys(several)}
        return self._frame(wanted, request)

    def _frame(self, wanted: Any, request: Request) -> Any:
        names = self.sheet_names
        if isinstance(wanted, str):
            if wanted not in names:
                raise ValueError(f"Worksheet named '{wanted}' not found")
            name = wanted
        else:
            if not -len(names) <= wanted < len(names):
                raise ValueError(
                    f"Worksheet index {wanted} is invalid, {len(names)} worksheets found"
                )
            name = names[wanted]
        return _frame_of(_rows_of(self.book[name]), request)

    def close(self) -> None:
        """Closes the workbook."""
        self.book.close()

    def __enter__(self) -> ExcelFile:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


# Cells to rows, rows to columns.


def _rows_of(sheet: Any) -> list[list[Any]]:
    """The rows up to the last one with something, all as wide as the widest."""
    if hasattr(sheet, "reset_dimensions"):
        sheet.reset_dimensions()
    rows = []
    for row in sheet.rows:
        made = [_value(each) for each in row]
        while made and made[-1] == "":
            made.pop()
        rows.append(made)
    while rows and not rows[-1]:
        rows.pop()
    width = max(map(len, rows), default=0)
    return [each + [""] * (width - len(each)) for each in rows]


def _value(cell: Any) -> Any:
    value = cell.value
    if value is None:
        return ""
    if cell.data_type == "e":
        return np.nan
    if cell.data_type == "n" and isinstance(value, float) and value.is_integer():
        return int(value)
    return value


def _frame_of(rows: list[list[Any]], request: Request) -> Any:
    rows = _kept(rows, request.skiprows)
    if not rows:
        return above.DataFrame()
    if request.header is None:
        titles: list[Any] = list(range(len(rows[0])))
    else:
        at = count_of("header", request.header)
        if at >= len(rows):
            raise ValueError(f"read_excel: header={at}, and there are {len(rows)} rows")
        titles = _distinct(rows[at])
        rows = rows[at + 1 :]
    if request.nrows is not None:
        rows = rows[: count_of("nrows", request.nrows)]
    places = _used(request.usecols, titles)
    titles = [titles[i] for i in places]
    if request.names is not None:
        given = list(request.names)
        titles = given + titles[len(given) :] if len(given) < len(titles) else given[: len(titles)]
    columns = [_column([row[i] for row in rows], request.missing) for i in places]
    made: Any = above.DataFrame._of(columns, RangeIndex(len(rows)), index_of(titles, tuples=False))
    if request.dtype is not None:
        of = request.dtype
        made = made.astype(
            {k: v for k, v in of.items() if k in made} if isinstance(of, dict) else of
        )
    return _with_index(made, request.index_col)


def _kept(rows: list[list[Any]], skipped: Any) -> list[list[Any]]:
    if skipped is None:
        return rows
    if callable(skipped):
        return [row for i, row in enumerate(rows) if not skipped(i)]
    if isinstance(skipped, Iterable):
        gone = set(skipped)
        return [row for i, row in enumerate(rows) if i not in gone]
    return rows[count_of("skiprows", skipped) :]


def _distinct(row: list[Any]) -> list[Any]:
    """The names of columns, each once."""
    made: list[Any] = []
    for i, each in enumerate(row):
        title = f"Unnamed: {i}" if each == "" else each
        number, name = 0, title
        while name in made:
            number += 1
            name = f"{title}.{number}"
        made.append(name)
    return made


def _used(usecols: Any, titles: list[Any]) -> list[int]:
    """The places of the columns that are wanted. Raises ValueError for names that are not there."""
    if usecols is None:
        return list(range(len(titles)))
    if isinstance(usecols, str):
        return [each for each in _letters(usecols) if each < len(titles)]
    if callable(usecols):
        return [i for i, each in enumerate(titles) if usecols(each)]
    wanted = list(usecols)
    if all(isinstance(each, (int, np.integer)) for each in wanted):
        return sorted({int(each) for each in wanted})
    absent = [each for each in wanted if each not in titles]
    if absent:
        raise ValueError(f"Usecols do not match columns, columns expected but not found: {absent}")
    return sorted(titles.index(each) for each in wanted)


def _letters(text: str) -> list[int]:
    """The places of columns with letters: "A:C,F"."""
    made = []
    for part in text.split(","):
        first, _, last = part.strip().partition(":")
        made += list(range(_place(first), _place(last or first) + 1))
    return sorted(set(made))


def _place(letters: str) -> int:
    place = 0
    for each in letters.upper().strip():
        if not "A" <= each <= "Z":
            raise ValueError(f"Invalid column name: {letters}")
        place = place * 26 + ord(each) - ord("A") + 1
    return place - 1


def _column(values: list[Any], missing: frozenset[Any]) -> Column:
    """Cells of a column: numbers, also those in texts, where all are such; else as they are."""
    there = [None if _is_missing(each, missing) else each for each in values]
    known = [each for each in there if each is not None]
    if known and len(known) < len(there) and all(isinstance(each, bool) for each in known):
        return column_of([np.nan if each is None else float(each) for each in there])  # as pandas
    for read in (int, float):
        numbers = _as_numbers(known, read)
        if numbers is not None:
            found = iter(numbers)
            return column_of([None if each is None else next(found) for each in there])
    if not known and values:
        return column_of([np.nan] * len(values))
    return column_of([np.nan if each is None else each for each in there] or [])


def _is_missing(value: Any, missing: frozenset[Any]) -> bool:
    return value != value or (not isinstance(value, bool) and value in missing)


def _as_numbers(values: list[Any], read: Callable[[Any], Any]) -> list[Any] | None:
    """Numbers and texts as numbers, if there are texts among them; None for others."""
    if not any(isinstance(each, str) for each in values):
        return None
    made = []
    for each in values:
        if isinstance(each, bool) or not isinstance(each, (str, int, float)):
            return None
        try:
            made.append(read(each.strip()) if isinstance(each, str) else each)
        except ValueError:
            return None
    return made


def _with_index(made: Any, given: Any) -> Any:
    if given is None:
        return made
    several = list(given) if isinstance(given, (list, tuple)) else [given]
    keys = [
        made.columns[each] if isinstance(each, int) and each not in made.columns else each
        for each in several
    ]
    found = made.set_index(keys if isinstance(given, (list, tuple)) else keys[0])
    names = [None if str(each).startswith("Unnamed: ") else each for each in found.index.names]
    found.index.names = names
    return found
