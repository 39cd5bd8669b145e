"""What all data sets share: whose arrays they are, and in which dtype."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable
from typing import Any

import numpy as np

import phalanx as px

KINDS = ("numpy", "array", "dataframe")


def data_set(function: Callable[..., Any]) -> Callable[..., Any]:
    """Give a function of NumPy's arrays the keywords `output_type` and `dtype`.

    ``"numpy"`` gives NumPy's arrays, ``"array"`` ours and ``"dataframe"`` our frames and columns;
    `dtype` is that of floats, float64 unless given. ValueError for others.
    """

    @functools.wraps(function)
    def made(
        *arguments: Any, output_type: str = "numpy", dtype: Any = None, **keywords: Any
    ) -> Any:
        if output_type not in KINDS:
            raise ValueError(
                f"The 'output_type' parameter of {function.__name__} must be one of "
                f"{', '.join(map(repr, KINDS))}. Got {output_type!r} instead."
            )
        if dtype is not None and np.dtype(dtype).kind != "f":
            raise ValueError(f"The 'dtype' of a data set must be a float's. Got {dtype!r} instead.")
        found = function(*arguments, **keywords)
        if not isinstance(found, tuple):
            return _converted(found, output_type, dtype)
        return tuple(_converted(each, output_type, dtype) for each in found)

    signature = inspect.signature(function)
    made.__signature__ = signature.replace(  # type: ignore[attr-defined]
        parameters=[*signature.parameters.values(), *_ADDED]
    )
    return made


_ADDED = [
    inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default)
    for name, default in (("output_type", "numpy"), ("dtype", None))
]


def _converted(values: Any, output_type: str, dtype: Any) -> Any:
    if not isinstance(values, np.ndarray):
        return values
    if dtype is not None and values.dtype.kind == "f":
        values = values.astype(dtype, copy=False)
    if output_type == "numpy" or values.ndim == 0:
        return values
    if output_type == "array":
        return px.asarray(np.ascontiguousarray(values))
    if values.ndim == 1:
        return px.Series(values)
    return px.DataFrame(values)


def check_count(name: str, value: Any, least: int = 1) -> None:
    """Raise ValueError unless a parameter is a whole number, at least `least`."""
    is_whole = isinstance(value, (int, np.integer)) and not isinstance(value, bool)
    if not is_whole or value < least:
        raise ValueError(
            f"The {name!r} parameter must be an int in the range [{least}, inf). Got {value!r} "
            "instead."
        )
