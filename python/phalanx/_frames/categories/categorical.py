"""`Categorical`: values out of a list of categories, without labels."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Self

import numpy as np

import phalanx as px

from .. import above
from ..building.columns import column_from, ours
from ..building.kinds import is_list_like
from ..columns.categories import CategoryColumn, code_dtype
from ..columns.column import Column
from ..columns.making import column_of
from ..dtypes import CategoricalDtype, pandas_dtype
from ..indexes.category_methods import CategoryMethods
from ..indexes.index import Index
from ..indexes.making import index_of
from ..missing import is_missing
from ..printing.cells import Style, array_cells
from ..printing.text import categories_line, flowed
from ..selection.placing import placed
from ..signatures import NO_DEFAULT
from .reading import dtype_wanted


class Categorical(CategoryMethods):
    """An array of values out of a list of categories, kept as positions in it.

    Without ``categories`` those are the different values, sorted if they have an order. Values
    that are no category are missing. Raises TypeError for one value, ValueError for categories
    that are missing or come twice, and for ``dtype`` together with the others.

    >>> px.Categorical(["a", "b", "a"]).codes
    array([0, 1, 0], dtype=int8)
    """

    __module__ = "phalanx"
    ndim = 1
    _column: CategoryColumn

    def __init__(
        self,
        values: Any,
        categories: Any = None,
        ordered: bool | None = None,
        dtype: Any = None,
        copy: bool = True,
    ) -> None:
        values = ours(values)
        if not is_list_like(values):
            raise TypeError("Categorical input must be list-like")
        wanted = dtype_wanted(dtype, categories, ordered)
        if not hasattr(values, "dtype") and not isinstance(values, (list, Column)):
            values = list(values)
        column = column_from(values)
        if wanted.values is None and wanted.ordered:
            _check_order(column)
        made = column.astype(wanted)
        assert isinstance(made, CategoryColumn)
        self._column = made

    def _lies_on(self) -> Any:
        column = self.__dict__.get("_column")
        return None if column is None else column.device

    @classmethod
    def _of(cls, column: CategoryColumn) -> Self:
        made = object.__new__(cls)
        made._column = column
        return made

    @classmethod
    def from_codes(
        cls,
        codes: Any,
        categories: Any = None,
        ordered: bool | None = None,
        dtype: Any = None,
        validate: bool = True,
    ) -> Self:
        """An array of positions in the categories, -1 where a value is missing.

        Raises ValueError without categories, and for codes that are no positions.
        """
        wanted = dtype_wanted(dtype, categories, ordered)
        if wanted.values is None:
            raise ValueError(
                "The categories must be provided in 'categories' or 'dtype'. Both were None."
            )
        found = column_from(ours(codes)) if len(codes) else column_of(np.zeros(0, np.int64))
        if found.dtype.kind not in "iu":
            raise ValueError("codes need to be array-like integers")
        if found.has_missing():
            raise ValueError("codes cannot contain NA values")
        numbers = px.asarray(found.to_numpy())
        count = len(wanted.values)
        if validate and len(found) and bool(((numbers >= count) | (numbers < -1)).any()):
            raise ValueError("codes need to be between -1 and len(categories)-1")
        return cls._of(CategoryColumn(numbers.astype(code_dtype(count)), wanted))

    def _category_column(self) -> CategoryColumn:
        return self._column

    def _of_column(self, column: CategoryColumn) -> Any:
        return self._of(column)

    @property
    def column(self) -> CategoryColumn:
        """The values as a column."""
        return self._column

    @property
    def codes(self) -> np.ndarray:
        """The position of each value's category, -1 for missing ones."""
        made = np.asarray(self._column.codes).view()
        made.flags.writeable = False
        return made

    @property
    def dtype(self) -> CategoricalDtype:
        """The categories, and whether they are ordered."""
        return self._column.dtype

    @property
    def shape(self) -> tuple[int]:
        """The number of values, in a tuple."""
        return (len(self),)

    @property
    def size(self) -> int:
        """The number of values."""
        return len(self)

    @property
    def nbytes(self) -> int:
        """Bytes of codes and categories."""
        return self._column.nbytes

    # Elements.

    def __len__(self) -> int:
        return len(self._column)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._column.tolist())

    def __contains__(self, value: Any) -> bool:
        if is_missing(value):
            return self._column.has_missing()
        return value in self._index()

    def __getitem__(self, key: Any) -> Any:
        if isinstance(key, (int, np.integer)):
            if not -len(self) <= key < len(self):
                raise IndexError("index out of bounds")
            return self._column.element(int(key) % max(len(self), 1))
        return self._of(self._index()[key]._column)

    def __setitem__(self, key: Any, value: Any) -> None:
        rows = np.arange(len(self))[key]
        self._column = placed(self._column, np.atleast_1d(rows), _value_of(value))  # type: ignore[assignment]

    def _index(self) -> Index:
        return index_of(self._column, tuples=False)  # type: ignore[no-any-return]

    def _series(self) -> Any:
        return above.Series(self._column)

    def __array__(self, dtype: Any = None, copy: Any = None) -> np.ndarray:
        if copy is False:
            raise ValueError("Unable to avoid copy while creating an array as requested.")
        return np.array(self._column.to_numpy(), dtype)

    def to_list(self) -> list[Any]:
        """The values as Python's objects."""
        return self._column.tolist()

    tolist = to_list

    def to_numpy(self, dtype: Any = None, copy: bool = False, na_value: Any = NO_DEFAULT) -> Any:
        """The values as NumPy's array of the categories' dtype."""
        return self._series().to_numpy(dtype, copy, na_value)

    def copy(self) -> Self:
        """An array of its own."""
        return self._of(self._column)

    def take(self, indices: Any, *, allow_fill: bool = False, fill_value: Any = None) -> Self:
        """The values at some positions; with ``allow_fill`` -1 gives a missing one."""
        return self._of(
            self._index().take(indices, 0, allow_fill, np.nan if allow_fill else None)._column
        )

    def astype(self, dtype: Any, copy: bool = True) -> Any:
        """The values in another dtype: a `Categorical`, or NumPy's array where it has that."""
        made = self._column.astype(pandas_dtype(dtype))
        if isinstance(made, CategoryColumn):
            return self._of(made)
        return above.Series(made).array

    # Missing and equal values.

    def isna(self) -> np.ndarray:
        """Which values are missing."""
        return np.asarray(self._column.isna())

    isnull = isna

    def notna(self) -> np.ndarray:
        """Which values are there."""
        return ~self.isna()

    notnull = notna

    def fillna(self, value: Any, limit: int | None = None, copy: bool = True) -> Self:
        """Another category where a value is missing. Raises TypeError for what is none."""
        if not is_list_like(value) and not is_missing(value) and value not in self.categories:
            raise TypeError(
                f"Cannot setitem on a Categorical with a new category ({value}), set the "
                "categories first"
            )
        made = self._series().fillna(value, limit=limit)
        return self._of(made._parts[0])

    def dropna(self) -> Self:
        """Without missing values."""
        return self._of(self._series().dropna()._parts[0])

    def unique(self) -> Self:
        """Each value once, in the order in which they come."""
        return self._of(self._index().unique()._column)

    def value_counts(self, dropna: bool = True) -> Any:
        """How often each category is there, in their order."""
        return self._series().value_counts(sort=False, dropna=dropna)

    def isin(self, values: Any) -> np.ndarray:
        """Which values are among some."""
        return np.asarray(self._series().isin(values))

    def equals(self, other: object) -> bool:
        """True if another array has the same values and categories."""
        if not isinstance(other, Categorical) or self.dtype != other.dtype:
            return False
        other_codes = self._column.recoded(other._column).codes
        return len(self) == len(other) and np.array_equal(self.codes, np.asarray(other_codes))

    def map(self, mapper: Any, na_action: str | None = None) -> Any:
        """What a function or a dict has for each category: categories where all differ."""
        made: Any = self._index().map(mapper, na_action)
        column = made._values_column()
        return self._of(column) if isinstance(column, CategoryColumn) else made

    def describe(self) -> Any:
        """How often, and as which part of all, each category is there."""
        counts = self.value_counts(dropna=False)
        made = above.DataFrame({"counts": counts, "freqs": counts / counts.sum()})
        return made.rename_axis("categories")

    # Order.

    def min(self, *, skipna: bool = True) -> Any:
        """The first category that is there. Raises TypeError if they are not ordered."""
        return self._extreme("min", skipna)

    def max(self, *, skipna: bool = True) -> Any:
        """The last category that is there. Raises TypeError if they are not ordered."""
        return self._extreme("max", skipna)

    def _extreme(self, name: str, skipna: bool) -> Any:
        if not self.ordered:
            raise TypeError(
                f"Categorical is not ordered for operation {name}\n"
                "you can use .as_ordered() to change the Categorical to an ordered one\n"
            )
        return getattr(self._series(), name)(skipna=skipna)

    def argsort(self, *, ascending: bool = True, kind: str = "quicksort", **options: Any) -> Any:
        """The positions of the values in the order of their categories, missing ones last."""
        return np.asarray(self._index()._ordered(ascending))

    def sort_values(self, *, inplace: bool = False, ascending: bool = True,
                    na_position: str = "last") -> Any:  # fmt: skip
        """The values in the order of their categories."""
        made = self._series().sort_values(ascending=ascending, na_position=na_position)
        if not inplace:
            return self._of(made._parts[0])
        self._column = made._parts[0]
        return None

    def _compared(self, name: str, other: Any) -> Any:
        if isinstance(other, (above.Series, above.DataFrame, Index)):
            return NotImplemented
        if isinstance(other, Categorical):
            other = other._series()
        return np.asarray(getattr(self._series(), name)(other))

    def __eq__(self, other: object) -> Any:
        return self._compared("__eq__", other)

    def __ne__(self, other: object) -> Any:
        return self._compared("__ne__", other)

    def __lt__(self, other: Any) -> Any:
        return self._compared("__lt__", other)

    def __le__(self, other: Any) -> Any:
        return self._compared("__le__", other)

    def __gt__(self, other: Any) -> Any:
        return self._compared("__gt__", other)

    def __ge__(self, other: Any) -> Any:
        return self._compared("__ge__", other)

    __hash__ = None  # type: ignore[assignment]

    # Text.

    def __repr__(self) -> str:
        count, most = len(self), 10
        line = categories_line(self.dtype)
        if not count:
            return f"[], {line}"
        if count <= most:
            return f"[{flowed(self._texts(slice(None)), 0, ', ')}]\n{line}"
        texts = [*self._texts(slice(0, most // 2)), "...", *self._texts(slice(-most // 2, None))]
        return f"[{flowed(texts, 0, ', ')}]\nLength: {count}\n{line}"

    def _texts(self, part: slice) -> list[str]:
        values = self._column.slice(part).values().to_numpy()
        if values.dtype.kind != "O":
            return [each.strip() for each in array_cells(values, Style())]
        return ["NaN" if is_missing(each) else
                repr(each) if isinstance(each, str) else str(each) for each in values]  # fmt: skip


def _value_of(value: Any) -> Any:
    return value._column if isinstance(value, Categorical) else value


def _check_order(column: Column) -> None:
    """Raise TypeError for values that cannot be sorted."""
    if column.dtype != object:
        return
    values = {each for each in column.tolist() if not is_missing(each)}
    if all(isinstance(each, (int, float, str)) for each in values):
        return  # numbers come before texts
    try:
        sorted(values)
    except TypeError as error:
        raise TypeError(
            "'values' is not ordered, please explicitly specify the categories order by passing "
            "in a categories argument."
        ) from error
