"""Columns of spread frames as functions and texts see them: by pandas' rules, and of all rows."""

from __future__ import annotations

import functools
import inspect
import operator
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

import numpy as np

from ..._arrays.spread.array import SpreadArray
from ..columns.numbers import NumberColumn
from ..dtypes import CategoricalDtype
from ..frame import DataFrame
from ..functions.expressions import Scope
from ..series import Series
from .groups import PARTIAL, SpreadGroups

if TYPE_CHECKING:
    from .frame import SpreadFrame

_ROW_BY_ROW = """
    abs add apply astype between clip copy div eq fillna floordiv ge gt isin isna isnull le lt map
    mask mod mul ne notna notnull pow radd rdiv replace rfloordiv rmod rmul round rpow rsub
    rtruediv sub truediv where"""
OF_ROWS = frozenset(_ROW_BY_ROW.split())
ACCESSORS = frozenset(("str", "dt"))
REDUCTIONS = frozenset(PARTIAL) - {"size", "first", "last"}


def refuse(name: str, of: str) -> NoReturn:
    """Raises NotImplementedError with what there is instead."""
    raise NotImplementedError(
        f"{name!r} of {of} is not done over devices: frame.gather() has all rows on one, and "
        "frame.map(...) goes through the rows of each"
    )


def _has_own_categories(dtype: Any) -> bool:
    """True where the values say what the categories are: those of a device are not of all."""
    given = dtype.values() if isinstance(dtype, Mapping) else [dtype]
    return any(
        each.categories is None if isinstance(each, CategoricalDtype) else str(each) == "category"
        for each in given
    )


# Arguments with which a method that goes row by row looks at other rows.
_OF_OTHER_ROWS: dict[str, tuple[str, Callable[[Any], bool]]] = {
    "astype": ("dtype", _has_own_categories),
    "dropna": ("axis", lambda axis: axis in (1, "columns")),
    "fillna": ("limit", lambda limit: limit is not None),
}


def check_rows(name: str, method: Callable[..., Any], args: Any, kwargs: Any, of: str) -> None:
    """Raises NotImplementedError where a method would look at other rows than its own."""
    if name not in _OF_OTHER_ROWS:
        return
    argument, looks_at_others = _OF_OTHER_ROWS[name]
    given = inspect.signature(method).bind_partial(None, *args, **kwargs).arguments
    if argument in given and looks_at_others(given[argument]):
        refuse(f"{name}({argument}={given[argument]!r})", of)


def check_spread(value: Any) -> None:
    """Raises TypeError for values that are not spread: which rows they are for is not known."""
    if isinstance(value, (SpreadArray, SpreadColumn)):
        return
    if getattr(value, "ndim", 0) or isinstance(value, (list, tuple)):
        raise TypeError(
            "a column of a spread frame is a number, a text, or a spread array: "
            "frame.group.asarray(values)"
        )


def reflected(function: Callable[..., Any]) -> Callable[..., Any]:
    """The operator with its operands the other way round."""
    return lambda one, other: function(other, one)


class Operators:
    """Operators of what has a part on each device: each device does those of its rows."""

    __hash__ = None  # type: ignore[assignment]

    def _operated(self, function: Callable[..., Any], *others: Any) -> Any:
        raise NotImplementedError


def _method(function: Callable[..., Any], others: int) -> Callable[..., Any]:
    def unary(self: Operators) -> Any:
        return self._operated(function)

    def binary(self: Operators, other: Any) -> Any:
        return self._operated(function, other)

    return binary if others else unary


_REFLECTABLE = ("add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "and_", "or_", "xor")
for _name in (*_REFLECTABLE, "eq", "ne", "lt", "le", "gt", "ge"):
    setattr(Operators, f"__{_name.strip('_')}__", _method(getattr(operator, _name), 1))
for _name in _REFLECTABLE:
    _turned = _method(reflected(getattr(operator, _name)), 1)
    setattr(Operators, f"__r{_name.strip('_')}__", _turned)
for _name in ("neg", "pos", "invert", "abs"):
    setattr(Operators, f"__{_name}__", _method(getattr(operator, _name), 0))


class _Whole(NamedTuple):
    """What a column is to a group-by in which all rows are one group."""

    group: Any
    parts: Sequence[Any]
    columns: Sequence[str]


class SpreadColumn(Operators):
    """A column of a spread frame, as functions given to `assign`, `where` and `mask` and texts of
    `query` and `eval` have it: operators and methods go row by row, `mean`, `sum` and their like
    are of the rows of all devices. Others raise NotImplementedError."""

    def __init__(self, frame: SpreadFrame, parts: Sequence[Any]) -> None:
        self._frame, self.parts = frame, tuple(parts)

    def __len__(self) -> int:
        return sum(map(len, self.parts))

    @property
    def size(self) -> int:
        """The number of rows."""
        return len(self)

    @property
    def shape(self) -> tuple[int]:
        """The number of rows."""
        return (len(self),)

    @property
    def _sizes(self) -> tuple[int, ...]:
        return tuple(map(len, self.parts))

    @property
    def dtype(self) -> Any:
        """The dtype that the columns of all devices fit in."""
        found = {each.dtype for each in self.parts}
        is_one = len(found) == 1 or not all(isinstance(each, np.dtype) for each in found)
        return self.parts[0].dtype if is_one else np.result_type(*found)

    def array(self) -> SpreadArray:
        """The column as a spread array. Raises NotImplementedError for what are no numbers."""
        columns = [each._parts[0] for each in self.parts]
        if not all(isinstance(each, NumberColumn) and each.valid is None for each in columns):
            raise NotImplementedError(
                f"the column {self.parts[0].name!r} of dtype {columns[0].dtype} is no array of "
                "numbers: use frame.map(lambda part: ...) of each device's rows"
            )
        values = [each.values.astype(self.dtype, copy=False) for each in columns]
        return SpreadArray(self._frame.group, values, 0)

    def _operated(self, function: Callable[..., Any], *others: Any) -> SpreadColumn:
        for each in others:
            check_spread(each)
        return self._each(function, *others)

    def _each(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> SpreadColumn:
        """What the function makes of the column of each device, and of what others have there."""
        name = getattr(function, "__name__", "this")
        return self._checked(name, self._frame._of_each(function, self, *args, **kwargs))

    def _checked(self, name: str, made: Sequence[Any]) -> SpreadColumn:
        """The column of these parts. Raises NotImplementedError for what are no rows of it."""
        for part, own in zip(made, self.parts, strict=True):
            if not isinstance(part, Series) or len(part) != len(own):
                refuse(name, "a column")
        return SpreadColumn(self._frame, made)

    def __array_ufunc__(self, function: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        if method != "__call__" or kwargs:
            refuse(f"numpy.{function.__name__}.{method}", "a column")
        for each in inputs:
            check_spread(each)
        return self._checked(function.__name__, self._frame._of_each(function, *inputs, **kwargs))

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        """NumPy's other functions, of the spread array."""
        arrays = [each.array() if isinstance(each, SpreadColumn) else each for each in args]
        return function(*arrays, **kwargs)

    def __array__(self, dtype: Any = None, copy: Any = None) -> NoReturn:
        refuse("an array of NumPy", "a column")

    def __getattr__(self, name: str) -> Any:
        if name in REDUCTIONS:
            return lambda **options: self._reduced(name, **options)
        if name in OF_ROWS:
            return functools.partial(self._of_rows, name)
        if name in ACCESSORS:
            return _Accessor(self, name)
        if not name.startswith("_") and hasattr(Series, name):
            refuse(name, "a column")
        raise AttributeError(f"a column of a spread frame has no attribute {name!r}")

    def _of_rows(self, name: str, *args: Any, **kwargs: Any) -> SpreadColumn:
        method = getattr(Series, name)
        check_rows(name, method, args, kwargs, "a column")
        return self._each(method, *args, **kwargs)

    def _reduced(self, name: str, **options: Any) -> Any:
        """An aggregation of all rows. Raises NotImplementedError for options but `ddof`."""
        if set(options) - ({"ddof"} if name in ("var", "std") else set()):
            refuse(f"{name} with {', '.join(options)}", "a column")
        if not len(self):
            return getattr(self.parts[0], name)(**options)
        parts = [DataFrame({"value": each, "group": 0}, index=each.index) for each in self.parts]
        whole: Any = _Whole(self._frame.group, parts, ("value", "group"))
        how = {"sort": True, "dropna": True, "observed": True}
        groups = SpreadGroups(whole, ["group"], True, False, how, "value")
        return getattr(groups, name)(**options).iloc[0]


class _Accessor:
    """`column.str` and `column.dt`."""

    def __init__(self, column: SpreadColumn, name: str) -> None:
        self._column, self._name = column, name
        getattr(column.parts[0], name)  # which raises AttributeError for other columns

    def __getattr__(self, name: str) -> Any:
        def found(part: Any) -> Any:
            return getattr(getattr(part, self._name), name)

        if not callable(found(self._column.parts[0])):
            return self._column._each(found)

        def call(*args: Any, **kwargs: Any) -> SpreadColumn:
            def method(part: Any, *own: Any, **named: Any) -> Any:
                return found(part)(*own, **named)

            method.__name__ = name
            return self._column._each(method, *args, **kwargs)

        return call


class SpreadScope(Scope):
    """Names of columns and of levels of the index of a spread frame."""

    def _of_frame(self, name: Any) -> tuple[Any] | None:
        found = [Scope(part, {})._of_frame(name) for part in self.frame.parts]
        if any(each is None or not isinstance(each[0], Series) for each in found):
            return None
        return (SpreadColumn(self.frame, [each[0] for each in found if each is not None]),)
