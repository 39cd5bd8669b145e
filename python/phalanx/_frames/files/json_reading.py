"""`read_json`: frames and series of JSON text."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import islice
from typing import Any, NamedTuple

from .. import above
from ..columns import Column
from ..combining.concat import concat
from ..csv_keywords import count_of
from ..indexes.making import index_of
from ..signatures import NO_DEFAULT
from ..storage.input import opened_bytes, text_of
from .json_tables import of_schema
from .json_types import WHOLE, Types, converted


class Request(NamedTuple):
    """What `read_json` was asked for."""

    orient: str
    is_series: bool
    convert_axes: bool
    types: Types
    backend: Any


def read_json(
    path_or_buf: Any,
    *,
    orient: str | None = None,
    typ: str = "frame",
    dtype: Any = None,
    convert_axes: bool | None = None,
    convert_dates: Any = NO_DEFAULT,
    keep_default_dates: Any = NO_DEFAULT,
    precise_float: bool = False,
    date_unit: str | None = None,
    encoding: str | None = None,
    encoding_errors: str | None = "strict",
    lines: bool = False,
    chunksize: int | None = None,
    compression: Any = "infer",
    nrows: int | None = None,
    storage_options: Any = None,
    dtype_backend: Any = NO_DEFAULT,
    engine: str = "ujson",
) -> Any:
    """A frame, or with ``typ="series"`` a series, of JSON in one of the forms of `to_json`.

    ``orient`` names the form: "columns" (the usual one), "index", "records", "split", "values",
    "table". With ``lines`` each line is a record; ``nrows`` of them, or with ``chunksize`` an
    iterator of frames. Numbers in texts become numbers, and columns named like dates become dates,
    unless ``dtype`` and ``convert_dates`` say otherwise. Floats are rounded correctly.

    Raises ValueError for text that is no JSON, with its place, and for keywords that do not fit,
    OSError, and NotImplementedError for other engines.

    >>> import io
    >>> px.read_json(io.StringIO('{"a": {"0": 1, "1": 2}}'))
       a
    0  1
    1  2
    """
    if engine != "ujson":
        raise NotImplementedError(f"read_json: engine={engine!r}; the one that is there is ours")
    if orient == "table" and (dtype or convert_axes):
        raise ValueError("cannot pass both dtype or convert_axes and orient='table'")
    if typ not in ("frame", "series"):
        raise ValueError(f"typ={typ!r} must be 'frame' or 'series'.")
    if not lines and (chunksize is not None or nrows is not None):
        name = "chunksize" if chunksize is not None else "nrows"
        raise ValueError(f"{name} can only be passed if lines=True")
    dates = True if convert_dates is NO_DEFAULT else convert_dates
    usual = True if keep_default_dates is NO_DEFAULT else bool(keep_default_dates)
    wanted = Types(orient != "table" if dtype is None else dtype, dates, usual, _unit_of(date_unit))
    form = orient or ("columns" if typ == "frame" else "index")
    backend = None if dtype_backend is NO_DEFAULT else dtype_backend
    request = Request(form, typ == "series", convert_axes is not False, wanted, backend)
    if chunksize is not None:
        most = None if nrows is None else count_of("nrows", nrows)
        reading = compression, encoding, encoding_errors, storage_options
        return JsonFrames(path_or_buf, reading, request, _positive(chunksize), most)
    text = text_of(
        path_or_buf, "read_json", compression, encoding, encoding_errors, storage_options
    )
    if not lines:
        return _made(_decoded(text), request)
    records = text.split("\n")
    rows = records if nrows is None else records[: count_of("nrows", nrows)]
    return _made(_of_lines(rows, 1), request)


def _positive(chunksize: Any) -> int:
    if count_of("chunksize", chunksize) < 1:
        raise ValueError("'chunksize' must be an integer >=1")
    return int(chunksize)


def _unit_of(unit: str | None) -> str | None:
    if unit is not None and unit.lower() not in ("s", "ms", "us", "ns"):
        raise ValueError("date_unit must be one of ('s', 'ms', 'us', 'ns')")
    return None if unit is None else unit.lower()


class JsonFrames:
    """Frames of the next lines of a text, again and again; the file is closed at its end."""

    def __init__(
        self, source: Any, reading: tuple[Any, ...], request: Request, size: int, most: int | None
    ) -> None:
        compression, self._encoding, self._errors, storage = reading
        self._opened = opened_bytes(source, compression, "read_json", storage)
        self._file = self._opened.__enter__()
        self._request, self._size, self._left = request, size, most
        self._lines, self._rows = 0, 0

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        count = self._size if self._left is None else min(self._size, self._left)
        lines = [self._text(each) for each in islice(self._file, count)]
        if not lines:
            self.close()
            raise StopIteration
        if self._left is not None:
            self._left -= len(lines)
        made = _made(_of_lines(lines, self._lines + 1), self._request)
        self._lines += len(lines)
        rows = len(made)
        made.index = index_of(range(self._rows, self._rows + rows))
        self._rows += rows
        return made

    def _text(self, line: str | bytes) -> str:
        if isinstance(line, str):
            return line
        return line.decode(self._encoding or "utf-8", self._errors or "strict")

    def read(self) -> Any:
        """All rows that are left as one frame."""
        return concat(list(self))

    def close(self) -> None:
        """Closes the file, as far as it was opened here."""
        self._opened.__exit__(None, None, None)

    def __enter__(self) -> JsonFrames:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


# From text to objects.


def _decoded(text: str) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise ValueError(
            f"read_json: line {error.lineno}, column {error.colno}: {error.msg}"
        ) from None
    except RecursionError:
        raise ValueError("read_json: values lie too deep in one another") from None


def _of_lines(lines: list[str], first: int) -> list[Any]:
    made = []
    for number, line in enumerate(lines, first):
        if not line.strip():
            continue
        try:
            made.append(json.loads(line))
        except json.JSONDecodeError as error:
            raise ValueError(
                f"read_json: line {number}, column {error.colno}: {error.msg}"
            ) from None
    return made


# From objects to frames.


def _made(decoded: Any, request: Request) -> Any:
    if request.orient == "table":
        made = of_schema(decoded)
        return made[made.columns[0]] if request.is_series else made
    made = (_series if request.is_series else _frame)(decoded, request)
    if request.convert_axes:
        made = _with_axes(made, request)
    wanted = request.types
    if request.is_series:
        made = made._with([converted(made._parts[0], WHOLE, wanted)])
    else:
        labels = list(made.columns)
        made = made._with(
            [
                converted(each, label, wanted)
                for each, label in zip(made._parts, labels, strict=True)
            ]
        )
    return made if request.backend is None else made.convert_dtypes(dtype_backend=request.backend)


def _series(decoded: Any, request: Request) -> Any:
    if request.orient == "split":
        _check_keys(decoded, ("name", "index", "data"))
        return above.Series(**decoded)
    return above.Series(decoded) if decoded else above.Series(decoded, dtype=object)


def _frame(decoded: Any, request: Request) -> Any:
    if request.orient == "split":
        _check_keys(decoded, ("columns", "index", "data"))
        labels = [tuple(each) if isinstance(each, list) else each for each in decoded["columns"]]
        rest = {key: value for key, value in decoded.items() if key != "columns"}
        if isinstance(rest.get("index"), list):
            rest["index"] = [tuple(e) if isinstance(e, list) else e for e in rest["index"]]
        return above.DataFrame(**rest, columns=_distinct(labels))
    if (decoded is None and request.orient != "index") or decoded == []:
        if request.orient == "split":
            raise ValueError("read_json: orient='split' needs an object of columns, index, data")
        return above.DataFrame()
    if not isinstance(decoded, (dict, list)):
        raise ValueError("If using all scalar values, you must pass an index")
    if request.orient == "index":
        return above.DataFrame.from_dict(decoded, orient="index")
    return above.DataFrame(decoded)


def _check_keys(decoded: Any, known: tuple[str, ...]) -> None:
    bad = [str(each) for each in decoded if each not in known]
    if bad:
        raise ValueError(f"JSON data had unexpected key(s): {', '.join(bad)}")


def _distinct(labels: list[Any]) -> list[Any]:
    """Labels that are there twice have a number, as those of CSV."""
    counts: dict[Any, int] = {}
    made = []
    for each in labels:
        again = counts.get(each, 0)
        counts[each] = again + 1
        made.append(each if not again or not isinstance(each, str) else f"{each}.{again}")
    return made


def _with_axes(made: Any, request: Request) -> Any:
    """Labels that read as numbers or dates are such."""
    types = Types(True, True, True, request.types.unit)
    made.index = _axis(made.index, types, request.orient == "split" and len(made.index) > 0)
    if made.ndim == 2:
        made.columns = _axis(made.columns, types, False)
    return made


def _axis(labels: Any, types: Types, is_kept: bool) -> Any:
    if labels.nlevels > 1:
        return labels
    column: Column = labels._values_column()
    made = converted(column, None, types, is_axis="kept" if is_kept else True)
    return labels if made is column else index_of(made, name=labels.name)
