"""Functions of the module: `isna`, `concat`, `eval`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

import phalanx as px

from ..._arrays import joining
from .. import above
from ..building.columns import column_from, ours
from ..building.kinds import is_array, is_list_like
from ..combining import concat as frames
from ..in_place import in_place
from ..indexes.index import Index
from ..missing import is_missing
from ..shared.base import Labelled
from .evaluating import variables_at
from .expressions import Scope, evaluated


@in_place
def isna(obj: Any) -> Any:
    """Which elements are missing: of a series or frame one of bools, of others an array.

    >>> px.isna(px.Series([1.0, None]))
    0    False
    1     True
    dtype: bool
    """
    obj = ours(obj)
    if isinstance(obj, (Labelled, Index)):
        return obj.isna()  # type: ignore[union-attr]
    if not is_list_like(obj):
        return is_missing(obj)
    if is_array(obj) and len(obj.shape) > 1:
        return np.asarray(isna(np.asarray(obj).ravel())).reshape(obj.shape)
    return np.asarray(column_from(obj).isna())


@in_place
def notna(obj: Any) -> Any:
    """Which elements are not missing.

    >>> px.notna(np.nan)
    False
    """
    found = isna(obj)
    return not found if isinstance(found, bool) else ~found


isnull, notnull = isna, notna


@in_place
def concat(objs: Any, *args: Any, **keywords: Any) -> Any:
    """Frames and series below or beside each other, or arrays along an axis.

    What is concatenated says which: arrays are as in NumPy, frames as in pandas.

    >>> px.concat([px.Series([1]), px.Series([2])], ignore_index=True)
    0    1
    1    2
    dtype: int64
    """
    given = list(objs.values()) if hasattr(objs, "values") and callable(objs.values) else objs
    if not isinstance(given, (list, tuple)):
        if not isinstance(given, Iterable):
            raise TypeError(
                "first argument must be an iterable of frames, series or arrays, you passed an "
                f'object of type "{type(given).__name__}"'
            )
        given = objs = list(given) if not isinstance(given, (Labelled, str)) else given
    arrays = isinstance(given, (list, tuple)) and len(given) > 0 and all(map(_is_plain, given))
    if arrays:
        return joining.concat(objs, *args, **keywords)
    return frames.concat(objs, *args, **keywords)


def _is_plain(item: Any) -> bool:
    return isinstance(item, (px.ndarray, np.ndarray, list, tuple, int, float)) and not isinstance(
        item, Labelled
    )


@in_place
def eval(expr: str, *, target: Any = None, level: int = 0, local_dict: Any = None) -> Any:
    """The value of an expression of variables.

    >>> a = px.Series([1, 2])
    >>> px.eval("a + 1")
    0    2
    1    3
    dtype: int64
    """
    if target is not None:
        raise NotImplementedError("eval: the keyword 'target' of pandas is not supported")
    return evaluated(expr, Scope(None, variables_at(1 + level, local_dict)))


@in_place
def factorize(values: Any, sort: bool = False, use_na_sentinel: bool = True) -> tuple[Any, Any]:
    """The number of each value among the different ones, -1 for missing ones, and these.

    >>> codes, values = px.factorize(px.Series(["b", "a", "b"]))
    >>> codes
    array([0, 1, 0])
    """

    return above.Series(values).factorize(sort, use_na_sentinel)  # type: ignore[no-any-return]
