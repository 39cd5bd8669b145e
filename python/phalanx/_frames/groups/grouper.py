"""`Grouper` and `NamedAgg`: what programs describe keys and aggregations by."""

from __future__ import annotations

from typing import Any


class Grouper:
    """A key of ``groupby``: a column's label, or a level of the index.

    Raises ValueError for both at once.
    """

    __module__ = "phalanx"
    freq: Any = None

    def __init__(
        self,
        key: Any = None,
        level: Any = None,
        sort: bool = False,
        dropna: bool = True,
    ) -> None:
        self.key = key
        self.level = level
        self.sort = sort
        self.dropna = dropna

    def __repr__(self) -> str:
        names = ("key", "level", "freq", "sort", "dropna")
        told = [(name, getattr(self, name)) for name in names]
        inner = ", ".join(f"{name}={value!r}" for name, value in told if value is not None)
        return f"Grouper({inner})"


class NamedAgg:
    """A column of the result of ``agg``: of which column, and by which function.

    >>> frame = px.DataFrame({"k": ["a", "a"], "x": [1, 3]})
    >>> frame.groupby("k").agg(most=px.NamedAgg("x", "max"))
       most
    k
    a     3
    """

    __module__ = "phalanx"

    def __init__(self, column: Any, aggfunc: Any, *args: Any, **kwargs: Any) -> None:
        self.column = column
        self.aggfunc = aggfunc
        self.args = args
        self.kwargs = kwargs

    def __getitem__(self, place: int) -> Any:
        return (self.column, self.aggfunc, self.args, self.kwargs)[place]

    def __repr__(self) -> str:
        return f"NamedAgg(column={self.column!r}, aggfunc={self.aggfunc!r})"
