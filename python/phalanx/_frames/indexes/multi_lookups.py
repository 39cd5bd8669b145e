"""Rows of a MultiIndex by tuples, by labels of some levels and by slices."""

from __future__ import annotations

from typing import Any

import numpy as np

from phalanx.errors import InvalidIndexError, UnsortedIndexError

from ..missing import is_missing
from .keys import Positions
from .level_keys import fits
from .levels import Levels
from .lookups import LabelError
from .times import even_step


class LevelLookups(Levels):
    """What `MultiIndex` finds rows by."""

    def _code(self, number: int, label: Any) -> Any:
        """The position of a label in its level, -1 for a missing one; of several a slice."""
        return -1 if is_missing(label) else self._levels[number].get_loc(label)

    def _key_of(self, label: Any) -> tuple[Positions, int]:
        codes = []
        for number, part in enumerate(label):
            try:
                codes.append(self._code(number, part))
            except KeyError:
                raise LabelError(label) from None
            if not isinstance(codes[-1], int):
                raise TypeError(f"{part!r} says several labels of level {number}")
        if not fits(self._sizes()):  # type: ignore[attr-defined]
            positions, keys = self._meet(self.from_tuples([label]))  # type: ignore[attr-defined]
            return positions, int(keys[0])
        key = 0
        for code, size in zip(codes, self._sizes(), strict=True):  # type: ignore[attr-defined]
            key = key * size + code + 1
        return self._positions(), key

    def get_loc(self, key: Any) -> Any:
        """The row of a tuple; of one that is shorter, or of a label of the first level, all rows.

        An int; a slice where they lie together in a sorted index; else a bool mask. Raises
        KeyError without such rows.
        """
        if isinstance(key, (list, slice, np.ndarray, dict, set)):
            raise InvalidIndexError(key)
        if not isinstance(key, tuple):
            return self._level_rows(key, 0)
        if len(key) > self.nlevels:
            raise KeyError(f"Key length ({len(key)}) exceeds index depth ({self.nlevels})")
        if len(key) < self.nlevels:
            return self._rows_of_parts(key)
        try:
            return super().get_loc(key)
        except LabelError:
            raise LabelError(key) from None
        except TypeError:
            return self.get_loc_level(key, list(range(self.nlevels)))[0]

    def _rows_of_parts(self, key: tuple[Any, ...]) -> Any:
        """Rows of the labels of the first levels."""
        mask = np.ones(len(self), bool)
        for number, label in enumerate(key):
            try:
                mask &= self._mask(self._level_rows(label, number))
            except KeyError:
                raise LabelError(key) from None
        rows = np.flatnonzero(mask)
        if not len(rows):
            raise LabelError(key)
        step = even_step(rows)
        if step == 0:
            return mask
        return slice(int(rows[0]), int(rows[-1]) + 1, None if step == 1 else step)

    def _mask(self, rows: Any) -> np.ndarray:
        if isinstance(rows, np.ndarray) and rows.dtype == bool:
            return rows
        mask = np.zeros(len(self), bool)
        mask[rows] = True
        return mask

    def _level_rows(self, label: Any, number: int) -> Any:
        """Rows of a label, or of a slice of labels, of a level: a slice or a mask."""
        codes = self._codes[number]
        if isinstance(label, slice):
            return self._sliced_rows(label, number)
        try:
            code = self._code(number, label)
        except LabelError as error:
            raise LabelError(label, self._levels[number]) from error
        in_order = number == 0 and self.lexsort_depth > 0
        if isinstance(code, (int, np.integer)):
            if in_order:
                first = int(np.searchsorted(codes, code, "left"))
                last = int(np.searchsorted(codes, code, "right"))
                if first == last:
                    raise LabelError(label)
                return slice(first, last)
            mask = codes == code
        else:
            chosen = np.zeros(len(self._levels[number]) + 1, bool)
            chosen[:-1][code] = True
            mask = chosen[codes]
            if in_order and isinstance(code, slice) and mask.any():
                rows = np.flatnonzero(mask)
                return slice(int(rows[0]), int(rows[-1]) + 1)
        if not mask.any():
            raise LabelError(label)
        return mask

    def _sliced_rows(self, part: slice, number: int) -> Any:
        if part == slice(None):
            return slice(0, len(self))
        labels, codes = self._levels[number], self._codes[number]
        chosen = np.zeros(len(labels) + 1, bool)
        chosen[:-1][labels.slice_indexer(part.start, part.stop, part.step)] = True
        mask = chosen[codes]
        if number == 0 and self.lexsort_depth > 0 and part.step is None:
            rows = np.flatnonzero(mask)
            return slice(int(rows[0]), int(rows[-1]) + 1) if len(rows) else slice(0, 0)
        return mask

    def get_locs(self, seq: Any) -> np.ndarray:
        """The rows of labels, lists of labels, slices or masks, one for each of the first levels.

        Raises UnsortedIndexError where a slice needs an index sorted by its level, KeyError for
        labels that are not there.
        """
        slices = [
            i for i, each in enumerate(seq) if isinstance(each, slice) and each != slice(None)
        ]
        if slices and slices[-1] >= self.lexsort_depth:
            raise UnsortedIndexError(
                "MultiIndex slicing requires the index to be lexsorted: slicing on levels "
                f"{slices}, lexsort depth {self.lexsort_depth}"
            )
        mask = np.ones(len(self), bool)
        orders = []
        for number, wanted in enumerate(seq):
            found, order = self._wanted(wanted, number)
            mask &= found
            if not mask.any() and found.any():
                raise KeyError(tuple(seq))
            orders.append(order)
        rows = np.flatnonzero(mask)
        if any(falls for _, falls in orders):
            rows = rows[np.lexsort([places[rows] for places, _ in reversed(orders)])]
        return rows

    def _wanted(self, wanted: Any, number: int) -> tuple[np.ndarray, tuple[np.ndarray, bool]]:
        """The rows that one of `get_locs`' arguments is for, their places in it, and whether these
        are not in the order of the level.
        """
        if isinstance(wanted, slice):
            found = self._mask(self._level_rows(wanted, number))
            return found, (np.arange(len(self)), False)
        single = isinstance(wanted, str) or not np.iterable(wanted)
        if single or (isinstance(wanted, tuple) and wanted in self._levels[number]):
            found = self._mask(self._level_rows(wanted, number))
            return found, (np.zeros(len(self), np.int64), False)
        labels = list(wanted)
        if labels and all(isinstance(each, (bool, np.bool_)) for each in labels):
            if len(labels) != len(self):
                raise ValueError(
                    "cannot index with a boolean indexer that is not the same length as the index"
                )
            return np.array(labels, bool), (np.arange(len(self)), False)
        mask = np.zeros(len(self), bool)
        order = np.zeros(len(self), np.int64)
        for place, label in enumerate(labels):
            found = self._mask(self._level_rows(label, number)) & ~mask
            mask |= found
            order[found] = place
        codes = self._levels[number].get_indexer(labels)
        falls = bool((np.diff(codes[codes >= 0]) < 0).any())
        # Rows of an index that is not sorted come in the order of the labels, as in pandas.
        return mask, (order, falls or (len(labels) > 1 and self.lexsort_depth < self.nlevels))

    def get_loc_level(self, key: Any, level: Any = 0, drop_level: bool = True) -> tuple[Any, Any]:
        """The rows of a label of a level, or of labels of several, and the index of them without
        these levels.
        """
        if isinstance(key, tuple) and len(key) > self.nlevels:
            raise KeyError(f"Key length ({len(key)}) exceeds index depth ({self.nlevels})")
        if isinstance(level, (list, tuple)):
            numbers, labels = [self._level_number(each) for each in level], list(key)
            rows = self._mask_of_levels(numbers, labels, key)
            return rows, self._without_levels(rows, numbers, labels, drop_level)
        if isinstance(key, tuple) and self._level_number(level) == 0:
            if not any(isinstance(each, slice) for each in key) and key in self._levels[0]:
                numbers, labels = [0], [key]
            elif len(key) == self.nlevels and not any(isinstance(each, slice) for each in key):
                row = self.get_loc(key)
                return row, (None if isinstance(row, int) else self[row])
            else:
                numbers, labels = list(range(len(key))), list(key)
        else:
            numbers, labels = [self._level_number(level)], [key]
        rows = self._rows_of_levels(numbers, labels, key)
        return rows, self._without_levels(rows, numbers, labels, drop_level)

    def _without_levels(
        self, rows: Any, numbers: list[int], labels: list[Any], drop_level: bool
    ) -> Any:
        """The index of some rows without the levels that labels, not slices, are of."""
        gone = [
            number
            for number, label in zip(numbers, labels, strict=True)
            if not isinstance(label, slice)
        ]
        kept = self[rows]
        if drop_level and 0 < len(gone) < self.nlevels:
            kept = kept.droplevel(gone)
        return kept

    def _rows_of_levels(self, numbers: list[int], labels: list[Any], key: Any) -> Any:
        if len(numbers) == 1:
            return self._level_rows(labels[0], numbers[0])
        if numbers == list(range(len(numbers))) and not any(isinstance(e, slice) for e in labels):
            return self._rows_of_parts(tuple(labels))
        return self._mask_of_levels(numbers, labels, key)

    def _mask_of_levels(self, numbers: list[int], labels: list[Any], key: Any) -> np.ndarray:
        mask = np.ones(len(self), bool)
        for number, label in zip(numbers, labels, strict=True):
            mask &= self._mask(self._level_rows(label, number))
        if not mask.any():
            raise LabelError(key)
        return mask

    def _check_method(self, method: str | None, limit: int | None, tolerance: Any) -> None:
        super()._check_method(method, limit, tolerance)
        if method == "nearest" or tolerance is not None:
            raise NotImplementedError(
                "tuples have no distances: use method 'pad' or 'backfill', without tolerance"
            )

    # Slices.

    def slice_locs(self, start: Any = None, end: Any = None, step: int | None = None) -> Any:
        """From where to where a slice of tuples, of any length, reaches; both ends are included.

        Raises UnsortedIndexError where the index is not sorted by so many levels.
        """
        return super().slice_locs(start, end, step)

    def get_slice_bound(self, label: Any, side: str) -> int:
        """The row where a slice from (``side`` 'left') or to ('right') a tuple begins or ends."""
        parts = label if isinstance(label, tuple) else (label,)
        if len(parts) > self.lexsort_depth:
            raise UnsortedIndexError(
                f"Key length ({len(parts)}) was greater than MultiIndex lexsort depth "
                f"({self.lexsort_depth})"
            )
        start, end = 0, len(self)
        for number, part in enumerate(parts):
            codes = self._codes[number][start:end]
            low, high = self._code_bounds(number, part)
            if low == high or number == len(parts) - 1:
                code = low if side == "left" or low == high else high
                return start + int(np.searchsorted(codes, code, "left"))
            start, end = (
                start + int(np.searchsorted(codes, low, "left")),
                start + int(np.searchsorted(codes, high, "left")),
            )
        return start

    def _code_bounds(self, number: int, label: Any) -> tuple[int, int]:
        """The first code of a label and the one after its last: equal where it has none."""
        labels = self._levels[number]
        try:
            code = self._code(number, label)
        except KeyError:
            try:
                bound = labels.get_slice_bound(label, "left")
            except TypeError:
                raise TypeError(f"Level type mismatch: {label}") from None
            return bound, bound
        if isinstance(code, slice):
            return code.start, code.stop
        return int(code), int(code) + 1

    # Others.

    def __contains__(self, key: Any) -> bool:
        hash(key)
        try:
            self.get_loc(key)
        except (KeyError, TypeError, ValueError, InvalidIndexError):
            return False
        return True

    def isin(self, values: Any, level: Any = None) -> np.ndarray:
        """Which tuples, or labels of a level, are among some values."""
        if level is not None:
            return self.get_level_values(level).isin(values)  # type: ignore[no-any-return]
        if isinstance(values, Levels):
            return values._positions_of(self) >= 0
        if isinstance(values, str) or not np.iterable(values):
            raise TypeError(f"isin takes a list of tuples, not {type(values).__name__}")
        values = list(values)
        if not values:
            return np.zeros(len(self), bool)
        return self.from_tuples(values)._positions_of(self) >= 0  # type: ignore[attr-defined, no-any-return]

    def drop(self, codes: Any, level: Any = None, errors: str = "raise") -> Any:  # type: ignore[override]
        """Without all rows of some tuples, or of some labels of a level."""
        if level is not None:
            number = self._level_number(level)
            labels = codes if np.iterable(codes) and not isinstance(codes, str) else [codes]
            found = self._levels[number].get_indexer(labels)
            gone = np.isin(self._codes[number], found[found >= 0])
            missing = [each for each, code in zip(labels, found, strict=True) if code < 0]
            if missing and errors != "ignore":
                raise KeyError(f"labels {missing} not found in level")
            return self._take(np.flatnonzero(~gone))
        single = isinstance(codes, (tuple, str)) or not np.iterable(codes)
        mask = np.zeros(len(self), bool)
        for each in [codes] if single else codes:
            try:
                mask[self.get_loc(each)] = True
            except KeyError:
                if errors != "ignore":
                    raise
        return self._take(np.flatnonzero(~mask))

    def truncate(self, before: Any = None, after: Any = None) -> Any:
        """The rows from one label to another."""
        if after is not None and before is not None and after < before:
            raise ValueError("after < before")
        first, last = self.levels[0].slice_locs(before, after)
        left, right = self.slice_locs(before, after)
        made: Any = self._slice(slice(left, right))
        kept = made._levels[0]._slice(slice(first, last))
        codes = [made._codes[0] - first, *made._codes[1:]]
        return self._changed([kept, *made._levels[1:]], codes, False)
