"""`DataFrame`: columns under labels over an index."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Self

import numpy as np

from .._core.warnings import say
from .arithmetic.operators import FrameOperators
from .building.frame_data import frame_of, uncopied
from .building.kinds import is_list_like
from .columns import Column
from .columns.making import column_of
from .combining.comparing import FrameComparing
from .combining.merge import Merging
from .dates.labels import DateLabels
from .dtypes import Dtype
from .files.methods import FrameFiles
from .functions.applying import FrameApplying
from .functions.evaluating import Evaluating
from .groups.methods import FrameGrouping
from .indexes.index import Index
from .indexes.making import index_of
from .interchange.frame_interchange import FrameInterchange
from .missing_names import FRAME, absent
from .ordering.ranking import Ranking
from .ordering.repeats import FrameRepeats
from .ordering.sorting import FrameSorting
from .plotting.accessor import FramePlotting
from .printing.frame_methods import FramePrinting
from .relabelling.columns_as_index import FrameIndexColumns
from .relabelling.dropping import Dropping
from .relabelling.reindexing import FrameReindexing
from .relabelling.renaming import FrameRenaming
from .resampling.methods import Resampling
from .reshaping.methods import FrameReshaping
from .selection.frame_selection import FrameSelection
from .series import Series
from .shared.base import with_labels
from .statistics.describing import FrameDescribing
from .statistics.reductions import FrameReductions
from .statistics.relations import FrameRelations
from .values.at_times import AtTimes
from .values.casting import Casting, SelectingDtypes
from .values.combining import FrameCombining
from .values.conditions import Conditions
from .values.gaps import Interpolating
from .values.missing_values import FrameMissingValues
from .values.moving import Moving
from .values.replacing import Replacing
from .values.rounding import FrameRounding
from .windows.methods import Windowing


class DataFrame(
    FrameSelection,
    FrameRenaming,
    FrameReindexing,
    FrameIndexColumns,
    Dropping,
    FrameOperators,
    FrameMissingValues,
    Casting,
    SelectingDtypes,
    FrameRounding,
    FrameSorting,
    Ranking,
    FrameRepeats,
    FrameApplying,
    Evaluating,
    FrameDescribing,
    FrameReductions,
    FrameRelations,
    FrameComparing,
    Merging,
    FrameGrouping,
    FrameReshaping,
    FrameCombining,
    Conditions,
    Replacing,
    Moving,
    DateLabels,
    AtTimes,
    FrameFiles,
    Interpolating,
    Windowing,
    Resampling,
    FrameInterchange,
    FramePlotting,
    FramePrinting,
):
    """Columns of any dtypes with a label for each, over labels of rows, under pandas' names.

    ``data`` is a dict of columns, a list of rows, an array of two dimensions, a frame of ours,
    pandas' or Arrow's, or one value for all. The arrays of a dict are copied, but with ``copy``
    False, where columns share their memory or stay in the files that they are mapped from. Raises
    ValueError where lengths do not fit.

    >>> trips = px.DataFrame({"zone": [1, 2, 1], "km": [3.5, 0.8, 12.0]})
    >>> trips.groupby("zone")["km"].sum()
    zone
    1    15.5
    2     0.8
    Name: km, dtype: float64
    """

    # It shows itself, and is pickled, by the name that it is used by.
    __module__ = "phalanx"
    ndim = 2

    def __init__(
        self,
        data: Any = None,
        index: Any = None,
        columns: Any = None,
        dtype: Any = None,
        copy: bool | None = None,
    ) -> None:
        data = uncopied(data) if copy is False else data
        made = frame_of(data, index, columns, dtype)
        self.__dict__.update(_parts=made.columns, _index=made.index, _columns=made.labels, attrs={})

    @classmethod
    def _of(cls, parts: list[Column], index: Index, columns: Index) -> Self:
        """A frame of columns, each as long as the index."""
        made = object.__new__(cls)
        made.__dict__.update(with_labels(index), _parts=parts, _columns=columns, attrs={})
        return made

    def _with(self, parts: Sequence[Column], index: Index | None = None) -> Self:
        return self._of(list(parts), self._row_labels if index is None else index, self._columns)

    @property
    def _constructor_sliced(self) -> type[Series]:
        """The class of a column, for libraries that take pandas' objects."""
        return Series

    @property
    def columns(self) -> Index:
        """The labels of the columns; may be set to as many others."""
        return self._columns

    @columns.setter
    def columns(self, labels: Any) -> None:
        self._columns = self._checked_labels(1, labels)

    @property
    def shape(self) -> tuple[int, ...]:
        """The number of rows and of columns."""
        return (len(self), len(self._parts))

    @property
    def axes(self) -> list[Index]:
        """The labels of rows and of columns."""
        return [self._index, self._columns]

    @property
    def dtypes(self) -> Series:
        """The dtype of each column, by its label."""
        made = np.empty(len(self._parts), object)
        for i, each in enumerate(self._parts):
            made[i] = each.dtype
        return Series._of(column_of(made, np.dtype(object)), self._columns)

    def items(self) -> Iterator[tuple[Any, Series]]:
        """Pairs of a label and a column."""
        for i, label in enumerate(self._columns):
            yield label, self._column_series(i)

    def iterrows(self) -> Iterator[tuple[Any, Series]]:
        """Pairs of a label and a row, whose dtype is the columns' common one."""
        for row in self._rows_as_series():
            yield row.name, row

    def itertuples(self, index: bool = True, name: str | None = "Pandas") -> Iterator[Any]:
        """The rows as named tuples, or as tuples if ``name`` is None."""
        import collections

        columns = [each.tolist() for each in self._parts]
        fields = list(self._columns)
        if index:
            columns.insert(0, list(self._index))
            fields.insert(0, "Index")
        if not columns:
            return iter(())
        rows = zip(*columns, strict=True)
        if name is None:
            return rows
        kind = collections.namedtuple(name, map(str, fields), rename=True)  # type: ignore[misc]
        return map(kind._make, rows)

    @property
    def T(self) -> DataFrame:
        """Rows as columns."""
        return self.transpose()

    def memory_usage(self, index: bool = True, deep: bool = False) -> Series:
        """Bytes of each column, and first of the labels unless ``index`` is False."""
        sizes = [each.nbytes for each in self._parts]
        labels: Index = self._columns
        if index:
            sizes.insert(0, int(self._index.memory_usage(deep)))
            labels = index_of(["Index", *labels], tuples=False)
        return Series._of(column_of(np.array(sizes, np.int64)), labels)

    def _dtype_list(self) -> list[Dtype]:
        return [each.dtype for each in self._parts]

    def __getattr__(self, name: str) -> Any:
        known = not name.startswith("__") and "_columns" in self.__dict__ and name not in FRAME
        if known and name in self._columns:
            return self[name]
        raise absent("DataFrame", name, FRAME)

    def __setattr__(self, name: str, value: Any) -> None:
        if name in self.__dict__ or hasattr(type(self), name):
            object.__setattr__(self, name, value)
        elif name in self._columns:
            self[name] = value
        else:
            if is_list_like(value) and not name.startswith("_"):
                say(
                    f"frame.{name} = ... makes an attribute, no column: frame[{name!r}] = ... "
                    "makes a column",
                    UserWarning,
                )
            object.__setattr__(self, name, value)

    def __delattr__(self, name: str) -> None:
        if name not in self.__dict__ and name in self._columns:
            del self[name]
        else:
            object.__delattr__(self, name)

    def __dir__(self) -> list[str]:
        labels = [each for each in list(self._columns)[:100] if isinstance(each, str)]
        return sorted({*super().__dir__(), *(each for each in labels if each.isidentifier())})

    def __reduce__(self) -> Any:
        return _restored, (self._parts, self._index, self._columns, self.attrs)


def _restored(parts: list[Column], index: Index, columns: Index, attrs: Any) -> DataFrame:
    made = DataFrame._of(parts, index, columns)
    made.__dict__["attrs"] = attrs
    return made
