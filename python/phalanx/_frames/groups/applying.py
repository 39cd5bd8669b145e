"""`apply` and `transform` by functions of users, group by group."""

from __future__ import annotations

from functools import wraps
from typing import Any

import numpy as np

import phalanx as px

from .. import above
from ..building.columns import is_frame, is_series, ours
from ..building.kinds import is_list_like
from ..columns.making import column_of, empty
from ..columns.objects import ObjectColumn, object_array
from ..combining.concat import concat
from ..functions.compiled import UserFunction
from ..functions.row_by_row import one_warning, warn_of
from ..functions.slices import gives_rows
from ..indexes.index import Index
from ..indexes.making import index_of
from ..indexes.ranges import RangeIndex
from ..operations.joined import joined_columns
from . import compiled
from .aggregation import NAMES
from .calling import is_like, known, told
from .describing import keyed_index
from .reductions import GroupReductions

# Names that `transform` knows: aggregations, and methods that give a value for each row.
REDUCING = frozenset(NAMES) | {"idxmin", "idxmax", "corrwith"}
ROWWISE = frozenset((
    "bfill", "cumcount", "cummax", "cummin", "cumprod", "cumsum", "diff", "ffill", "ngroup",
    "pct_change", "rank", "shift",
))  # fmt: skip


class GroupApplying(GroupReductions):
    """Functions that take the rows of a group."""

    def apply(self, func: Any, *args: Any, include_groups: bool = False, **kwargs: Any) -> Any:
        """What a function makes of each group's rows: values, rows or tables put together.

        The function gets the columns without the keys. Raises ValueError for
        ``include_groups=True``, which pandas 3 has no more, TypeError for what is no function.
        """
        if include_groups:
            raise ValueError("include_groups=True is no longer allowed.")
        if isinstance(func, str):
            return self._apply_name(func, args, kwargs)
        if not callable(func):
            raise TypeError(f"apply func should be callable, not {func!r}")
        with one_warning():
            found = self._apply_compiled(UserFunction(func, args, kwargs))
        if found is not None:
            return found
        if not args and not kwargs:
            return self._apply_all(func)

        @wraps(func)
        def called(piece: Any) -> Any:
            return func(piece, *args, **kwargs)

        return self._apply_all(called)

    def _apply_compiled(self, function: UserFunction) -> Any:
        """What compiled code gives for all groups; None where Python has to call the function."""
        if not compiled.is_worth(self):
            return None
        if not self._is_series:
            column = compiled.numbers_of_frames(self, self._data, function)
            return None if column is None else self._of._keep_attrs(self._numbers(column))
        whole = self._data._parts[0]
        column = compiled.applied_rows(self, whole, function)
        if column is not None:
            made = above.Series._of(column, self._of.index._take(self._grouping.rows))
            sizes = np.diff(self._grouping.bounds)
            return self._of._keep_attrs(self._placed(made, np.flatnonzero(sizes), sizes, True))
        column = compiled.numbers(self, whole, function)
        return None if column is None else self._wrapped([column])

    def _apply_name(self, name: str, args: Any, kwargs: Any) -> Any:
        if not hasattr(self, name):
            raise TypeError(f"apply func should be callable, not '{name}'")
        found = getattr(self, name)
        if callable(found):
            return found(*args, **kwargs)
        if args or kwargs:
            raise ValueError(f"Cannot pass arguments to property {name}")
        return found

    def _apply_all(self, func: Any, *, same: bool | None = None) -> Any:
        """Results of all groups together; `same`: whether they have the groups' own labels."""
        values, is_same = [], True
        for label, piece in zip(self._group_labels, self._pieces(self._data), strict=True):
            index = piece.index
            _name_piece(piece, label)
            with told(label):
                found = ours(func(piece))  # a function may make objects of pandas'
            own = piece if piece.index is index else piece._with(piece._parts, index)
            is_same = is_same and is_like(found, own)
            values.append(found)
        if same is not None:
            is_same = same
        return self._of._keep_attrs(self._together(values, is_same))

    def _together(self, values: list[Any], is_same: bool) -> Any:
        if self._is_series:
            return self._together_of_series(values, is_same)
        first = next((each for each in values if each is not None), None)
        if first is None:
            index = self._grouping.index
            if values or not (self._options.group_keys and self._options.as_index):
                index = RangeIndex(0)
            parts = [each.slice(slice(0, 0)) for each in self._data._parts]
            return above.DataFrame._of(parts, index, self._data.columns)
        if is_frame(first):
            return self._below(values, is_same)
        if isinstance(first, (np.ndarray, Index)):
            return self._values_of_groups(values, ObjectColumn(object_array(values)))
        if is_series(first):
            return self._rows_of_groups(values, first)
        return self._numbers(column_of(values))

    def _numbers(self, column: Any) -> Any:
        if self._options.as_index:
            return self._values_of_groups(column, column)
        return self._beside_keys([column], index_of([None]))

    def _values_of_groups(self, values: Any, column: Any) -> Any:
        index = self._grouping.index if self._options.as_index else RangeIndex(len(values))
        return above.Series._of(column, index)

    def _together_of_series(self, values: list[Any], is_same: bool) -> Any:
        name = self._data.name
        if not values:
            made = empty(self._data.dtype)
            index = self._grouping.index if self._options.group_keys else RangeIndex(0)
            return above.Series._of(made, index, name)
        first = values[0]
        if isinstance(first, dict):
            return self._dicts(values)
        if is_series(first) or is_frame(first):
            found = self._below(values, is_same)
            if is_series(found):
                found.name = name
            return found
        return self._wrapped([_column_of_values(values)])

    def _dicts(self, values: list[dict[Any, Any]]) -> Any:
        """Dicts as rows: a level of their keys."""
        labels = list(dict.fromkeys(key for each in values for key in each))
        pairs = [
            (group, label)
            for group, each in enumerate(values)
            for label in labels
            if label in each and each[label] is not None and each[label] == each[label]
        ]
        groups = np.array([group for group, _ in pairs], np.int64)
        index = keyed_index(self._grouping, groups, index_of([label for _, label in pairs]))
        column = column_of([values[group][label] for group, label in pairs])
        return above.Series._of(column, index, self._data.name)

    def _below(self, values: list[Any], is_same: bool) -> Any:
        """Series and frames of the groups one below the other, under keys if these are wanted."""
        kept = [i for i, each in enumerate(values) if each is not None]
        given = [values[i] for i in kept]
        made = concat(given) if len(given) > 1 else given[0].copy()
        counts = np.zeros(len(values), np.int64)
        counts[kept] = [len(each) for each in given]
        return self._placed(made, np.array(kept, np.int64), counts, is_same)

    def _placed(self, made: Any, kept: np.ndarray, counts: np.ndarray, is_same: bool) -> Any:
        """Rows of the groups `kept` under keys, or in the order of the object's rows."""
        if self._options.group_keys:
            if self._options.as_index:
                groups = np.repeat(kept, counts[kept])
                made = made._with(made._parts, keyed_index(self._grouping, groups, made.index))
        elif is_same:
            made = self._in_row_order(made)
        name = self._data.name if self._is_series else None
        if is_series(made) and name is not None:
            made.name = name
        return made

    def _in_row_order(self, made: Any) -> Any:
        """Rows of all groups in the order of the object's; those of no group are left out."""
        rows = self._grouping.rows
        if len(made) != len(rows):
            return made
        return made._at(np.argsort(rows, kind="stable"))

    def _rows_of_groups(self, values: list[Any], first: Any) -> Any:
        """Series as rows of a frame where they have the same labels, else below each other."""
        index = first.index
        values = [_missing_row(first) if each is None else each for each in values]
        if not all(each.index.equals(index) for each in values):
            return self._below(values, False)
        whole = joined_columns([each._parts[0] for each in values])
        width = len(index)
        rows = np.arange(len(values)) * width
        parts = [whole.take(px.asarray(rows + i)) for i in range(width)]
        if whole.dtype == np.dtype(object):
            parts = [column_of(each.tolist()) for each in parts]
        columns = index
        names = {each.name for each in values}
        if columns.nlevels == 1 and columns.name is None and len(names) == 1:
            columns = columns.rename(next(iter(names)))
        if not self._options.as_index:
            return self._beside_keys(parts, columns)
        return above.DataFrame._of(parts, self._grouping.index, columns)

    # Transforms.

    def _transformed_by_name(self, name: str, args: Any, kwargs: Any) -> Any:
        if name in ROWWISE:
            return getattr(self, name)(*args, **kwargs)
        if name not in REDUCING:
            raise ValueError(f"'{name}' is not a valid function name for transform(name)")
        found = getattr(self._like(as_index=True), name)(*args, **kwargs)
        if len(found) != self._grouping.count:
            raise ValueError(f"transform: '{name}' with these keywords gives no row for each group")
        parts = [self._grouping.spread(each) for each in found._parts]
        if self._is_series or is_series(found):
            made = above.Series._of(parts[0], self._of.index, self._data_name())
            return self._of._keep_attrs(made)
        return self._for_rows(parts, found.columns)

    def _data_name(self) -> Any:
        return self._data.name if self._is_series else None

    def _transformed(self, func: Any, args: Any, kwargs: Any) -> Any:
        """What a function gives for the rows of each group of a series."""
        column = self._data._parts[0]
        found = known(func, column) if not args and not kwargs else None
        if found is not None and found[0] != "size":
            return self._transformed_by_name(found[0], (), found[1])
        whole = compiled.rows(self, column, UserFunction(func, args, kwargs))
        if whole is not None:
            return self._for_rows([self._scattered(whole)])
        made = []
        for label, piece in zip(self._group_labels, self._pieces(self._data), strict=True):
            _name_piece(piece, label)
            index = piece.index
            with told(label):
                made.append(above.Series(func(piece, *args, **kwargs), index=index)._parts[0])
        if not made:
            return self._for_rows([empty(np.dtype(np.float64))])
        return self._for_rows([self._scattered(joined_columns(made))])

    def _scattered(self, column: Any) -> Any:
        """Rows of one group after the other, in the order of the object's rows."""
        places = np.full(len(self._of), -1, np.int64)
        places[self._grouping.rows] = np.arange(len(self._grouping.rows))
        return column.take(px.asarray(places), has_missing=self._grouping.has_dropped)

    def _transformed_frames(self, func: Any, args: Any, kwargs: Any) -> Any:
        """What a function gives for each group's columns, or for its frame where that is the same.

        The first group decides, as in pandas.
        """
        labels, columns = self._group_labels, self._data.columns
        whole = self._transformed_columns_compiled(UserFunction(func, args, kwargs))
        if whole is not None:
            return self._for_rows(whole)

        def by_frame(piece: Any) -> Any:
            return func(piece, *args, **kwargs)

        def by_column(piece: Any) -> Any:
            return piece.apply(func, args=args, **kwargs)

        chosen, made = by_column, []
        for number, (label, piece) in enumerate(zip(labels, self._pieces(self._data), strict=True)):
            piece.__dict__["name"] = label
            if not piece.size:
                continue
            with told(label):
                found = chosen(piece)
                if number == 0 and len(labels) > 1 and _are_same(by_frame, piece, found):
                    chosen = by_frame
            made.append(_as_rows(found, piece))
        if not made:
            return self._for_rows([each.slice(slice(0, 0)) for each in self._data._parts])
        parts = [
            self._scattered(joined_columns([each._parts[i] for each in made]))
            for i in range(len(columns))
        ]
        return self._for_rows(parts)

    def _transformed_columns_compiled(self, function: UserFunction) -> list[Any] | None:
        """What compiled code gives for the rows of each column; None where Python has to."""
        parts = []
        with one_warning():
            for each in self._data._parts:
                made = compiled.rows(self, each, function)
                if made is None:
                    return None
                parts.append(self._scattered(made))
            if len({each.dtype for each in parts}) < 2:
                return parts
            # Python puts a group's numbers for the columns into one series, of one dtype.
            if all(gives_rows(function, each) for each in self._data._parts):
                return parts
            warn_of(function.function, "numbers of several dtypes", how="for each group or window")
        return None

    # Filters.

    def _filtered(self, kept: np.ndarray, dropna: bool) -> Any:
        mask = np.append(kept, False)[self._grouping.codes]  # the last is what -1 finds
        if dropna:
            return self._shown._at(np.flatnonzero(mask))
        rows = px.asarray(np.where(mask, np.arange(len(mask)), -1))
        has_missing = not mask.all()
        return self._shown._with(
            [each.take(rows, has_missing=has_missing) for each in self._shown._parts]
        )


def _name_piece(piece: Any, label: Any) -> None:
    """The group's label is the name of the rows that a function gets, as in pandas."""
    if piece.ndim == 1:
        try:
            piece.name = label
        except TypeError:
            return
    else:
        piece.__dict__["name"] = label


def _column_of_values(values: list[Any]) -> Any:
    if any(is_list_like(each) for each in values):
        return ObjectColumn(object_array(values))
    return column_of(values)


def _missing_row(first: Any) -> Any:
    return above.Series(np.nan, index=first.index)


def _are_same(function: Any, piece: Any, found: Any) -> bool:
    """True if a function gives the same for the whole frame as for its columns."""
    try:
        whole = function(piece)
    except Exception:
        return False
    if is_frame(whole):
        same_labels = whole.columns.equals(piece.columns)
    elif is_series(whole):
        same_labels = whole.index.equals(piece.columns)
    else:
        return False
    return bool(same_labels and type(whole) is type(found) and whole.equals(found))


def _as_rows(found: Any, piece: Any) -> Any:
    """A frame of a group's rows: a series is a value for each column. Raises ValueError."""
    if is_series(found):
        rows = px.asarray(np.zeros(len(piece), np.int64))
        parts = [found._parts[0].slice(slice(i, i + 1)).take(rows) for i in range(len(found))]
        return piece._with(parts)
    if not is_frame(found):
        raise ValueError("transform must return a scalar value for each group")
    if len(found) != len(piece):
        raise ValueError(
            f"transform must return a scalar value for each group, or {len(piece)} rows: those of "
            f"the group, not {len(found)}"
        )
    if not found.index.equals(piece.index):
        found = found.reindex(piece.index)
    return found
