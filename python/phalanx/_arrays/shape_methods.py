"""The methods of arrays that select elements and change shapes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from .. import _engine
from . import (
    axes,
    coerce,
    dtypes,
    files,
    flags,
    flat,
    host,
    interchange,
    printing,
    rearranging,
    selecting,
    shapes,
)

if TYPE_CHECKING:
    from .ndarray import ndarray

# What NumPy lets programs assign, and what gives another array of the same elements here.
_INSTEAD = {
    "shape": "take x = x.reshape(shape)",
    "dtype": "take x.view(dtype), or x.astype(dtype), which converts",
    "strides": "take px.as_strided(x, shape, strides)",
}


class ShapeMethods(interchange.Interchange):
    """What selects elements of an array, and gives them other shapes."""

    __slots__ = ()

    def __setattr__(self, name: str, value: Any) -> None:
        if name in _INSTEAD:
            raise AttributeError(f"{name} cannot be assigned to: {_INSTEAD[name]}")
        super().__setattr__(name, value)

    @property
    def dtype(self) -> Any:
        """The NumPy dtype of an element."""
        return dtypes.dtype_of(self._dtype)

    @property
    def itemsize(self) -> int:
        """Bytes of an element."""
        return int(dtypes.engine_type(self._dtype).size)

    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
        return int(self.size * self.itemsize)

    @property
    def strides(self) -> tuple[int, ...]:
        """Bytes from an element to the next along each dimension; the array is computed for it."""
        return tuple(self._evaluate().strides)

    @property
    def flags(self) -> flags.Flags:
        """How the array lies in memory, for which it is computed, and whether it can be written."""
        return flags.Flags(self)

    @property
    def mT(self) -> ndarray:
        """The view with the last two dimensions swapped. Raises `ValueError` if there are fewer."""
        if self.ndim < 2:
            raise ValueError("matrix transpose with ndim < 2 is undefined")
        return shapes.swapaxes(self, -1, -2)

    @property
    def flat(self) -> flat.FlatIterator:
        """An iterator over the elements in C order, which can be indexed and assigned to."""
        return flat.FlatIterator(self)

    @flat.setter
    def flat(self, value: Any) -> None:
        flat.FlatIterator(self)[:] = value

    def __len__(self) -> int:
        if self.ndim == 0:
            raise TypeError("len() of unsized object")
        return int(self.shape[0])

    def __iter__(self) -> Iterator[Any]:
        if self.ndim == 0:
            raise TypeError("iteration over a 0-d array")
        return (self[i] for i in range(self.shape[0]))

    def __contains__(self, value: Any) -> bool:
        return host.as_host(value) in coerce.to_numpy(self)

    def __repr__(self) -> str:
        return printing.to_repr(self)

    def __str__(self) -> str:
        return str(coerce.to_readable(self))

    def __format__(self, spec: str) -> str:
        return format(coerce.to_readable(self)[()], spec)

    def reshape(self, *shape: Any, order: str = "C", copy: bool | None = None) -> ndarray:
        """The elements under another shape, in which one extent of -1 is worked out.

        Shares elements where memory allows it. Raises `ValueError` where the sizes differ.
        """
        wanted = shape[0] if len(shape) == 1 else shape
        if order in ("C", "c", None) and copy is None:
            return self._reshape(wanted)
        return shapes.reshape(self, wanted, order, copy=copy)

    def ravel(self, order: str = "C") -> ndarray:
        """The elements as one dimension: shares them where memory allows it."""
        return shapes.ravel(self, order)

    def flatten(self, order: str = "C") -> ndarray:
        """The elements as one dimension, with memory of its own."""
        made = shapes.ravel(self, order)
        return _engine.array_copy(made, made.shape)

    def transpose(self, *axes_: Any) -> ndarray:
        """The view with its dimensions in that order, by default reversed."""
        given = axes_[0] if len(axes_) == 1 and not axes.is_index(axes_[0]) else axes_
        if given is None or not axes_:
            return self.T  # type: ignore[return-value]
        return shapes.transpose(self, given)

    def swapaxes(self, axis1: int, axis2: int) -> ndarray:
        """The view with two dimensions swapped."""
        return shapes.swapaxes(self, axis1, axis2)

    def squeeze(self, axis: Any = None) -> ndarray:
        """The view without its dimensions of 1, or without those of `axis`."""
        return shapes.squeeze(self, axis)

    def diagonal(self, offset: int = 0, axis1: int = 0, axis2: int = 1) -> ndarray:
        """The read-only view of the diagonal of two dimensions."""
        return shapes.diagonal(self, offset, axis1, axis2)

    def trace(
        self,
        offset: int = 0,
        axis1: int = 0,
        axis2: int = 1,
        dtype: Any = None,
        out: Any = None,
    ) -> ndarray:
        """The sum of the diagonal of two dimensions."""
        return shapes.trace(self, offset, axis1, axis2, dtype, out)

    def repeat(self, repeats: Any, axis: int | None = None) -> ndarray:
        """Each element so many times, along `axis` or of the flat array."""
        return rearranging.repeat(self, repeats, axis)

    def take(
        self, indices: Any, axis: int | None = None, out: Any = None, mode: str = "raise"
    ) -> ndarray:
        """The elements at those indices of `axis`, or of the flat array."""
        return selecting.take(self, indices, axis, out, mode)

    def put(self, indices: Any, values: Any, mode: str = "raise") -> None:
        """Gives the flat array's elements at those indices the values."""
        selecting.put(self, indices, values, mode)

    def choose(self, choices: Any, out: Any = None, mode: str = "raise") -> ndarray:
        """For each element the one of that number's choice."""
        return selecting.choose(self, choices, out, mode)

    def compress(self, condition: Any, axis: int | None = None, out: Any = None) -> ndarray:
        """What is along `axis` where a 1-d condition is true."""
        return selecting.compress(condition, self, axis, out)

    def nonzero(self) -> Any:
        """The indices of all elements that are not 0: an array for each dimension."""
        return selecting.nonzero(self)

    def fill(self, value: Any) -> None:
        """Gives all elements one value; those in memory stay in its order."""
        axes = coerce.layout(self)
        (self if axes is None else self._transpose(axes))[...] = value

    def copy(self, order: str = "C") -> ndarray:
        """A copy with memory of its own, in the order of dimensions that is named."""
        return coerce.copied(self, coerce.named_order(order, "C"))

    def astype(
        self,
        dtype: Any,
        order: str = "K",
        casting: str = "unsafe",
        subok: bool = True,
        copy: bool = True,
        *,
        device: Any = None,
    ) -> ndarray:
        """The elements converted; without `copy` the array itself where nothing changes.

        Raises `TypeError` for a cast that `casting` does not allow.
        """

        name = dtypes.adapted(dtypes.name_of(dtype), self._dtype)
        wanted = dtypes.dtype_of(name)
        if casting != "unsafe" and not dtypes.can_cast(self.dtype, wanted, casting):
            raise TypeError(
                f"Cannot cast array data from {self.dtype!r} to {wanted!r} according to "
                f"the rule '{casting}'"
            )
        if name != self._dtype:
            dtypes.warn_of_imaginary_parts(self._dtype, name)
            made = _engine.array_cast(self, name)
        else:
            made = _engine.array_copy(self, self.shape) if copy else self
        order = coerce.named_order(order, "K")
        made = made if order in ("K", "A") else coerce.in_order(made, order)
        return made if device is None else coerce.as_operand(made, device=device)

    def view(self, dtype: Any = None, type: Any = None) -> ndarray:
        """The array of the same memory, as elements of another dtype.

        Void dtypes, under which libraries compare bytes, are NumPy's: they give its array of this
        memory, of a GPU's a copy. Raises `ValueError` where the last dimension cannot be divided
        so.
        """
        if dtypes.is_void(dtype):
            import numpy as np

            return np.asarray(self).view(dtype)
        if dtype is None or dtypes.name_of(dtype) == self._dtype:
            return self[...]  # type: ignore[return-value]
        memory = coerce.shared_memory(self)
        if self.ndim and (self.size == 0 or self.shape[-1] == 1):  # any stride is as good there
            memory = memory._view(self.shape, (*self.strides[:-1], self.itemsize))
        return self._alias(memory.view(dtypes.name_of(dtype)))

    def flush(self) -> None:
        """Returns when what was assigned to an array of a mapped file is on the disk.

        Raises `OSError` where that fails. Other arrays have nothing to write.
        """
        files.flush(self)

    def setflags(self, write: bool | None = None, align: Any = None, uic: Any = None) -> None:
        """Makes the array read-only, with `write=False`."""
        if write is not None:
            self.flags.writeable = write
