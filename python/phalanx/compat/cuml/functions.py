"""Functions with cuML's parameters and kinds of results, made of those of `phalanx.ml`."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

import phalanx as px

from ..._models.model_selection.draws import train_test_split as _split
from .output import converted, global_kind, kind_of

_DROPPED = ("convert_dtype", "handle", "verbose")


def served_function(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that takes cuML's keywords, too, and gives arrays of the kind of its first one."""

    @functools.wraps(function)
    def made(*arguments: Any, **keywords: Any) -> Any:
        for each in _DROPPED:
            keywords.pop(each, None)
        given = arguments[0] if arguments else next(iter(keywords.values()), None)
        kind = global_kind() or "input"
        found = function(*arguments, **keywords)
        return converted(found, kind_of(given) if kind == "input" else kind)

    return made


def served_data_set(function: Callable[..., Any]) -> Callable[..., Any]:
    """A data set in float32, of our arrays unless another kind is set; `order` has no effect."""

    @functools.wraps(function)
    def made(*arguments: Any, dtype: Any = "float32", **keywords: Any) -> Any:
        for each in ("order", "handle"):
            keywords.pop(each, None)
        # cuML's functions take their first parameters by place, as ours do.
        names = list(inspect.signature(function).parameters)
        given = dict(zip(names, arguments, strict=False))
        found = function(**given, **keywords, dtype=np.dtype(dtype))
        kind = global_kind() or "array"
        return converted(found, "array" if kind == "input" else kind)

    return made


def train_test_split(X: Any, y: Any = None, **keywords: Any) -> Any:
    """Return samples to learn from and to test with, then the targets: cuML's function.

    `y` may be the name of a column of the frame X, which is taken out. Other parameters are those
    of `phalanx.ml.model_selection.train_test_split`.
    """
    if isinstance(y, str):
        X, y = X.drop(columns=[y]), X[y]
    stratify = keywords.get("stratify")
    if isinstance(stratify, str):
        keywords["stratify"] = X[stratify]
    if isinstance(keywords.get("random_state"), px.random.RandomState):
        raise TypeError("random_state of train_test_split is an int or NumPy's RandomState")
    return tuple(_split(X, **keywords)) if y is None else tuple(_split(X, y, **keywords))
