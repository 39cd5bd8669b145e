"""Indexes as lists, arrays, series and text; their names."""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any

import numpy as np

from .. import above
from ..dtypes import pandas_dtype
from ..missing import is_missing
from . import showing
from .labels import Labels


class Forms(Labels):
    """The labels in other forms, and under other names."""

    def to_list(self) -> list[Any]:
        """The labels as Python has them."""
        return list(self)

    tolist = to_list

    def to_numpy(self, dtype: Any = None, copy: bool = False, na_value: Any = None) -> np.ndarray:
        """The labels as a NumPy array of their dtype, of objects where NumPy has none such."""
        values = self._values_column().to_numpy()
        if na_value is not None and self._has_missing():
            values = np.where(self._missing_mask(), na_value, values)
        if dtype is not None:
            return np.array(values, dtype) if copy else values.astype(dtype, copy=False)
        return values.copy() if copy else values

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> np.ndarray:
        return self.to_numpy(dtype, bool(copy))

    def to_series(self, index: Any = None, name: Hashable = None) -> Any:
        """The labels as a Series, whose index they are if no other is given."""
        rows = self._view() if index is None else above.index_of(index)
        return above.Series(self, index=rows, name=self._name if name is None else name)

    def to_frame(self, index: bool = True, name: Any = None) -> Any:
        """The labels as a DataFrame of one column, whose index they are unless it is False."""
        if name is None:
            name = 0 if self._name is None else self._name
        return above.DataFrame({name: self}, index=self._view() if index else None)

    @property
    def values_host(self) -> np.ndarray:
        """The labels as a NumPy array, under cuDF's name."""
        return self.to_numpy()

    def to_cupy(self, dtype: Any = None, copy: bool = False, na_value: Any = None) -> Any:
        """The labels as one of our arrays, as of a series; TypeError for texts and dates."""
        return self.to_series().to_cupy(dtype, copy, na_value)

    def to_pandas(self) -> Any:
        """The labels as pandas' index of the same kind. Raises ImportError without pandas."""
        return above.pandas_index(self)

    def to_flat_index(self) -> Any:
        """This index: one of tuples where it has levels."""
        return self

    def infer_objects(self, copy: bool = True) -> Any:
        """Objects in the dtype that they have; other labels as they are.

        Raises NotImplementedError for tuples of levels.
        """
        if self.nlevels > 1:  # type: ignore[attr-defined]
            raise NotImplementedError(
                "infer_objects is not implemented for MultiIndex. "
                "Use index.to_frame().infer_objects() instead."
            )
        return self._inferred()

    def _inferred(self) -> Any:
        if self.nlevels > 1 or self._column.dtype != object or not len(self):  # type: ignore[attr-defined]
            return self
        return above.index_of(list(self._objects()), tuples=False)._named(self._name)

    def ravel(self, order: str = "C") -> Any:
        """The index: it has one dimension."""
        return self._view()

    def astype(self, dtype: Any, copy: bool = True) -> Any:
        """The labels in another dtype. Raises TypeError, ValueError as pandas does."""
        return self._to_dtype(pandas_dtype(dtype))._named(self._name)

    def map(self, mapper: Any, na_action: str | None = None) -> Any:
        """An index of what a function, a dict or a Series has for each label."""
        if na_action not in (None, "ignore"):
            raise ValueError(f"na_action must either be 'ignore' or None, {na_action!r} was passed")
        find = function_of(mapper)
        labels = [
            each if na_action == "ignore" and is_missing(each) else find(each) for each in self
        ]
        if not labels:
            return Labels._of(self._column, self._name)
        made = above.index_of(labels)
        if made.nlevels == 1:
            return made._named(self._name)
        names = list(self.names)  # type: ignore[attr-defined]
        return made._named(names * made.nlevels if len(names) == 1 else names)

    # Names.

    def rename(self, name: Any, *, inplace: bool = False) -> Any:
        """The same labels under another name. Raises TypeError where it has no hash."""
        made: Any = self if inplace else self._view()
        made.name = name
        return None if inplace else made

    def set_names(self, names: Any, *, level: Any = None, inplace: bool = False) -> Any:
        """The same labels under other names: one, or a list of one."""
        if level is not None and self.nlevels == 1:  # type: ignore[attr-defined]
            raise ValueError("Level must be None for non-MultiIndex")
        if isinstance(names, (list, tuple)):
            if len(names) != 1:
                raise ValueError(f"Length of new names must be 1, got {len(names)}")
            names = names[0]
        return self.rename(names, inplace=inplace)

    def _renamed(self, names: Any) -> Any:
        """The same labels under a name; a list of names for levels."""
        return self._named(names)  # type: ignore[attr-defined]

    def _like_named(self, other: Any) -> Any:
        made = self._view()
        made._name = other._name
        return made

    # Text.

    def _texts(self, part: slice) -> list[str]:
        """The labels of a slice as the text of the index has them."""
        if self._column.dtype in (np.float32, np.float16):
            # Python's floats would show digits that these have not.
            return [str(each) for each in np.asarray(self._column.values)[part]]  # type: ignore[attr-defined]
        return [showing.shown_label(each) for each in self._slice(part)]

    def _data_text(self) -> str:
        head, tail = showing.head_and_tail(len(self), self._texts)
        return showing.listed(type(self).__name__, head, tail, justify=not self._is_text())

    def _is_text(self) -> bool:
        """Returns whether all labels are texts, which are not put in columns."""
        labels = self._objects() if self._column.dtype.kind == "O" else ()
        return len(labels) > 0 and all(isinstance(each, str) for each in labels)

    def _attributes(self) -> list[tuple[str, Any]]:
        """What the text says after the labels."""
        made: list[tuple[str, Any]] = [("dtype", f"'{self._column.dtype}'")]
        if self._name is not None:
            made.append(("name", showing.shown_name(self._name)))
        if len(self) > showing.MOST_ITEMS:
            made.append(("length", len(self)))
        return made

    def __repr__(self) -> str:
        return showing.shown(type(self).__name__, self._data_text(), self._attributes())


def function_of(mapper: Any) -> Any:
    """What `map` finds for a label: of a function, a dict or a Series."""
    if callable(mapper):
        return mapper
    if isinstance(mapper, dict) and hasattr(mapper, "__missing__"):
        return mapper.__getitem__
    if not isinstance(mapper, dict):
        mapper = dict(zip(mapper.index, mapper, strict=True))
    return lambda label: mapper.get(label, np.nan)


class TextAccess:
    """What an index of texts has more."""

    @property
    def str(self) -> Any:
        """The methods of texts. Raises AttributeError where the labels are no texts."""
        return above.StringMethods(self)
