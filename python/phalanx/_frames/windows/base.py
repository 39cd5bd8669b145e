"""What all windows have in common: the columns that they are of, selection, results."""

from __future__ import annotations

from typing import Any, ClassVar, NamedTuple, Self

import numpy as np

import phalanx as px
from phalanx.errors import DataError

from .. import above, engine
from ..building.kinds import is_hashable
from ..columns import Column
from ..columns.numbers import NumberColumn
from ..in_place import InPlace
from ..indexes.index import Index
from ..signatures import MissingNameError
from .columns import is_number, placed_floats, presence


class Data(NamedTuple):
    """The columns that a method computes with, and their labels."""

    columns: list[Column]
    labels: Any


class Windowed(InPlace):
    """A series or a frame with windows of its rows.

    `keywords` are those of the method that made it. A subclass says what its windows are.
    """

    _names: ClassVar[frozenset[str]] = frozenset()  # of methods that pandas has besides

    def __init__(self, of: Any, keywords: dict[str, Any], selection: Any = None) -> None:
        self._of = of
        self._keywords = keywords
        self._selection = selection
        self._selected = of if selection is None else of[selection]
        self._is_series = self._selected.ndim == 1

    def __getitem__(self, key: Any) -> Self:
        """The same windows of some columns: of a label a series, of a list a frame."""
        if self._of.ndim == 1 or self._selection is not None:
            raise IndexError(f"Column(s) {key} already selected")
        labels = key if isinstance(key, list) else [key]
        for each in labels:
            if not is_hashable(each) or each not in self._of.columns:
                raise KeyError(f"Column not found: {each}")
        return self._with_selection(key)

    def _with_selection(self, key: Any) -> Self:
        return type(self)(self._of, self._keywords, key)

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("_"):
            of = self.__dict__.get("_of")
            if of is not None and of.ndim == 2 and name in of.columns:
                return self[name]
            if name in self._names:
                raise MissingNameError(
                    f"{type(self).__name__}.{name} of pandas is not supported in phalanx"
                )
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __repr__(self) -> str:
        shown = (f"{name}={value}" for name, value in self._keywords.items() if value is not None)
        return f"{type(self).__name__} [{','.join(shown)}]"

    @property
    def ndim(self) -> int:
        """1 of a series, 2 of a frame."""
        return int(self._selected.ndim)

    # What a subclass has.

    def _ordered(self, column: Column) -> Column:
        """A column with its rows as the windows have them."""
        return column

    def _index(self, count: int) -> Index:
        """The labels of that many results."""
        raise NotImplementedError

    def _computed(self, requests: list[dict[str, Any]], count: int) -> list[engine.Array]:
        """The engine's numbers for requests, of columns with so many rows."""
        raise NotImplementedError

    def _min_periods(self) -> int:
        """The fewest values of a window that has a result."""
        raise NotImplementedError

    def _left_out(self) -> Any:
        """The label of the column that is no value, but what the windows are found by; or None."""
        return None

    def _finished(self, made: Any) -> Any:
        """A frame of results as it is given out."""
        return made

    # Columns in, columns out.

    def _data(self, name: str, numeric_only: bool) -> Data:
        of = self._selected
        if self._is_series:
            if numeric_only and not is_number(of._parts[0]):
                raise NotImplementedError(
                    f"{type(self).__name__}.{name} does not implement numeric_only"
                )
            return Data([self._ordered(of._parts[0])], None)
        left_out = self._left_out()
        kept = [
            i
            for i, label in enumerate(of.columns)
            if (left_out is None or label != left_out)
            and (not numeric_only or is_number(of._parts[i]))
        ]
        labels = of.columns
        if len(kept) < len(labels):
            labels = labels._take(np.array(kept, np.int64))
        return Data([self._ordered(of._parts[i]) for i in kept], labels)

    def _apply(self, kind: str, numeric_only: bool = False, **request: Any) -> Any:
        data = self._data(kind, numeric_only)
        request["min_periods"] = self._min_periods()
        made = presence if kind == "count" else self._floats
        requests = [
            {"kind": "sum" if kind == "count" else kind, "values": made(each), **request}
            for each in data.columns
        ]
        return self._assembled(self._arrays(requests), data.labels)

    def _floats(self, column: Column) -> engine.Array:
        try:
            return placed_floats(column)
        except DataError:
            if self._is_series:
                raise DataError("No numeric types to aggregate") from None
            raise

    def _arrays(self, requests: list[dict[str, Any]]) -> list[engine.Array]:
        return self._computed(requests, len(requests[0]["values"])) if requests else []

    def _assembled(self, arrays: list[engine.Array], labels: Any) -> Any:
        columns = [NumberColumn(px.asarray(each)) for each in arrays]
        index = self._index(len(columns[0]) if columns else len(self._of.index))
        if self._is_series:
            return above.Series._of(columns[0], index, self._selected.name)
        return self._finished(above.DataFrame._of(columns, index, labels))
