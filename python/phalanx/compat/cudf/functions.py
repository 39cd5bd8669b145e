"""Functions of `cudf` that pandas has as methods, or not at all."""

from __future__ import annotations

from typing import Any

import phalanx as px


def unstack(df: Any, level: Any, fill_value: Any = None, sort: bool = True) -> Any:
    """A level of labels of rows as labels of columns: ``df.unstack(level)``."""
    return df.unstack(level, fill_value=fill_value, sort=sort)


def from_dlpack(pycapsule_obj: Any) -> Any:
    """A series, or a frame where there are two dimensions, of what hands out DLPack's capsule.

    Raises what `phalanx.from_dlpack` raises.
    """
    array = px.from_dlpack(pycapsule_obj)
    return px.Series(array) if array.ndim == 1 else px.DataFrame(array)
