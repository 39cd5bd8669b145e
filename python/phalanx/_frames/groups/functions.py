"""`agg`, `apply`, `transform` and `filter` of groups."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from phalanx.errors import SpecificationError

from .. import above
from ..building.columns import is_frame, is_series
from ..building.kinds import is_list_like
from ..columns.column import Column
from ..combining.concat import concat
from ..dtypes import has_na
from ..functions.compiled import UserFunction
from ..functions.row_by_row import one_warning
from ..indexes.lookups import nearest
from ..indexes.making import index_of
from ..indexes.multi import MultiIndex
from ..missing import is_missing
from ..signatures import leaves_out
from . import compiled
from .aggregation import Wanted, aggregated
from .applying import GroupApplying
from .calling import column_of_results, known, names_of, narrowed, scalar_of, told
from .grouper import NamedAgg

_numba = leaves_out("engine", "engine_kwargs")


class GroupFunctions(GroupApplying):
    """What series and frames have alike."""

    def _by_name(self, name: str, args: Any, kwargs: Any) -> Any:
        """A method by its name. Raises AttributeError where there is none."""
        found = getattr(self, name)
        return found(*args, **kwargs) if callable(found) else found

    def _called_on(self, column: Column, func: Any, args: Any, kwargs: Any) -> Column:
        """What a function gives for the rows of each group of a column."""
        made = compiled.numbers(self, column, UserFunction(func, args, kwargs))
        if made is not None:
            return narrowed(made, column)
        name = None if self._is_series is False else self._data.name
        series = above.Series._of(column, self._of.index, name)
        results = []
        for label, piece in zip(self._group_labels, self._pieces(series), strict=True):
            with told(label):
                results.append(scalar_of(func(piece, *args, **kwargs)))
        return column_of_results(results, column)

    def _several(self, pairs: list[tuple[int, Any]], args: Any, kwargs: Any) -> list[Any]:
        """What functions give of columns by place: of those that the engine has all at once.

        Columns of a row for each group, or what else a method gives.
        """
        wanted, made = {}, {}
        parts = self._data._parts
        for number, (place, func) in enumerate(pairs):
            found = known(func, parts[place]) if not args and not kwargs else None
            if found is not None and not _is_own_count(found[0], parts[place]):
                wanted[number] = Wanted(parts[place], *found, self._title(place))
        columns = aggregated(self._grouping, list(wanted.values()))
        made = dict(zip(wanted, columns, strict=True))
        with one_warning():
            for number, (place, func) in enumerate(pairs):
                if number not in made:
                    made[number] = self._one(place, func, args, kwargs)
        return [made[number] for number in range(len(pairs))]

    def _title(self, place: int) -> Any:
        return self._data.name if self._is_series else self._data.columns._label(place)

    def _one(self, place: int, func: Any, args: Any, kwargs: Any) -> Any:
        series = self._data if self._is_series else self._data._column_series(place)
        groups = self._like(data=series, as_index=True)
        found = groups.agg(func, *args, **kwargs)
        if is_series(found) and found.index is self._grouping.index:
            return found._parts[0]
        return found

    def _frame_of(self, results: list[Any], labels: Any) -> Any:
        """Results beside each other under labels."""
        titles = index_of(labels, tuples=not self._is_series)
        if all(isinstance(each, Column) for each in results):
            return above.DataFrame._of(results, self._result_index, titles)
        index = self._grouping.index
        whole = [
            above.Series._of(each, index) if isinstance(each, Column) else each for each in results
        ]
        if any(map(is_frame, whole)):
            return concat(whole, axis=1, keys=labels)
        made = concat(whole, axis=1)
        made.columns = titles
        return made

    def _with_key_columns(self, made: Any) -> Any:
        if self._options.as_index:
            return made
        if made.index is not self._result_index and made.index is not self._grouping.index:
            return made.reset_index()
        return self._beside_keys(made._parts, made.columns)


def _is_own_count(name: str, column: Column) -> bool:
    """True for sizes of nullable columns, which are nullable too."""
    return name == "size" and has_na(column.dtype)


class SeriesGroupFunctions(GroupFunctions):
    """Functions of the groups of a series."""

    @_numba
    def agg(self, func: Any = None, *args: Any, **kwargs: Any) -> Any:
        """What a function, or a name, gives for each group; of a list a column for each.

        Keywords name the columns of several. Raises AttributeError for a name that is no method,
        `SpecificationError` for a dict.
        """
        if func is None:
            if not kwargs:
                raise TypeError("Must provide 'func' or named aggregation **kwargs.")
            made = self._listed(list(kwargs.values()), list(kwargs), (), {})
            return self._with_key_columns(made)
        if isinstance(func, str):
            return self._by_name(func, args, kwargs)
        if isinstance(func, Mapping):
            raise SpecificationError("nested renamer is not supported")
        if is_list_like(func):
            functions, names = _named_functions(list(func))
            return self._with_key_columns(self._listed(functions, names, args, kwargs))
        found = known(func, self._data._parts[0]) if not args and not kwargs else None
        if found is not None:
            wanted = Wanted(self._data._parts[0], *found, self._data.name)
            return self._wrapped(aggregated(self._grouping, [wanted]))
        return self._wrapped([self._called_on(self._data._parts[0], func, args, kwargs)])

    aggregate = agg

    def _listed(self, functions: list[Any], names: list[Any], args: Any, kwargs: Any) -> Any:
        results = self._several([(0, each) for each in functions], args, kwargs)
        return self._frame_of(results, names)

    @_numba
    def transform(self, func: Any, *args: Any, **kwargs: Any) -> Any:
        """For each row what a function, or a name, gives for its group.

        Raises ValueError for a name that is none of such a method.
        """
        if is_list_like(func):
            raise NotImplementedError("SeriesGroupBy.transform: a list of functions")
        if isinstance(func, str):
            return self._transformed_by_name(func, args, kwargs)
        return self._transformed(func, args, kwargs)

    def filter(self, func: Any, dropna: bool = True, *args: Any, **kwargs: Any) -> Any:
        """The rows of the groups for which a function is true; of others none, or missing ones.

        Raises TypeError where it gives something else.
        """
        if callable(func):
            made = compiled.numbers(self, self._data._parts[0], UserFunction(func, args, kwargs))
            if made is not None:
                return self._filtered(_truths(made), dropna)
        kept = []
        for label, piece in zip(self._group_labels, self._pieces(self._data), strict=True):
            with told(label):
                found = (
                    getattr(piece, func)(*args, **kwargs)
                    if isinstance(func, str)
                    else func(piece, *args, **kwargs)
                )
            kept.append(_truth_of(found))
        return self._filtered(np.array(kept, bool), dropna)


def _named_functions(functions: list[Any]) -> tuple[list[Any], list[Any]]:
    """Functions of a list and their names, which pairs give themselves."""
    if any(isinstance(each, (tuple, list)) for each in functions):
        pairs = [each if isinstance(each, (tuple, list)) else (each, each) for each in functions]
        return [each[1] for each in pairs], [each[0] for each in pairs]
    return functions, names_of(functions)


def _truths(made: Any) -> np.ndarray:
    """Which groups of a column of results are kept."""
    return np.array([_truth_of(each) for each in made.tolist()], bool)


def _truth_of(found: Any) -> bool:
    try:
        return not is_missing(found) and bool(found)
    except (ValueError, TypeError):
        raise TypeError("the filter must return a boolean result") from None


class FrameGroupFunctions(GroupFunctions):
    """Functions of the groups of a frame."""

    @_numba
    def agg(self, func: Any = None, *args: Any, **kwargs: Any) -> Any:
        """What functions give for each group: one, a list, or a dict by column; or names.

        Keywords name the columns of the result: ``total=("column", "sum")``. Raises KeyError for
        columns that are not there, AttributeError for names that are no methods.
        """
        if func is None:
            return self._with_key_columns(self._by_pairs(kwargs))
        if isinstance(func, str):
            return self._by_name(func, args, kwargs)
        if isinstance(func, Mapping):
            return self._with_key_columns(self._by_columns(func, args, kwargs))
        if is_list_like(func):
            return self._with_key_columns(self._by_list(list(func), args, kwargs))
        return self._with_key_columns(self._by_function(func, args, kwargs))

    aggregate = agg

    def _places_of(self, label: Any) -> list[int]:
        return [i for i, each in enumerate(self._shown.columns) if each == label]

    def _by_pairs(self, named: dict[str, Any]) -> Any:
        pairs = {}
        for name, each in named.items():
            if not isinstance(each, NamedAgg) and not (isinstance(each, tuple) and len(each) == 2):
                raise TypeError("Must provide 'func' or tuples of '(column, aggfunc).")
            pairs[name] = each
        if not pairs:
            raise TypeError("Must provide 'func' or tuples of '(column, aggfunc).")
        self._check_labels([each[0] for each in pairs.values()])
        shown = self._like_shown()
        places, later = [], {}
        for name, each in pairs.items():
            place = self._places_of(each[0])[0]
            if isinstance(each, NamedAgg) and (each.args or each.kwargs):
                later[name] = shown._several([(place, each.aggfunc)], each.args, each.kwargs)[0]
            else:
                places.append((name, (place, each[1])))
        found = shown._several([pair for _, pair in places], (), {})
        results = {name: made for (name, _), made in zip(places, found, strict=True)} | later
        return self._frame_of([results[name] for name in pairs], list(pairs))

    def _like_shown(self) -> Any:
        """The same groups of all columns of the object, keys too."""
        return self if self._shown is self._data else self._like(data=self._shown)

    def _check_labels(self, labels: list[Any]) -> None:
        gone = [each for each in labels if each not in self._shown.columns]
        if gone:
            near = nearest(gone[0], self._shown.columns)
            hint = f"; the nearest label is {near[0]!r}" if near else ""
            raise KeyError(f"Label(s) {gone} do not exist{hint}")

    def _by_columns(self, func: Mapping[Any, Any], args: Any, kwargs: Any) -> Any:
        if any(isinstance(each, Mapping) for each in func.values()):
            raise SpecificationError("nested renamer is not supported")
        self._check_labels(list(func))
        listed = any(is_list_like(each) for each in func.values())
        pairs, labels = [], []
        for label, each in func.items():
            functions, names = _named_functions(list(each) if is_list_like(each) else [each])
            for place in self._places_of(label):
                pairs += [(place, one) for one in functions]
                labels += [(label, name) if listed else label for name in names]
        results = self._like_shown()._several(pairs, args, kwargs)
        if not listed and any(map(is_frame, results)):
            return self._frame_of(results, labels)
        return self._titled(results, labels, listed)

    def _by_list(self, functions: list[Any], args: Any, kwargs: Any) -> Any:
        functions, names = _named_functions(functions)
        if len(set(names)) < len(names):
            raise SpecificationError(
                "Function names must be unique if there is no new column names assigned"
            )
        columns = list(self._data.columns)
        pairs = [(place, each) for place in range(len(columns)) for each in functions]
        labels = [(label, name) for label in columns for name in names]
        return self._titled(self._several(pairs, args, kwargs), labels, True)

    def _titled(self, results: list[Any], labels: list[Any], is_listed: bool) -> Any:
        """Results under labels; of pairs as two levels, the first called as the columns are."""
        made = self._frame_of(results, labels)
        columns = self._data.columns
        if is_listed and labels and not any(map(is_frame, results)):
            arrays = [[each[0] for each in labels], [each[1] for each in labels]]
            if columns.nlevels == 1:
                made.columns = MultiIndex.from_arrays(arrays, names=[columns.name, None])
            else:
                tuples = [(*label, name) for label, name in labels]
                made.columns = MultiIndex.from_tuples(tuples, names=[*columns.names, None])
        elif columns.nlevels == 1 and columns.name is not None:
            made.columns = made.columns.rename(columns.name)
        return made

    def _by_function(self, func: Any, args: Any, kwargs: Any) -> Any:
        parts, columns = self._data._parts, self._data.columns
        if not self._grouping.count or not parts:
            return above.DataFrame._of(
                [each.slice(slice(0, 0)) for each in parts], self._grouping.index, columns
            )
        results = self._several([(i, func) for i in range(len(parts))], args, kwargs)
        return above.DataFrame._of(results, self._result_index, columns)

    @_numba
    def transform(self, func: Any = None, *args: Any, **kwargs: Any) -> Any:
        """For each row what a function, or a name, gives for its group and column.

        Of a list of functions a column for each, of a dict by column. Raises ValueError for a name
        that is none of such a method.
        """
        if func is None or isinstance(func, Mapping):
            return self._transformed_columns(kwargs if func is None else func, args)
        if is_list_like(func):
            return self._transformed_by_list(list(func), args, kwargs)
        if isinstance(func, str):
            return self._transformed_by_name(func, args, kwargs)
        return self._transformed_frames(func, args, kwargs)

    def _transformed_columns(self, wanted: Mapping[Any, Any], args: Any) -> Any:
        made = []
        for name, each in wanted.items():
            if isinstance(each, (NamedAgg, tuple)):
                label, func = each[0], each[1]
            else:
                label, func = name, each
            if is_list_like(func):
                raise NotImplementedError("DataFrameGroupBy.transform: a dict of lists")
            made.append(self[label].transform(func, *args).rename(name))  # type: ignore[index]
        return concat(made, axis=1)

    def _transformed_by_list(self, functions: list[Any], args: Any, kwargs: Any) -> Any:
        parts, labels = [], []
        for place, label in enumerate(self._data.columns):
            groups = self._like(data=self._data._column_series(place))
            for each, name in zip(functions, names_of(functions), strict=True):
                parts.append(groups.transform(each, *args, **kwargs)._parts[0])
                labels.append((label, each if isinstance(each, str) else name))
        titles = MultiIndex.from_tuples(labels)
        return above.DataFrame._of(parts, self._of.index, titles)

    def filter(self, func: Any, dropna: bool = True, *args: Any, **kwargs: Any) -> Any:
        """The rows of the groups for which a function is true; of others none, or missing ones.

        Raises TypeError where it gives something else.
        """
        made = compiled.numbers_of_frames(self, self._shown, UserFunction(func, args, kwargs))
        if made is not None and made.dtype == np.dtype(bool):
            return self._filtered(_truths(made), dropna)
        kept = []
        for label, piece in zip(self._group_labels, self._pieces(self._shown), strict=True):
            piece.__dict__["name"] = label
            with told(label):
                found = func(piece, *args, **kwargs)
            kept.append(_checked_truth(found))
        return self._filtered(np.array(kept, bool), dropna)


def _checked_truth(found: Any) -> bool:
    if (is_series(found) or is_frame(found) or isinstance(found, np.ndarray)) and found.size == 1:
        found = np.asarray(found).ravel()[0]
    if isinstance(found, (bool, np.bool_)):
        return bool(found)
    if is_missing(found):
        return False
    raise TypeError(
        f"filter function returned a {type(found).__name__}, but expected a scalar bool"
    )
