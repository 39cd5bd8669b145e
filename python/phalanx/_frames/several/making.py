"""The rows of each device, of what a spread frame is made of."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ..._arrays.placement import devices
from ..._arrays.spread.array import SpreadArray
from ..._arrays.spread.group import DeviceGroup
from ..._arrays.spread.layout import Layout, even
from ..frame import DataFrame
from .moving import on_device


def shared_out(data: Any, group: DeviceGroup | None) -> tuple[DeviceGroup, list[Any]]:
    """The group, and the frame of each device. Spread arrays stay where they lie.

    Raises ValueError where lengths do not fit, TypeError for what is no group.
    """
    spread = _spread_columns(data)
    first = next(iter(spread.values()), None)
    if group is None:
        group = devices("all") if first is None else first.group
    if not isinstance(group, DeviceGroup):
        raise TypeError(
            f"the group of a spread frame is phalanx.devices(...), not {type(group).__name__}"
        )
    if first is None:
        whole = data if isinstance(data, DataFrame) else DataFrame(data)
        return group, _rows_of(whole, group, Layout(0, even(len(whole), len(group))))
    layout = first.layout if first.group == group else Layout(0, even(len(first), len(group)))
    parts = _rows_of(_rest(data, spread, len(first)), group, layout)
    for label, values in spread.items():
        for part, own, device in zip(parts, values.placed(group, layout).parts, group, strict=True):
            with device:
                part[label] = own
    order = list(data) if isinstance(data, Mapping) else list(spread)
    return group, [part[order] for part in parts]


def _rows_of(whole: Any, group: DeviceGroup, layout: Layout) -> list[Any]:
    return [
        on_device(whole.iloc[first:last], device.name)
        for (first, last), device in zip(layout.bounds, group, strict=True)
    ]


def _spread_columns(data: Any) -> dict[Any, SpreadArray]:
    """The columns that are spread already, by label, each split along its rows."""
    if isinstance(data, SpreadArray):
        if data.ndim == 1:
            return {0: data}
        rows = data if data.axis == 0 else data.respread(axis=0)
        return {i: rows[:, i] for i in range(rows.shape[1])}
    if not isinstance(data, Mapping):
        return {}
    made = {label: each for label, each in data.items() if isinstance(each, SpreadArray)}
    for each in made.values():
        if each.ndim != 1:
            raise ValueError(
                f"Per-column arrays must each be 1-dimensional, not of shape {each.shape}"
            )
    return made


def _rest(data: Any, spread: Mapping[Any, SpreadArray], count: int) -> Any:
    """A frame of the columns that are not spread, with as many rows."""
    others = {}
    if isinstance(data, Mapping):
        others = {label: each for label, each in data.items() if label not in spread}
    has_rows = any(
        hasattr(each, "__len__") and not isinstance(each, str) for each in others.values()
    )
    made = DataFrame(others) if has_rows else DataFrame(others, index=range(count))
    if {len(made), *map(len, spread.values())} != {count}:
        raise ValueError("All arrays must be of the same length")
    return made
