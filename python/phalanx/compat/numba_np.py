"""``numba.np.numpy_support``: types from NumPy's dtypes and back."""

from __future__ import annotations

from typing import Any

from ..types import Record, Scalar, Type, from_dtype

__all__ = ["as_dtype", "from_dtype"]


def __getattr__(name: str) -> Any:
    if name == "numpy_version":  # (major, minor); NumPy is not imported before somebody asks
        import numpy as np

        return tuple(int(part) for part in np.__version__.split(".")[:2])
    raise AttributeError(name)


def as_dtype(type_: Type) -> Any:
    """The NumPy dtype of a scalar or record type; raises `NotImplementedError` for others."""
    import numpy as np

    if isinstance(type_, Scalar):
        return np.dtype("bool" if type_.dtype_name == "boolean" else type_.dtype_name)
    if isinstance(type_, Record):
        names, formats, offsets = zip(
            *((name, as_dtype(field), offset) for name, field, offset in type_.fields), strict=True
        )
        return np.dtype(
            {
                "names": list(names),
                "formats": list(formats),
                "offsets": list(offsets),
                "itemsize": type_.size,
            }
        )
    raise NotImplementedError(f"{type_} has no NumPy dtype")
