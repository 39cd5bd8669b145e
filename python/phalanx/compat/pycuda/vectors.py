"""`pycuda.gpuarray.vec`: CUDA's vector types as NumPy's dtypes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from .c_types import get_or_register_dtype

_FIELDS = ("x", "y", "z", "w")

# CUDA's name of an element, NumPy's, and the most elements that a vector of it has.
_ELEMENTS = (
    ("char", np.int8, 4), ("uchar", np.uint8, 4), ("short", np.int16, 4), ("ushort", np.uint16, 4),
    ("int", np.int32, 4), ("uint", np.uint32, 4), ("long", np.int64, 4), ("ulong", np.uint64, 4),
    ("longlong", np.int64, 2), ("ulonglong", np.uint64, 2), ("float", np.float32, 4),
    ("double", np.float64, 2),
)  # fmt: skip


class vec:
    """CUDA's vector types: ``vec.float3`` is a dtype, ``vec.make_float3(x, y, z)`` an element.

    The fields are ``x``, ``y``, ``z`` and ``w``.
    """


def dtypes() -> dict[str, np.dtype[Any]]:
    """All of them, by their names in CUDA C; of two names for one dtype the first is the usual."""
    return {
        f"{name}{count}": np.dtype([(field, element) for field in _FIELDS[:count]])
        for name, element, most in _ELEMENTS
        for count in range(1, most + 1)
    }


def _maker(name: str, dtype: np.dtype[Any]) -> Callable[..., Any]:
    count = len(dtype.fields or ())

    def make(*numbers: Any) -> Any:
        if len(numbers) != count:
            raise TypeError(f"make_{name} takes {count} numbers, {len(numbers)} were given")
        return np.array(tuple(numbers), dtype)

    make.__name__ = f"make_{name}"
    make.__doc__ = f"An array of NumPy's with one {name}, as kernels and `fill` take it."
    return make


for _name, _dtype in dtypes().items():
    get_or_register_dtype(_name, _dtype)
    setattr(vec, _name, _dtype)
    setattr(vec, f"make_{_name}", staticmethod(_maker(_name, _dtype)))
