"""Devices that read each other's memory: which of them do, and in what order."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def reaches(device: Any, other: Any) -> bool:
    """True if kernels of a device (the engine's) read and write the memory of another one."""
    if device == other or (device.is_host and other.is_host):
        return True
    return bool(device.reads_peer(other))


def barrier(devices: Iterable[Any]) -> None:
    """What devices are told from here on comes after what each of them was told before.

    They wait for each other, by events in their streams; the host waits for none.
    """
    streams = [each.default_stream for each in devices]
    events = [each.device.event(timing=False) for each in streams]
    for stream, event in zip(streams, events, strict=True):
        event.record(stream)
    for stream in streams:
        for event, other in zip(events, streams, strict=True):
            if other is not stream:
                stream.wait(event)
