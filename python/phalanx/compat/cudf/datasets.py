"""`cudf.datasets`: made-up tables for trials."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

import phalanx as px

_NAMES = (
    "Alice", "Bob", "Charlie", "Dan", "Edith", "Frank", "George", "Hannah", "Ingrid", "Jerry",
    "Kevin", "Laura", "Michael", "Norbert", "Oliver", "Patricia", "Quinn", "Ray", "Sarah", "Tim",
    "Ursula", "Victor", "Wendy", "Xavier", "Yvonne", "Zelda",
)  # fmt: skip
_TIMES = {"name": str, "id": int, "x": float, "y": float}
_RANDOM = {"id": int, "x": float, "y": float}


def _category(rows: int, rng: np.random.Generator) -> Any:
    return px.Categorical(rng.choice(_NAMES, size=rows).tolist(), categories=list(_NAMES))


_MAKERS: dict[Any, Callable[[int, np.random.Generator], Any]] = {
    float: lambda rows, rng: rng.random(rows) * 2 - 1,
    int: lambda rows, rng: rng.poisson(1000, size=rows),
    bool: lambda rows, rng: rng.integers(0, 2, size=rows).astype(bool),
    str: lambda rows, rng: rng.choice(_NAMES, size=rows).tolist(),
    "category": _category,
}


def _column(dtype: Any, rows: int, rng: np.random.Generator) -> Any:
    if dtype in _MAKERS:
        return _MAKERS[dtype](rows, rng)
    kind = {"f": float, "i": int, "u": int, "b": bool}.get(np.dtype(dtype).kind, str)
    made = _MAKERS[kind](rows, rng)
    return made if kind is str else made.astype(dtype)


def timeseries(
    start: str = "2000-01-01",
    end: str = "2000-01-31",
    freq: str = "1s",
    dtypes: Mapping[str, Any] | None = None,
    nulls_frequency: float = 0,
    seed: int | None = None,
) -> Any:
    """A frame of made-up columns over times from `start` to before `end`, its index `timestamp`.

    Of `nulls_frequency` of the rows of each column a value is missing.
    """
    index = px.date_range(start, end, freq=freq, name="timestamp")
    index = index[:-1] if len(index) and index[-1] == px.Timestamp(end) else index
    rng = np.random.default_rng(seed)
    columns = {
        name: px.Series(_column(dtype, len(index), rng), index=index)
        for name, dtype in (dtypes or _TIMES).items()
    }
    if nulls_frequency:
        for name, each in columns.items():
            columns[name] = each.mask(rng.random(len(index)) < nulls_frequency)
    return px.DataFrame(columns, index=index)


def randomdata(
    nrows: int = 10, dtypes: Mapping[str, Any] | None = None, seed: int | None = None
) -> Any:
    """A frame of made-up columns of some dtypes."""
    rng = np.random.default_rng(seed)
    return px.DataFrame(
        {name: _column(dtype, nrows, rng) for name, dtype in (dtypes or _RANDOM).items()}
    )
