"""The class of arrays that are spread over devices."""

from __future__ import annotations

import inspect
import math
import operator
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from .. import dtypes
from ..ndarray import ndarray
from . import elementwise, functions, indexing, products, reductions, sorting, ufunc_calls
from .core import Core, start

if TYPE_CHECKING:
    from .group import DeviceGroup


class SpreadArray(np.lib.mixins.NDArrayOperatorsMixin, Core):
    """An array in parts along one axis, each on a device of a group: `phalanx.devices("all")`.

    Operators, methods, ufuncs of `phalanx` and NumPy, and NumPy's functions (`np.sort(x)`) take it;
    each device works on its part, and all at once. Reductions along the split axis give an array on
    the group's first device. Operands of other shapes, layouts and devices are moved as needed.
    `gather()` gives the whole on one device, `np.asarray(x)` on the host.
    """

    __slots__ = ()
    __array_priority__ = 2000

    @property
    def itemsize(self) -> int:
        """The bytes of an element."""
        return int(self.dtype.itemsize)

    @property
    def nbytes(self) -> int:
        """The bytes of all elements."""
        return self.size * self.itemsize

    def __array_ufunc__(self, function: Any, method: str, *inputs: Any, **kwargs: Any) -> Any:
        return ufunc_calls.call(function, method, inputs, kwargs)

    def __array_function__(self, function: Any, types: Any, args: Any, kwargs: Any) -> Any:
        library, _, namespace = function.__module__.partition(".")
        found = functions.function(function.__name__, namespace) if library == "numpy" else None
        if found is None:
            raise NotImplementedError(
                f"{function.__module__}.{function.__name__} is not done over devices: "
                f"x.gather() has the whole on one. There are {', '.join(sorted(functions.NAMES))}"
            )
        try:
            return found(*args, **kwargs)
        except TypeError:
            taken = inspect.signature(found)
            if _fits(taken, args, kwargs):
                raise
        raise NotImplementedError(
            f"numpy.{function.__name__} over devices takes {', '.join(taken.parameters)} alone: "
            "x.gather() has the whole on one"
        )

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        if copy is False:
            raise ValueError("a copy is needed to bring the parts of a spread array together")
        whole = np.concatenate([np.asarray(p) for p in start(self.parts)], axis=self.axis)
        return whole if dtype is None else whole.astype(dtype)

    def __getitem__(self, key: Any) -> Any:
        return indexing.get(self, key)

    def __setitem__(self, key: Any, value: Any) -> None:
        indexing.put(self, key, value)

    def __len__(self) -> int:
        return self.shape[0]

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def __contains__(self, value: Any) -> bool:
        return bool(reductions.fold("any", self == value))

    def __getattr__(self, name: str) -> Any:
        hint = ""
        if not name.startswith("_") and hasattr(ndarray, name):
            hint = f": x.gather().{name} is that of the whole on one device"
        raise AttributeError(f"a spread array has no attribute {name!r}{hint}")

    def _one(self) -> Any:
        if self.size != 1:
            raise ValueError(
                "the truth or number of an array is that of one element: use x.any() or x.all()"
            )
        return self.gather().item()

    def __bool__(self) -> bool:
        return bool(self._one())

    def __int__(self) -> int:
        return int(self._one())

    def __float__(self) -> float:
        return float(self._one())

    def item(self) -> Any:
        """The one element as a number of Python's. Raises ValueError for more or none."""
        return self._one()

    def __repr__(self) -> str:
        sizes = ", ".join(
            f"{size} on {device.name!r}"
            for size, device in zip(self.layout.sizes, self.group, strict=True)
        )
        return (
            f"<spread array of {self.dtype}, shape {self.shape}, split along axis {self.axis}: "
            f"{sizes}>"
        )

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self.group, np.asarray(self), self.axis)

    def astype(self, dtype: Any, copy: bool = True) -> Self:
        """The elements in another dtype."""
        name = dtypes.name_of(dtype)
        return self.each(lambda part: part.astype(name, copy=copy))

    def copy(self) -> Self:
        """The elements in memory of their own."""
        return self.each(lambda part: part.copy())

    @property
    def T(self) -> Self:
        """The array with its axes in reverse, whose parts share elements with these."""
        return self.transpose()

    @property
    def real(self) -> Self:
        """The real parts."""
        return self.each(lambda part: part.real)

    @property
    def imag(self) -> Self:
        """The imaginary parts."""
        return self.each(lambda part: part.imag)

    def transpose(self, *axes: Any) -> Self:
        """The axes in another order, by default in reverse; shares elements."""
        if len(axes) == 1 and (axes[0] is None or not hasattr(axes[0], "__index__")):
            axes = axes[0]
        order = [operator.index(each) % self.ndim for each in axes or range(self.ndim)[::-1]]
        if sorted(order) != list(range(self.ndim)):
            raise ValueError(f"axes {axes} are not those of an array of {self.ndim} dimensions")
        return self.each(lambda part: part.transpose(order), order.index(self.axis))

    def reshape(self, *shape: Any) -> Self:
        """Another shape, of which the first extent is split as the first axis was.

        Raises ValueError where sizes differ, NotImplementedError where a device would not have
        whole rows of the new shape.
        """
        wanted = shape[0] if len(shape) == 1 and not hasattr(shape[0], "__index__") else shape
        extents = _worked_out([operator.index(each) for each in wanted], self.size)
        row = math.prod(extents[1:])
        if not extents or self.axis != 0 or any(row and p.size % row for p in self.parts):
            raise NotImplementedError(
                f"the rows of the shape {tuple(extents)} are not whole on each device: "
                "x.gather().reshape(...), or x.respread(axis=0)"
            )
        return self.each(lambda part: part.reshape(part.size // max(row, 1), *extents[1:]))

    def ravel(self) -> Self:
        """One dimension; of an array that is split along its first axis."""
        return self.reshape(-1)

    def dot(self, other: Any) -> Any:
        """`np.dot` with another array."""
        return products.dot(self, other)

    def mean(self, axis: Any = None, dtype: Any = None, *, keepdims: bool = False) -> Any:
        """The mean of the elements along the axes, by default of all."""
        return reductions.mean(self, axis, dtype, keepdims)

    def var(
        self, axis: Any = None, dtype: Any = None, *, ddof: float = 0, keepdims: bool = False
    ) -> Any:
        """The variance along the axes, by default of all; `ddof` is subtracted from the number."""
        return reductions.var(self, axis, dtype, ddof, keepdims)

    def std(
        self, axis: Any = None, dtype: Any = None, *, ddof: float = 0, keepdims: bool = False
    ) -> Any:
        """The standard deviation along the axes, by default of all."""
        return reductions.std(self, axis, dtype, ddof, keepdims)

    def ptp(self, axis: Any = None, *, keepdims: bool = False) -> Any:
        """The range of the elements along the axes, by default of all."""
        return reductions.ptp(self, axis, keepdims)

    def argmin(self, axis: int | None = None, *, keepdims: bool = False) -> Any:
        """The first position of the least element, or of NaN. Raises ValueError for none."""
        return reductions.position("argmin", self, axis, keepdims)

    def argmax(self, axis: int | None = None, *, keepdims: bool = False) -> Any:
        """The first position of the greatest element, or of NaN. Raises ValueError for none."""
        return reductions.position("argmax", self, axis, keepdims)

    def cumsum(self, axis: int | None = None, dtype: Any = None) -> Any:
        """Running sums along an axis, or of the flat array."""
        return reductions.scan("cumsum", self, axis, dtype)

    def cumprod(self, axis: int | None = None, dtype: Any = None) -> Any:
        """Running products along an axis, or of the flat array."""
        return reductions.scan("cumprod", self, axis, dtype)

    def sort(self, axis: int | None = -1) -> None:
        """Sorts in place; the parts keep their sizes. `np.sort` gives a sorted copy."""
        elementwise.assign(self, sorting.sort(self, axis))

    def argsort(self, axis: int | None = -1) -> Any:
        """The indices that sort, in the whole array; equal elements keep their order."""
        return sorting.argsort(self, axis)

    def round(self, decimals: int = 0) -> Self:
        """Rounded to so many decimals, halves to even."""
        return self.each(lambda part: part.round(decimals))

    def clip(self, min: Any = None, max: Any = None) -> Any:
        """Limited to the bounds."""
        found = functions.function("clip")
        assert found is not None
        return found(self, min, max)


def _worked_out(extents: list[int], size: int) -> list[int]:
    if extents.count(-1) == 1:
        known = math.prod(each for each in extents if each != -1)
        if known and size % known == 0:
            extents[extents.index(-1)] = size // known
    if math.prod(extents) != size or any(each < 0 for each in extents):
        raise ValueError(f"cannot reshape array of size {size} into shape {tuple(extents)}")
    return extents


def _folded(name: str) -> Any:
    def method(self: Core, axis: Any = None, dtype: Any = None, *, keepdims: bool = False) -> Any:
        return reductions.fold(name, self, axis, keepdims=keepdims, dtype=dtype)

    method.__name__, method.__qualname__ = name, f"SpreadArray.{name}"
    method.__doc__ = f"`np.{name}` of the elements along the axes, by default of all."
    return method


for _name in ("sum", "prod", "min", "max", "any", "all"):
    setattr(SpreadArray, _name, _folded(_name))


def _fits(signature: inspect.Signature, args: Any, kwargs: Any) -> bool:
    """Returns whether a function takes such arguments: NumPy's has more than ours."""
    try:
        signature.bind(*args, **kwargs)
    except TypeError:
        return False
    return True


def _restored(group: DeviceGroup, whole: Any, axis: int) -> SpreadArray:
    return group.asarray(whole, axis=axis)
