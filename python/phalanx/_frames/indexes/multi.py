"""Indexes of several levels: each row has a label of each."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Sequence
from typing import Any, NoReturn

import numpy as np

from .. import above
from ..columns.column import Column
from ..columns.objects import ObjectColumn, object_array
from ..dtypes import OBJECT, CategoricalDtype, Dtype, pandas_dtype
from . import multi_joins, showing
from .index import Index
from .keys import Positions
from .labels import Labels
from .level_keys import combined, fits
from .levels import Levels
from .multi_lookups import LevelLookups
from .multi_making import Level, level_of, levels_of_tuples, merged, product


class MultiIndex(LevelLookups, Levels, Index):
    """Labels that are tuples, kept as the different labels of each level and their codes.

    ``levels`` are indexes without repetitions, ``codes`` a position in it for each row, -1 where
    the label is missing. Raises ValueError where they do not fit each other.

    >>> px.MultiIndex.from_product([["a", "b"], [1, 2]])
    MultiIndex([('a', 1),
                ('a', 2),
                ('b', 1),
                ('b', 2)],
               )
    """

    def __new__(
        cls,
        levels: Any = None,
        codes: Any = None,
        sortorder: int | None = None,
        names: Any = None,
        **options: Any,
    ) -> MultiIndex:
        if levels is None or codes is None:
            raise TypeError("Must pass both levels and codes")
        if len(levels) != len(codes):
            raise ValueError("Length of levels and codes must be the same.")
        if len(levels) == 0:
            raise ValueError("Must pass non-zero number of levels/codes")
        made = [
            Level(above.index_of(labels, tuples=False), np.asarray(part, np.int64))
            for labels, part in zip(levels, codes, strict=True)
        ]
        if options.get("verify_integrity", True):
            _verify(made)
        index = cls._of_levels(made, [each.labels.name for each in made])
        names = options.get("name", names)
        if names is not None:
            index.names = names
        return index

    @classmethod
    def _of_levels(cls, levels: Sequence[Level], names: Sequence[Hashable]) -> MultiIndex:
        made: MultiIndex = object.__new__(cls)
        made._levels = [each.labels for each in levels]
        made._codes = [each.codes for each in levels]
        made._names = list(names)
        made._known = {}
        return made

    @classmethod
    def from_arrays(cls, arrays: Any, sortorder: Any = None, names: Any = None) -> MultiIndex:
        """An index of arrays of the rows' labels, one for each level."""
        if not isinstance(arrays, Iterable) or isinstance(arrays, str):
            raise TypeError("Input must be a list / sequence of array-likes.")
        arrays = list(arrays)
        if len({len(each) for each in arrays}) > 1:
            raise ValueError("all arrays must be same length")
        return cls._named_levels([level_of(each) for each in arrays], names)

    @classmethod
    def from_tuples(cls, tuples: Any, sortorder: Any = None, names: Any = None) -> MultiIndex:
        """An index of tuples of labels."""
        if isinstance(tuples, str) or not isinstance(tuples, Iterable):
            raise TypeError("Input must be a list / sequence of tuple-likes.")
        tuples = [tuple(each) for each in tuples]
        if not tuples:
            if names is None:
                raise TypeError("Cannot infer number of levels from empty list")
            return cls._named_levels([level_of([]) for _ in names], names)
        return cls._named_levels(levels_of_tuples(tuples), names)

    @classmethod
    def from_product(cls, iterables: Any, sortorder: Any = None, names: Any = None) -> MultiIndex:
        """An index of all combinations of labels, the last level changing fastest."""
        if not isinstance(iterables, Iterable) or isinstance(iterables, str):
            raise TypeError("Input must be a list / sequence of iterables.")
        levels = [level_of(each if hasattr(each, "__len__") else list(each)) for each in iterables]
        made = [
            Level(each.labels, codes) for each, codes in zip(levels, product(levels), strict=True)
        ]
        return cls._named_levels(made, names)

    @classmethod
    def from_frame(cls, df: Any, sortorder: Any = None, names: Any = None) -> MultiIndex:
        """An index of the columns of a DataFrame."""
        items = list(df.items())
        levels = [level_of(column) for _, column in items]
        return cls._named_levels(levels, [name for name, _ in items] if names is None else names)

    @classmethod
    def _named_levels(cls, levels: list[Level], names: Any) -> MultiIndex:
        if not levels:
            raise ValueError("Must pass non-zero number of levels/codes")
        made = cls._of_levels(levels, [each.labels.name for each in levels])
        if names is not None:
            made.names = names
        return made

    def _like(self, levels: Sequence[Level]) -> MultiIndex:
        return self._of_levels(levels, self._names)

    def _parts(self) -> list[Level]:
        return [Level(*each) for each in zip(self._levels, self._codes, strict=True)]

    # What an index is made of.

    @property
    def _column(self) -> Column:  # type: ignore[override]
        """The labels as tuples."""
        if "column" not in self._known:
            levels = [self._level_values(i)._column.objects_of() for i in range(self.nlevels)]
            self._known["column"] = ObjectColumn(object_array(list(zip(*levels, strict=True))))
        column: Column = self._known["column"]
        return column

    @property
    def _name(self) -> Hashable:
        return None

    @_name.setter
    def _name(self, name: Any) -> None:
        """What names results of several operands: a list of names, or none."""
        self._names = [None] * self.nlevels if name is None else list(name)

    def __len__(self) -> int:
        return len(self._codes[0])

    def __iter__(self) -> Iterator[Any]:
        return iter(zip(*self._level_lists(), strict=True))

    def _level_lists(self) -> list[list[Any]]:
        return [list(self._level_values(i)) for i in range(self.nlevels)]

    @property
    def dtype(self) -> Dtype:
        """object: labels are tuples."""
        return OBJECT

    @property
    def nlevels(self) -> int:
        """How many levels there are."""
        return len(self._levels)

    @property
    def nbytes(self) -> int:
        """Bytes of levels and codes."""
        return sum(each.nbytes for each in (*self._levels, *self._codes))

    @property
    def inferred_type(self) -> str:
        """'mixed': labels are tuples."""
        return "mixed"

    def _take(self, rows: Any, *, has_missing: bool = False) -> Any:
        rows = np.asarray(rows)
        codes = [part[rows] for part in self._codes]
        if has_missing:
            codes = [np.where(rows < 0, -1, part) for part in codes]
        return self._like([Level(*each) for each in zip(self._levels, codes, strict=True)])

    def _slice(self, part: slice) -> Any:
        return self._like(
            [
                Level(*each)
                for each in zip(self._levels, (c[part] for c in self._codes), strict=True)
            ]
        )

    def _label(self, row: int) -> Any:
        return tuple(
            np.nan if part[row] < 0 else level._label(int(part[row]))
            for level, part in zip(self._levels, self._codes, strict=True)
        )

    def _joined(self, others: Sequence[Any]) -> Any:
        parts = [self._parts(), *(each._parts() for each in others)]
        return self._like([merged(each) for each in zip(*parts, strict=True)])

    def _concatenated(self, others: Sequence[Any]) -> Any:
        if all(isinstance(each, MultiIndex) and each.nlevels >= self.nlevels for each in others):
            made = [
                level_of(self._level_values(i)._concatenated([o._level_values(i) for o in others]))
                for i in range(self.nlevels)
            ]
            names = [
                name if all(each._names[i] == name for each in others) else None
                for i, name in enumerate(self._names)
            ]
            return self._of_levels(made, names)
        tuples = [label for each in (self, *others) for label in each]
        return above.index_of(tuples)

    def append(self, other: Any) -> Any:
        """These labels, then those of another index or of a list of them."""
        others = other if isinstance(other, (list, tuple)) else [other]
        return self._concatenated([above.index_of(each) for each in others])

    def _to_dtype(self, dtype: Dtype) -> Any:
        if dtype != OBJECT:
            raise TypeError(
                "Setting a MultiIndex dtype to anything other than object is not supported"
            )
        return self

    def _missing_mask(self) -> np.ndarray:
        return np.zeros(len(self), bool)

    def _has_missing(self) -> bool:
        return False

    def _objects(self) -> np.ndarray:
        return self._column.objects_of()

    def _named(self, name: Any) -> Any:
        made = self._view()
        made._names = list(name) if isinstance(name, (list, tuple)) else [None] * self.nlevels
        return made

    def _like_named(self, other: Any) -> Any:
        made = self._view()
        made._names = list(other._names)
        return made

    # Keys.

    def _sizes(self) -> list[int]:
        return [len(each) + 1 for each in self._levels]

    def _positions(self) -> Positions:
        if "positions" not in self._known:
            keys = combined([part + 1 for part in self._codes], self._sizes())
            self._known["positions"] = Positions(keys)
        positions: Positions = self._known["positions"]
        return positions

    def _meet(self, other: Any) -> tuple[Positions, np.ndarray]:
        if (
            other.nlevels == 1
            and len(other)
            and all(isinstance(e, tuple) for e in other._objects())
        ):
            other = self.from_tuples(list(other._objects()))
        if other.nlevels != self.nlevels:
            return self._positions(), np.full(len(other), -1, np.int64)
        if not fits(self._sizes()):
            both = self._joined([other])._positions().keys
            return Positions(both[: len(self)]), both[len(self) :]
        codes = []
        unknown = np.zeros(len(other), bool)
        for mine, theirs, part in zip(self._levels, other._levels, other._codes, strict=True):
            positions, keys = mine._meet(theirs)
            # The last element is what -1, a missing label, finds.
            codes.append(np.append(positions.first(keys), -1)[part])
            unknown |= (codes[-1] < 0) & (part >= 0)
        keys = combined([part + 1 for part in codes], self._sizes())
        return self._positions(), np.where(unknown, -1, keys)

    def _sort_keys(self) -> np.ndarray:
        if "sort keys" not in self._known:
            ranks = []
            for level, part in zip(self._levels, self._codes, strict=True):
                order = level._ordered()
                places = np.empty(len(order) + 1, np.int64)
                places[order] = np.arange(len(order))
                # Missing labels, whose code is -1, are last.
                places[-1] = len(order)
                ranks.append(places[part])
            self._known["sort keys"] = combined(ranks, self._sizes())
        keys: np.ndarray = self._known["sort keys"]
        return keys

    def _find_monotonic(self, decreasing: bool) -> bool:
        if any((part < 0).any() for part in self._codes):
            return False
        return super()._find_monotonic(decreasing)

    def _equal_labels(self, other: Any) -> bool:
        if other.nlevels not in (1, self.nlevels) or other.dtype != OBJECT:
            return False
        keys = self._meet(other)[1]
        return bool((self._positions().keys == keys).all())

    # What tuples do otherwise.

    def putmask(self, mask: Any, value: Any) -> NoReturn:
        """Raises NotImplementedError: take rows instead."""
        raise NotImplementedError(".putmask and .where are not supported for MultiIndex operations")

    @property
    def hasnans(self) -> bool:
        """Raises NotImplementedError: a tuple is not missing."""
        return self.isna()

    def notna(self) -> NoReturn:
        """Raises NotImplementedError: a tuple is not missing."""
        self.isna()

    notnull = notna

    def isna(self) -> NoReturn:
        """Raises NotImplementedError: a tuple is not missing."""
        raise NotImplementedError("isna is not defined for MultiIndex")

    isnull = isna

    def fillna(self, value: Any) -> NoReturn:
        """Raises NotImplementedError: fill the levels."""
        raise NotImplementedError("isna is not defined for MultiIndex")

    def dropna(self, how: str = "any") -> Any:
        """Without rows where any, or all, labels are missing."""
        if how not in ("any", "all"):
            raise ValueError(f"invalid how option: {how}; pass 'any' or 'all'")
        gone = (np.any if how == "any" else np.all)([part < 0 for part in self._codes], axis=0)
        return self._take(np.flatnonzero(~gone))

    def insert(self, loc: int, item: Any) -> Any:
        """With another tuple before a row; a label alone has empty texts for the other levels."""
        if not isinstance(item, tuple):
            item = (item,) + ("",) * (self.nlevels - 1)
        elif len(item) != self.nlevels:
            raise ValueError("Item must have length equal to number of levels.")
        rows = np.insert(np.arange(len(self)), loc, len(self))
        one = self.from_tuples([item])
        parts = [
            merged([mine, level._replace(labels=level.labels._to_dtype(level.labels.dtype))])
            for mine, level in zip(self._parts(), one._parts(), strict=True)
        ]
        return self._like(parts)._take(rows)

    def to_flat_index(self) -> Any:
        """An index of the tuples, without levels."""
        return Labels._of(self._column)

    def astype(self, dtype: Any, copy: bool = True) -> Any:
        """This index: its labels are tuples. Raises TypeError for dtypes but object."""
        wanted = pandas_dtype(dtype)
        if isinstance(wanted, CategoricalDtype):
            raise NotImplementedError("> 1 ndim Categorical are not supported at this time")
        return self._to_dtype(wanted)

    def map(self, mapper: Any, na_action: str | None = None) -> Any:
        """An index of what a function or a dict has for each tuple."""
        made = self.to_flat_index().map(mapper, na_action)
        return made._named(self._names) if made.nlevels == self.nlevels else made

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (self._levels, self._codes, self._names)

    def _computed(self, name: str, other: Any, *, swapped: bool) -> NoReturn:
        raise TypeError(f"cannot perform __{name}__ with this index type: MultiIndex")

    def _compared(self, name: str, other: Any) -> Any:
        if isinstance(other, tuple):
            other = Labels._of(ObjectColumn(object_array([other] * len(self))))
        return super()._compared(name, other)

    def _logical(self, name: str, other: Any, *, swapped: bool) -> NoReturn:
        raise TypeError(f"cannot perform __{name}__ with this index type: MultiIndex")

    def _unary(self, compute: Any) -> NoReturn:
        raise TypeError(f"cannot compute the {compute.__name__} of a MultiIndex")

    # Text.

    def _texts(self, part: slice) -> list[Any]:
        shown = []
        for i in range(self.nlevels):
            values = self._level_values(i)
            shown.append(values._slice(part)._texts(slice(None)))
        return [list(each) for each in zip(*shown, strict=True)]

    def _data_text(self) -> str:
        head, tail = showing.head_and_tail(len(self), self._texts)
        return showing.stacked(type(self).__name__, head, tail)

    def _attributes(self) -> list[tuple[str, Any]]:
        made: list[tuple[str, Any]] = []
        if any(each is not None for each in self._names):
            made.append(("names", showing.shown_name(self._names)))
        if len(self) > showing.MOST_ITEMS:
            made.append(("length", len(self)))
        return made

    # Joins.

    def _join_on_level(self, left: Any, right: Any, level: Any, how: str) -> Any:
        return multi_joins.joined_on_level(left, right, level, how)

    def _join_on_names(self, left: Any, right: Any, how: str) -> Any:
        return multi_joins.joined_on_names(left, right, how)


def _restored(levels: list[Any], codes: list[np.ndarray], names: list[Hashable]) -> MultiIndex:
    return MultiIndex._of_levels([Level(*each) for each in zip(levels, codes, strict=True)], names)


def _verify(levels: Sequence[Level]) -> None:
    """Raise ValueError where codes do not fit their labels or each other."""
    lengths = [len(each.codes) for each in levels]
    if len(set(lengths)) > 1:
        raise ValueError(f"Unequal code lengths: {lengths}")
    for i, each in enumerate(levels):
        if len(each.codes) and each.codes.max() >= len(each.labels):
            raise ValueError(
                f"On level {i}, code max ({each.codes.max()}) >= length of level "
                f"({len(each.labels)}). NOTE: this index is in an inconsistent state"
            )
        if len(each.codes) and each.codes.min() < -1:
            raise ValueError(f"On level {i}, code value ({each.codes.min()}) < -1")
        if not each.labels.is_unique:
            raise ValueError(f"Level values must be unique: {list(each.labels)} on level {i}")
