"""The array type."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from .. import _engine
from . import coerce, dtypes, indexing, math_methods


class ndarray(math_methods.MathMethods):  # noqa: N801
    """An array as NumPy's, whose operations are recorded and run together when it is looked at.

    Made by `phalanx.asarray` and the other functions that create arrays.
    """

    __slots__ = ()
    __array_priority__ = 1000

    @property
    def dtype(self) -> Any:
        """The NumPy dtype of an element."""
        return dtypes.numpy_dtype(self._dtype)

    @property
    def itemsize(self) -> int:
        """Bytes of an element."""
        return int(self.dtype.itemsize)

    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
        return int(self.size * self.itemsize)

    def __len__(self) -> int:
        if self.ndim == 0:
            raise TypeError("len() of unsized object")
        return int(self.shape[0])

    def __iter__(self) -> Iterator[Any]:
        if self.ndim == 0:
            raise TypeError("iteration over a 0-d array")
        return (self[i] for i in range(self.shape[0]))

    def __getitem__(self, key: Any) -> ndarray:
        return indexing.get(self, key)

    def __setitem__(self, key: Any, value: Any) -> None:
        indexing.set(self, key, value)

    def item(self, *index: int) -> Any:
        """The element as a number of Python's."""
        return coerce.to_numpy(self).item(*index)

    def __bool__(self) -> bool:
        return bool(coerce.to_numpy(self))

    def __int__(self) -> int:
        return int(coerce.to_numpy(self))

    def __float__(self) -> float:
        return float(coerce.to_numpy(self))

    def __complex__(self) -> complex:
        return complex(coerce.to_numpy(self))

    def __index__(self) -> int:
        import operator

        return operator.index(coerce.to_numpy(self))

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        import numpy as np

        return np.array(coerce.to_numpy(self), dtype=dtype, copy=copy)

    def __repr__(self) -> str:
        return repr(coerce.to_numpy(self))

    def __str__(self) -> str:
        return str(coerce.to_numpy(self))

    def __format__(self, spec: str) -> str:
        return format(coerce.to_numpy(self)[()], spec)


_engine.set_array_class(ndarray)
