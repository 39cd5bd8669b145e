"""`agg` of windows: names, functions, lists and dicts of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..building.kinds import is_list_like
from ..combining.concat import concat
from ..functions.applying import function_name
from .base import Windowed


class Aggregating(Windowed):
    """Several statistics at once."""

    names_functions = False  # a keyword names a function of a series

    def agg(self, func: Any = None, *args: Any, **kwargs: Any) -> Any:
        """What a name or a function says of each window; of a list or a dict a column for each.

        A dict, or keywords as ``total=("column", "sum")``, chooses the columns of a frame. Raises
        AttributeError for a name that there is not, KeyError for a column.
        """
        if func is None:
            return self._named(kwargs)
        if isinstance(func, Mapping):
            return self._by_label(func, args, kwargs)
        if is_list_like(func):
            return self._listed(list(func), args, kwargs)
        return self._single(func, args, kwargs)

    aggregate = agg

    def _single(self, func: Any, args: Any, kwargs: Any) -> Any:
        if isinstance(func, str):
            method = getattr(type(self), func, None)
            if method is None or func.startswith("_"):
                raise AttributeError(
                    f"'{func}' is not a valid function for '{type(self).__name__}' object"
                )
            return getattr(self, func)(*args, **kwargs)
        return self._of_function(func, args, kwargs)

    def _of_function(self, func: Any, args: Any, kwargs: Any) -> Any:
        of: Any = self
        return of.apply(func, raw=False, args=args, kwargs=kwargs)

    def _names_of(self, functions: list[Any]) -> list[Any]:
        """The labels of several functions' results."""
        return [function_name(each) for each in functions]

    def _listed(self, functions: list[Any], args: Any, kwargs: Any) -> Any:
        names = self._names_of(functions)
        if not functions:
            raise ValueError("No objects to concatenate")
        if self._is_series:
            made = [self._single(each, args, kwargs) for each in functions]
            return concat(made, axis=1, keys=names)
        labels = [each for each in self._selected.columns if each != self._left_out()]
        made = [self._column(each)._listed(functions, args, kwargs) for each in labels]
        return concat(made, axis=1, keys=labels)

    def _column(self, label: Any) -> Any:
        """The same windows of one of the columns."""
        return self._with_selection(label)

    def _by_label(self, functions: Mapping[Any, Any], args: Any, kwargs: Any) -> Any:
        if self._is_series:
            if any(is_list_like(each) for each in functions.values()):
                raise ValueError("nested renamer is not supported: pass one function for each name")
            made = [self._single(each, args, kwargs) for each in functions.values()]
            return concat(made, axis=1, keys=list(functions))
        unknown = [each for each in functions if each not in self._selected.columns]
        if unknown:
            raise KeyError(f"Label(s) {unknown} do not exist")
        is_nested = any(is_list_like(each) for each in functions.values())
        made = []
        for label, each in functions.items():
            several = each if not is_nested or is_list_like(each) else [each]
            made.append(self._column(label).agg(several, *args, **kwargs))
        return concat(made, axis=1, keys=list(functions))

    def _named(self, kwargs: dict[str, Any]) -> Any:
        if kwargs and self._is_series and self.names_functions:
            return self._by_label(kwargs, (), {})
        if not kwargs or not all(isinstance(each, tuple) for each in kwargs.values()):
            raise TypeError("Must provide 'func' or tuples of '(column, aggfunc).")
        if self._is_series:
            raise TypeError("named aggregation of a series: pass a dict of names and functions")
        made = [self._column(label)._single(each, (), {}) for label, each in kwargs.values()]
        return concat(made, axis=1, keys=list(kwargs))

    def pipe(self, func: Any, *args: Any, **kwargs: Any) -> Any:
        """``func(self, ...)``; a pair of a function and a keyword names where this goes."""
        if not isinstance(func, tuple):
            return func(self, *args, **kwargs)
        function, keyword = func
        if keyword in kwargs:
            raise ValueError(f"{keyword} is both the pipe target and a keyword argument")
        return function(*args, **{keyword: self}, **kwargs)
