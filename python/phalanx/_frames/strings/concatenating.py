"""`cat`: texts of rows joined."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import above
from ..building.columns import is_frame, is_series, ours
from ..columns.categories import CategoryColumn
from ..columns.column import Column
from ..columns.making import column_of
from ..columns.objects import object_array
from ..columns.strings import StringColumn
from ..combining.concat import concat
from ..dtypes import CategoricalDtype
from ..indexes.index import Index
from ..missing import is_missing
from . import engine
from .results import Texts, of_texts_only

_WRONG_OTHERS = (
    "others must be Series, Index, DataFrame, np.ndarray or list-like (either containing only "
    "strings or containing only objects of type Series/Index/np.ndarray[1-dim])"
)


class Concatenating(Texts):
    """`cat`."""

    @of_texts_only
    def cat(
        self, others: Any = None, sep: str | None = None, na_rep: Any = None, join: str = "left"
    ) -> Any:
        """All texts as one, or with `others` each with the texts of the same row, `sep` between.

        Others with an index are aligned, as `join` says. Missing texts make the row missing unless
        `na_rep` is given. Raises TypeError and ValueError for others that do not fit.
        """
        if isinstance(others, str):
            raise ValueError("Did you mean to supply a `sep` keyword?")
        between = "" if sep is None else sep
        if others is None:
            return self._all_as_one(between, na_rep)
        data = above.Series._of(
            self._column, self._of if self._is_index else self._of._index, self._of.name
        )
        parts = _series_list(others, data._index)
        if any(not data._index.equals(each._index) for each in parts):
            data, parts = _aligned(data, parts, join)
        columns = [data._column, *(each._column for each in parts)]
        made = self._rows_joined(columns, between, na_rep)
        if self._is_index:
            return self._labelled(made)
        return self._of._keep_attrs(above.Series._of(made, data._index, self._of.name))

    def _all_as_one(self, sep: str, na_rep: Any) -> str:
        texts = self._listed()
        if na_rep is None:
            return sep.join([each for each in texts if not is_missing(each)])
        return sep.join([na_rep if is_missing(each) else each for each in texts])

    def _rows_joined(self, columns: Sequence[Column], sep: str, na_rep: Any) -> Column:
        plain = [each.values() if isinstance(each, CategoryColumn) else each for each in columns]
        dtype = self._column.dtype
        wanted = dtype.values.dtype if isinstance(dtype, CategoricalDtype) else dtype
        if all(isinstance(each, StringColumn) for each in plain):
            made = engine.joined_rows(plain, sep, na_rep, wanted)
            if made is not None:
                return made
        objects = [each.objects_of() for each in plain]
        gone = [np.fromiter(map(is_missing, each), bool, len(each)) for each in objects]
        _check_texts(objects, gone)
        if na_rep is not None:
            objects = [
                np.where(miss, na_rep, each) for miss, each in zip(gone, objects, strict=True)
            ]
            missing = np.zeros(len(objects[0]), bool)
        else:
            missing = np.logical_or.reduce(gone)
        joined = [
            np.nan if miss else sep.join(row)
            for row, miss in zip(zip(*objects, strict=True), missing, strict=True)
        ]
        return column_of(object_array(joined), wanted)


def _check_texts(objects: list[np.ndarray], gone: list[np.ndarray]) -> None:
    for each, miss in zip(objects, gone, strict=True):
        wrong = [value for value in each[~miss] if not isinstance(value, str)]
        if wrong:
            raise TypeError(
                "Concatenation requires list-likes containing only strings (or missing values). "
                f"Offending values found in column {type(wrong[0]).__name__}"
            )


def _series_list(others: Any, index: Any) -> list[Any]:
    """Series of what `cat` takes. Raises TypeError for anything else."""
    others = ours(others)
    if is_series(others):
        return [others]
    if isinstance(others, Index):
        return [above.Series._of(others._values_column(), _fitting(index, len(others)))]
    if is_frame(others):
        return [others[each] for each in others.columns]
    if isinstance(others, np.ndarray) and others.ndim == 2:
        return [
            above.Series(list(others[:, i]), index=_fitting(index, len(others)))
            for i in range(others.shape[1])
        ]
    if isinstance(others, (str, bytes, set)) or not hasattr(others, "__iter__"):
        raise TypeError(_WRONG_OTHERS)
    listed = list(others)
    if listed and all(_has_rows(each) for each in listed):
        return [made for each in listed for made in _series_list(each, index)]
    if any(hasattr(each, "__iter__") and not isinstance(each, (str, bytes)) for each in listed):
        raise TypeError(_WRONG_OTHERS)
    return [above.Series(listed, index=_fitting(index, len(listed)))]


def _has_rows(given: Any) -> bool:
    given = ours(given)
    return is_series(given) or isinstance(given, Index) or getattr(given, "ndim", 0) == 1


def _fitting(index: Any, count: int) -> Any:
    if len(index) != count:
        raise ValueError(
            "If `others` contains arrays or lists (or other list-likes without an index), these "
            "must all be of the same length as the calling Series/Index."
        )
    return index


def _aligned(data: Any, parts: list[Any], join: str) -> tuple[Any, list[Any]]:
    beside = concat(
        parts, axis=1, join="inner" if join == "inner" else "outer", keys=range(len(parts))
    )
    labels, left, right = data._index.join(beside._index, how=join, return_indexers=True)
    data = data if left is None else data.reindex(labels)
    beside = beside if right is None else beside.reindex(labels)
    return data, [beside[each] for each in beside.columns]
