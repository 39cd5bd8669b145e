"""`to_json` of frames and series."""

from __future__ import annotations

import datetime
import json
import re
from collections.abc import Callable, Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np

from ..columns import Column
from ..columns.categories import CategoryColumn
from ..columns.decimals import DecimalColumn
from ..columns.lists import ListColumn
from ..columns.time_texts import utc_count
from ..dtypes import family
from ..missing import is_missing
from ..scalars import Timedelta, Timestamp
from ..scalars.units import PER_SECOND
from ..shared.base import Labelled
from ..storage.compressing import compressed, method_to_write
from ..storage.input import refuse
from ..storage.output import local_path, open_output

_ORIENTS = ("split", "records", "index", "columns", "values")


def _number(value: float, digits: int) -> str:
    """A float as pandas writes it: with as many decimals at most, "null" where it is none."""
    if value != value or value in (float("inf"), float("-inf")):
        return "null"
    if abs(value) > 1e16:
        return f"{value:.{max(digits, 1)}g}" if digits else f"{value:.15g}"
    text = f"{value:.{digits}f}".rstrip("0") if digits else f"{value:.0f}."
    text = text + "0" if text.endswith(".") else text
    return "0.0" if text in ("-0.0",) else text


class Tokens(NamedTuple):
    """Values as JSON, by the keywords of `to_json`."""

    digits: int
    ascii_only: bool
    unit: str
    is_iso: bool = False
    handler: Callable[[Any], Any] | None = None

    def text(self, value: str) -> str:
        """A text in quotes; as in pandas, slashes are escaped."""
        return json.dumps(value, ensure_ascii=self.ascii_only).replace("/", "\\/")

    def column(self, column: Column) -> list[str]:
        """Each row as JSON. Raises NotImplementedError for what has no form of its own."""
        kind = family(column.dtype)
        if isinstance(column, CategoryColumn):
            codes = np.asarray(column.codes).tolist()
            texts = self.column(column.dtype.values)
            return ["null" if each < 0 else texts[each] for each in codes]
        if kind in ("datetime", "zoned", "timedelta"):
            values = np.asarray(column.values)  # type: ignore[attr-defined]
            return self._times(values, is_utc=kind == "zoned")
        if isinstance(column, DecimalColumn):
            column = column.as_texts()
        if isinstance(column, ListColumn):
            return self._lists(column)
        if column.dtype.kind == "f":
            return [_number(each, self.digits) for each in column.to_numpy().tolist()]
        return list(map(self.value, column.tolist()))

    def _lists(self, column: ListColumn) -> list[str]:
        made = column.compact()
        tokens = self.column(made.elements)
        bounds, there = made.offsets.tolist(), made.present().tolist()
        return [
            f"[{','.join(tokens[bounds[i] : bounds[i + 1]])}]" if known else "null"
            for i, known in enumerate(there)
        ]

    def _times(self, values: np.ndarray, *, is_utc: bool = False) -> list[str]:
        if self.is_iso:
            write = _iso_date if values.dtype.kind == "M" else _iso_duration
            end = "Z" if is_utc else ""
            return [
                "null" if np.isnat(each) else f'"{write(each, self.unit)}{end}"' for each in values
            ]
        unit = np.datetime_data(values.dtype)[0]
        counts = values.view(np.int64)
        one, other = PER_SECOND[self.unit], PER_SECOND[unit]
        scaled = counts * (one // other) if one >= other else counts // (other // one)
        gone = np.isnat(values).tolist()
        return ["null" if no else str(each) for each, no in zip(scaled.tolist(), gone, strict=True)]

    def value(self, value: Any) -> str:
        """One value as JSON."""
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, (bool, np.bool_)):
            return "true" if value else "false"
        if isinstance(value, (Timestamp, Timedelta)):
            is_utc = getattr(value, "tzinfo", None) is not None
            return self._times(np.asarray([value.asm8]), is_utc=is_utc)[0]
        if isinstance(value, (np.datetime64, np.timedelta64)):
            return self._times(np.asarray([value]))[0]
        if isinstance(value, (int, np.integer)):
            return str(int(value))
        if is_missing(value):
            return "null"
        if isinstance(value, (float, np.floating)):
            return _number(float(value), self.digits)
        if isinstance(value, datetime.datetime):
            plain = utc_count(value) if value.tzinfo else np.datetime64(value, "us")
            return self._times(np.asarray([plain]), is_utc=value.tzinfo is not None)[0]
        return self._of_object(value)

    def _of_object(self, value: Any) -> str:
        if isinstance(value, (list, tuple, set, np.ndarray)):
            return f"[{','.join(map(self.value, value))}]"
        if isinstance(value, Mapping):
            return _members(map(self.key, value), map(self.value, value.values()))
        if self.handler is not None:
            return self.value(self.handler(value))
        raise NotImplementedError(
            f"to_json: a value of {type(value).__name__}; default_handler=str writes its text"
        )

    def key(self, label: Any) -> str:
        """A label as the name of a member."""
        if isinstance(label, Timestamp):
            label = label.asm8
        if isinstance(label, np.datetime64):
            text = self._times(np.asarray([label]))[0]
            return text if self.is_iso else f'"{text}"'
        return self.text(str(label))


def _iso_date(value: np.datetime64, unit: str) -> str:
    return str(np.datetime_as_string(value, unit=unit, casting="unsafe"))  # type: ignore[call-overload]


def _iso_duration(value: np.timedelta64, unit: str) -> str:
    """As pandas' ujson writes a duration: with as many digits as it has, by threes."""
    count = int(value.view(np.int64)) * (10**9 // PER_SECOND[np.datetime_data(value.dtype)[0]])
    days, rest = divmod(count, 86400 * 10**9)
    seconds, fraction = divmod(rest, 10**9)
    part = f"{fraction:09}"
    while part.endswith("000"):
        part = part[:-3]
    clock = f"{seconds // 3600}H{seconds // 60 % 60}M{seconds % 60}"
    return f"P{days}DT{clock}{'.' + part if part else ''}S"


def indented(text: str, width: int) -> str:
    """JSON with a line for each member and element."""
    made: list[str] = []
    level, in_text, is_escaped = 0, False, False
    for each in text:
        if in_text:
            in_text = is_escaped or each != '"'
            is_escaped = each == "\\" and not is_escaped
            made.append(each)
            continue
        in_text = each == '"'
        level += (each in "[{") - (each in "]}")
        line = "\n" + " " * (width * level)
        made.append(line + each if each in "]}" else each + line if each in "[{," else each)
    # A line without anything is in what is empty; texts have no line ends of their own.
    return re.sub(r"\n +\n", "\n\n", "".join(made))


def _members(keys: Iterable[str], values: Iterable[str]) -> str:
    return "{" + ",".join(f"{one}:{other}" for one, other in zip(keys, values, strict=True)) + "}"


def _list(values: Iterable[str]) -> str:
    return f"[{','.join(values)}]"


def _frame_json(frame: Any, orient: str, index: bool, lines: bool, tokens: Tokens) -> str:
    columns = [tokens.column(each) for each in frame._parts]
    labels = list(map(tokens.key, frame.columns))
    rows = list(zip(*columns, strict=True)) if columns else [()] * len(frame)
    if orient == "columns":
        keys = list(map(tokens.key, frame.index))
        return _members(labels, (_members(keys, each) for each in columns))
    if orient == "index":
        keys = list(map(tokens.key, frame.index))
        return _members(keys, (_members(labels, each) for each in rows))
    if orient == "records":
        written = (_members(labels, each) for each in rows)
        return "\n".join(written) + "\n" if lines else _list(written)
    data = _list(_list(each) for each in rows)
    if orient == "values":
        return data
    parts = [("columns", _list(_label_values(frame.columns, tokens)))]
    parts += [("index", _list(_label_values(frame.index, tokens)))] if index else []
    return _members(*zip(*((f'"{a}"', b) for a, b in [*parts, ("data", data)]), strict=True))


def _series_json(series: Any, orient: str, index: bool, lines: bool, tokens: Tokens) -> str:
    values = tokens.column(series._parts[0])
    if orient in ("records", "values"):
        return "\n".join(values) + "\n" if lines else _list(values)
    if orient in ("index", "columns"):
        return _members(map(tokens.key, series.index), values)
    parts = [("name", tokens.value(series.name))]
    parts += [("index", _list(_label_values(series.index, tokens)))] if index else []
    parts += [("data", _list(values))]
    return _members(*zip(*((f'"{a}"', b) for a, b in parts), strict=True))


def _label_values(labels: Any, tokens: Tokens) -> list[str]:
    if labels.nlevels > 1:
        return [tokens.value(tuple(each)) for each in labels]
    return tokens.column(labels._values_column())


class JsonWriting(Labelled):
    """`to_json` of frames and series."""

    def to_json(
        self,
        path_or_buf: Any = None,
        *,
        orient: str | None = None,
        date_format: str | None = None,
        double_precision: int = 10,
        force_ascii: bool = True,
        date_unit: str = "ms",
        default_handler: Callable[[Any], Any] | None = None,
        lines: bool = False,
        compression: Any = "infer",
        index: bool | None = None,
        indent: int | None = None,
        storage_options: Any = None,
        mode: str = "w",
    ) -> str | None:
        """JSON, to a path, to an open file, or as a string where there is neither.

        ``date_format`` is "epoch", counts of ``date_unit`` since 1970, or "iso", texts with so many
        digits. ``default_handler`` is called for values that JSON has no form for.

        Raises ValueError for labels that are repeated and for keywords that do not fit, OSError,
        and NotImplementedError for ``orient="table"`` and values that JSON has no form for.
        """
        if orient in ("index", "columns") and index is False:
            raise ValueError(
                "'index=False' is only valid when 'orient' is 'split', 'table', 'records', or "
                "'values'."
            )
        orient = orient or ("columns" if self.ndim == 2 else "index")
        _check(self, orient, index, lines, mode)
        refuse("to_json", storage_options=storage_options)
        if date_format not in (None, "epoch", "iso"):
            raise ValueError(f"Invalid value '{date_format}' for option 'date_format'")
        if date_unit not in PER_SECOND:
            raise ValueError(f"Invalid value '{date_unit}' for option 'date_unit'")
        if not 0 <= double_precision <= 15:
            raise ValueError(f"Invalid value '{double_precision}' for option 'double_precision'")
        tokens = Tokens(
            double_precision, force_ascii, date_unit, date_format == "iso", default_handler
        )
        make = _frame_json if self.ndim == 2 else _series_json
        text = make(self, orient, index is not False, lines, tokens)
        if indent and not lines:
            text = indented(text, int(indent))
        if path_or_buf is None:
            return text
        _write(text, path_or_buf, mode, compression)
        return None


def _check(data: Any, orient: str, index: bool | None, lines: bool, mode: str) -> None:
    if orient == "table":
        raise NotImplementedError("to_json: orient='table'")
    if orient not in _ORIENTS:
        raise ValueError(f"Invalid value '{orient}' for option 'orient'")
    if orient in ("records", "values") and index is True:
        raise ValueError(
            "'index=True' is only valid when 'orient' is 'split', 'table', 'index', or 'columns'."
        )
    if lines and orient != "records":
        raise ValueError("'lines' keyword only valid when 'orient' is records")
    if mode not in ("a", "w"):
        raise ValueError(f"mode={mode} is not a valid option.Only 'w' and 'a' are supported.")
    if mode == "a" and not lines:
        raise ValueError(
            "mode='a' (append) is only supported when lines is True and orient is 'records'"
        )
    unique = ("index", "columns") if data.ndim == 2 else ("index",)
    if orient in unique and not data.index.is_unique:
        raise ValueError(f"index must be unique for orient='{orient}'.")
    if data.ndim == 2 and orient in (*unique, "records") and not data.columns.is_unique:
        raise ValueError(f"DataFrame columns must be unique for orient='{orient}'.")


def _write(text: str, target: Any, mode: str, compression: Any) -> None:
    if hasattr(target, "write"):
        is_text = hasattr(target, "encoding") or hasattr(target, "newlines")
        target.write(text if is_text else text.encode())
        return
    where = local_path(target, "to_json")
    method, options = method_to_write(compression, where, "to_json")
    with open_output(where, mode) as file, compressed(file, method, options, where.name) as inner:
        inner.write(text.encode())
