"""What the engine's devices are called."""

from __future__ import annotations

from .. import _engine


def name_of(device: _engine.Device) -> str:
    """The name that a device is given by: "cpu", "cpu:1" or "cuda:0"."""
    is_plain = device.is_host and device.ordinal == 0
    return str(device.kind) if is_plain else f"{device.kind}:{device.ordinal}"
