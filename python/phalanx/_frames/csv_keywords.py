"""The keyword arguments of pandas' read_csv, as the engine takes them."""

from __future__ import annotations

import csv
import math
import numbers
from collections.abc import Iterable, Mapping
from typing import Any

from .signatures import NO_DEFAULT

# What is missing where `keep_default_na` is true: pandas' list.
DEFAULT_MISSING = (
    "", "#N/A", "#N/A N/A", "#NA", "-1.#IND", "-1.#QNAN", "-NaN", "-nan", "1.#IND", "1.#QNAN",
    "<NA>", "N/A", "NA", "NULL", "NaN", "None", "n/a", "nan", "null",
)  # fmt: skip

_DEFAULTS: dict[str, Any] = {
    "sep": ",", "delimiter": None, "header": "infer", "names": None, "index_col": None,
    "usecols": None, "dtype": None, "true_values": None, "false_values": None,
    "skipinitialspace": False, "skiprows": None, "nrows": None, "na_values": None,
    "keep_default_na": True, "na_filter": True, "skip_blank_lines": True, "parse_dates": None,
    "iterator": False, "chunksize": None, "compression": "infer", "thousands": None,
    "decimal": ".", "quotechar": '"', "quoting": csv.QUOTE_MINIMAL, "doublequote": True,
    "escapechar": None, "comment": None, "encoding": None, "encoding_errors": "strict",
    "on_bad_lines": "error", "skipfooter": 0, "lineterminator": None, "storage_options": None,
    "converters": None, "date_format": None, "dayfirst": False, "dtype_backend": None,
}  # fmt: skip
# They change how pandas reads, and nothing of what it reads.
_IGNORED = frozenset({"engine", "low_memory", "memory_map", "cache_dates", "float_precision"})
# What a dialect of Python's csv module sets, unless a keyword does.
_OF_DIALECT = {
    "delimiter": "sep", "doublequote": "doublequote", "escapechar": "escapechar",
    "quotechar": "quotechar", "quoting": "quoting", "skipinitialspace": "skipinitialspace",
}  # fmt: skip


def keywords(given: Mapping[str, Any]) -> dict[str, Any]:
    """Every keyword with its value. Raises TypeError for one that pandas does not have."""
    made = dict(_DEFAULTS)
    for name, value in given.items():
        if name in made:
            made[name] = value
        elif name == "dialect":
            made.update(_of_dialect(value))
        elif name not in _IGNORED:
            raise TypeError(f"read_csv() got an unexpected keyword argument {name!r}")
    if made["delimiter"] is not None:
        made["sep"] = made["delimiter"]
    if made["dtype_backend"] not in (None, NO_DEFAULT):
        raise NotImplementedError(
            "read_csv: the keyword 'dtype_backend'; convert_dtypes() is there"
        )
    return made


def _of_dialect(given: Any) -> dict[str, Any]:
    """The keywords that a dialect, or the name of one, means. Raises ValueError."""
    if given is None:
        return {}
    dialect = csv.get_dialect(given) if isinstance(given, str) else given
    if not all(hasattr(dialect, each) for each in _OF_DIALECT):
        raise ValueError(f"Invalid dialect {given} provided")
    return {keyword: getattr(dialect, each) for each, keyword in _OF_DIALECT.items()}


def _character(name: str, value: object) -> int:
    """The byte of a character; -1 where there is none."""
    if value is None or value == "":
        return -1
    if not isinstance(value, str) or len(value) != 1:
        raise NotImplementedError(f"read_csv: {name}={value!r} is not one character")
    if not value.isascii() or value in "\r\n\0":
        raise NotImplementedError(f"read_csv: {name}={value!r} is not a character of ASCII")
    return ord(value)


def dialect_of(options: Mapping[str, Any]) -> dict[str, object]:
    """The engine's dialect. Raises NotImplementedError, ValueError."""
    sep = options["sep"]
    if sep is None or not isinstance(sep, str) or len(sep) != 1:
        raise NotImplementedError(f"read_csv: sep={sep!r} is not one character")
    quoting = int(options["quoting"])
    if quoting not in (0, 1, 2, 3):
        raise NotImplementedError(f"read_csv: quoting={quoting!r}")
    made: dict[str, object] = {
        "separator": _character("sep", sep),
        "quote": _character("quotechar", options["quotechar"]),
        "escape": _character("escapechar", options["escapechar"]),
        "comment": _character("comment", options["comment"]),
        "thousands": _character("thousands", options["thousands"]),
        "decimal": _character("decimal", options["decimal"]),
        "doubles_quotes": bool(options["doublequote"]),
        "skips_initial_space": bool(options["skipinitialspace"]),
        "skips_blank_lines": bool(options["skip_blank_lines"]),
    }
    if quoting == csv.QUOTE_NONE:
        made["quote"] = -1
    elif made["quote"] == -1:
        raise TypeError("quotechar must be set if quoting enabled")
    if made["decimal"] == -1:
        raise ValueError("Only length-1 decimal markers supported")
    return made


def count_of(name: str, value: object) -> int:
    """A number of rows. Raises ValueError for what is none."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if not isinstance(value, numbers.Integral) or value < 0:
        raise ValueError(f"'{name}' must be an integer >=0")
    return int(value)


def is_of_first_lines(skiprows: object) -> bool:
    """True for lines at the start, which the engine skips."""
    if skiprows is None or isinstance(skiprows, numbers.Integral):
        return True
    if callable(skiprows) or not isinstance(skiprows, Iterable):
        return False
    lines = set(skiprows)
    return lines == set(range(len(lines)))


def skipped_lines(skiprows: object) -> int:
    """How many lines are skipped at the start."""
    if skiprows is None:
        return 0
    if isinstance(skiprows, numbers.Integral):
        return count_of("skiprows", skiprows)
    return len(set(skiprows))  # type: ignore[call-overload]


def bad_lines_of(given: object) -> str:
    """What happens to lines with too many fields: "error", "warn", "skip"."""
    if callable(given):
        raise NotImplementedError("read_csv: a function as on_bad_lines")
    if given not in ("error", "warn", "skip"):
        raise ValueError(f"Argument {given} is invalid for on_bad_lines")
    return str(given)


def _with_spellings(value: object) -> tuple[set[str], set[float]]:
    """The texts and the numbers that one of `na_values` is."""
    texts = {str(value)}
    try:
        number = float(value)  # type: ignore[arg-type]
    except (TypeError, ValueError):
        return texts, set()
    if math.isnan(number):
        return texts, set()
    if number.is_integer():
        texts |= {f"{int(number)}.0", str(int(number))}
    return texts, {number}


def _missing_set(values: Any, default: bool) -> tuple[list[str], list[float]]:
    texts: set[str] = set(DEFAULT_MISSING) if default else set()
    found: set[float] = set()
    is_one = isinstance(values, str | bytes) or not isinstance(values, Iterable)
    for value in () if values is None else (values,) if is_one else values:
        more, figures = _with_spellings(value)
        texts |= more
        found |= figures
    return sorted(texts), sorted(found)


class MissingValues:
    """The sets of missing values, and which column has which."""

    def __init__(self, options: Mapping[str, Any]) -> None:
        values, default = options["na_values"], bool(options["keep_default_na"])
        self._by_column: dict[object, int] = {}
        self.sets: list[tuple[list[str], list[float]]] = []
        if not options["na_filter"]:
            self.sets.append(([], []))
        elif isinstance(values, Mapping):
            self.sets.append(_missing_set(None, default))
            for column, each in values.items():
                self._by_column[column] = len(self.sets)
                self.sets.append(_missing_set(each, default))
        else:
            self.sets.append(_missing_set(values, default))
        self._by_result = dict(self._by_column)
        for column in options["converters"] or ():  # their functions get all texts
            self._by_column[column] = len(self.sets)
            self.sets.append(([], []))

    def of(self, name: object, place: int) -> int:
        """The set of a column, by its name or its place."""
        return self._by_column.get(name, self._by_column.get(place, 0))

    def of_results(self, name: object, place: int) -> frozenset[str]:
        """The texts that are missing where a column's converter gives them."""
        return frozenset(self.sets[self._by_result.get(name, self._by_result.get(place, 0))][0])
