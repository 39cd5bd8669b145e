"""`apply`, `agg`, `transform` and `map` of functions in Python."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .. import above
from ..building.columns import is_frame, is_series, repeated
from ..building.kinds import is_list_like
from ..columns.making import column_of
from ..combining.concat import concat
from ..dtypes import has_na
from ..indexes.making import index_of
from ..operations.joined import common_dtype, joined_columns
from ..selection.rows import RowMethods
from ..signatures import leaves_out
from .compiled import UserFunction, of_elements, of_rows
from .mapping import like, mapped
from .row_by_row import results_of


def method_of(of: Any, name: str, args: Any, keywords: Any) -> Any:
    """What a method, or a function of NumPy's, gives, by its name.

    Raises AttributeError where neither has the name.
    """
    found = getattr(of, name, None)
    if found is not None:
        return found(*args, **keywords) if callable(found) else found
    if hasattr(np, name) and hasattr(of, "__array__"):
        return getattr(np, name)(of, *args, **keywords)
    raise AttributeError(f"'{name}' is not a valid function for '{type(of).__name__}' object")


def function_name(function: Any) -> Any:
    """The label of a function's result."""
    if isinstance(function, str):
        return function
    if hasattr(function, "func") and not hasattr(function, "__name__"):
        return function_name(function.func)
    return getattr(function, "__name__", str(function))


def assembled(results: list[Any], labels: Any) -> Any:
    """What functions gave for some labels: a series of values, or a frame of series as rows."""

    if results and all(map(is_series, results)):
        frame: Any = above.DataFrame(dict(enumerate(results)))
        frame.columns = labels
        return frame
    column = column_of(results) if results else column_of([], np.dtype(object))
    return above.Series._of(column, labels)


# Several functions.


def aggregated_series(series: Any, func: Any, args: Any, keywords: Any) -> Any:
    """``series.agg(func)``."""

    if isinstance(func, str):
        return method_of(series, func, args, keywords)
    if isinstance(func, Mapping):
        names, functions = list(func), list(func.values())
        if any(isinstance(each, (list, tuple)) for each in functions):
            raise ValueError("nested renamer is not supported: pass one function for each name")
    elif is_list_like(func):
        functions = list(func)
        names = [function_name(each) for each in functions]
        if not functions:
            raise ValueError("No objects to concatenate")
    else:
        return _called(series, func, args, keywords)
    results = [_called(series, each, args, keywords) for each in functions]
    if all(map(is_series, results)):
        if isinstance(func, Mapping):
            return concat(results, keys=names)
        return concat(results, axis=1, keys=names)
    return above.Series._of(column_of(results), index_of(names), series.name)


def _called(series: Any, func: Any, args: Any, keywords: Any) -> Any:
    """A function of the whole series, or of its values where it does not take that."""
    if isinstance(func, str):
        return method_of(series, func, args, keywords)
    known = _REDUCTIONS.get(func) if not args and _is_hashable(func) else None
    if known is not None:
        return getattr(series, known)(**keywords)
    return func(series, *args, **keywords)


def _is_hashable(func: Any) -> bool:
    try:
        hash(func)
    except TypeError:
        return False
    return True


# Functions for which pandas takes its own of the same name.
_REDUCTIONS = {
    sum: "sum", max: "max", min: "min", np.sum: "sum", np.mean: "mean", np.max: "max",
    np.min: "min", np.std: "std", np.var: "var", np.median: "median", np.prod: "prod",
    np.all: "all", np.any: "any", np.cumsum: "cumsum", np.cumprod: "cumprod",
}  # fmt: skip


class SeriesApplying(RowMethods):
    """Functions of series."""

    def apply(
        self, func: Any, args: tuple[Any, ...] = (), *, by_row: Any = "compat", **kwargs: Any
    ) -> Any:
        """What a function makes of each value; lists and dicts of functions go to `agg`.

        With ``by_row=False`` the function gets the whole series.
        """
        if isinstance(func, (str, Mapping)) or is_list_like(func):
            return aggregated_series(self, func, args, kwargs)
        if by_row is False:
            return func(self, *args, **kwargs)
        if isinstance(func, np.ufunc):
            return func(self, *args, **kwargs)
        function = UserFunction(func, args, kwargs)
        compiled = of_elements(function, self._parts[0], self._index)
        if compiled is not None:
            return self._keep_attrs(self._with([like(self._parts[0], compiled)]))
        results = results_of(function, self._parts[0].tolist(), self._index)
        if results and is_series(results[0]):
            made: Any = above.DataFrame(results)
            made.index = self._index
            return made
        column = like(self._parts[0], column_of(results)) if results else self._parts[0]
        return self._keep_attrs(self._with([column]))

    def agg(self, func: Any = None, axis: Any = 0, *args: Any, **kwargs: Any) -> Any:
        """What functions make of the series: one, or a list or dict of them, or names."""
        self._axis(axis)
        if func is None:
            if not kwargs:
                raise TypeError("Must provide 'func' or named aggregation **kwargs.")
            func, kwargs = kwargs, {}
        return aggregated_series(self, func, args, kwargs)

    aggregate = agg

    def transform(self, func: Any, axis: Any = 0, *args: Any, **kwargs: Any) -> Any:
        """The same as `agg` for functions that give a value for each row.

        Raises ValueError for functions that give one for all.
        """
        made = (
            self.apply(func, args, **kwargs)
            if callable(func)
            else self.agg(func, axis, *args, **kwargs)
        )
        if not hasattr(made, "index") or len(made) != len(self):
            raise ValueError("Function did not transform")
        return made


class FrameApplying(RowMethods):
    """Functions of frames."""

    @leaves_out("engine", "engine_kwargs", "by_row")
    def apply(
        self,
        func: Any,
        axis: Any = 0,
        raw: bool = False,
        result_type: str | None = None,
        args: tuple[Any, ...] = (),
        **kwargs: Any,
    ) -> Any:
        """What a function makes of each column, or with ``axis=1`` of each row.

        Series become columns, or rows, of a frame; with ``result_type="expand"`` lists too.
        Raises ValueError for another ``result_type``.
        """
        if result_type not in (None, "reduce", "broadcast", "expand"):
            raise ValueError(
                "invalid value for result_type, must be one of "
                "{None, 'reduce', 'broadcast', 'expand'}"
            )
        number = self._axis(axis)
        if isinstance(func, str):
            keywords = {"axis": number, **kwargs} if _takes_axis(self, func) else kwargs
            return method_of(self, func, args, keywords)
        if isinstance(func, Mapping) or is_list_like(func):
            return self.agg(func, axis, *args, **kwargs)
        if isinstance(func, np.ufunc):
            return func(self, *args, **kwargs)
        if 0 in self.shape:
            if result_type not in (None, "reduce"):
                return self.copy()
            return self._apply_empty(func, number, args, kwargs)
        function = UserFunction(func, args, kwargs)
        if number == 1 and not raw and result_type in (None, "reduce", "expand"):
            compiled = of_rows(function, self)
            if compiled is not None:
                return self._keep_attrs(above.Series._of(compiled, self._index))
        results = results_of(function, self._pieces(number, raw), self._labels_of(1 - number))
        return self._assembled(results, number, result_type)

    def _pieces(self, axis: int, raw: bool) -> Any:
        count = len(self._parts) if axis == 0 else len(self)
        if raw:
            table = self.to_numpy()  # type: ignore[attr-defined]
            return [table[:, i] if axis == 0 else table[i] for i in range(count)]
        if axis == 1:
            return self._rows_as_series()  # type: ignore[attr-defined]
        return (self._column_series(i) for i in range(count))  # type: ignore[attr-defined]

    def _apply_empty(self, func: Any, axis: int, args: Any, kwargs: Any) -> Any:
        # The function is called to see if it makes one value of a column or row.
        row = above.Series(index=None if axis == 0 else self._labels_of(1), dtype=np.float64)
        try:
            made = func(row, *args, **kwargs)
        except Exception:
            return self.copy()
        if is_series(made):
            return self.copy()
        labels = self._labels_of(1 - axis)
        if not len(labels):
            return above.Series._of(column_of([], np.dtype(np.float64)), labels)
        made = func(above.Series([], dtype=np.float64), *args, **kwargs)
        return above.Series._of(column_of([made] * len(labels)), labels)

    def _assembled(self, results: list[Any], axis: int, result_type: str | None) -> Any:

        labels = self._labels_of(1 - axis)
        first = results[0]
        made: Any
        if result_type == "broadcast":
            return self._broadcast(results, axis)
        if result_type == "expand" and is_list_like(first) and not is_series(first):
            rows = [dict(each) if isinstance(each, Mapping) else list(each) for each in results]
            made = above.DataFrame(rows) if axis == 1 else above.DataFrame(dict(enumerate(rows)))
            common = common_dtype([each.dtype for each in made._parts])
            if common != np.dtype(object):  # pandas turns a table of one dtype
                made = made.astype(common)
            return made._relabelled(1 - axis, labels)
        if result_type != "reduce" and all(map(is_series, results)):
            return self._of_series(results, axis, labels)
        if axis == 0 and result_type is None and _is_table(results):
            made = above.DataFrame(dict(enumerate(map(list, results))))._relabelled(1, labels)
            return made._relabelled(0, self._index) if len(made) == len(self) else made
        return assembled(results, labels)

    def _of_series(self, results: list[Any], axis: int, labels: Any) -> Any:

        if axis == 0:
            made: Any = above.DataFrame(dict(enumerate(results)))
            return made._relabelled(1, labels)
        made = above.DataFrame(results)
        return made._relabelled(0, labels).infer_objects()

    def _broadcast(self, results: list[Any], axis: int) -> Any:
        if axis == 0:
            return self._with(
                [
                    column_of(list(each)) if is_list_like(each) else repeated(each, len(self))
                    for each in results
                ]
            )
        width = len(self._parts)
        rows = [list(each) if is_list_like(each) else [each] * width for each in results]
        return self._with([column_of([row[i] for row in rows]) for i in range(width)])

    @leaves_out("engine")
    def map(self, func: Any, na_action: str | None = None, **kwargs: Any) -> Any:
        """What a function makes of each element."""
        if na_action not in (None, "ignore"):
            raise ValueError(f"na_action must be 'ignore' or None. Got {na_action!r}")

        return self._keep_attrs(
            self._each(lambda each: mapped(each, func, kwargs, na_action, self._index))
        )

    def agg(self, func: Any = None, axis: Any = 0, *args: Any, **kwargs: Any) -> Any:
        """What functions make of each column, or row: one, a list, or a dict by column.

        Keywords name rows: ``total=("column", "sum")``.
        """
        number = self._axis(axis)
        if func is None:
            return self._named_aggregation(kwargs)
        if number == 1:
            made = self.T.agg(func, 0, *args, **kwargs)  # type: ignore[attr-defined]
            return made.T if is_frame(made) else made
        if isinstance(func, str):
            return method_of(self, func, args, kwargs)
        if isinstance(func, Mapping):
            return self._aggregated_by_column(func, args, kwargs)
        if is_list_like(func):
            return self._aggregated_by_list(list(func), args, kwargs)
        if _is_hashable(func) and func in _REDUCTIONS and not args:
            return getattr(self, _REDUCTIONS[func])(**kwargs)
        return self.apply(func, 0, args=args, **kwargs)

    aggregate = agg

    def _aggregated_by_list(self, functions: list[Any], args: Any, kwargs: Any) -> Any:
        if not self._parts:
            names = [function_name(each) for each in functions]
            return above.DataFrame._of([], index_of(names), self._labels_of(1))
        made = []
        for i, column in enumerate(self._parts):
            series = self._column_series(i)  # type: ignore[attr-defined]
            result = series.agg(functions, 0, *args, **kwargs)
            if has_na(column.dtype) and is_series(result):
                # Of frames, not of series, pandas keeps what is nullable.
                of_frame = self._columns_at(np.array([i]))
                each = [of_frame.agg(name, 0, *args, **kwargs)._parts[0] for name in functions]
                result = above.Series._of(joined_columns(each), result.index, result.name)
            made.append(result)
        labels = self._labels_of(1)
        if is_frame(made[0]):
            return concat(made, axis=1, keys=list(labels), names=labels.names)
        return concat(made, axis=1).rename_axis(columns=labels.names)

    def _aggregated_by_column(self, func: Mapping[Any, Any], args: Any, kwargs: Any) -> Any:
        gone = [each for each in func if each not in self._labels_of(1)]
        if gone:
            raise KeyError(f"Label(s) {gone} do not exist")
        listed = any(is_list_like(each) and not isinstance(each, str) for each in func.values())
        results = {}
        for label, each in func.items():
            wanted = [each] if listed and not is_list_like(each) else each
            results[label] = self[label].agg(wanted, 0, *args, **kwargs)  # type: ignore[index]
        if any(map(is_series, results.values())):
            made = concat(list(results.values()), axis=1, keys=list(results))
            if listed:
                made = made.rename_axis(columns=self._labels_of(1).names)
                names = list(
                    dict.fromkeys(name for each in results.values() for name in each.index)
                )
                return made if made.index.has_duplicates else made.reindex(names)
            return made
        return assembled(list(results.values()), index_of(list(results)))

    def _named_aggregation(self, kwargs: dict[str, Any]) -> Any:
        if not kwargs:
            raise TypeError("Must provide 'func' or tuples of '(column, aggfunc).")
        made = []
        for name, (label, func) in kwargs.items():
            value = self[label].agg(func)  # type: ignore[index]
            made.append(above.Series([value], index=[name]).rename(label).to_frame())
        return concat(made)

    def transform(self, func: Any, axis: Any = 0, *args: Any, **kwargs: Any) -> Any:
        """The same as `apply` for functions that give a value for each row.

        Raises ValueError for functions that give one for all.
        """
        made = (
            self.agg(func, axis, *args, **kwargs)
            if not callable(func)
            else self.apply(func, axis, args=args, **kwargs)
        )
        if not is_frame(made) or len(made) != len(self):
            raise ValueError("Function did not transform")
        return made


def _is_table(results: list[Any]) -> bool:
    """True for lists of one length."""
    if not all(is_list_like(each) and not isinstance(each, Mapping) for each in results):
        return False
    return len({len(each) for each in results}) == 1


def _takes_axis(frame: Any, name: str) -> bool:
    import inspect

    method = getattr(frame, name, None)
    return callable(method) and "axis" in inspect.signature(method).parameters
