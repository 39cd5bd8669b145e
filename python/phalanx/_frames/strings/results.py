"""What `Series.str` and `Index.str` are made of: texts, and results under their labels."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import wraps
from typing import Any, TypeVar

import numpy as np

from .. import above
from ..columns.column import Column
from ..columns.inference import kind_of
from ..columns.making import column_of
from ..columns.objects import ObjectColumn, object_array
from ..columns.strings import StringColumn
from ..dtypes import CategoricalDtype, StringDtype
from ..in_place import InPlace
from ..indexes.index import Index
from ..indexes.making import index_of
from ..indexes.multi import MultiIndex
from ..missing import is_missing
from ..signatures import NO_DEFAULT
from . import rows
from .rows import Function, Whole

Method = TypeVar("Method", bound=Callable[..., Any])


def sort_of(column: Column) -> str:
    """'string', 'empty', 'bytes', 'mixed', 'mixed-integer', or what else a column is of."""
    if isinstance(column.dtype, CategoricalDtype):
        return sort_of(column.dtype.values)
    if isinstance(column.dtype, StringDtype):
        return "string"
    if not isinstance(column, ObjectColumn):
        return str(column.dtype)
    kept = [each for each in column.objects if not is_missing(each)]
    kinds = {"bytes" if isinstance(each, bytes) else kind_of(each) for each in kept}
    if not kinds:
        return "empty"
    if kinds in ({"text"}, {"bytes"}):
        return "string" if kinds == {"text"} else "bytes"
    if len(kinds) == 1 and kinds != {"object"}:
        return {"int": "integer", "float": "floating", "bool": "boolean"}.get(*kinds, *kinds)
    if kinds == {"int", "float"}:
        return "mixed-integer-float"
    return "mixed-integer" if "int" in kinds else "mixed"


_WITH_TEXTS = ("string", "empty", "bytes", "mixed", "mixed-integer")


def of_texts_only(method: Method) -> Method:
    """A method that columns of bytes have not: TypeError says so."""

    @wraps(method)
    def checked(self: Any, *args: Any, **keywords: Any) -> Any:
        if self._sort == "bytes":
            raise TypeError(
                f"Cannot use .str.{method.__name__} with values of inferred dtype 'bytes'."
            )
        return method(self, *args, **keywords)

    return checked  # type: ignore[return-value]


class Texts(InPlace):
    """The texts of a series or an index. Raises AttributeError where there are none."""

    def __init__(self, of: Any) -> None:
        if getattr(of, "nlevels", 1) > 1:
            raise AttributeError("Can only use .str accessor with Index, not MultiIndex")
        self._is_index = isinstance(of, Index)
        self._of = of
        self._column: Column = of._values_column() if self._is_index else of._column
        self._sort = sort_of(self._column)
        if self._sort not in _WITH_TEXTS:
            raise AttributeError(f"Can only use .str accessor with string values, not {self._sort}")

    def __iter__(self) -> Iterator[Any]:
        raise TypeError(f"'{type(self).__name__}' object is not iterable")

    # Results of one column.

    def _texts(self, function: Function, whole: Whole = None, *, keeps: bool = False) -> Any:
        return self._labelled(rows.texts(self._column, function, whole, keeps=keeps))

    def _flags(self, function: Function, na: Any = NO_DEFAULT, whole: Whole = None) -> Any:
        return self._labelled(rows.flags(self._column, function, na, whole))

    def _counts(self, function: Function, whole: Whole = None) -> Any:
        return self._labelled(rows.counts(self._column, function, whole))

    def _objects(self, function: Function) -> Any:
        return self._labelled(rows.objects(self._column, function))

    def _labelled(self, column: Column, name: Any = NO_DEFAULT, *, infers: bool = True) -> Any:
        """A series over the same index; of an index an index, or an array of bools."""
        label = self._of.name if name is NO_DEFAULT else name
        if not self._is_index:
            made = type(self._of)._of(column, self._of._index, label)
            return self._of._keep_attrs(made)
        if column.dtype.kind == "b":
            return column.to_numpy()
        if infers and isinstance(column, ObjectColumn):
            column = _inferred(column)
        return index_of(column)._named(label)

    # Results of several columns.

    @property
    def _dtype(self) -> Any:
        """The dtype of the texts: that of the categories where there are some."""
        dtype = self._column.dtype
        return dtype.values.dtype if isinstance(dtype, CategoricalDtype) else dtype

    def _frame(self, columns: Sequence[Column], names: Any) -> Any:
        """A frame over the same index; of an index one of levels."""
        if self._is_index:
            raise NotImplementedError("columns of an index: use index.to_series().str")
        made = above.DataFrame._of(list(columns), self._of._index, index_of(names, tuples=False))
        return self._of._keep_attrs(made)

    def _levels(self, parts: Sequence[Sequence[Any]], names: Any = None) -> Any:
        """An index of the parts of each text; an index without levels where all have one part."""
        width = max(map(len, parts), default=0)
        filled = [(*each, *[None] * (width - len(each))) for each in parts]
        if width == 1:
            name = names[0] if names is not None and len(names) else None
            return index_of([each[0] for each in filled])._named(name)
        return MultiIndex.from_tuples(filled, names=names)

    def _listed(self) -> list[Any]:
        """The texts as Python has them."""
        return list(self._column.objects_of())

    def _as_dtype(self, values: Sequence[Any]) -> Column:
        """Texts, some of them None, in the dtype of the accessor's own."""
        if isinstance(self._dtype, StringDtype):
            return column_of(object_array(list(values)), self._dtype)
        return ObjectColumn(object_array(list(values)))

    def _text_column(self) -> StringColumn | None:
        """The column where it is one of texts, which the engine takes."""
        return self._column if isinstance(self._column, StringColumn) else None


def _inferred(column: ObjectColumn) -> Column:
    """An index of objects takes the dtype of the texts, where all are."""
    if any(isinstance(each, (list, tuple, np.ndarray)) for each in column.objects):
        return column
    return column_of(column.objects)
