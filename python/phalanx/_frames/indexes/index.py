"""Indexes: the labels of rows and of columns."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np

from .. import above
from ..columns.column import Column
from ..dtypes import DatetimeTZDtype, Dtype
from .arithmetic import Arithmetic
from .as_series import AsSeries
from .forms import Forms, TextAccess
from .inference import inferred_type
from .joins import Joins
from .kinds import is_nullable
from .lookups import Lookups
from .rows import Rows
from .sets import Sets


class Index(Rows, Lookups, Sets, Joins, Forms, AsSeries, Arithmetic, TextAccess):
    """Labels of rows: immutable, of any dtype, under a name.

    ``data`` is anything with one dimension; tuples make a MultiIndex, dates a DatetimeIndex,
    durations a TimedeltaIndex, categories a CategoricalIndex, a range a RangeIndex. What is
    asked of the labels (are they unique, sorted, where is one) is found out once. Results that
    are rows or masks are NumPy arrays in the host's memory, as they are in pandas.

    >>> px.Index(["a", "b"]).append(px.Index(["c"]))
    Index(['a', 'b', 'c'], dtype='str')
    """

    def __new__(
        cls,
        data: Any = None,
        dtype: Any = None,
        copy: bool = False,
        name: Hashable = None,
        tupleize_cols: bool = True,
    ) -> Any:
        if isinstance(data, (str, bytes)) or not hasattr(data, "__iter__"):
            raise TypeError(
                f"{cls.__name__}(...) must be called with a collection of some kind, "
                f"{data!r} was passed"
            )
        return above.index_of(data, dtype, name, tuples=tupleize_cols)

    # What it is.

    @property
    def name(self) -> Hashable:
        """What the labels are called, or None."""
        return self._name

    @name.setter
    def name(self, name: Hashable) -> None:
        try:
            hash(name)
        except TypeError:
            raise TypeError(f"{type(self).__name__}.name must be a hashable type") from None
        self._name = name

    @property
    def names(self) -> list[Hashable]:
        """The names of the levels."""
        return [self._name]

    @names.setter
    def names(self, names: Any) -> None:
        if len(names) != 1:
            raise ValueError(f"Length of new names must be 1, got {len(names)}")
        self.name = names[0]

    @property
    def nlevels(self) -> int:
        """1: how many levels there are."""
        return 1

    @property
    def dtype(self) -> Dtype:
        """The dtype of the labels."""
        return self._column.dtype

    @property
    def _constructor(self) -> type[Index]:
        """The class; libraries that take pandas' objects make others like them by it."""
        return type(self)

    @property
    def shape(self) -> tuple[int]:
        """The number of labels, in a tuple."""
        return (len(self),)

    @property
    def size(self) -> int:
        """How many labels there are."""
        return len(self)

    @property
    def ndim(self) -> int:
        """1."""
        return 1

    @property
    def empty(self) -> bool:
        """Returns whether there is no label."""
        return len(self) == 0

    @property
    def nbytes(self) -> int:
        """Bytes of the labels."""
        return self._column.nbytes

    def memory_usage(self, deep: bool = False) -> int:
        """Bytes of the labels."""
        return self.nbytes

    @property
    def values(self) -> np.ndarray:
        """The labels as a NumPy array: of objects for dtypes that NumPy has not.

        Dates of a zone are those of UTC, without it; `to_numpy` has them as objects.
        """
        if isinstance(self._column.dtype, DatetimeTZDtype):
            return np.asarray(self._column.values)  # type: ignore[attr-defined]
        return self.to_numpy()

    @property
    def column(self) -> Column:
        """The labels as a column."""
        return self._column

    @property
    def array(self) -> Column:
        """The labels as a column."""
        return self._column

    @property
    def T(self) -> Index:
        """The index itself."""
        return self

    # What is known.

    @property
    def is_unique(self) -> bool:
        """Returns whether no label comes twice."""
        return self._unique()

    @property
    def has_duplicates(self) -> bool:
        """Returns whether a label comes twice."""
        return not self._unique()

    @property
    def hasnans(self) -> bool:
        """Returns whether a label is missing."""
        return self._has_missing()

    @property
    def is_monotonic_increasing(self) -> bool:
        """Returns whether no label is below the one before; False where one is missing."""
        return self._is_monotonic(decreasing=False)

    @property
    def is_monotonic_decreasing(self) -> bool:
        """Returns whether no label is above the one before; False where one is missing."""
        return self._is_monotonic(decreasing=True)

    @property
    def inferred_type(self) -> str:
        """What the labels are, as pandas calls it: 'integer', 'string', 'mixed' and so on."""
        return inferred_type(self._column)

    # Others.

    def equals(self, other: Any) -> bool:
        """Returns whether another index has the same labels in the same order, names aside."""
        if self is other:
            return True
        if not isinstance(other, Index) or len(self) != len(other):
            return False
        if other._known is self._known:
            return True
        if self.nlevels == 1 and other.nlevels > 1:
            return other.equals(self)
        if is_nullable(self.dtype) != is_nullable(other.dtype):
            return False
        return self._equal_labels(other)

    def _equal_labels(self, other: Any) -> bool:
        mine, keys = self._meet(other)
        return len(mine.keys) == len(keys) and bool((mine.keys == keys).all())

    def identical(self, other: Any) -> bool:
        """Returns whether another index is equal, and of the same class, dtype and names."""
        return (
            self.equals(other)
            and type(self) is type(other)
            and self.dtype == other.dtype
            and list(self.names) == list(other.names)
        )

    def is_(self, other: Any) -> bool:
        """Returns whether another index is this one or a view of it."""
        return self is other or self._known is getattr(other, "_known", None)

    def copy(self, name: Any = None, deep: bool = False) -> Index:
        """Another index of the same labels, under a name if one is given."""
        made: Index = self._view()
        if name is not None:
            made.name = name
        return made

    def view(self, cls: Any = None) -> Any:
        """Another index of the same labels; with a dtype the array of `values` read as it."""
        return self._view() if cls is None else self.values.view(cls)

    def item(self) -> Any:
        """The only label. Raises ValueError where there is not exactly one."""
        if len(self) != 1:
            raise ValueError("can only convert an array of size 1 to a Python scalar")
        return next(iter(self))

    def get_level_values(self, level: Any) -> Index:
        """This index. Raises IndexError, KeyError where it has no such level."""
        self._check_level(level)
        return self

    def droplevel(self, level: Any = 0) -> Index:
        """Without some levels. Raises ValueError: it has only one."""
        levels = level if isinstance(level, (list, tuple)) else [level]
        if not levels:
            return self
        for each in levels:
            self._check_level(each)
        raise ValueError(
            f"Cannot remove {len(levels)} levels from an index with 1 levels: "
            "at least one level must be left."
        )

    def _level_number(self, level: Any) -> int:
        self._check_level(level)
        return 0

    def groupby(self, values: Any) -> dict[Any, Index]:
        """The labels of each different value of an array as long as the index."""
        keys = above.index_of(values)
        codes, labels = keys.factorize()
        order = np.argsort(codes, kind="stable")
        bounds = np.searchsorted(codes[order], np.arange(len(labels) + 1))
        found = {
            label: self._take(order[bounds[i] : bounds[i + 1]]) for i, label in enumerate(labels)
        }
        return {each: found[each] for each in labels.sort_values()}

    def asof(self, label: Any) -> Any:
        """The last label of a sorted index that is not above a label; NaN without one."""
        row = self.get_slice_bound(label, "right") - 1
        return self._label(row) if row >= 0 else self._no_bound()

    def __bool__(self) -> bool:
        raise ValueError(
            f"The truth value of a {type(self).__name__} is ambiguous. "
            "Use a.empty, a.bool(), a.item(), a.any() or a.all()."
        )

    def __setitem__(self, key: Any, value: Any) -> None:
        raise TypeError("Index does not support mutable operations: make another one")

    def __hash__(self) -> int:
        raise TypeError(f"unhashable type: {type(self).__name__!r}")

    def __reduce__(self) -> tuple[Any, ...]:
        state = {key: value for key, value in self.__dict__.items() if key != "_known"}
        return _restored, (type(self), state)


def _restored(kind: type[Index], state: dict[str, Any]) -> Index:
    made: Index = object.__new__(kind)
    made.__dict__.update(state, _known={})
    return made
