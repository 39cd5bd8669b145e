"""What Dask asks pandas for by name: of values of ours it is ours.

Dask has registries for most of what it does with partitions, and for the rest takes functions and
classes of `pd`, whatever the partitions are. The modules of `PLACES` get a `pd` in which the names
listed for each are answered by the library that the arguments are of.
"""

from __future__ import annotations

import functools
import importlib
from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np
import pandas as pd

import phalanx as px

from ..._frames.dtypes import ExtensionDtype, StringDtype
from ..._frames.hashing import hash_pandas_object

_OURS = (px.DataFrame, px.Series, px.Index, px.Timestamp, px.Timedelta, px.Period, px.Interval)


def call(name: str, /, *args: Any, **options: Any) -> Any:
    """A function or class of that name: ours if one of the arguments, or of what they hold, is."""
    given = [*args, *options.values()]
    held = [each for some in given for each in (some if isinstance(some, (list, tuple)) else ())]
    held += [each for some in given if isinstance(some, dict) for each in some.values()]
    is_ours = any(isinstance(each, _OURS) for each in (*given, *held))
    return getattr(px if is_ours else pd, name)(*args, **options)


class Either(type):
    """The kind of classes that are pandas' and ours of one name."""

    def __instancecheck__(cls, value: Any) -> bool:
        return isinstance(value, (getattr(pd, cls.__name__), getattr(px, cls.__name__)))

    def __call__(cls, *args: Any, **options: Any) -> Any:
        return call(cls.__name__, *args, **options)

    def __getattr__(cls, name: str) -> Any:
        return getattr(getattr(pd, cls.__name__), name)


# Each has a place in this module: by it Dask pickles what is part of a graph.
class DataFrame(metaclass=Either):
    """Frames."""


class Series(metaclass=Either):
    """Series."""


class Index(metaclass=Either):
    """Indexes."""


class Timestamp(metaclass=Either):
    """Moments."""


class CategoricalDtype(metaclass=Either):
    """Dtypes of categories."""


class DateOffset(metaclass=Either):
    """Steps of time."""


class CategoricalIndex(metaclass=Either):
    """Indexes of categories."""


class MultiIndex(metaclass=Either):
    """Indexes of several levels."""

    @staticmethod
    def from_product(iterables: Any, **options: Any) -> Any:
        """As of pandas, ours where one of the levels is."""
        is_ours = any(isinstance(each, _OURS) for each in iterables)
        return (px if is_ours else pd).MultiIndex.from_product(iterables, **options)


_KINDS = (
    DataFrame, Series, Index, Timestamp, DateOffset, CategoricalDtype, CategoricalIndex, MultiIndex,
)  # fmt: skip
_CLASSES = {each.__name__: each for each in _KINDS}
_STEPS = ("Tick", "Day")  # Dask asks for them by isinstance alone
_EXPRESSIONS = "dask.dataframe.dask_expr."
PLACES = {
    f"{_EXPRESSIONS}_collection": ("Timestamp",),
    f"{_EXPRESSIONS}_expr": ("DataFrame", "Series", "Index", "api"),
    f"{_EXPRESSIONS}_merge_asof": ("merge_asof", "concat"),
    f"{_EXPRESSIONS}_repartition": ("Timestamp", "Series", "date_range"),
    f"{_EXPRESSIONS}_util": ("Series", "DateOffset", "offsets"),
    f"{_EXPRESSIONS}_cumulative": ("Series",),
    f"{_EXPRESSIONS}_reductions": ("DataFrame", "Index", "CategoricalIndex", "MultiIndex"),
    "dask.dataframe.core": ("CategoricalDtype",),
    "dask.dataframe.groupby": ("concat", "Series"),
    "dask.dataframe.io.io": ("DataFrame", "Series"),
    "dask.dataframe.methods": ("concat", "pivot_table", "to_datetime", "to_timedelta", "Timestamp"),
    "dask.dataframe.utils": ("concat", "CategoricalDtype", "Index", "MultiIndex"),
    "dask.dataframe.multi": ("DataFrame", "Series", "Index", "merge_asof", "concat"),
}


class Both(ModuleType):
    """A module of pandas' with some of its names replaced."""

    def __init__(self, theirs: ModuleType, replaced: dict[str, Any]) -> None:
        super().__init__(theirs.__name__)
        self.__dict__.update(replaced)
        self.__dict__["_theirs"] = theirs

    def __getattr__(self, name: str) -> Any:
        return getattr(self._theirs, name)


def pandas_dtype(dtype: Any) -> Any:
    """As pandas' function, which knows no dtypes of ours."""
    return dtype if isinstance(dtype, ExtensionDtype) else pd.api.types.pandas_dtype(dtype)


def in_our_kind(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function of a list of results, with its own as ours where one of these is."""

    @functools.wraps(function)
    def called(results: Any, *args: Any, **options: Any) -> Any:
        made = function(results, *args, **options)
        is_ours = any(isinstance(each, _OURS) for each in results)
        return px.from_pandas(made) if is_ours and isinstance(made, pd.Series) else made

    return called


def is_string_dtype(obj: Any) -> bool:
    """As pandas' function."""
    if isinstance(getattr(obj, "dtype", obj), ExtensionDtype):
        return isinstance(getattr(obj, "dtype", obj), StringDtype)
    return bool(pd.api.types.is_string_dtype(obj))


def is_dtype_equal(source: Any, target: Any) -> bool:
    """As pandas' function, which finds dtypes of ours unequal."""
    if isinstance(source, ExtensionDtype) or isinstance(target, ExtensionDtype):
        return bool(source == target)
    return bool(pd.api.types.is_dtype_equal(source, target))


def hashes(obj: Any, **options: Any) -> Any:
    """As pandas' `hash_pandas_object`."""
    if isinstance(obj, _OURS):
        return np.asarray(hash_pandas_object(obj, **options))
    return pd.util.hash_pandas_object(obj, **options)


def _replacement(name: str) -> Any:
    if name == "api":
        return Both(pd.api, {"types": Both(pd.api.types, {"pandas_dtype": pandas_dtype})})
    if name == "offsets":
        kinds = {each: (getattr(pd.offsets, each), getattr(px.offsets, each)) for each in _STEPS}
        return Both(pd.offsets, kinds)
    return _CLASSES.get(name) or functools.partial(call, name)


def register() -> None:
    """Puts the names in the place of pandas'."""
    for place, names in PLACES.items():
        module: Any = importlib.import_module(place)
        module.pd = Both(pd, {each: _replacement(each) for each in names})
    expressions: Any = importlib.import_module(f"{_EXPRESSIONS}_expr")
    expressions.ToNumeric.operation = staticmethod(functools.partial(call, "to_numeric"))
    expressions.ToTimedelta.operation = staticmethod(functools.partial(call, "to_timedelta"))
    describing: Any = importlib.import_module(f"{_EXPRESSIONS}_describe")
    for place, name, function in (
        (
            describing.__name__,
            "describe_nonnumeric_aggregate",
            in_our_kind(describing.describe_nonnumeric_aggregate),
        ),
        ("dask.dataframe.hyperloglog", "hash_pandas_object", hashes),
        (f"{_EXPRESSIONS}_util", "is_string_dtype", is_string_dtype),
        ("dask.dataframe.utils", "is_dtype_equal", is_dtype_equal),
    ):
        setattr(importlib.import_module(place), name, function)
    _register_names_of_columns()


def _register_names_of_columns() -> None:
    """`agg` of groups takes our `NamedAgg`, which Dask has pandas take apart."""
    grouping: Any = importlib.import_module(f"{_EXPRESSIONS}_groupby")
    theirs = grouping.reconstruct_func

    def reconstruct_func(func: Any, **named: Any) -> Any:
        taken = {
            label: (each.column, each.aggfunc) if isinstance(each, px.NamedAgg) else each
            for label, each in named.items()
        }
        return theirs(func, **taken)

    grouping.reconstruct_func = reconstruct_func
