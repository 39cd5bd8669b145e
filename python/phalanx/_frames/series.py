"""`Series`: one column over an index."""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Self

from . import above
from .arithmetic.operators import SeriesOperators
from .building.series_data import series_of
from .categories.accessor import SeriesCategories
from .columns import Column
from .combining.comparing import SeriesComparing
from .dates.accessor import SeriesDates
from .dates.labels import DateLabels
from .dtypes import Dtype
from .files.methods import SeriesFiles
from .functions.applying import SeriesApplying
from .groups.methods import SeriesGrouping
from .indexes.index import Index
from .indexes.making import index_of
from .indexes.ranges import RangeIndex
from .interchange.series_interchange import SeriesInterchange
from .lists.accessor import SeriesLists
from .missing_names import SERIES, absent
from .ordering.ranking import Ranking
from .ordering.repeats import SeriesRepeats
from .ordering.sorting import SeriesSorting
from .plotting.accessor import SeriesPlotting
from .printing.series_methods import SeriesPrinting
from .relabelling.columns_as_index import SeriesIndexColumns
from .relabelling.dropping import Dropping
from .relabelling.reindexing import SeriesReindexing
from .relabelling.renaming import SeriesRenaming
from .resampling.methods import Resampling
from .reshaping.methods import Unstacking
from .selection.series_selection import SeriesSelection
from .shared.base import with_labels
from .signatures import NO_DEFAULT
from .statistics.describing import SeriesDescribing
from .statistics.reductions import SeriesReductions
from .statistics.relations import SeriesRelations
from .strings import accessor as strings
from .values.at_times import AtTimes
from .values.casting import Casting
from .values.combining import SeriesCombining
from .values.conditions import Conditions
from .values.gaps import Interpolating
from .values.missing_values import SeriesMissingValues
from .values.moving import Moving
from .values.replacing import Replacing, SeriesMapping
from .values.rounding import SeriesRounding
from .windows.methods import Windowing

if TYPE_CHECKING:
    from .frame import DataFrame


class Series(
    SeriesSelection,
    SeriesRenaming,
    SeriesReindexing,
    SeriesIndexColumns,
    Dropping,
    SeriesOperators,
    SeriesMissingValues,
    Casting,
    SeriesRounding,
    SeriesSorting,
    Ranking,
    SeriesRepeats,
    SeriesApplying,
    SeriesDescribing,
    SeriesReductions,
    SeriesRelations,
    SeriesComparing,
    SeriesGrouping,
    Conditions,
    Replacing,
    Moving,
    DateLabels,
    AtTimes,
    Interpolating,
    Windowing,
    Resampling,
    SeriesMapping,
    Unstacking,
    SeriesCategories,
    SeriesCombining,
    SeriesDates,
    SeriesFiles,
    SeriesInterchange,
    SeriesLists,
    SeriesPlotting,
    SeriesPrinting,
    strings.TextAccess,
):
    """Values of one dtype with a label for each, under pandas' names.

    ``data`` is a list, an array, a dict of values by label, another series, or one value for all
    labels. Raises ValueError where lengths do not fit, TypeError where the dtype does not.

    >>> px.Series([3, 1, 2], index=["a", "b", "c"]).sort_values()
    b    1
    c    2
    a    3
    dtype: int64
    """

    # It shows itself, and is pickled, by the name that it is used by.
    __module__ = "phalanx"
    ndim = 1
    _name: Hashable

    def __init__(
        self,
        data: Any = None,
        index: Any = None,
        dtype: Any = None,
        name: Any = None,
        copy: bool | None = None,
    ) -> None:
        column, labels = series_of(data, index, dtype)
        if name is None:
            name = getattr(data, "name", None)
        self.__dict__.update(_parts=[column], _index=labels, _name=_checked_name(name), attrs={})

    @classmethod
    def _of(cls, column: Column, index: Index, name: Hashable = None) -> Self:
        """A series of a column and an index of its length."""
        made = object.__new__(cls)
        made.__dict__.update(with_labels(index), _parts=[column], _name=name, attrs={})
        return made

    def _with(self, parts: Sequence[Column], index: Index | None = None) -> Self:
        return self._of(parts[0], self._row_labels if index is None else index, self._name)

    @property
    def _constructor_expanddim(self) -> type[DataFrame]:
        """The class of several columns, for libraries that take pandas' objects."""
        return above.DataFrame  # type: ignore[no-any-return]

    @property
    def _column(self) -> Column:
        return self._parts[0]

    @property
    def name(self) -> Hashable:
        """The name of the series, which is its label as a column."""
        return self._name

    @name.setter
    def name(self, value: Hashable) -> None:
        self._name = _checked_name(value)

    @property
    def dtype(self) -> Dtype:
        """The dtype of the values."""
        return self._parts[0].dtype

    dtypes = dtype

    @property
    def shape(self) -> tuple[int, ...]:
        """The number of rows."""
        return (len(self),)

    @property
    def axes(self) -> list[Index]:
        """The index."""
        return [self._index]

    @property
    def T(self) -> Self:
        """The series itself."""
        return self

    @property
    def nbytes(self) -> int:
        """Bytes of the values."""
        return self._parts[0].nbytes

    @property
    def hasnans(self) -> bool:
        """True if a value is missing."""
        return self._parts[0].has_missing()

    def memory_usage(self, index: bool = True, deep: bool = False) -> int:
        """Bytes of the values, and of the labels unless ``index`` is False."""
        return self.nbytes + (int(self._index.memory_usage(deep)) if index else 0)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._parts[0].tolist())

    def items(self) -> Iterator[tuple[Any, Any]]:
        """Pairs of a label and a value."""
        return zip(self._index, self, strict=True)

    def to_frame(self, name: Any = NO_DEFAULT) -> DataFrame:
        """A frame of this column."""
        label = self._name if name is NO_DEFAULT else name
        labels = (
            RangeIndex(1)
            if label is None and name is NO_DEFAULT
            else index_of([label], tuples=True)
        )
        return self._keep_attrs(above.DataFrame._of(list(self._parts), self._index, labels))  # type: ignore[no-any-return]

    def item(self) -> Any:
        """The only value. Raises ValueError where there is not just one."""
        if len(self) != 1:
            raise ValueError("can only convert an array of size 1 to a Python scalar")
        return self._parts[0].tolist()[0]

    def __getattr__(self, name: str) -> Any:
        if isinstance(refused := getattr(type(self), name, None), property):
            return refused.__get__(self)  # It raised this error, which says why.
        if not name.startswith("__") and "_parts" in self.__dict__:
            found = _label_attribute(self, name)
            if found is not None:
                return found[0]
            if name == "str":
                strings.refuse(self)
        raise absent("Series", name, SERIES)

    def __reduce__(self) -> Any:
        return _restored, (self._parts[0], self._index, self._name, self.attrs)

    def __dir__(self) -> list[str]:
        labels = [each for each in list(self._index)[:100] if isinstance(each, str)]
        return sorted({*super().__dir__(), *(each for each in labels if each.isidentifier())})


def _label_attribute(series: Any, name: str) -> tuple[Any] | None:
    """The element of a label that can be written as an attribute."""
    if name in SERIES or name not in series._index:
        return None
    return (series[name],)


def _checked_name(name: Any) -> Hashable:
    try:
        hash(name)
    except TypeError:
        raise TypeError("Series.name must be a hashable type") from None
    return name  # type: ignore[no-any-return]


def _restored(column: Column, index: Index, name: Hashable, attrs: Any) -> Series:
    made = Series._of(column, index, name)
    made.__dict__["attrs"] = attrs
    return made
