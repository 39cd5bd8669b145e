"""Kinds of results: NumPy's, pandas' or ours, as cuML's output types say."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray

KINDS = (
    "input", "numpy", "array", "cupy", "numba", "series", "dataframe", "df_obj", "cudf", "pandas",
)  # fmt: skip
_global: ContextVar[str | None] = ContextVar("output_type", default=None)
_default: list[str | None] = [None]


def check_kind(kind: Any) -> None:
    """Raise ValueError for what is no output type."""
    if kind is not None and kind not in KINDS:
        raise ValueError(f"output_type must be one of {', '.join(KINDS)}. Got {kind!r} instead.")


def set_global_output_type(output_type: str | None) -> None:
    """Set the kind of results of all models that have none of their own; None is ``"input"``.

    Raises ValueError for others than cuML's.
    """
    check_kind(output_type)
    _default[0] = output_type


@contextmanager
def using_output_type(output_type: str | None) -> Iterator[str | None]:
    """Set the kind of results inside a ``with`` block. Raises ValueError as the setter does."""
    check_kind(output_type)
    token = _global.set(output_type)
    try:
        yield output_type
    finally:
        _global.reset(token)


def global_kind() -> str | None:
    """The kind that is set for all models."""
    return _global.get() or _default[0]


def kind_of(value: Any) -> str:
    """The kind of what was given: results of ``"input"`` have it."""
    if isinstance(value, (px.DataFrame, px.Series)):
        return "cudf"
    if isinstance(value, ndarray) or hasattr(value, "__cuda_array_interface__"):
        return "array"
    return "pandas" if hasattr(value, "iloc") else "numpy"


def converted(value: Any, kind: str) -> Any:
    """An array of numbers as a kind; other values stay, tuples and lists by element."""
    if isinstance(value, tuple):
        return tuple(converted(each, kind) for each in value)
    if not isinstance(value, (np.ndarray, ndarray)):
        return value
    if value.ndim == 0 or value.dtype.kind not in "biuf":
        return value
    if kind == "numpy":
        return np.asarray(value)
    if kind in ("array", "cupy", "numba"):
        return px.asarray(value)
    if value.ndim > 2:
        raise ValueError(
            f"an array of {value.ndim} dimensions is no {kind}: use 'numpy' or 'array'"
        )
    if kind == "pandas":
        import pandas as pd

        host = np.asarray(value)
        return pd.Series(host) if host.ndim == 1 else pd.DataFrame(host)
    is_column = value.ndim == 1 or (kind == "series" and value.shape[1] == 1)
    if kind == "series" and not is_column:
        raise ValueError("several columns are no series: use 'dataframe'")
    if is_column and kind != "dataframe":
        return px.Series(value.reshape(-1))
    return px.DataFrame(value.reshape(value.shape[0], -1))
