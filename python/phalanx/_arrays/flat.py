"""`array.flat`: the elements in C order, one after the other."""

from __future__ import annotations

from typing import Any

from .. import _engine
from . import coerce, host


class FlatIterator:
    """An iterator over the elements in C order, which can also be indexed and assigned to."""

    __slots__ = {
        "_array": "",
        "_values": "",
        "index": "The number of the next element, in C order.",
    }

    def __init__(self, array: _engine.Array) -> None:
        self._array = array
        self._values: Any = None
        self.index = 0  # of the next element

    @property
    def base(self) -> Any:
        """The array."""
        return self._array

    @property
    def coords(self) -> tuple[int, ...]:
        """The next element's index along each dimension."""
        left, found = self.index, []
        for n in reversed(self._array.shape):
            left, index = divmod(left, n)
            found.append(index)
        return tuple(reversed(found))

    def copy(self) -> Any:
        """The elements as a new 1-d array."""
        return _engine.array_copy(self._array._reshape(-1), [self._array.size])

    def __len__(self) -> int:
        return int(self._array.size)

    def __iter__(self) -> FlatIterator:
        return self

    def __next__(self) -> Any:
        if self._values is None:
            self._values = self.copy()
        if self.index >= len(self):
            raise StopIteration
        self.index += 1
        return self._values[self.index - 1]

    def __getitem__(self, key: Any) -> Any:
        if key is None or (isinstance(key, tuple) and None in key):
            raise IndexError("only integers, slices, ellipsis and arrays of integers are indices")
        return self.copy()[key]

    def __setitem__(self, key: Any, value: Any) -> None:
        host.check_writable(self._array)
        host.update(
            lambda array, where, what: array.flat.__setitem__(where, what), self._array, key, value
        )

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        import numpy as np

        return np.array(coerce.to_numpy(self.copy()), dtype=dtype, copy=copy)
