"""The class of frames that are spread over devices."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, Self

from ..._arrays.spread.array import SpreadArray
from ..._arrays.spread.group import DeviceGroup
from ..._arrays.spread.layout import Layout
from ..combining.concat import concat
from ..frame import DataFrame
from ..functions.evaluating import Expressions
from .columns import Operators, SpreadColumn, SpreadScope, check_rows, check_spread, refuse
from .groups import SpreadGroups
from .making import shared_out
from .moving import on_device

# Methods of frames that work row by row: each device does them for its rows.
_ROW_BY_ROW = """
    abs add add_prefix add_suffix assign astype clip copy div drop dropna fillna isin isna isnull
    mask mod mul notna notnull pow rename replace round set_axis sub where"""
OF_ROWS = frozenset(_ROW_BY_ROW.split())
_OF_FRAMES = frozenset(("mask", "where"))  # which take functions of the frame


class SpreadFrame(Expressions):
    """A frame whose rows are shared out over the devices of a group, in their order.

    `groupby` and its aggregations work on all devices at once, as methods do that go row by row
    (`assign`, `query`, `fillna` and others of pandas' names). `map` calls any function with the
    frame of each device. `frame["x"]` is a spread array, and `frame[frame["x"] > 0]` takes a mask.
    `gather()` is the whole frame on the group's first device.

    ``data`` is what `phalanx.DataFrame` takes, where arrays may be spread: these stay on their
    devices. ``group`` is what `phalanx.devices("all")` gives, which is also the default, or that of
    the spread arrays. Raises ValueError where lengths do not fit, TypeError for what is no group.
    """

    group: DeviceGroup
    parts: tuple[Any, ...]

    def __init__(self, data: Any, group: DeviceGroup | None = None) -> None:
        self.group, parts = shared_out(data, group)
        self.parts = tuple(parts)

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
        return self._of_each(function, self)

    def _of_each(self, function: Callable[..., Any], *args: Any, **kwargs: Any) -> list[Any]:
        """What the function makes, on each device, of what the arguments have there."""
        positional = [self._on_each(each) for each in args]
        named = {key: self._on_each(each) for key, each in kwargs.items()}
        made = []
        for i, device in enumerate(self.group):
            with device:
                own = {key: each[i] for key, each in named.items()}
                made.append(function(*(each[i] for each in positional), **own))
        return made

    def _on_each(self, value: Any) -> Sequence[Any]:
        """The value for the rows of each device. Raises ValueError for other lengths."""
        if isinstance(value, (SpreadFrame, SpreadColumn)) and value._sizes == self._sizes:
            return value.parts
        if isinstance(value, SpreadArray) and value.shape == (len(self),):
            return value.placed(self.group, Layout(0, self._sizes)).parts
        if isinstance(value, (SpreadFrame, SpreadColumn, SpreadArray)):
            what = "array" if isinstance(value, SpreadArray) else "other"
            raise ValueError(
                f"the {what} has the shape {value.shape}, and the frame {len(self)} rows"
            )
        return [value] * len(self.group)

    @property
    def _sizes(self) -> tuple[int, ...]:
        return tuple(map(len, self.parts))

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
            refuse(name, "frames")
        raise AttributeError(f"a spread frame has no attribute {name!r}")

    def _of_rows(self, name: str, *args: Any, **kwargs: Any) -> SpreadFrame:
        if name == "assign":
            return functools.reduce(SpreadFrame._with_column, kwargs.items(), self)
        if name in _OF_FRAMES:
            args = tuple(map(self._called, args))
            kwargs = {key: self._called(each) for key, each in kwargs.items()}
        method = getattr(DataFrame, name)
        check_rows(name, method, args, kwargs, "frames")
        return self._of(self.group, self._of_each(method, self, *args, **kwargs))

    def _called(self, value: Any) -> Any:
        """What a function makes of the frame; all else as it is."""
        return value(FrameOfAll._of(self.group, self.parts)) if callable(value) else value

    def _with_column(self, item: tuple[Any, Any]) -> SpreadFrame:
        label, value = item[0], self._called(item[1])
        check_spread(value)
        return self._of(self.group, self._of_each(DataFrame.assign, self, **{label: value}))

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, (SpreadArray, SpreadColumn)):
            return self._of(self.group, self._of_each(DataFrame.__getitem__, self, key))
        if isinstance(key, (list, tuple)) and not (isinstance(key, tuple) and key in self.columns):
            return self.map(lambda part: part[list(key)])
        return self._column(key).array()

    def _column(self, key: Any) -> SpreadColumn:
        return SpreadColumn(self, self._each(lambda part: part[key]))

    def __setitem__(self, key: Any, value: Any) -> None:
        self.parts = self._with_column((key, value)).parts

    def eval(self, expr: str, *, inplace: bool = False, **kwargs: Any) -> Any:
        """The value of an expression of columns, as `DataFrame.eval`: a column is a spread array,
        and `mean` and its like are of all rows.

        Raises NotImplementedError for methods that do not go row by row.
        """
        kwargs["level"] = kwargs.get("level", 0) + 1
        made = super().eval(expr, inplace=inplace, **kwargs)
        return made.array() if isinstance(made, SpreadColumn) else made

    def _scope(self, variables: dict[str, Any], resolvers: Any = ()) -> SpreadScope:
        return SpreadScope(self, variables, resolvers)

    def _queried(self, found: Any) -> SpreadFrame:
        if not isinstance(found, (SpreadColumn, SpreadArray)):
            raise KeyError(found)
        return self._of(self.group, self._of_each(DataFrame._queried, self, found))

    def _become(self, other: SpreadFrame) -> None:
        self.parts = other.parts

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


class FrameOfAll(Operators, SpreadFrame):
    """A spread frame as functions given to `assign`, `where` and `mask` have it: its columns go by
    pandas' rules, are attributes, too, and operators are of all its elements."""

    def _operated(self, function: Callable[..., Any], *others: Any) -> FrameOfAll:
        return self._of(self.group, self._of_each(function, self, *others))

    def __getitem__(self, key: Any) -> Any:
        is_label = not isinstance(key, (list, SpreadArray, SpreadColumn)) and key in self.columns
        return self._column(key) if is_label else super().__getitem__(key)

    def __getattr__(self, name: str) -> Any:
        if name not in OF_ROWS and not name.startswith("_") and name in self.columns:
            return self._column(name)
        return super().__getattr__(name)
