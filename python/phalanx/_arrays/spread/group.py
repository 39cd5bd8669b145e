"""Several devices together: what makes arrays that are spread over them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from .. import coerce, creation, sequences
from ..placement import device, devices
from . import layout
from .array import SpreadArray
from .drawing import SpreadGenerator


def named(*names: Any) -> DeviceGroup:
    """The group of devices that are named; of ``"all"`` the GPUs, or the CPU devices without one.

    Raises ValueError for a name without a device and for one that is named twice.
    """
    if names == ("all",):
        there = devices()
        gpus = [each for each in there if not each._device.is_host]
        return DeviceGroup(gpus or there)
    if len(names) == 1 and isinstance(names[0], (list, tuple)):
        names = tuple(names[0])
    return DeviceGroup([device(each) for each in names])


class DeviceGroup:
    """Devices that share the work on arrays: each has a part of every array, along one axis.

    `asarray`, `zeros`, `ones`, `full`, `empty`, `arange` and `default_rng` make arrays as the
    functions of `phalanx` of the name do, in nearly equal parts along the first axis, or `axis`.
    A group is what `phalanx.devices("all")` gives, or `phalanx.devices("cuda:0", "cuda:1")`.
    """

    def __init__(self, members: list[device]) -> None:
        if not members:
            raise ValueError("a group has at least one device: phalanx.devices('all')")
        if any(each.name == "auto" for each in members):
            raise ValueError("a group is of devices that are named, not of 'auto'")
        if len(set(members)) < len(members):
            raise ValueError(f"a device is named twice in {[str(each) for each in members]}")
        self.devices: tuple[device, ...] = tuple(members)
        self._names = tuple(each.name for each in members)

    def __len__(self) -> int:
        return len(self.devices)

    def __iter__(self) -> Iterator[device]:
        return iter(self.devices)

    def __getitem__(self, index: int) -> device:
        return self.devices[index]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, DeviceGroup) and self.devices == other.devices

    def __hash__(self) -> int:
        return hash(self.devices)

    def __repr__(self) -> str:
        return f"devices({', '.join(repr(each.name) for each in self.devices)})"

    def __reduce__(self) -> tuple[Any, ...]:
        return named, tuple(each.name for each in self.devices)

    def synchronize(self) -> None:
        """Waits for all work of all of them."""
        for each in self.devices:
            assert each._device is not None
            each._device.synchronize()

    def asarray(self, values: Any, dtype: Any = None, *, axis: int = 0) -> SpreadArray:
        """Values of any kind, spread along an axis; an array that is spread so as it is.

        Raises ValueError for a number, which has no axis, and for an axis that is not there.
        """
        if isinstance(values, SpreadArray):
            cast = values if dtype is None else values.astype(dtype)
            return cast if cast.group == self and cast.axis == axis else cast.respread(self, axis)
        with self.devices[0]:
            whole = coerce.as_operand(values, dtype)
        axis = layout.checked_axis(axis, whole.ndim)
        sizes = layout.even(whole.shape[axis], len(self))
        return SpreadArray(self, layout.assembled([whole], axis, sizes, self.devices), axis)

    def _made(self, make: Callable[[tuple[int, ...]], Any], shape: Any, axis: int) -> SpreadArray:
        whole = (shape,) if hasattr(shape, "__index__") else tuple(shape)
        axis = layout.checked_axis(axis, len(whole))
        parts = []
        for size, each in zip(layout.even(whole[axis], len(self)), self.devices, strict=True):
            with each:
                parts.append(make((*whole[:axis], size, *whole[axis + 1 :])))
        return SpreadArray(self, parts, axis)

    def empty(self, shape: Any, dtype: Any = "float64", *, axis: int = 0) -> SpreadArray:
        """Elements without values."""
        return self._made(lambda own: creation.empty(own, dtype), shape, axis)

    def zeros(self, shape: Any, dtype: Any = "float64", *, axis: int = 0) -> SpreadArray:
        """Elements that are 0."""
        return self._made(lambda own: creation.zeros(own, dtype), shape, axis)

    def ones(self, shape: Any, dtype: Any = "float64", *, axis: int = 0) -> SpreadArray:
        """Elements that are 1."""
        return self._made(lambda own: creation.ones(own, dtype), shape, axis)

    def full(self, shape: Any, value: Any, dtype: Any = None, *, axis: int = 0) -> SpreadArray:
        """Elements that are the number `value`."""
        return self._made(lambda own: creation.full(own, value, dtype), shape, axis)

    def arange(self, *bounds: Any, dtype: Any = None) -> SpreadArray:
        """`phalanx.arange(start, stop, step)`, of which each device makes its part.

        Raises TypeError for no bounds or more than three, ValueError for a step of zero.
        """
        if not 1 <= len(bounds) <= 3:
            raise TypeError(
                f"arange takes stop, or start and stop, or start, stop and step, not {len(bounds)} "
                "bounds"
            )
        if not all(hasattr(each, "__index__") for each in bounds):
            # How many there are is NumPy's rule.
            stop = bounds[1] if len(bounds) > 1 else None
            step = bounds[2] if len(bounds) > 2 else 1
            return self.asarray(sequences.arange(bounds[0], stop, step, dtype))
        span = range(*bounds)
        parts = []
        for (first, last), each in zip(
            layout.Layout(0, layout.even(len(span), len(self))).bounds, self.devices, strict=True
        ):
            with each:
                own = span[first:last]
                parts.append(sequences.arange(own.start, own.stop, own.step, dtype=dtype))
        return SpreadArray(self, parts, 0)

    def default_rng(self, seed: Any = None) -> SpreadGenerator:
        """A generator whose numbers are those of `phalanx.random.default_rng` of the seed."""
        return SpreadGenerator(self, seed)
