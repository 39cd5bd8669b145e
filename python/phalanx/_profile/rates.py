"""How fast devices are, for what a profile compares its figures with."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable
from dataclasses import dataclass

from .. import _engine
from .._device.names import name_of
from ..errors import DeviceError


@dataclass(frozen=True)
class Rates:
    """What a device does in a second, measured once for a machine (`phalanx info` shows it too)."""

    launch: float  # seconds from the launch of a kernel of one element to its end
    memory: float  # bytes that a copy within the device reads and writes
    from_host: float  # bytes; 0 for the CPU device, whose memory is the host's
    to_host: float
    copy: float  # seconds that a copy of few bytes takes
    arithmetic: float  # additions and products of float32
    wide_arithmetic: float  # of float64
    processors: int  # multiprocessors, or threads of the CPU device
    max_threads: int  # that a multiprocessor runs at once

    def seconds(self, bytes_moved: int, operations: int = 0) -> float:
        """What a kernel takes that moves so many bytes and does so many simple operations."""
        return self.launch + max(
            bytes_moved / self.memory if self.memory else 0.0,
            operations / self.arithmetic if self.arithmetic else 0.0,
        )


def measured(devices: Iterable[str]) -> dict[str, Rates]:
    """The rates of devices by name. The first time on a machine it takes tenths of a second."""
    found = {}
    for device in _engine.devices():
        name = name_of(device)
        if name not in devices:
            continue
        with contextlib.suppress(DeviceError):  # its context is lost
            found[name] = _of_device(device)
    return found


def _of_device(device: _engine.Device) -> Rates:
    row = _engine.array_rates(device)
    limits = device.limits
    return Rates(
        launch=row["launch"],
        memory=row["memory"],
        from_host=row["from_host"],
        to_host=row["to_host"],
        copy=row["copy"],
        arithmetic=row["arithmetic"][0],
        wide_arithmetic=row["arithmetic"][1],
        processors=limits["multiprocessors"],
        max_threads=limits.get("max_threads_per_multiprocessor", 0),
    )
