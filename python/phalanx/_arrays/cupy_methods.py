"""What CuPy's arrays have and NumPy's have not: how elements come from the host and go there."""

from __future__ import annotations

from typing import Any

from . import coerce, creation, math_methods, shapes, ufuncs


class CuPyMethods(math_methods.MathMethods):
    """The constructor `ndarray(shape)`, and the methods that only CuPy's arrays have."""

    __slots__ = ()

    def __new__(
        cls,
        shape: Any,
        dtype: Any = float,
        memptr: Any = None,
        strides: Any = None,
        order: str = "C",
    ) -> Any:
        """An array whose elements have no values yet, or of memory that is there.

        `memptr` is what `cupy.cuda.alloc` gives, or a buffer, as NumPy's third argument.
        Raises `NotImplementedError` for strides without memory.
        """
        if memptr is None:
            if strides is not None:
                raise NotImplementedError(
                    "an array of given strides needs memory: take px.as_strided(x, shape, strides)"
                )
            return creation.empty(shape, dtype, order or "C")
        of_bytes = getattr(memptr, "of_bytes", None)
        flat = creation.frombuffer(memptr, dtype) if of_bytes is None else of_bytes.view(dtype)
        if strides is not None:
            return shapes.as_strided(flat, shape, strides)
        import math

        extents = (shape,) if hasattr(shape, "__index__") else tuple(shape)
        return flat[: math.prod(extents)].reshape(extents, order=order or "C")

    def __init__(self, *args: Any, **options: Any) -> None:
        """Everything is done by `__new__`: arrays come from the engine."""

    def get(
        self, stream: Any = None, order: str = "C", out: Any = None, blocking: bool = True
    ) -> Any:
        """The elements in an array of NumPy's with memory of its own, or in `out`.

        Raises `TypeError` for an `out` that is not NumPy's, `ValueError` for one of another shape.
        """
        import numpy as np

        if out is None:
            return np.array(coerce.to_numpy(self), order=order if order in ("C", "F") else "K")  # type: ignore[call-overload]
        if not isinstance(out, np.ndarray):
            raise TypeError(f"Only numpy.ndarray can be obtained from phalanx arrays, not {out!r}")
        if out.shape != self.shape or out.dtype != self.dtype:
            raise ValueError(
                f"out has shape {out.shape} and dtype {out.dtype}, the array {self.shape} and "
                f"{self.dtype}"
            )
        out[...] = coerce.to_numpy(self)
        return out

    def set(self, arr: Any, stream: Any = None) -> None:
        """Gives the array the elements of one of NumPy's, of the same shape and dtype.

        Raises `TypeError` for another dtype or what is no array of NumPy's, `ValueError` for
        another shape.
        """
        import numpy as np

        if not isinstance(arr, np.ndarray):
            raise TypeError("Only numpy.ndarray can be set to a phalanx array")
        if arr.dtype != self.dtype:
            raise TypeError(f"{arr.dtype} array cannot be set to {self.dtype} array")
        if arr.shape != self.shape:
            raise ValueError(f"Shape mismatch. Old shape: {self.shape}, new shape: {arr.shape}")
        self[...] = arr

    def scatter_add(self, slices: Any, value: Any) -> None:
        """Adds the values to the elements at an index, each as often as it is named."""
        ufuncs.table()["add"].at(self, slices, value)

    def scatter_max(self, slices: Any, value: Any) -> None:
        """The greater of each element at an index and its values."""
        ufuncs.table()["maximum"].at(self, slices, value)

    def scatter_min(self, slices: Any, value: Any) -> None:
        """The lesser of each element at an index and its values."""
        ufuncs.table()["minimum"].at(self, slices, value)

    def toDlpack(self) -> Any:
        """The capsule of DLPack, CuPy's older name for `__dlpack__`."""
        return self.__dlpack__()
