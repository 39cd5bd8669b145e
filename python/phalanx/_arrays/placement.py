"""The devices that functions are given as `device=`."""

from __future__ import annotations

from typing import Any

from .. import _engine


def engine_device(device: Any) -> _engine.Device | None:
    """The engine's device of a name such as ``"cpu"`` or ``"cuda:1"``, or of an object for one.

    Raises `ValueError` for a name without a device, `TypeError` for other objects.
    """
    if device is None or isinstance(device, _engine.Device):
        return device
    if isinstance(device, str):
        kind, _, number = device.partition(":")
        for each in _engine.devices():
            if each.kind == kind and each.ordinal == int(number or 0):
                return each
        raise ValueError(f"there is no device {device!r}; there are {names()}")
    inner = getattr(device, "_device", None)  # phalanx.cuda's object for one
    if isinstance(inner, _engine.Device):
        return inner
    raise TypeError(f"a device is given by its name, not as {type(device).__name__}")


def name_of(device: _engine.Device) -> str:
    """The name that `engine_device` takes."""
    return str(device.kind) if device.is_host else f"{device.kind}:{device.ordinal}"


def names() -> str:
    """The names of all devices, for messages."""
    return ", ".join(map(repr, map(name_of, _engine.devices())))


def is_same(one: _engine.Device, other: _engine.Device) -> bool:
    """Returns whether two objects are of one device."""
    return (one.kind, one.ordinal) == (other.kind, other.ordinal)
