"""`get_dummies`: a column of bools for each value of a column."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

import phalanx as px

from .. import above
from ..building.columns import is_frame, is_series, ours
from ..building.kinds import is_list_like
from ..columns import Column
from ..columns.categories import CategoryColumn
from ..columns.numbers import NumberColumn
from ..dtypes import BOOLEAN, OBJECT, STRING, CategoricalDtype, Dtype, StringDtype, pandas_dtype
from ..in_place import in_place
from ..indexes.index import Index
from ..indexes.making import index_of
from ..indexes.ranges import RangeIndex
from ..scalars.cells import scalar_text


@in_place
def get_dummies(
    data: Any,
    prefix: Any = None,
    prefix_sep: Any = "_",
    dummy_na: bool = False,
    columns: Any = None,
    sparse: bool = False,
    drop_first: bool = False,
    dtype: Any = None,
) -> Any:
    """A column for each value of a series, or of a frame's columns of text and categories.

    It has True, or 1 of another dtype, where the row has the value. Raises ValueError for dtype
    object and for numbers of prefixes that do not fit, NotImplementedError for ``sparse``.

    >>> px.get_dummies(px.Series(["a", "b"]), dtype="int64")
       a  b
    0  1  0
    1  0  1
    """
    if sparse:
        raise NotImplementedError("get_dummies: sparse=True; columns are dense")
    data = ours(data)
    if not is_frame(data):
        series = data if is_series(data) else above.Series(data)
        single, below = _Dummies(dummy_na, drop_first, dtype).of(series, prefix, prefix_sep)
        return above.DataFrame._of(single, series.index, below)
    rest, chosen = _columns(data, columns)
    count = len(chosen)
    labels = list(data.columns)
    names = [labels[i] for i in chosen]
    prefixes = names if prefix is None else _each(prefix, names, "prefix")
    separators = _each(prefix_sep, names, "prefix_sep")
    parts = [data._parts[i] for i in rest]
    titles = [data.columns._take(np.array(rest, np.int64))] if rest or not count else []
    dummies = _Dummies(dummy_na, drop_first, dtype)
    for i, before, between in zip(chosen, prefixes, separators, strict=True):
        made, below = dummies.of(data._column_series(i), before, between)
        parts += made
        titles.append(below)
    return above.DataFrame._of(parts, data.index, _joined(titles))


def _joined(titles: list[Any]) -> Index:
    made: Index = titles[0].append(titles[1:]) if len(titles) > 1 else titles[0]
    return made


def _columns(data: Any, columns: Any) -> tuple[list[int], list[int]]:
    """The numbers of the columns that are left as they are, and of those that are taken apart."""
    count = len(data.columns)
    if columns is None:
        chosen = [i for i, each in enumerate(data._parts) if _is_text(each.dtype)]
    elif not is_list_like(columns):
        raise TypeError("Input must be a list-like for parameter `columns`")
    else:
        labels = list(columns)
        lacking = [each for each in labels if each not in data.columns]
        if lacking:
            raise KeyError(f"{lacking} not in index")
        chosen = [int(i) for i in data.columns.get_indexer_for(labels)]
    return [i for i in range(count) if i not in chosen], chosen


def _is_text(dtype: Dtype) -> bool:
    return isinstance(dtype, (StringDtype, CategoricalDtype)) or dtype == OBJECT


def _each(given: Any, names: list[Any], name: str) -> list[Any]:
    """A text for each column: of one for all, a list, or a dict by label."""
    if isinstance(given, str):
        return [given] * len(names)
    if is_list_like(given) and len(given) != len(names):
        raise ValueError(
            f"Length of '{name}' ({len(given)}) did not match the length of the columns being "
            f"encoded ({len(names)})."
        )
    return [given[each] for each in names] if isinstance(given, dict) else list(given)


class _Dummies:
    """How columns are taken apart."""

    def __init__(self, dummy_na: bool, drop_first: bool, dtype: Any) -> None:
        self.dummy_na = dummy_na
        self.drop_first = drop_first
        self.dtype = None if dtype is None else pandas_dtype(dtype)
        if self.dtype == OBJECT:
            raise ValueError("dtype=object is not a valid dtype for get_dummies")

    def of(self, series: Any, prefix: Any, separator: Any) -> tuple[list[Column], Index]:
        """The columns of bools, and their labels."""
        column = series._parts[0]
        found: CategoryColumn = (
            column
            if isinstance(column, CategoryColumn)
            else column.astype(CategoricalDtype(None, None))
        )
        codes = list(range(len(found.dtype.values)))
        every: Any = CategoryColumn(px.arange(len(codes)).astype(found.codes.dtype), found.dtype)
        levels: Any = index_of(
            every if isinstance(column, CategoryColumn) else found.dtype.values, tuples=False
        )
        if self.dummy_na:
            codes.append(-1)
            levels = levels.insert(len(levels), np.nan)
        if not len(levels) or (self.drop_first and len(levels) == 1):
            return [], RangeIndex(0)
        if prefix is not None:
            levels = index_of([f"{prefix}{separator}{scalar_text(each)}" for each in levels])
        if self.drop_first:
            codes, levels = codes[1:], levels[1:]
        dtype = self._dtype_of(column.dtype)
        small = found.codes.dtype.type
        return [self._column(found.codes == small(each), dtype) for each in codes], levels

    def _dtype_of(self, given: Dtype) -> Dtype:
        if self.dtype is not None:
            return self.dtype
        values = given.values.dtype if isinstance(given, CategoricalDtype) else given
        return BOOLEAN if values == STRING else np.dtype(bool)

    def _column(self, mask: Any, dtype: Dtype) -> Column:
        return NumberColumn(mask).astype(dtype)


@in_place
def from_dummies(data: Any, sep: str | None = None, default_category: Any = None) -> Any:
    """The values that columns of 0 and 1 say: what `get_dummies` made.

    Columns named ``prefix sep value`` give a column for each prefix. Raises ValueError for missing
    values, rows of several values, and of none without a ``default_category``; TypeError for
    what is not a frame of bools.

    >>> px.from_dummies(px.DataFrame({"c_a": [1, 0], "c_b": [0, 1]}), sep="_")
       c
    0  a
    1  b
    """
    data = ours(data)
    if not is_frame(data):
        raise TypeError(
            f"Expected 'data' to be a 'DataFrame'; Received 'data' of type: {type(data).__name__}"
        )
    _check_missing(data)
    try:
        bools = data.astype("boolean")
    except TypeError as error:
        raise TypeError("Passed DataFrame contains non-dummy data") from error
    groups = _prefixes(list(data.columns), sep)
    defaults = _defaults(default_category, list(groups))
    parts = []
    for prefix, labels in groups.items():
        masks = np.stack([np.asarray(bools[each]._parts[0].values) for each in labels])
        values = [each if sep is None else each[len(prefix + sep) :] for each in labels]
        part = _decoded(masks, values, defaults, prefix)
        is_category = sep is None and data.columns.dtype == "category"
        parts.append(part.astype(data.columns.dtype) if is_category else part)
    return above.DataFrame(dict(zip(groups, parts, strict=True)), index=data.index)


def _check_missing(data: Any) -> None:
    for label, column in zip(data.columns, data._parts, strict=True):
        if column.has_missing():
            raise ValueError(f"Dummy DataFrame contains NA value in column: '{label}'")


def _prefixes(labels: list[Any], sep: Any) -> dict[str, list[Any]]:
    if sep is None:
        return {"": labels}
    if not isinstance(sep, str):
        raise TypeError(
            "Expected 'sep' to be of type 'str' or 'None'; Received 'sep' of type: "
            f"{type(sep).__name__}"
        )
    made: dict[str, list[Any]] = {}
    for each in labels:
        prefix = each.split(sep)[0]
        if len(prefix) == len(each):
            raise ValueError(f"Separator not specified for column: {each}")
        made.setdefault(prefix, []).append(each)
    return made


def _defaults(given: Any, prefixes: list[str]) -> dict[str, Any] | None:
    if given is None:
        return None
    if not isinstance(given, dict):
        if isinstance(given, Iterable) and not isinstance(given, str):
            raise TypeError(
                "Expected 'default_category' to be of type 'None', 'Hashable', or 'dict'; "
                f"Received 'default_category' of type: {type(given).__name__}"
            )
        return dict.fromkeys(prefixes, given)
    if len(given) != len(prefixes):
        raise ValueError(
            f"Length of 'default_category' ({len(given)}) did not match the length of the columns "
            f"being encoded ({len(prefixes)})"
        )
    return given


def _decoded(masks: np.ndarray, values: list[Any], defaults: Any, prefix: str) -> Column:
    counts = masks.sum(axis=0)
    if (counts > 1).any():
        raise ValueError(
            "Dummy DataFrame contains multi-assignment(s); First instance in row: "
            f"{int(np.argmax(counts > 1))}"
        )
    rows = masks.argmax(axis=0)
    none = counts == 0
    if none.any():
        if defaults is None:
            raise ValueError(
                "Dummy DataFrame contains unassigned value(s); First instance in row: "
                f"{int(np.argmax(none))}"
            )
        values = [*values, defaults[prefix]]
        rows = np.where(none, len(values) - 1, rows)
    found: Column = index_of(values, tuples=False)._values_column()
    return found.take(px.asarray(rows.astype(np.int64)))
