"""What NumPy and Arrow ask an object for."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..arithmetic.ufuncs import applied
from ..shared.base import Labelled


class Protocols(Labelled):
    """``__array__`` and ``__array_ufunc__``: NumPy's functions of frames give frames."""

    __array_priority__ = 1000
    __pandas_priority__ = 5000  # above pandas' frames: they leave operations with ours to ours

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        values: np.ndarray = self.to_numpy()  # type: ignore[attr-defined]
        if dtype is not None and values.dtype != dtype:
            return values.astype(dtype)
        return values.copy() if copy else values

    def __array_ufunc__(self, ufunc: Any, method: str, *inputs: Any, **keywords: Any) -> Any:
        return applied(self, ufunc, method, inputs, keywords)
