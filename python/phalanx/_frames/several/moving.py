"""Frames from one device to another."""

from __future__ import annotations

from typing import Any

from ..functions.places import brought


def on_device(frame: Any, device: Any) -> Any:
    """The frame with its columns, and the labels of rows, in the memory of a device.

    Columns that are always the host's (decimals, lists, objects) stay there.
    """
    return frame._each(lambda column: brought(column, device))
