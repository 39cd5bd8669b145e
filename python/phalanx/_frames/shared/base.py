"""What `Series` and `DataFrame` are: columns of one length over an index."""

from __future__ import annotations

import copy as copying
import sys
from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Any, NoReturn, Self

from ..columns import Column
from ..columns.numbers import NumberColumn
from ..columns.selected import Filter, SelectedColumn
from ..columns.unread import read_together, rows_of
from ..in_place import InPlace
from ..indexes.making import labels_of
from .chaining import warn_of_method

if TYPE_CHECKING:
    from ..indexes.index import Index


class _Index:
    """The labels of rows that a filter keeps, made when they are asked for.

    It is found only where an object has no `_index` in its own dictionary.
    """

    def __get__(self, of: Any, owner: Any) -> Any:
        if of is None:
            return self
        made = of.__dict__["_filtered"].index
        of.__dict__["_index"] = made
        return made


def with_labels(index: Any) -> dict[str, Any]:
    """What the dictionary of an object has of an index, or of a filter of one."""
    return {"_filtered": index} if isinstance(index, Filter) else {"_index": index}


def _state_of(column: Column) -> tuple[str, Any]:
    """What a column is, and the array that it is computed as."""
    if isinstance(column, SelectedColumn) and column.whole is not None:
        return f"{column.dtype}, the rows of a filter, not gathered; of all rows:", column.whole
    rows = rows_of(column)
    if rows is not None:
        return f"{column.dtype}, {rows.told()}", None
    if isinstance(column, NumberColumn):
        return str(column.dtype), column.values
    return f"{column.dtype}, in memory", None


class Labelled(InPlace):
    """Columns over an index. Columns never change: an assignment puts another one in the place.

    `_parts` has the columns in their order. A method that goes column by column is written once
    for both classes, by `_each` and `_with`.
    """

    _index: Any = _Index()
    _parts: list[Column]
    attrs: dict[Hashable, Any]
    ndim: int

    def _with(self, parts: Sequence[Column], index: Index | None = None) -> Self:
        """An object of the same labels with other columns, and with another index if given."""
        raise NotImplementedError

    def _lies_on(self) -> Any:
        own = self.__dict__
        for each in own.get("_parts", ()):
            device = each.device
            if device is not None:
                return device
        return own["_index"]._lies_on() if "_index" in own else None

    def _each(self, function: Callable[[Column], Column]) -> Self:
        """An object of what a function makes of each column."""
        read_together(self._parts)
        return self._with([function(each) for each in self._parts])

    def _become(self, other: Self) -> None:
        """Take over all that another object is; for methods with ``inplace``."""
        warn_of_method(sys.getrefcount(self), self)
        for name in ("_index", "_filtered"):
            self.__dict__.pop(name, None)
        self.__dict__.update(other.__dict__)

    def _keep_attrs(self, made: Any) -> Any:
        """The attributes of this go to what is made of it."""
        if self.attrs:
            made.__dict__["attrs"] = copying.deepcopy(self.attrs)
        return made

    @property
    def _constructor(self) -> type[Self]:
        """The class; libraries that take pandas' objects make others like them by it."""
        return type(self)

    # Labels of rows.

    @property
    def index(self) -> Index:
        """The labels of the rows; may be set to as many others."""
        return self._index  # type: ignore[no-any-return]

    @index.setter
    def index(self, labels: Any) -> None:
        self._become(self._with(self._parts, self._new_index(labels)))

    def _new_index(self, labels: Any) -> Index:
        made = labels_of(labels)
        if len(made) != len(self):
            raise ValueError(
                f"Length mismatch: Expected axis has {len(self)} elements, new values have "
                f"{len(made)} elements"
            )
        return made  # type: ignore[no-any-return]

    @property
    def _row_labels(self) -> Any:
        """The index, or the filter that it will be made by: one object for equal rows."""
        filtered = self.__dict__.get("_filtered")
        return self._index if filtered is None else filtered

    def __len__(self) -> int:
        filtered = self.__dict__.get("_filtered")
        return len(self._index) if filtered is None else filtered.count

    def _explained_columns(self) -> list[tuple[Any, str, Any]]:
        """For `explain`: each column's label, what it is, and its array where it has one."""
        labels = [self._name] if self.ndim == 1 else list(self._columns)  # type: ignore[attr-defined]
        return [(label, *_state_of(each)) for label, each in zip(labels, self._parts, strict=True)]

    # Sizes.

    @property
    def shape(self) -> tuple[int, ...]:
        """Rows, and for a frame columns."""
        raise NotImplementedError

    @property
    def size(self) -> int:
        """The number of elements."""
        return len(self) * len(self._parts)

    @property
    def empty(self) -> bool:
        """True if there is no element."""
        return 0 in self.shape

    def _axis(self, axis: Any) -> int:
        """0 or 1 of a number or of ``"index"``, ``"rows"``, ``"columns"``."""
        number = {"index": 0, "rows": 0, "columns": 1}.get(axis, axis)
        if isinstance(number, bool) or number not in range(self.ndim):
            raise ValueError(f"No axis named {axis} for object type {type(self).__name__}")
        return int(number)

    # Copies: columns never change, so that one is as good as the other.

    def copy(self, deep: bool = True) -> Self:
        """An object of its own; as in pandas 3, no change of one is seen in the other."""
        return self._keep_attrs(self._with(list(self._parts)))  # type: ignore[no-any-return]

    def __copy__(self) -> Self:
        return self.copy()

    def __deepcopy__(self, memo: Any) -> Self:
        return self.copy()

    def __bool__(self) -> NoReturn:
        raise ValueError(
            f"The truth value of a {type(self).__name__} is ambiguous. Use a.empty, a.bool(), "
            "a.item(), a.any() or a.all()."
        )

    __hash__ = None  # type: ignore[assignment]

    def pipe(self, func: Any, *args: Any, **kwargs: Any) -> Any:
        """``func(self, ...)``; a pair of a function and a keyword names where this goes."""
        if not isinstance(func, tuple):
            return func(self, *args, **kwargs)
        function, keyword = func
        if keyword in kwargs:
            raise ValueError(f"{keyword} is both the pipe target and a keyword argument")
        kwargs[keyword] = self
        return function(*args, **kwargs)
