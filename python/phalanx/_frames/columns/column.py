"""What every kind of column can do."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import above

if TYPE_CHECKING:
    from ..._arrays.ndarray import ndarray
    from ..dtypes import Dtype


class Column(ABC):
    """Rows of one dtype. Immutable: what changes a row gives another column.

    Rows are named by int64 arrays of positions, of the host or of a device; -1 means a
    missing row where a method says so. Masks are bool arrays with an element for each row.
    """

    __slots__ = ()
    dtype: Dtype

    @abstractmethod
    def __len__(self) -> int: ...

    # Rows.

    @abstractmethod
    def take(self, rows: ndarray, *, has_missing: bool = False) -> Column:
        """The rows at some positions, in their order; -1 gives a missing one if `has_missing`.

        A dtype without a missing value gives one that has it: ints become float64, bools object.
        """

    @abstractmethod
    def filter(self, mask: ndarray) -> Column:
        """The rows for which a mask is True."""

    @abstractmethod
    def slice(self, part: slice) -> Column:
        """Rows of a slice; without a copy where its step is 1."""

    @abstractmethod
    def element(self, row: int) -> Any:
        """One row as Python has it: a NumPy scalar, a str, the dtype's missing value."""

    @abstractmethod
    def joined(self, others: Sequence[Column]) -> Column:
        """The rows of this and then of others of the same dtype."""

    @abstractmethod
    def where(self, mask: ndarray, other: Column) -> Column:
        """Rows of this where a mask is True, else of another column of the same dtype."""

    # Missing values.

    @abstractmethod
    def isna(self) -> ndarray:
        """Which rows are missing."""

    def has_missing(self) -> bool:
        """Returns whether a row is missing: looks at the values."""
        return bool(self.isna().any())

    @abstractmethod
    def missing(self, count: int) -> Column:
        """So many missing rows, of this dtype or of the one that `take` would give."""

    # Other forms.

    def astype(self, dtype: Dtype) -> Column:
        """The same values in another dtype. Raises what pandas raises: TypeError, ValueError."""
        return self if dtype is self.dtype else above.cast(self, dtype)

    @abstractmethod
    def to_numpy(self) -> np.ndarray:
        """As pandas' ``Series.to_numpy()``: a copy only where there is no array of that dtype."""

    @abstractmethod
    def key(self) -> tuple[Any, ...]:
        """As the engine's groups, joins and orders take it: ``(kind, array, ..., mask or None)``
        of NumPy's arrays, or of the GPU's that has the column."""

    @property
    def device(self) -> Any:
        """The engine's device of its arrays; None where they are tied to none."""
        return None

    @property
    def is_on_gpu(self) -> bool:
        """True where its arrays are in a GPU's memory."""
        return False

    @property
    @abstractmethod
    def nbytes(self) -> int:
        """Bytes of its arrays."""

    def objects_of(self) -> np.ndarray:
        """An array of Python's objects, in which missing rows are NaN, NaT or NA."""
        return self.to_numpy().astype(object)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.tolist())

    def tolist(self) -> list[Any]:
        """Python's numbers, texts and dates."""
        return list(self.objects_of())

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {len(self)} rows, {self.dtype}>"
