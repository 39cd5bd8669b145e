"""Iteration over several arrays that are broadcast together."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from . import coerce, flat, host, shapes

flatiter = flat.FlatIterator


class broadcast:
    """The common shape of several arrays, and their elements at each index of it.

    >>> px.broadcast(px.ones((3, 1)), px.ones(2)).shape
    (3, 2)
    """

    def __init__(self, *args: Any) -> None:
        given = [coerce.as_operand(each) for each in args]
        self.values = tuple(shapes.broadcast_arrays(*given))
        self.shape = shapes.broadcast_shapes(*(each.shape for each in given))
        self.index = 0

    @property
    def nd(self) -> int:
        """The number of dimensions."""
        return len(self.shape)

    ndim = nd

    @property
    def numiter(self) -> int:
        """The number of arrays."""
        return len(self.values)

    @property
    def size(self) -> int:
        """The number of elements."""
        return math.prod(self.shape)

    @property
    def iters(self) -> tuple[Any, ...]:
        """An iterator over each array."""
        return tuple(each.flat for each in self.values)

    def reset(self) -> None:
        """Begins again."""
        self.index = 0

    def __iter__(self) -> broadcast:
        return self

    def __next__(self) -> tuple[Any, ...]:
        if self.index >= self.size:
            raise StopIteration
        if self.index == 0:
            self._flat = [coerce.to_numpy(each).ravel() for each in self.values]
        self.index += 1
        return tuple(each[self.index - 1] for each in self._flat)


def nditer(op: Any, flags: Any = None, op_flags: Any = None, **options: Any) -> Any:
    """NumPy's iterator over arrays on the host, for reading.

    Raises `NotImplementedError` for operands to be written to or allocated.

    >>> [int(x) for x in px.nditer(px.asarray([1, 2]))]
    [1, 2]
    """
    import numpy as np

    _check_reading(op, op_flags)
    return np.nditer(host.as_host(op), *_given(flags, op_flags), **options)


def nested_iters(
    op: Any, axes: Any, flags: Any = None, op_flags: Any = None, **options: Any
) -> Any:
    """NumPy's nested iterators over arrays on the host, for reading.

    Raises `NotImplementedError` for operands to be written to or allocated.
    """
    import numpy as np

    _check_reading(op, op_flags)
    return np.nested_iters(host.as_host(op), axes, *_given(flags, op_flags), **options)


def _given(flags: Any, op_flags: Any) -> Iterator[Any]:
    if flags is not None or op_flags is not None:
        yield [] if flags is None else flags
    if op_flags is not None:
        yield op_flags


def _check_reading(op: Any, op_flags: Any) -> None:
    words: set[str] = set()
    for each in op_flags or ():
        words.update([each] if isinstance(each, str) else each)
    operands = op if isinstance(op, (list, tuple)) else [op]
    if words & {"readwrite", "writeonly", "allocate"} or any(each is None for each in operands):
        raise NotImplementedError(
            "an iterator over arrays of phalanx only reads: assign whole expressions, or iterate "
            "over np.array(x) and bring it back with px.asarray"
        )
