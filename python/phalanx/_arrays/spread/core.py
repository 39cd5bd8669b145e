"""What a spread array is: its parts, where they are, and how they come together."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING, Any, Self

from .. import coerce, joining
from .layout import Layout, along, assembled, checked_axis, even, moved

if TYPE_CHECKING:
    from .group import DeviceGroup


class Core:
    """An array in parts along one axis, each on a device of a group."""

    __slots__ = ("_axis", "_group", "_parts")
    is_over_devices = True  # by which functions of one device know it

    def __init__(self, group: DeviceGroup, parts: Iterable[Any], axis: int) -> None:
        self._group = group
        self._parts: tuple[Any, ...] = tuple(parts)
        self._axis = axis

    @property
    def group(self) -> DeviceGroup:
        """The devices that have a part."""
        return self._group

    @property
    def parts(self) -> tuple[Any, ...]:
        """The arrays of the devices, in the group's order; what is assigned to them is seen."""
        return self._parts

    @property
    def axis(self) -> int:
        """The axis along which the array is split."""
        return self._axis

    @property
    def layout(self) -> Layout:
        """The axis and the extents along it."""
        return Layout(self._axis, tuple(part.shape[self._axis] for part in self._parts))

    @property
    def shape(self) -> tuple[int, ...]:
        """The extents of the whole array."""
        own = self._parts[0].shape
        return (*own[: self._axis], sum(self.layout.sizes), *own[self._axis + 1 :])

    @property
    def ndim(self) -> int:
        """The number of axes."""
        return int(self._parts[0].ndim)

    @property
    def size(self) -> int:
        """The number of elements."""
        return math.prod(self.shape)

    @property
    def dtype(self) -> Any:
        """The dtype of the elements, NumPy's."""
        return self._parts[0].dtype

    def like(self, parts: Iterable[Any], axis: int | None = None) -> Self:
        """Other parts on the same devices."""
        return type(self)(self._group, parts, self._axis if axis is None else axis)

    def each(self, function: Callable[..., Any], axis: int | None = None) -> Self:
        """What the function makes of each part."""
        return self.like([function(part) for part in self._parts], axis)

    def gather(self, device: Any = None) -> Any:
        """The whole array on one device, by default the group's first; it must find room there."""
        target = self._group[0] if device is None else device
        there = [moved(part, target) for part in start(self._parts)]
        return there[0] if len(there) == 1 else joining.concatenate(there, axis=self._axis)

    def respread(self, group: DeviceGroup | None = None, axis: int | None = None) -> Self:
        """The array in nearly equal parts, along another axis or over other devices.

        Raises ValueError for an axis that is not there.
        """
        group = self._group if group is None else group
        axis = self._axis if axis is None else checked_axis(axis, self.ndim)
        return self.placed(group, Layout(axis, even(self.shape[axis], len(group))))

    def placed(self, group: DeviceGroup, wanted: Layout) -> Self:
        """The array with other sizes of parts."""
        if group == self._group and wanted == self.layout:
            return self
        start(self._parts)
        if wanted.axis == self._axis:
            parts = assembled(self._parts, self._axis, wanted.sizes, group.devices)
            return type(self)(group, parts, self._axis)
        parts = []
        for (first, last), device in zip(wanted.bounds, group.devices, strict=True):
            met = [moved(along(part, wanted.axis, first, last), device) for part in self._parts]
            parts.append(met[0] if len(met) == 1 else joining.concatenate(met, axis=self._axis))
        return type(self)(group, parts, wanted.axis)


def start(parts: Sequence[Any]) -> Sequence[Any]:
    """Has all devices begin with their parts before one of them is waited for; gives the parts."""
    for part in parts:
        if hasattr(part, "_evaluate"):
            part._evaluate()
    return parts


def flat(x: Core) -> Core:
    """The elements in one dimension, in the order of C; moved where another axis is split."""
    whole = x if x.axis == 0 else x.respread(axis=0)
    return whole if x.ndim == 1 else whole.each(lambda part: part.reshape(-1))


def is_array(value: Any) -> bool:
    """Returns whether a value is an array of one device, or NumPy's, with axes."""
    return not isinstance(value, Core) and getattr(value, "ndim", 0) > 0


def operand_of(value: Any, group: DeviceGroup) -> Any:
    """A list as an array of the group's first device; other values as they are."""
    if not isinstance(value, (list, tuple)):
        return value
    with group[0]:
        return coerce.as_operand(value)


def on_each(value: Any, group: DeviceGroup) -> list[Any]:
    """The whole value on each device: numbers as they are, arrays as copies."""
    if isinstance(value, Core):
        value = value.gather()
    if not hasattr(value, "ndim") and not isinstance(value, (list, tuple)):
        return [value] * len(group)
    return [coerce.asarray(value, device=each) for each in group]
