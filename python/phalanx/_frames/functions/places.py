"""Compiled functions run on the host's cores: columns of a GPU's memory go there and back."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import phalanx as px

from ..columns import Column
from ..columns.categories import CategoryColumn
from ..columns.numbers import NumberColumn
from ..columns.strings import StringColumn


def computed_on_host(compute: Callable[[], Column], given: Iterable[Column]) -> Column:
    """The column that is computed, in the memory of the first one of `given` that has a device."""
    device = next(filter(None, map(_device_of, given)), None)
    if device is None or device == "cpu":
        return compute()
    with px.device("cpu"):
        made = compute()
    placed: Column = brought(made, device)
    return placed


def on_host(column: StringColumn) -> StringColumn:
    """The same texts where the host's cores read them."""
    moved: StringColumn = column if _device_of(column) == "cpu" else brought(column, "cpu")
    return moved


def _device_of(column: Column) -> Any:
    if isinstance(column, StringColumn):
        return column.offsets.device
    return column.values.device if isinstance(column, NumberColumn) else None


def brought(column: Any, device: Any) -> Any:
    """The column in the memory of a device; what is always the host's as it is."""

    def there(array: Any) -> Any:
        return None if array is None else px.asarray(array, device=device)

    if isinstance(column, StringColumn):
        offsets, text, valid = map(there, column.parts)
        return StringColumn(offsets, text, valid, column.dtype)
    if isinstance(column, NumberColumn):
        return NumberColumn(there(column.values), there(column.valid), column.dtype)
    if isinstance(column, CategoryColumn):
        return CategoryColumn(there(column.codes), column.dtype)
    return column
