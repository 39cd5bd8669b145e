"""The class of frames that are spread over devices."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Self

from ..._arrays.placement import devices
from ..._arrays.spread.array import SpreadArray
from ..._arrays.spread.group import DeviceGroup
from ..._arrays.spread.layout import Layout, even
from ..columns.numbers import NumberColumn
from ..combining.concat import concat
from ..frame import DataFrame
from .groups import SpreadGroups
from .moving import on_device

# Methods of frames that work row by row: each device does them for its rows.
_ROW_BY_ROW = """
    abs add_prefix add_suffix assign astype clip div drop dropna eval fillna isin isna
    isnull mask mod mul notna notnull pow query rename replace round set_axis sub where add"""
OF_ROWS = frozenset(_ROW_BY_ROW.split())


class SpreadFrame:
    """A frame whose rows are shared out over the devices of a group, in their order.

    `groupby` and its aggregations work on all devices at once, as methods do that go row by row
    (`assign`, `query`, `fillna` and others of pandas' names). `map` calls any function with the
    frame of each device. `frame["x"]` is a spread array, and `frame[frame["x"] > 0]` takes a mask.
    `gather()` is the whole frame on the group's first device.

    ``data`` is what `phalanx.DataFrame` takes, ``group`` what `phalanx.devices("all")` gives, which
    is also the default. Raises ValueError where lengths do not fit, TypeError for what is no group.
    """

    group: DeviceGroup
    parts: tuple[Any, ...]

    def __init__(self, data: Any, group: DeviceGroup | None = None) -> None:
        whole = data if isinstance(data, DataFrame) else DataFrame(data)
        self.group = devices("all") if group is None else group
        if not isinstance(self.group, DeviceGroup):
            raise TypeError(
                f"the group of a spread frame is phalanx.devices(...), not {type(group).__name__}"
            )
        bounds = Layout(0, even(len(whole), len(self.group))).bounds
        self.parts = tuple(
            on_device(whole.iloc[first:last], device.name)
            for (first, last), device in zip(bounds, self.group, strict=True)
        )

    @classmethod
    def of_parts(cls, group: DeviceGroup, parts: Sequence[Any]) -> Self:
        """A frame of the rows that each device of a group already has, in the group's order.

        Raises ValueError where there are not as many frames as devices or where columns differ,
        TypeError for what is no frame. Columns that are elsewhere are moved.

        >>> group = phalanx.devices("all")
        >>> parts = [phalanx.DataFrame({"x": [1]}) for _ in group]
        >>> whole = phalanx.SpreadFrame.of_parts(group, parts)
        >>> len(whole) == len(group)
        True
        """
        if len(parts) != len(group):
            raise ValueError(f"there are {len(parts)} frames for {len(group)} devices")
        for each in parts:
            if not isinstance(each, DataFrame):
                raise TypeError(f"the rows of a device are a frame, not {type(each).__name__}")
            if list(each.columns) != list(parts[0].columns):
                raise ValueError(
                    f"the frames have other columns: {list(parts[0].columns)} and "
                    f"{list(each.columns)}"
                )
        places = zip(parts, group, strict=True)
        return cls._of(group, [on_device(part, device.name) for part, device in places])

    @classmethod
    def _of(cls, group: DeviceGroup, parts: Sequence[Any]) -> Self:
        made = object.__new__(cls)
        made.group, made.parts = group, tuple(parts)
        return made

    def map(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> SpreadFrame:
        """What the function makes of the frame of each device, which is current meanwhile.

        Raises TypeError where that is no frame.
        """
        made = self._each(lambda part: function(part, *args, **kwargs))
        for each in made:
            if not isinstance(each, DataFrame):
                raise TypeError(f"map takes functions that give frames, not {type(each).__name__}")
        return self._of(self.group, made)

    def _each(self, function: Callable[[Any], Any]) -> list[Any]:
        made = []
        for part, device in zip(self.parts, self.group, strict=True):
            with device:
                made.append(function(part))
        return made

    def gather(self) -> Any:
        """All rows on the group's first device; they must find room there."""
        with self.group[0]:
            return concat([on_device(part, self.group[0].name) for part in self.parts])

    def __len__(self) -> int:
        return sum(map(len, self.parts))

    @property
    def shape(self) -> tuple[int, int]:
        """The number of rows and of columns."""
        return len(self), self.parts[0].shape[1]

    @property
    def columns(self) -> Any:
        """The labels of the columns."""
        return self.parts[0].columns

    @property
    def dtypes(self) -> Any:
        """The dtype of each column, by its label."""
        return self.parts[0].dtypes

    def head(self, n: int = 5) -> Any:
        """The first rows, a frame on the group's first device."""
        left, made = n, []
        for part in self.parts:
            made.append(on_device(part.head(left), self.group[0].name))
            left -= len(made[-1])
        return concat(made)

    def __repr__(self) -> str:
        sizes = ", ".join(
            f"{len(part):,} on {device.name!r}"
            for part, device in zip(self.parts, self.group, strict=True)
        )
        return f"<spread frame, rows {len(self):,}: {sizes}>\n{self.head()}"

    def __getattr__(self, name: str) -> Any:
        if name in OF_ROWS:
            method = functools.partial(self._of_rows, name)
            return functools.wraps(getattr(DataFrame, name))(method)
        if not name.startswith("_") and hasattr(DataFrame, name):
            raise NotImplementedError(
                f"{name!r} is not done over devices: frame.gather().{name}, or frame.map(...) of "
                "each device's rows"
            )
        raise AttributeError(f"a spread frame has no attribute {name!r}")

    def _of_rows(self, name: str, *args: Any, **kwargs: Any) -> SpreadFrame:
        if name == "assign":
            for value in kwargs.values():
                _check_column(value)

        def of_devices(value: Any) -> Iterator[Any]:
            is_spread = isinstance(value, SpreadArray)
            return iter(self._aligned(value) if is_spread else itertools.repeat(value))

        positional = [of_devices(each) for each in args]
        named = {key: of_devices(each) for key, each in kwargs.items()}
        return self.map(
            lambda part: getattr(part, name)(
                *map(next, positional), **{key: next(each) for key, each in named.items()}
            )
        )

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, SpreadArray):
            masks = self._aligned(key)
            made = [part[mask] for part, mask in zip(self.parts, masks, strict=True)]
            return self._of(self.group, made)
        if isinstance(key, (list, tuple)) and not (isinstance(key, tuple) and key in self.columns):
            return self.map(lambda part: part[list(key)])
        columns = self._each(lambda part: part[key]._parts[0])
        if not all(isinstance(each, NumberColumn) and each.valid is None for each in columns):
            raise NotImplementedError(
                f"the column {key!r} of dtype {columns[0].dtype} is no array of numbers: use "
                "frame.map(lambda part: ...) of each device's rows"
            )
        return SpreadArray(self.group, [each.values for each in columns], 0)

    def __setitem__(self, key: Any, value: Any) -> None:
        self.parts = self.assign(**{key: value}).parts

    def _aligned(self, array: SpreadArray) -> list[Any]:
        """The array's elements for the rows of each device. Raises ValueError for other lengths."""
        if array.shape != (len(self),):
            raise ValueError(
                f"the array has the shape {array.shape}, and the frame {len(self)} rows"
            )
        return list(array.placed(self.group, Layout(0, tuple(map(len, self.parts)))).parts)

    def groupby(
        self,
        by: Any,
        *,
        as_index: bool = True,
        sort: bool = True,
        dropna: bool = True,
        observed: bool = True,
    ) -> SpreadGroups:
        """Groups of equal values in one or more columns, as `DataFrame.groupby`.

        Raises KeyError for a column that is not there, TypeError for what is no label.
        """
        keys = list(by) if isinstance(by, (list, tuple)) else [by]
        if any(callable(each) or hasattr(each, "__array__") for each in keys):
            raise TypeError("groups of a spread frame are by labels of columns")
        for each in keys:
            if each not in self.columns:
                raise KeyError(each)
        options = {"sort": sort, "dropna": dropna, "observed": observed}
        return SpreadGroups(self, keys, as_index, isinstance(by, (list, tuple)), options)


def _check_column(value: Any) -> None:
    """Raises TypeError for values that are not spread: which rows they are for is not known."""
    if isinstance(value, SpreadArray):
        return
    if getattr(value, "ndim", 0) or isinstance(value, (list, tuple)):
        raise TypeError(
            "a column of a spread frame is a number, a text, or a spread array: "
            "frame.group.asarray(values)"
        )
