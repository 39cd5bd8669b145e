"""Other labels and names: `rename`, `rename_axis`, `set_axis`, `add_prefix`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Self

import numpy as np

from .. import above
from ..building.columns import is_series, ours
from ..building.kinds import is_hashable, is_list_like
from ..indexes.index import Index
from ..indexes.making import index_of, labels_of
from ..indexes.multi import MultiIndex
from ..scalars.cells import moment_text
from ..shared.base import Labelled
from ..signatures import NO_DEFAULT, in_place, in_place_self, leaves_out

if TYPE_CHECKING:
    from ..frame import DataFrame


def mapped_labels(index: Any, mapper: Any, level: Any = None, errors: str = "ignore") -> Index:
    """The labels that a function or a dict makes of labels; those that a dict has not stay.

    Raises KeyError for a dict's labels that are not there if ``errors`` is ``"raise"``.
    """
    if is_series(mapper):
        mapper = dict(zip(mapper.index, mapper.tolist(), strict=True))
    function = mapper
    if isinstance(mapper, Mapping):
        if errors == "raise":
            gone = [each for each in mapper if each not in index]
            if gone:
                raise KeyError(f"{gone} not found in axis")
        function = _lookup(mapper)
    elif not callable(mapper):
        raise TypeError(f"'{type(mapper).__name__}' object is not callable")
    if not len(index):
        return index  # type: ignore[no-any-return]
    if index.nlevels > 1:
        return _mapped_levels(index, function, level)
    return index_of([function(each) for each in index], name=index.name, tuples=False)  # type: ignore[no-any-return]


def _lookup(mapper: Mapping[Any, Any]) -> Any:
    return lambda label: mapper[label] if is_hashable(label) and label in mapper else label


def _mapped_levels(index: Any, function: Any, level: Any) -> Index:
    number = None if level is None else index._level_number(level)
    rows = [
        tuple(
            function(each) if number is None or i == number else each for i, each in enumerate(row)
        )
        for row in index
    ]
    return MultiIndex.from_tuples(rows, names=list(index.names))


def label_text(label: Any) -> str:
    """A label as text, dates as they are printed."""
    if isinstance(label, np.datetime64):
        return moment_text(label)
    return str(label)


def _new_names(index: Any, given: Any) -> Index:
    if callable(given):
        names = [given(each) for each in index.names]
    elif isinstance(given, Mapping):
        names = [given.get(each, each) for each in index.names]
    elif is_list_like(given) and not isinstance(given, tuple):
        names = list(given)
    else:
        names = [given]
    made: Index = index.set_names(names if index.nlevels > 1 or len(names) != 1 else names[0])
    return made


class SeriesRenaming(Labelled):
    """Other labels of series."""

    name: Any

    @leaves_out("copy")
    @in_place_self
    def rename(
        self, index: Any = None, *, axis: Any = None, level: Any = None, errors: str = "ignore"
    ) -> Self:
        """Another name for a label, and other labels by a function, a dict or a series."""
        if axis is not None:
            self._axis(axis)
        index = ours(index)
        if callable(index) or isinstance(index, Mapping) or is_series(index):
            return self._with(self._parts, mapped_labels(self._index, index, level, errors))
        made = self.copy()
        made.name = index
        return made

    @leaves_out("copy")
    @in_place
    def rename_axis(
        self, mapper: Any = NO_DEFAULT, *, index: Any = NO_DEFAULT, axis: Any = 0
    ) -> Self:
        """Another name for the labels."""
        given = index if mapper is NO_DEFAULT else mapper
        if given is NO_DEFAULT:
            return self.copy()
        if mapper is not NO_DEFAULT and (callable(given) or isinstance(given, Mapping)):
            raise ValueError("Use `.rename` to alter labels with a mapper.")
        return self._with(self._parts, _new_names(self._index, given))

    @leaves_out("copy")
    def set_axis(self, labels: Any, *, axis: Any = 0) -> Self:
        """The same rows under other labels."""
        self._axis(axis)
        return self._with(self._parts, self._new_index(labels))

    def add_prefix(self, prefix: str, axis: Any = None) -> Self:
        """Labels with a text before each."""
        return self._with(
            self._parts, mapped_labels(self._index, lambda each: f"{prefix}{label_text(each)}")
        )

    def add_suffix(self, suffix: str, axis: Any = None) -> Self:
        """Labels with a text after each."""
        return self._with(
            self._parts, mapped_labels(self._index, lambda each: f"{label_text(each)}{suffix}")
        )


class FrameRenaming(Labelled):
    """Other labels of frames."""

    _columns: Index

    def _relabelled(self, axis: int, labels: Index) -> DataFrame:

        index = labels if axis == 0 else self._index
        columns = labels if axis == 1 else self._columns
        made = above.DataFrame._of(list(self._parts), index, columns)
        return self._keep_attrs(made)  # type: ignore[no-any-return]

    def _labels(self, axis: int) -> Index:
        return self._index if axis == 0 else self._columns

    @leaves_out("copy")
    @in_place
    def rename(
        self,
        mapper: Any = None,
        *,
        index: Any = None,
        columns: Any = None,
        axis: Any = None,
        level: Any = None,
        errors: str = "ignore",
    ) -> Any:
        """Other labels by functions, dicts or series. Raises KeyError if ``errors`` asks for it."""
        if mapper is None and index is None and columns is None:
            raise TypeError("must pass an index to rename")
        if mapper is not None:
            if index is not None or columns is not None:
                raise TypeError("Cannot specify both 'mapper' and any of 'index' or 'columns'")
            if axis is not None and self._axis(axis) == 1:
                columns = mapper
            else:
                index = mapper
        elif axis is not None:
            raise TypeError("Cannot specify both 'axis' and any of 'index' or 'columns'")
        made: Any = self.copy()
        for number, given in enumerate((index, columns)):
            if given is not None:
                labels = mapped_labels(self._labels(number), ours(given), level, errors)
                made = made._relabelled(number, labels)
        return made

    @leaves_out("copy")
    @in_place
    def rename_axis(
        self,
        mapper: Any = NO_DEFAULT,
        *,
        index: Any = NO_DEFAULT,
        columns: Any = NO_DEFAULT,
        axis: Any = 0,
    ) -> Any:
        """Other names for the labels of rows and of columns."""
        if mapper is not NO_DEFAULT:
            if callable(mapper) or isinstance(mapper, Mapping):
                raise ValueError("Use `.rename` to alter labels with a mapper.")
            index, columns = (mapper, NO_DEFAULT) if self._axis(axis) == 0 else (NO_DEFAULT, mapper)
        made: Any = self.copy()
        for number, given in enumerate((index, columns)):
            if given is not NO_DEFAULT:
                made = made._relabelled(number, _new_names(self._labels(number), given))
        return made

    @leaves_out("copy")
    def set_axis(self, labels: Any, *, axis: Any = 0) -> DataFrame:
        """The same elements under other labels of rows or of columns."""
        number = self._axis(axis)
        return self._relabelled(number, self._checked_labels(number, labels))

    def _checked_labels(self, axis: int, labels: Any) -> Index:
        made = labels_of(ours(labels))
        if len(made) != len(self._labels(axis)):
            raise ValueError(
                f"Length mismatch: Expected axis has {len(self._labels(axis))} elements, "
                f"new values have {len(made)} elements"
            )
        return made  # type: ignore[no-any-return]

    def add_prefix(self, prefix: str, axis: Any = None) -> DataFrame:
        """Labels of columns with a text before each."""
        number = 1 if axis is None else self._axis(axis)
        return self._relabelled(
            number, mapped_labels(self._labels(number), lambda each: f"{prefix}{label_text(each)}")
        )

    def add_suffix(self, suffix: str, axis: Any = None) -> DataFrame:
        """Labels of columns with a text after each."""
        number = 1 if axis is None else self._axis(axis)
        return self._relabelled(
            number, mapped_labels(self._labels(number), lambda each: f"{label_text(each)}{suffix}")
        )
