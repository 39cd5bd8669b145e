"""Labels as int64 keys: equal labels have equal keys, and numbers' keys are ordered as they are."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from functools import cached_property
from itertools import repeat
from typing import Any

import numpy as np

from ..scalars.units import NANOSECONDS

Rows = np.ndarray

_LOWEST = np.iinfo(np.int64).min
_CLEAN_NAN = np.float64(np.nan)
_NAN, _NAT = ("label", "nan"), ("label", "NaT")
_SIMPLE = (str, int, bool, bytes)
_EPOCH = datetime.datetime(1970, 1, 1)
_MICROSECOND = datetime.timedelta(microseconds=1)


def number_keys(values: np.ndarray) -> np.ndarray:
    """The keys of NumPy's numbers, bools, dates or durations; a NaN's is the largest, NaT's the
    smallest.
    """
    kind = values.dtype.kind
    if kind in "ib":
        return values.astype(np.int64, copy=False)
    if kind in "mM":
        return values.view(np.int64)
    if kind == "u":
        wide = values.astype(np.uint64, copy=False)
        return (wide ^ np.uint64(1 << 63)).view(np.int64)
    # Adding 0 makes -0.0 the same as 0.0, and there is one NaN.
    floats = values.astype(np.float64) + 0.0
    floats[np.isnan(floats)] = _CLEAN_NAN
    bits = floats.view(np.int64)
    return np.where(bits < 0, bits ^ np.int64(2**63 - 1), bits)


def hashable(label: Any) -> Any:
    """What a dict finds a label by: labels that are the same to pandas are equal, NaN too.

    Raises TypeError where the label has no hash.
    """
    if label.__class__ in _SIMPLE or label is None:
        return label
    if isinstance(label, tuple):
        return tuple(map(hashable, label))
    if isinstance(label, (float, np.floating)):
        return label if label == label else _NAN
    found = moment_key(label)
    if found is not None:
        return found
    hash(label)
    return label.item() if isinstance(label, np.generic) else label


class Moment:
    """A date of a time zone as a label of an index: its value in UTC."""

    __slots__ = ("value",)

    def __init__(self, value: np.datetime64) -> None:
        self.value = value


def moment_key(label: Any) -> Any:
    """Dates and durations of Python, NumPy and pandas alike, as nanoseconds; else None."""
    if isinstance(label, Moment):
        found = moment_key(label.value)
        return found if found is _NAT else ("Mz", found[1])
    if isinstance(label, (np.datetime64, np.timedelta64)):
        if label != label:
            return _NAT
        unit = np.datetime_data(label.dtype)[0]
        if unit not in NANOSECONDS:
            label, unit = label.astype(f"{label.dtype.kind}8[s]"), "s"
        return label.dtype.kind, int(label.astype(np.int64)) * NANOSECONDS[unit]
    if not isinstance(label, (datetime.datetime, datetime.timedelta)):
        return None
    if label != label:
        return _NAT
    value = getattr(label, "_value", None)
    if value is not None:
        kind = (
            "m" if isinstance(label, datetime.timedelta) else "M" if label.tzinfo is None else "Mz"
        )
        return kind, value * NANOSECONDS[label._unit]  # type: ignore[union-attr]
    extra = getattr(label, "nanosecond", getattr(label, "nanoseconds", 0))
    if isinstance(label, datetime.timedelta):
        return "m", (label // _MICROSECOND) * 1000 + extra
    zone = "M" if label.tzinfo is None else "Mz"
    if label.tzinfo is not None:
        label = label.astimezone(datetime.UTC).replace(tzinfo=None)
    year, month, day, hour, minute, second = label.timetuple()[:6]
    plain = datetime.datetime(year, month, day, hour, minute, second, label.microsecond)
    return zone, ((plain - _EPOCH) // _MICROSECOND) * 1000 + extra


def dictionary_of(labels: np.ndarray, *, texts: bool = False) -> tuple[dict[Any, int], np.ndarray]:
    """Numbers of labels in the order of their first rows, and each row's number.

    With `texts` all are of Python's `str`, and need no look at what they are.
    """
    if texts:
        found: dict[Any, int] = dict(zip(labels, range(len(labels)), strict=True))
        if len(found) == len(labels):
            return found, np.arange(len(labels))
    places: dict[Any, int] = {}
    codes = [
        places.setdefault(each if each.__class__ is str else hashable(each), len(places))
        for each in labels
    ]
    return places, np.array(codes, np.int64)


# A table of first rows has an element for each key between the least and the greatest, if these
# are no more than so many for each row.
_CLOSE = 16


def stable_order(keys: np.ndarray) -> Rows:
    """Rows by their int64 keys, equal ones as they come."""
    count = len(keys)
    if count < 1000:
        return np.argsort(keys, kind="stable")
    low, high = int(keys.min()), int(keys.max())
    if (high - low + 1) * count < 2**63:
        # A key and its row in one number are sorted with less than half the work of an argsort.
        both = (keys - low) * count + np.arange(count)
        both.sort()
        return both % count
    order = np.argsort(keys)
    in_order = keys[order]
    if (in_order[1:] != in_order[:-1]).all():
        return order
    return np.argsort(keys, kind="stable")


class Positions:
    """The rows of keys. What is sorted or tabulated of them is made when first asked for."""

    def __init__(self, keys: np.ndarray, places: dict[Any, int] | None = None) -> None:
        self.keys = keys
        self.places = places

    def keys_of(self, labels: np.ndarray, *, texts: bool = False) -> np.ndarray:
        """Keys of objects: -1 for those that are no label here. `texts` as for `dictionary_of`."""
        places = self.places or {}
        if texts:
            return np.fromiter(map(places.get, labels, repeat(-1)), np.int64, len(labels))
        found = [
            places.get(each if each.__class__ is str else hashable(each), -1) for each in labels
        ]
        return np.array(found, np.int64)

    @cached_property
    def is_sorted(self) -> bool:
        """Returns whether no key is below the one of the row before."""
        return bool((self.keys[1:] >= self.keys[:-1]).all())

    @cached_property
    def order(self) -> Rows | None:
        """Rows by their keys, equal ones as they come; None where they are sorted."""
        return None if self.is_sorted else stable_order(self.keys)

    @cached_property
    def sorted(self) -> np.ndarray:
        """The keys from the least to the greatest."""
        return self.keys if self.order is None else self.keys[self.order]

    @cached_property
    def is_unique(self) -> bool:
        """Returns whether no key comes twice."""
        if self.places is not None:
            return len(self.places) == len(self.keys)
        if self.is_sorted:
            return bool((self.keys[1:] != self.keys[:-1]).all())
        if self._table is not None:
            return int(np.count_nonzero(self._table[1] >= 0)) == len(self.keys)
        return bool((self.sorted[1:] != self.sorted[:-1]).all())

    @cached_property
    def _table(self) -> tuple[int, Rows] | None:
        """First rows by key where keys lie close: one read for each, with no search."""
        count = len(self.keys)
        if not count:
            return None
        low, high = int(self.keys.min()), int(self.keys.max())
        if high - low > _CLOSE * count + 1000:
            return None
        table = np.full(high - low + 1, -1, np.int32 if count < 2**31 else np.int64)
        # Of writes to one element the last stays: written backwards, that is the first row's.
        table[self.keys[::-1] - low] = np.arange(count - 1, -1, -1)
        return low, table

    def first(self, wanted: np.ndarray) -> Rows:
        """The first row of each key, -1 where it has none."""
        if not len(self.keys):
            return np.full(len(wanted), -1, np.int64)
        if self.is_sorted and (wanted[1:] >= wanted[:-1]).all():
            return self._searched(wanted)
        if self._table is not None:
            low, table = self._table
            inside = (wanted >= low) & (wanted < low + len(table))
            if inside.all():
                return np.asarray(table[wanted - low], np.int64)
            found = np.where(inside, table[np.where(inside, wanted - low, 0)], -1)
            return np.asarray(found, np.int64)
        if len(wanted) < 1000 or (wanted[1:] >= wanted[:-1]).all():
            return self._searched(wanted)
        # A search reads the same keys as the one before where what is wanted is in order.
        by_key = np.argsort(wanted)
        rows = np.empty(len(wanted), np.int64)
        rows[by_key] = self._searched(wanted[by_key])
        return rows

    def _searched(self, wanted: np.ndarray) -> Rows:
        at = np.minimum(np.searchsorted(self.sorted, wanted), len(self.keys) - 1)
        rows = at if self.order is None else self.order[at]
        return np.where(self.sorted[at] == wanted, rows, -1)

    def one(self, key: int) -> int:
        """The first row of one key, -1 where it has none."""
        if not len(self.keys):
            return -1
        if self._table is not None:
            low, table = self._table
            return int(table[key - low]) if 0 <= key - low < len(table) else -1
        at = int(np.searchsorted(self.sorted, key))
        if at == len(self.keys) or self.sorted[at] != key:
            return -1
        return at if self.order is None else int(self.order[at])

    def span(self, key: int) -> tuple[int, int]:
        """From where to where the key's rows are in `sorted`."""
        return (
            int(np.searchsorted(self.sorted, key, "left")),
            int(np.searchsorted(self.sorted, key, "right")),
        )

    def every(self, wanted: np.ndarray) -> tuple[Rows, Rows]:
        """All rows of the first key, then of the second and so on, with -1 for a key without a
        row; and which of the wanted keys each is of.
        """
        low = np.searchsorted(self.sorted, wanted, "left")
        count = np.searchsorted(self.sorted, wanted, "right") - low
        sources = np.repeat(np.arange(len(wanted)), np.maximum(count, 1))
        starts = np.cumsum(np.maximum(count, 1)) - np.maximum(count, 1)
        within = np.arange(len(sources)) - starts[sources]
        missing = count[sources] == 0
        at = np.where(missing, 0, low[sources] + within)
        if len(self.keys):
            rows = at if self.order is None else self.order[at]
        else:
            rows = np.zeros(len(at), np.int64)
        return np.where(missing, -1, rows).astype(np.int64), sources


class RangePositions(Positions):
    """The rows of a range's numbers, computed."""

    def __init__(self, numbers: range, keys: Callable[[], np.ndarray]) -> None:
        self._range = numbers
        self._keys = keys
        self.places = None
        self.__dict__["is_sorted"] = numbers.step > 0 or len(numbers) < 2
        self.__dict__["is_unique"] = True

    @property
    def keys(self) -> np.ndarray:  # type: ignore[override]
        """The numbers."""
        return self._keys()

    def first(self, wanted: np.ndarray) -> Rows:
        """The row of each number, -1 where it is not in the range."""
        start, step = self._range.start, self._range.step
        rows, rest = np.divmod(wanted - start, step)
        return np.where((rest == 0) & (rows >= 0) & (rows < len(self._range)), rows, -1)

    def one(self, key: int) -> int:
        """The row of a number, -1 where it is not in the range."""
        return self._range.index(key) if key in self._range else -1
