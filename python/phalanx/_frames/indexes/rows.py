"""Rows of an index by position, what puts rows in or leaves them out, and their order."""

from __future__ import annotations

import operator
from collections.abc import Callable, Hashable, Sequence
from typing import Any

import numpy as np

from .. import above
from ..columns.strings import StringColumn, of_texts
from ..missing import is_missing
from ..scalars import NaT
from .keys import stable_order
from .kinds import appended_dtype, common_dtype, family
from .labels import Labels
from .orders import safe_order

# Labels of so few rows are Python's texts before an engine has been called.
_FEW = 1000


class Rows(Labels):
    """Rows by position, as pandas' methods of these names give them."""

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, slice):
            return self._slice(key)
        if isinstance(key, (int, np.integer)) and not isinstance(key, (bool, np.bool_)):
            return self._label(self._row(int(key)))
        if isinstance(key, (str, float, np.floating)) or key is None or key is Ellipsis:
            raise IndexError(
                "only integers, slices (`:`), and integer or boolean arrays are valid indices of "
                "an index; use get_loc for the row of a label"
            )
        return self._take(self._rows_of(key))

    def _row(self, row: int) -> int:
        if not -len(self) <= row < len(self):
            raise IndexError(f"index {row} is out of bounds for axis 0 with size {len(self)}")
        return row % len(self)

    def _rows_of(self, key: Any) -> np.ndarray:
        """int64 rows of a list of positions or a mask. Raises IndexError."""
        rows = np.asarray(key._column.to_numpy() if isinstance(key, Labels) else key)
        if rows.ndim != 1:
            raise ValueError("Multi-dimensional indexing is no longer supported on an index")
        if rows.dtype.kind == "O" and len(rows) and all(isinstance(each, bool) for each in rows):
            rows = rows.astype(bool)
        if rows.dtype.kind == "b":
            if len(rows) != len(self):
                raise IndexError(
                    "boolean index did not match indexed array along axis 0; size of axis is "
                    f"{len(self)} but size of corresponding boolean axis is {len(rows)}"
                )
            return np.flatnonzero(rows)
        if len(rows) and rows.dtype.kind not in "iu":
            raise IndexError("arrays used as indices must be of integer (or boolean) type")
        return self._checked(rows.astype(np.int64))

    def _checked(self, rows: np.ndarray) -> np.ndarray:
        """Rows counted from the start. Raises IndexError for one that is not there."""
        if len(rows) and (rows.min() < -len(self) or rows.max() >= len(self)):
            bad = rows[(rows < -len(self)) | (rows >= len(self))][0]
            raise IndexError(f"index {bad} is out of bounds for axis 0 with size {len(self)}")
        return np.where(rows < 0, rows + len(self), rows)

    def take(
        self,
        indices: Any,
        axis: int = 0,
        allow_fill: bool = True,
        fill_value: Any = None,
        **of_numpy: Any,
    ) -> Any:
        """The labels at some rows; with a ``fill_value`` -1 gives a missing label.

        Raises ValueError for ``out`` and ``mode``, which NumPy's `take` has and pandas' has not.
        """
        for name, value in of_numpy.items():
            if name not in ("out", "mode"):
                raise TypeError(f"take() got an unexpected keyword argument {name!r}")
            if value is not None and value != "raise":
                raise ValueError(
                    f"the {name!r} parameter is not supported in the pandas implementation of "
                    "take()"
                )
        rows = np.asarray(indices).astype(np.int64).ravel()
        if not allow_fill or fill_value is None:
            return self._take(self._checked(rows))
        if len(rows) and rows.min() < -1:
            raise ValueError(
                "When allow_fill=True and fill_value is not None, all indices must be >= -1"
            )
        if len(rows) and rows.max() >= len(self):
            raise IndexError("index out of bounds: pass rows of the index, or -1")
        return self._take(rows, has_missing=bool((rows < 0).any()))

    def repeat(self, repeats: Any, axis: None = None) -> Any:
        """Each label so many times."""
        return self._take(np.repeat(np.arange(len(self)), np.asarray(repeats)))

    def delete(self, loc: Any) -> Any:
        """Without the rows at some positions, or of a slice or mask."""
        return self._take(np.delete(np.arange(len(self)), loc))

    def _meeting(self, item: Any) -> tuple[Any, Any]:
        """This and an index of one item in a dtype that holds both; None for a missing item."""
        if is_missing(item) and self._column.dtype != object:
            return self, None
        one = above.index_of([item], tuples=False)
        if isinstance(item, (int, float)) and self._holds_number(item):
            return self, one._to_dtype(self._column.dtype)
        dtype = common_dtype(self._column.dtype, one._column.dtype)
        if len(self) == 0 and self._column.dtype == object:
            dtype = one._column.dtype
        return self._to_dtype(dtype), one._to_dtype(dtype)

    def _holds_number(self, item: Any) -> bool:
        dtype = self._column.dtype
        if not isinstance(dtype, np.dtype) or dtype.kind not in "iuf" or isinstance(item, bool):
            return False
        if dtype.kind == "f":
            return True
        if item != item // 1:
            return False
        return bool(np.iinfo(dtype).min <= item <= np.iinfo(dtype).max)

    def _is_short_text(self) -> bool:
        """True for the names of columns, as most frames have them."""
        if self.nlevels > 1:  # type: ignore[attr-defined]
            return False
        column = self._column
        return (
            isinstance(column, StringColumn) and 0 < len(self) < _FEW and not column.has_missing()
        )

    def insert(self, loc: int, item: Any) -> Any:
        """With another label before a row; a dtype that does not hold it becomes one that does."""
        if not -len(self) <= loc <= len(self):
            raise IndexError(f"index {loc} is out of bounds for axis 0 with size {len(self)}")
        if isinstance(item, str) and self._is_short_text():
            texts = self._column.tolist()
            texts.insert(loc if loc >= 0 else loc + len(texts), item)
            return self._with(of_texts(texts, dtype=self._column.dtype))  # type: ignore[arg-type]
        mine, one = self._meeting(item)
        rows = np.arange(len(self))
        if one is None:
            return mine._take(np.insert(rows, loc, -1), has_missing=True)
        return mine._joined([one])._take(np.insert(rows, loc, len(self)))

    def append(self, other: Any) -> Any:
        """These labels, then those of another index or of a list of them."""
        others = [
            above.index_of(each)
            for each in (other if isinstance(other, (list, tuple)) else [other])
        ]
        names = {self._name, *(each.name for each in others)}
        made = self._concatenated(others)._inferred()
        return made._named(self._name if len(names) == 1 else None)

    def _concatenated(self, others: Sequence[Any]) -> Any:
        dtype = self._column.dtype
        for each in others:
            dtype = appended_dtype(dtype, each.dtype)
        return self._to_dtype(dtype)._joined([each._to_dtype(dtype) for each in others])

    def _named(self, name: Hashable) -> Any:
        made = self._view()
        made._name = name
        return made

    def drop(self, labels: Any, errors: str = "raise") -> Any:
        """Without all rows of some labels. Raises KeyError for labels that are not here."""
        if isinstance(labels, (str, bytes)) or not np.iterable(labels):
            labels = [labels]
        target = above.index_of(labels)
        rows = self.get_indexer_for(target)  # type: ignore[attr-defined]
        if errors != "ignore" and (rows < 0).any():
            raise KeyError(f"{target._take(np.flatnonzero(rows < 0)).tolist()} not found in axis")
        return self.delete(rows[rows >= 0])

    def where(self, cond: Any, other: Any = None) -> Any:
        """The labels where a condition is True, another label (missing if None) elsewhere."""
        return self.putmask(~np.asarray(cond, bool), other)

    def putmask(self, mask: Any, value: Any) -> Any:
        """Another label, or those of another index, where a mask is True."""
        mask = np.asarray(mask, bool)
        if len(mask) != len(self):
            raise ValueError(f"putmask: mask of {len(mask)} rows for an index of {len(self)}")
        rows = np.arange(len(self))
        if not mask.any():
            return self._view()
        if isinstance(value, (Labels, np.ndarray, list)):
            other = above.index_of(value)
            dtype = common_dtype(self._column.dtype, other.dtype)
            both = self._to_dtype(dtype)._joined([other._to_dtype(dtype)])
            return both._take(np.where(mask, rows + len(self), rows))
        mine, one = self._meeting(value)
        if one is None:
            return mine._take(np.where(mask, -1, rows), has_missing=True)
        return mine._joined([one])._take(np.where(mask, len(self), rows))

    # Missing labels.

    def isna(self) -> np.ndarray:
        """Which labels are missing."""
        return self._missing_mask().copy()

    isnull = isna

    def notna(self) -> np.ndarray:
        """Which labels are not missing."""
        return ~self._missing_mask()

    notnull = notna

    def dropna(self, how: str = "any") -> Any:
        """Without missing labels."""
        if how not in ("any", "all"):
            raise ValueError(f"invalid how option: {how}; pass 'any' or 'all'")
        if not self._has_missing():
            return self._view()
        return self._take(np.flatnonzero(self.notna()))

    def fillna(self, value: Any) -> Any:
        """Another label where one is missing."""
        if isinstance(value, (list, tuple, dict, set, np.ndarray)):
            raise TypeError(f"'value' must be a scalar or str, passed: {type(value).__name__}")
        if not self._has_missing() or is_missing(value):
            return self._view()
        return self.putmask(self._missing_mask(), value)

    # Repeated labels.

    def unique(self, level: Any = None) -> Any:
        """Each label once, in the order of their first rows."""
        if level is not None:
            self._check_level(level)  # type: ignore[attr-defined]
        return self.drop_duplicates()

    def duplicated(self, keep: Any = "first") -> np.ndarray:
        """Which labels come twice: all but the ``keep`` 'first' or 'last', or all with False."""
        positions = self._positions()
        if keep not in ("first", "last", False):
            raise ValueError('keep must be either "first", "last" or False')
        if positions.is_unique:
            return np.zeros(len(self), bool)
        if keep == "first":
            return np.asarray(positions.first(positions.keys) != np.arange(len(self)))
        sorted_keys = positions.sorted
        same = sorted_keys[1:] == sorted_keys[:-1]
        # Equal keys lie in the order of their rows.
        repeats = np.zeros(len(self), bool)
        repeats[:-1] |= same
        if keep is False:
            repeats[1:] |= same
        if positions.order is None:
            return repeats
        found = np.empty(len(self), bool)
        found[positions.order] = repeats
        return found

    def drop_duplicates(self, *, keep: Any = "first") -> Any:
        """Without repeated labels, but for the ``keep`` 'first' or 'last' of them."""
        repeated = self.duplicated(keep)
        return self._take(np.flatnonzero(~repeated)) if repeated.any() else self._view()

    def nunique(self, dropna: bool = True) -> int:
        """How many different labels there are; missing ones count with ``dropna=False``."""
        found = self.drop_duplicates()
        return len(found) - int(found._missing_mask().sum() if dropna else 0)

    def factorize(self, sort: bool = False, use_na_sentinel: bool = True) -> tuple[Any, Any]:
        """The number of each label among the different ones, and those; -1 for missing ones."""
        labels: Any = self.drop_duplicates()._named(None)
        if use_na_sentinel and labels._has_missing():
            labels = labels._take(np.flatnonzero(~labels._missing_mask()))
        if sort:
            labels = labels._take(safe_order(labels))
        positions, keys = labels._meet(self)
        return positions.first(keys).astype(np.intp), labels

    # Order.

    def _ordered(self, ascending: bool = True, na_position: str = "last") -> np.ndarray:
        """Rows in the order of their labels, equal ones as they come."""
        keys, missing = self._sort_keys(), self._missing_mask()
        rows = stable_order(keys if ascending else ~keys)
        if not missing.any():
            return rows
        gone = missing[rows]
        parts = (rows[gone], rows[~gone]) if na_position == "first" else (rows[~gone], rows[gone])
        return np.concatenate(parts)

    def argsort(self, *args: Any, **kwargs: Any) -> np.ndarray:
        """Rows in the order of their labels, missing ones last."""
        return self._ordered(kwargs.get("ascending", True))

    def sort_values(
        self,
        *,
        return_indexer: bool = False,
        ascending: bool = True,
        na_position: str = "last",
        key: Callable[[Any], Any] | None = None,
    ) -> Any:
        """The labels in order; with ``return_indexer`` their rows too.

        Raises TypeError for labels without an order.
        """
        if na_position not in ("first", "last"):
            raise ValueError(f"invalid na_position: {na_position}")
        ordered: Any = self if key is None else above.index_of(key(self))
        rows = ordered._ordered(ascending, na_position)
        made = self._take(rows)
        return (made, rows) if return_indexer else made

    def sortlevel(
        self, level: Any = None, ascending: Any = True, sort_remaining: Any = None,
        na_position: str = "first",
    ) -> Any:  # fmt: skip
        """The labels in order, and their rows: there is one level."""
        return self.sort_values(
            return_indexer=True, ascending=bool(np.all(ascending)), na_position=na_position
        )

    def sort(self, *args: Any, **kwargs: Any) -> None:
        """Raises TypeError: an index cannot be changed."""
        raise TypeError("cannot sort an Index object in-place, use sort_values instead")

    def _extreme(self, choose: Callable[[np.ndarray], Any], skipna: bool) -> int | None:
        """The first row of the least or greatest label; None where it is missing."""
        missing = self._missing_mask()
        there = np.flatnonzero(~missing)
        if not len(there) or (not skipna and len(there) < len(missing)):
            return None
        return int(there[choose(self._sort_keys()[there])])

    def _bound(self, choose: Callable[[np.ndarray], Any], skipna: bool) -> Any:
        row = self._extreme(choose, skipna)
        if row is not None:
            return self._label(row)
        return getattr(self._column.dtype, "na_value", self._no_bound())

    def _no_bound(self) -> Any:
        kind = self._column.dtype.kind
        return NaT if kind in "mM" else np.nan

    def min(self, axis: None = None, skipna: bool = True) -> Any:
        """The least label."""
        return self._bound(np.argmin, skipna)

    def max(self, axis: None = None, skipna: bool = True) -> Any:
        """The greatest label."""
        return self._bound(np.argmax, skipna)

    def _arg(self, choose: Callable[[np.ndarray], Any], skipna: bool) -> int:
        row = self._extreme(choose, skipna)
        if row is not None:
            return row
        name = getattr(choose, "__name__", "argmin")
        if not len(self):
            raise ValueError(f"attempt to get {name} of an empty sequence")
        raise ValueError("Encountered all NA values" if skipna else "Encountered an NA value")

    def argmin(self, axis: None = None, skipna: bool = True) -> int:
        """The first row of the least label."""
        return self._arg(np.argmin, skipna)

    def argmax(self, axis: None = None, skipna: bool = True) -> int:
        """The first row of the greatest label."""
        return self._arg(np.argmax, skipna)

    def any(self, *args: Any, **kwargs: Any) -> bool:
        """Returns whether a label is true. Raises TypeError for dates, categories and tuples."""
        self._refuse_truth("any")
        return builtin_any(map(operator.truth, self._objects()))

    def all(self, *args: Any, **kwargs: Any) -> bool:
        """Returns whether every label is true. TypeError for dates, categories and tuples."""
        self._refuse_truth("all")
        return builtin_all(map(operator.truth, self._objects()))

    def _refuse_truth(self, name: str) -> None:
        if family(self._column.dtype) in ("M", "tz") or type(self).__name__ in _WITHOUT_TRUTH:
            raise TypeError(f"cannot perform {name} with type {type(self).__name__}")


_WITHOUT_TRUTH = ("CategoricalIndex", "MultiIndex")
builtin_any, builtin_all = any, all
