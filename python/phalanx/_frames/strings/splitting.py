"""Texts cut into parts, and parts joined to texts."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from ..columns.categories import CategoryColumn
from ..columns.column import Column
from ..columns.making import column_of
from ..columns.objects import ObjectColumn, object_array
from ..dtypes import OBJECT, STR, StringDtype, is_numeric, pandas_dtype
from ..missing import is_missing
from . import engine, rows
from .results import Texts, of_texts_only


class Splitting(Texts):
    """`split`, `partition`, `join` and the like."""

    @of_texts_only
    def split(
        self, pat: Any = None, *, n: Any = -1, expand: bool = False, regex: bool | None = None
    ) -> Any:
        """Lists of the parts between a text or a pattern (None: white space), at most `n` cuts.

        A pattern is what `regex` says, None: more than one character. With `expand` a frame of a
        column for each part. Raises ValueError for a compiled pattern with ``regex=False``.
        """
        if regex is False and isinstance(pat, re.Pattern):
            raise ValueError("Cannot use a compiled regex as replacement pattern with regex=False")
        if pat is not None and (isinstance(pat, re.Pattern) or regex or _is_pattern(pat, regex)):
            pattern = re.compile(pat)
            most = 0 if n is None or n == -1 else n
            return self._parted(lambda text: pattern.split(text, maxsplit=most), expand)
        most = -1 if n is None or n == 0 else n
        whole = engine.split(pat, most, from_end=False)
        return self._parted(lambda text: text.split(pat, most), expand, whole)

    @of_texts_only
    def rsplit(self, pat: Any = None, *, n: Any = -1, expand: bool = False) -> Any:
        """As `split` by a text, with the cuts counted from the end."""
        if pat is not None and not isinstance(pat, str):
            raise TypeError(f"expected a string object, not {type(pat).__name__}")
        most = -1 if n is None or n == 0 else n
        whole = engine.split(pat, most, from_end=True)
        return self._parted(lambda text: text.rsplit(pat, most), expand, whole)

    @of_texts_only
    def partition(self, sep: str = " ", expand: bool = True) -> Any:
        """What is before the first `sep`, that, and what is after it: a frame, or tuples."""
        return self._parted(lambda text: text.partition(sep), expand)

    @of_texts_only
    def rpartition(self, sep: str = " ", expand: bool = True) -> Any:
        """The same of the last `sep`."""
        return self._parted(lambda text: text.rpartition(sep), expand)

    def _parted(self, function: Any, expand: Any, whole: Any = None) -> Any:
        if not isinstance(expand, bool):
            raise ValueError("expand must be True or False")
        if not expand:
            made = rows.objects(self._column, function)
            return self._as_objects(made) if self._column.dtype == OBJECT else self._labelled(made)
        column = self._text_column()
        if column is not None and whole is not None and not self._is_index:
            made = whole(column)
            if made is not None:
                return self._frame(made, range(len(made)))
        parts = self._column_of(function)
        if self._is_index:
            return self._levels([_as_row(each) for each in parts])
        return self._expanded([_as_row(each) for each in parts])

    def _as_objects(self, column: Column) -> Any:
        return self._labelled(column.astype(OBJECT), infers=False)

    def _column_of(self, function: Any) -> list[Any]:
        return list(rows.objects(self._column, function).objects_of())

    def _expanded(self, parts: list[Any]) -> Any:
        """A column for each part; texts of fewer parts miss the last ones."""
        missing = np.nan if not isinstance(self._column.dtype, StringDtype) else None
        width = max((len(each) for each in parts), default=0)
        filled = []
        for each in parts:
            gone = len(each) == 1 and is_missing(each[0])
            filler = each[0] if gone and missing is not None else None
            filled.append([*each, *[filler] * (width - len(each))])
        columns: list[Column] = [self._as_dtype([row[i] for row in filled]) for i in range(width)]
        return self._frame(columns, range(width))

    @of_texts_only
    def join(self, sep: str) -> Any:
        """The elements of each list, or the characters of each text, with `sep` between them."""
        return self._texts(sep.join)

    @of_texts_only
    def get_dummies(self, sep: str = "|", dtype: Any = None) -> Any:
        """A frame that says of each part of the texts which rows have it.

        Raises ValueError for a dtype of other than numbers or bools.
        """
        wanted = pandas_dtype(np.int64 if dtype is None else dtype)
        if not is_numeric(wanted):
            raise ValueError("Only numeric or boolean dtypes are supported for 'dtype'")
        fill = "NaN" if isinstance(self._column, CategoryColumn) else ""
        texts = [fill if is_missing(each) else _written(each) for each in self._listed()]
        parts = [set(each.split(sep)) for each in texts]
        names = sorted(set().union(*parts) - {""})
        found = [np.array([name in each for each in parts], bool) for name in names]
        if self._is_index:
            listed = list(zip(*(each.astype(int).tolist() for each in found), strict=True))
            return self._levels(listed, names)
        return self._frame([column_of(each).astype(wanted) for each in found], names)

    def encode(self, encoding: str, errors: str = "strict") -> Any:
        """The bytes of each text in an encoding."""
        self._refuse_bytes("encode")
        return self._objects(lambda text: text.encode(encoding, errors=errors))

    def decode(self, encoding: str, errors: str = "strict", dtype: Any = None) -> Any:
        """The texts of bytes in an encoding. Raises ValueError for a dtype of other than texts."""
        wanted = STR if dtype is None else pandas_dtype(dtype)
        if not isinstance(wanted, StringDtype) and wanted != OBJECT:
            raise ValueError(f"dtype must be string or object, got dtype={dtype!r}")

        made = rows.objects(self._column, lambda data: data.decode(encoding, errors))
        values = made.objects_of()
        return self._labelled(
            ObjectColumn(object_array(list(values)))
            if wanted == OBJECT
            else column_of(values, wanted)
        )

    def _refuse_bytes(self, name: str) -> None:
        if self._sort == "bytes":
            raise TypeError(f"Cannot use .str.{name} with values of inferred dtype 'bytes'.")

    @of_texts_only
    def translate(self, table: Any) -> Any:
        """Characters replaced by a table, as of `str.maketrans`."""
        function = lambda text: text.translate(table)  # noqa: E731
        made = rows.texts(self._column, function, engine.translate(table))
        return self._as_objects(made) if self._column.dtype == OBJECT else self._labelled(made)


def _is_pattern(pat: Any, regex: bool | None) -> bool:
    return regex is None and len(pat) != 1


def _as_row(value: Any) -> Any:
    return value if isinstance(value, (list, tuple)) else [value]


def _written(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else str(value)
