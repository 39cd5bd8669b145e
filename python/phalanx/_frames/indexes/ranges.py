"""Indexes of evenly spaced integers, of which only the bounds are kept."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence
from typing import Any

import numpy as np

import phalanx as px

from ..._arrays import placement
from .. import engine
from ..columns.column import Column
from ..columns.numbers import NumberColumn
from ..dtypes import Dtype
from .index import Index
from .keys import Positions, RangePositions, number_keys
from .labels import Labels
from .sets import common_name
from .showing import shown_name
from .times import lie_together

INT64 = np.dtype(np.int64)


class RangeIndex(Index):
    """The integers from ``start`` below ``stop`` by ``step``, as Python's `range` has them.

    Slices, sums with integers, unions and the like are ranges too where they can be. Labels are
    written to an array when one is first needed.

    >>> px.RangeIndex(3)
    RangeIndex(start=0, stop=3, step=1)
    """

    _range: range

    def __new__(
        cls,
        start: Any = None,
        stop: Any = None,
        step: Any = None,
        dtype: Any = None,
        name: Hashable = None,
    ) -> RangeIndex:
        if isinstance(start, (range, RangeIndex)):
            own = start._name if isinstance(start, RangeIndex) else None
            numbers = start._range if isinstance(start, RangeIndex) else start
            return cls._of_range(numbers, own if name is None else name)
        if start is None and stop is None and step is None:
            raise TypeError("RangeIndex(...) must be called with integers")
        first = 0 if start is None else _integer(start)
        if stop is None:
            first, last = 0, first
        else:
            last = _integer(stop)
        by = 1 if step is None else _integer(step)
        if by == 0:
            raise ValueError("Step must not be zero")
        return cls._of_range(range(first, last, by), name)

    @classmethod
    def _of_range(cls, numbers: range, name: Hashable = None) -> RangeIndex:
        made: RangeIndex = object.__new__(cls)
        made._range = numbers
        made._name = name
        made._known = {}
        return made

    @classmethod
    def from_range(cls, data: range, name: Hashable = None, dtype: Any = None) -> RangeIndex:
        """An index of Python's range."""
        if not isinstance(data, range):
            raise TypeError(
                f"{cls.__name__}(...) must be called with object coercible to a range, "
                f"{data!r} was passed"
            )
        return cls._of_range(data, name)

    def _plain(self) -> Any:
        """The same numbers, written out."""
        return Labels._of(self._column, self._name)

    def _like(self, numbers: range) -> RangeIndex:
        return self._of_range(numbers, self._name)

    @property
    def _constructor(self) -> type[Index]:
        return Index  # made of other labels it is no range

    @property
    def _column(self) -> Column:  # type: ignore[override]
        column: Column | None = self._known.get("column")
        device = None if column is None else column.device
        if column is None or (device is not None and placement.is_elsewhere(device)):
            part = self._range
            column = NumberColumn(px.arange(part.start, part.stop, part.step, dtype=INT64))
            self._known["column"] = column
        return column

    @property
    def start(self) -> int:
        """The first number."""
        return self._range.start

    @property
    def stop(self) -> int:
        """The number that is no more in it."""
        return self._range.stop

    @property
    def step(self) -> int:
        """From one number to the next."""
        return self._range.step

    @property
    def dtype(self) -> Dtype:
        """int64."""
        return INT64

    @property
    def inferred_type(self) -> str:
        """'integer'."""
        return "integer"

    @property
    def nbytes(self) -> int:
        """Bytes of the three numbers."""
        return 3 * INT64.itemsize

    def __len__(self) -> int:
        return len(self._range)

    def __iter__(self) -> Iterator[int]:
        return iter(self._range)

    def _label(self, row: int) -> Any:
        return self._range[row]

    def _slice(self, part: slice) -> Any:
        return self._like(self._range[part])

    def _take(self, rows: Any, *, has_missing: bool = False) -> Any:
        if has_missing:
            return super()._take(rows, has_missing=True)
        rows = engine.placed(rows)
        if engine.are_all_in_order(rows, len(self)):
            return self._view()
        is_plain = self.step == 1 and self.start == 0
        return _shortest(rows if is_plain else rows * self.step + self.start, self._name)

    def _joined(self, others: Sequence[Any]) -> Any:
        made = super()._joined(others)
        return _shortest(np.asarray(made), self._name)

    def _concatenated(self, others: Sequence[Any]) -> Any:
        if all(isinstance(each, RangeIndex) for each in others):
            end = _chained([self, *others])
            if end is not None:
                return self._like(end)
        return super()._concatenated(others)

    def _missing_mask(self) -> np.ndarray:
        return np.zeros(len(self), bool)

    def _has_missing(self) -> bool:
        return False

    def _positions(self) -> Positions:
        if "positions" not in self._known:
            self._known["positions"] = RangePositions(self._range, self._sort_keys)
        positions: Positions = self._known["positions"]
        return positions

    def _meet(self, other: Any) -> tuple[Positions, np.ndarray]:
        if isinstance(other.dtype, np.dtype) and other.dtype.kind == "i":
            # Integers are looked up by arithmetic: this range need not be written out.
            return self._positions(), number_keys(np.asarray(other._column.values))
        return super()._meet(other)

    def _sort_keys(self) -> np.ndarray:
        return np.asarray(self._column.values)  # type: ignore[attr-defined]

    def _find_monotonic(self, decreasing: bool) -> bool:
        return len(self) < 2 or (self.step < 0) == decreasing

    def get_loc(self, key: Any) -> Any:
        """The row of a number. Raises KeyError where it is not in the range."""
        if isinstance(key, (int, np.integer)) and not isinstance(key, bool):
            try:
                return self._range.index(int(key))
            except ValueError:
                raise KeyError(key) from None
        if isinstance(key, (float, np.floating)) and float(key).is_integer():
            return self.get_loc(int(key))
        return super().get_loc(key)

    def _ordered(self, ascending: bool = True, na_position: str = "last") -> np.ndarray:
        rows = np.arange(len(self))
        return rows if (self.step > 0) == ascending else rows[::-1]

    def _extreme(self, choose: Callable[[np.ndarray], Any], skipna: bool) -> int | None:
        if not len(self):
            return None
        return 0 if (choose is np.argmin) == (self.step > 0) else len(self) - 1

    def _bound(self, choose: Callable[[np.ndarray], Any], skipna: bool) -> Any:
        row = self._extreme(choose, skipna)
        return np.nan if row is None else self._range[row]

    def _equal_labels(self, other: Any) -> bool:
        if isinstance(other, RangeIndex):
            return self._range == other._range
        return super()._equal_labels(other)

    def union(self, other: Any, sort: bool | None = None) -> Any:
        """Numbers that one of both has; a range where they are one."""
        found = super().union(other, sort)
        if isinstance(other, RangeIndex) and not isinstance(found, RangeIndex):
            return _shortest(np.asarray(found), found.name)
        return found

    def difference(self, other: Any, sort: bool | None = None) -> Any:
        """Numbers of this that another index has not; a range where they are one."""
        found = super().difference(other, sort)
        return found if isinstance(found, RangeIndex) else _shortest(np.asarray(found), found.name)

    def symmetric_difference(
        self, other: Any, result_name: Any = None, sort: bool | None = None
    ) -> Any:
        """Numbers that one of both has and the other has not; a range where they are one."""
        if not isinstance(other, RangeIndex) or sort is not None:
            return super().symmetric_difference(other, result_name, sort)
        found = self.difference(other).union(other.difference(self))
        return found if result_name is None else found.rename(result_name)

    def delete(self, loc: Any) -> Any:
        """Without the rows at some positions; a range where the first or last ones go."""
        if np.ndim(loc) == 0 or not len(loc) or lie_together(loc, len(self)):
            return super().delete(loc)
        return self._plain().delete(loc)

    def reindex(
        self, target: Any, method: str | None = None, level: Any = None,
        limit: int | None = None, tolerance: Any = None,
    ) -> tuple[Any, np.ndarray | None]:  # fmt: skip
        """The labels of ``target`` and their rows here; a list of integers becomes a range."""
        found, rows = super().reindex(target, method, level, limit, tolerance)
        if hasattr(target, "name") or found.nlevels > 1 or found.dtype != INT64:
            return found, rows
        return _shortest(np.asarray(found), found.name), rows

    def searchsorted(self, value: Any, side: str = "left", sorter: Any = None) -> Any:
        """Where numbers would be put, also in a falling range, to keep its order."""
        if self.step > 0 or sorter is not None:
            return super().searchsorted(value, side, sorter)
        found = np.searchsorted(-self._sort_keys(), -np.asarray(value), side)  # type: ignore[call-overload]
        return found if np.ndim(found) else int(found)

    def _sorted_bound(self, label: Any, side: str) -> int:
        return int(self.searchsorted(label, side))

    def intersection(self, other: Any, sort: bool | None = False) -> Any:
        """Numbers that both have; a range where the other is one too."""
        if not isinstance(other, RangeIndex) or not len(self) or not len(other):
            return super().intersection(other, sort)
        if self.equals(other):
            return super().intersection(other, sort)
        found = _shortest(_met(self._range, other._range), common_name(self, other))
        if sort is None and found.step < 0:
            return found._like(found._range[::-1])
        return found

    # Arithmetic.

    def _computed(self, name: str, other: Any, *, swapped: bool) -> Any:
        number = getattr(other, "value", other)
        if isinstance(number, (int, np.integer)) and not isinstance(number, bool):
            found = self._moved(name, int(number), swapped)
            if found is not None:
                return found
        return super()._computed(name, other, swapped=swapped)

    def _moved(self, name: str, number: int, swapped: bool) -> RangeIndex | None:
        """The range that arithmetic with an integer gives, or None where it gives none."""
        start, step = self.start, self.step
        if name == "add":
            return self._spaced(start + number, step)
        if name == "sub":
            return (
                self._spaced(number - start, -step)
                if swapped
                else self._spaced(start - number, step)
            )
        if name == "mul" and number:
            return self._spaced(start * number, step * number)
        divides = number and start % number == 0 and step % number == 0
        if name == "floordiv" and not swapped and divides:
            return self._spaced(start // number, step // number)
        return None

    def _spaced(self, start: int, step: int) -> RangeIndex:
        """As many numbers from another start by another step."""
        return self._like(range(start, start + step * len(self), step))

    def __neg__(self) -> RangeIndex:
        return self._spaced(-self.start, -self.step)

    def __pos__(self) -> RangeIndex:
        return self._like(self._range)

    def __invert__(self) -> RangeIndex:
        return self._spaced(~self.start, -self.step)

    def _data_text(self) -> str:
        return ""

    def _attributes(self) -> list[tuple[str, Any]]:
        made: list[tuple[str, Any]] = [
            ("start", self.start),
            ("stop", self.stop),
            ("step", self.step),
        ]
        return made if self._name is None else [*made, ("name", shown_name(self._name))]


def _integer(value: Any) -> int:
    if isinstance(value, (int, np.integer)) or (isinstance(value, float) and value.is_integer()):
        return int(value)
    raise TypeError(f"Wrong type {type(value)} for value {value}")


def _shortest(values: engine.Array, name: Hashable) -> Any:
    """A range of integers where they are evenly spaced, else an index that has them all."""
    if len(values) == 0:
        return RangeIndex._of_range(range(0), name)
    if len(values) == 1:
        return RangeIndex._of_range(range(int(values[0]), int(values[0]) + 1), name)
    first, second, last = (int(values[i]) for i in (0, 1, -1))
    step = second - first
    # The last value tells of most what is no range, without a look at the others.
    may_be = step != 0 and last == first + step * (len(values) - 1)
    if may_be and bool((values[1:] - values[:-1] == step).all()):
        return RangeIndex._of_range(range(first, first + step * len(values), step), name)
    values = values.astype(np.int64, copy=False)
    return Labels._of(NumberColumn(px.asarray(engine.placed(values))), name)


def _met(left: range, right: range) -> np.ndarray:
    """Numbers of both ranges, in the order of the first."""
    values = np.arange(left.start, left.stop, left.step)
    rows = RangePositions(right, lambda: values).first(values)
    return values[rows >= 0]


def _chained(parts: Sequence[RangeIndex]) -> range | None:
    """The range of ranges that follow one another, or None."""
    ranges = [each._range for each in parts if len(each)]
    if not ranges:
        return parts[-1]._range[:0] if parts else range(0)
    step: int | None = None
    last: int | None = None
    for each in ranges:
        steps = [] if last is None else [each[0] - last]
        steps += [each.step] if len(each) > 1 else []
        step = steps[0] if step is None and steps else step
        if step == 0 or any(other != step for other in steps):
            return None
        last = each[-1]
    assert last is not None
    return range(ranges[0].start, last + (step or 1), step or 1)
