"""Frames from one device to another."""

from __future__ import annotations

from typing import Any

from ..functions.places import brought
from ..indexes.multi import MultiIndex
from ..indexes.ranges import RangeIndex


def on_device(frame: Any, device: Any) -> Any:
    """The frame with its columns, and the labels of rows, in the memory of a device.

    Columns that are always the host's (decimals, lists, objects) stay there.
    """
    moved = frame._each(lambda column: brought(column, device))
    return moved._with(moved._parts, _labels_on(frame.index, device))


def _labels_on(index: Any, device: Any) -> Any:
    """The labels there; ranges and tuples of labels are numbers of the host."""
    if isinstance(index, (RangeIndex, MultiIndex)):
        return index
    return index._with(brought(index._column, device))
