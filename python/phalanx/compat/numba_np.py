"""``numba.np.numpy_support``: types from NumPy's dtypes and back."""

from __future__ import annotations

from typing import Any

from .._core.numba_names import carray, farray
from .._types.aggregates import as_dtype
from ..types import from_dtype
from ._placeholders import names_of

_others = names_of("numba.np.numpy_support")

__all__ = ["as_dtype", "carray", "farray", "from_dtype"]


def __getattr__(name: str) -> Any:
    if name == "numpy_version":  # (major, minor); NumPy is not imported before somebody asks
        import numpy as np

        return tuple(int(part) for part in np.__version__.split(".")[:2])
    return _others(name)
