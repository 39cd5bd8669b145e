"""Other values for some values: `replace`, `map`, `isin`."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Self

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from .. import above
from ..building.columns import column_from, is_frame, is_series, ours
from ..building.kinds import is_hashable, is_list_like
from ..columns import Column
from ..columns.making import column_of
from ..columns.objects import object_array
from ..dtypes import OBJECT, CategoricalDtype, StringDtype
from ..functions.mapping import like, mapped
from ..indexes.making import index_of
from ..missing import is_missing
from ..operations.choosing import chosen, mask_of
from ..operations.equal_rows import isin
from ..selection.rows import RowMethods
from ..signatures import NO_DEFAULT, in_place_self, leaves_out


def replaced_column(column: Column, pairs: list[tuple[Any, Any]], *, regex: bool) -> Column:
    """A column in which values are replaced by others, each by the pair that it fits first."""
    if isinstance(column.dtype, CategoricalDtype):
        return _replaced_categories(column, pairs)
    if regex and _has_text(column):
        return _replaced_text(column, pairs)
    masks = [
        (_mask_of_equal(column, old), new)
        for old, new in pairs
        if not isinstance(old, re.Pattern) and _may_be(column, old)
    ]
    made = column
    done = None
    for mask, new in masks:
        if done is not None:
            mask = mask & ~done
        done = mask if done is None else done | mask
        if bool(mask.any()):
            made = _with_value(made, mask, new)
    return made


def _mask_of_equal(column: Column, old: Any) -> ndarray:
    """The rows that have a value. Objects that have no hash are compared one by one."""
    if column.dtype == OBJECT:
        objects = column.objects_of()
        if not all(map(is_hashable, objects)):
            found = [is_hashable(each) and _is_same(each, old) for each in objects]
            return px.asarray(np.array(found, bool))
    return mask_of(isin(column, objects_column([old])))


def _is_same(one: Any, other: Any) -> bool:
    return (is_missing(one) and is_missing(other)) or bool(one == other)


def _may_be(column: Column, value: Any) -> bool:
    """True if a value may be in a column: no bool is a number here."""
    if column.dtype.kind not in "biufc" or column.dtype == OBJECT or is_missing(value):
        return True
    return isinstance(value, (bool, np.bool_)) == (column.dtype.kind == "b")


def _with_value(column: Column, mask: ndarray, value: Any) -> Column:
    if is_list_like(value):
        objects = np.array(column.objects_of(), object)
        for row in np.flatnonzero(np.asarray(mask)):
            objects[row] = value
        return column_of(objects, OBJECT)
    if value is None and isinstance(column.dtype, np.dtype) and column.dtype.kind in "iubf":
        column = column.astype(OBJECT)
    return chosen(column, ~mask, value)


def _has_text(column: Column) -> bool:
    return column.dtype == OBJECT or isinstance(column.dtype, StringDtype)


def _replaced_text(column: Column, pairs: list[tuple[Any, Any]]) -> Column:
    patterns = [(re.compile(old) if isinstance(old, str) else old, new) for old, new in pairs]
    made = column.tolist()
    for pattern, new in patterns:
        for i, each in enumerate(made):
            if isinstance(pattern, re.Pattern):
                if isinstance(each, str) and pattern.search(each):
                    made[i] = pattern.sub(new, each) if isinstance(new, str) else new
            elif each == pattern:
                made[i] = new
    if all(isinstance(each, str) or is_missing(each) for each in made):
        return column_of(made, column.dtype)
    return column_of(np.array(made, object), OBJECT)


def _replaced_categories(column: Any, pairs: list[tuple[Any, Any]]) -> Column:
    """Rows of categories take other categories. Raises TypeError for what is none."""
    labels = column.dtype.values.tolist()
    used = set(np.unique(np.asarray(column.codes)).tolist())
    met = {each for i, each in enumerate(labels) if i in used}
    found = [new for old, new in pairs if old in met]
    if not found:
        return column  # type: ignore[no-any-return]
    for new in found:
        if not is_missing(new) and new not in labels:
            raise TypeError(
                f"Cannot setitem on a Categorical with a new category ({new}), set the categories "
                "first"
            )
    return replaced_column(column.values(), pairs, regex=False).astype(column.dtype)


def pairs_of(old: Any, new: Any) -> list[tuple[Any, Any]]:
    """Pairs of a value and its replacement, of what `replace` takes.

    Raises ValueError where lists have different lengths.
    """
    old, new = ours(old), ours(new)
    if is_series(old):
        old = old.to_dict() if new is NO_DEFAULT else old.tolist()
    if isinstance(old, Mapping):
        return list(old.items())
    if not is_list_like(old):
        return [(old, new)]
    items = list(old)
    if is_list_like(new) and not isinstance(new, Mapping):
        others = list(new)
        if len(items) != len(others):
            raise ValueError(
                f"Replacement lists must match in length. Expecting {len(items)} got {len(others)}"
            )
        return list(zip(items, others, strict=True))
    return [(each, new) for each in items]


def objects_column(values: Any) -> Column:
    """A column of a list's objects as they are: None is no NaN."""
    return column_of(object_array(list(values)), OBJECT)


def _without_none(column: Column, wanted: Column) -> Column:
    """Of dates None is no missing one."""
    if column.dtype.kind not in "mM" or wanted.dtype != OBJECT:
        return wanted
    return objects_column([each for each in wanted.tolist() if each is not None])


class Replacing(RowMethods):
    """`replace` and `isin`."""

    @in_place_self
    def replace(
        self, to_replace: Any = None, value: Any = NO_DEFAULT, *, regex: Any = False
    ) -> Self:
        """Other values for some: one by one, lists, dicts by value or (of frames) by column.

        Raises ValueError where nothing says what replaces them.
        """
        if to_replace is None and not isinstance(regex, bool):
            to_replace, regex = regex, True
        if (
            value is NO_DEFAULT
            and not isinstance(to_replace, Mapping)
            and not is_series(ours(to_replace))
        ):
            raise ValueError(
                f"{type(self).__name__}.replace must specify either 'value', a dict-like "
                "'to_replace', or dict-like 'regex'."
            )
        if self.ndim == 2 and isinstance(to_replace, Mapping):
            nested = any(isinstance(each, Mapping) for each in to_replace.values())
            if nested or value is not NO_DEFAULT:
                return self._replaced_by_column(to_replace, value, bool(regex))
        if self.ndim == 2 and isinstance(value, Mapping):
            by_column = dict.fromkeys(value, to_replace)
            return self._replaced_by_column(by_column, value, bool(regex))
        pairs = pairs_of(to_replace, value)
        return self._keep_attrs(  # type: ignore[no-any-return]
            self._each(lambda each: replaced_column(each, pairs, regex=bool(regex)))
        )

    def _replaced_by_column(self, old: Mapping[Any, Any], new: Any, regex: bool) -> Self:
        made = list(self._parts)
        for i, label in enumerate(self._labels_of(1)):
            if label not in old:
                continue
            if isinstance(old[label], Mapping):
                pairs = list(old[label].items())
            elif isinstance(new, Mapping):
                if label not in new:
                    continue
                pairs = pairs_of(old[label], new[label])
            else:
                pairs = pairs_of(old[label], new)
            made[i] = replaced_column(made[i], pairs, regex=regex)
        return self._keep_attrs(self._with(made))  # type: ignore[no-any-return]

    def isin(self, values: Any) -> Self:
        """Which elements are among some values; of frames also by column, or row by row.

        Raises TypeError for a single value, ValueError for a frame or a series with a label twice,
        which says of no row what belongs to it.
        """
        values = ours(values)
        if not is_list_like(values):
            raise TypeError(
                "only list-like objects are allowed to be passed to isin(), you passed a "
                f"`{type(values).__name__}`"
            )
        if self.ndim == 2 and isinstance(values, Mapping):
            made = [
                isin(column, objects_column(values.get(label, [])))
                for label, column in zip(self._labels_of(1), self._parts, strict=True)
            ]
            return self._with(made)
        if self.ndim == 2 and (is_frame(values) or is_series(values)):
            return self._row_by_row(values)
        wanted = column_from(values) if hasattr(values, "dtype") else objects_column(values)
        return self._each(lambda each: isin(each, _without_none(each, wanted)))

    def _row_by_row(self, values: Any) -> Self:
        labels = [values.index] if is_series(values) else [values.index, values.columns]
        if not all(each.is_unique for each in labels):
            raise ValueError("cannot compute isin with a duplicate axis.")
        if is_series(values):
            aligned = values.reindex(self._index)
            return self.eq(aligned, axis=0)  # type: ignore[attr-defined, no-any-return]
        aligned = values.reindex(index=self._index, columns=self._labels_of(1))
        return self.eq(aligned)  # type: ignore[attr-defined, no-any-return]


class SeriesMapping(RowMethods):
    """`map` of series."""

    @leaves_out("engine")
    def map(self, func: Any = None, na_action: str | None = None, **kwargs: Any) -> Any:
        """What a function makes of each value, or a dict or a series has for it, else missing."""
        if na_action not in (None, "ignore"):
            raise ValueError(f"na_action must either be 'ignore' or None, {na_action!r} was passed")
        func = ours(func)
        column = self._parts[0]
        if isinstance(column.dtype, CategoricalDtype) and (callable(func) or is_table(func)):
            found = index_of(column, tuples=False).map(func, na_action)._values_column()
            return self._keep_attrs(self._with([found]))
        if isinstance(column.dtype, StringDtype) and not len(column) and func is not None:
            return self.copy()
        if isinstance(func, Mapping) and hasattr(func, "__missing__"):
            func = func.__getitem__
        if isinstance(func, Mapping) or is_series(func):
            return self._keep_attrs(self._with([like(column, _looked_up(column, func))]))
        if not callable(func):
            raise ValueError(
                "The `func` parameter is required" if func is None else f"{func!r} is not callable"
            )
        made = mapped(column, func, kwargs, na_action, self._index)
        return self._keep_attrs(self._with([made]))


def is_table(func: Any) -> bool:
    """True for a dict or a series, in which values are looked up."""
    return isinstance(func, Mapping) or is_series(func)


def _looked_up(column: Column, table: Any) -> Column:

    if isinstance(table, Mapping):
        table = above.Series(dict(table)) if table else above.Series([], dtype=np.float64)
    if not table.index.is_unique:
        raise ValueError("Reindexing only valid with uniquely valued Index objects")
    rows = np.asarray(table.index.get_indexer_for(index_of(column)))
    values: Column = table._parts[0]
    if (rows < 0).any():
        return values.take(px.asarray(rows), has_missing=True)
    return values.take(px.asarray(rows))
