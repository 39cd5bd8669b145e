"""Numbers for each group, with pandas' dtypes: what `_engine.frames.aggregate` has."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

import phalanx as px

from .digits import joint_digits, part_of
from .folding import folded
from .sorted_groups import by_group, distinct, products, quantiles
from .words import Word, words_of

_INTERPOLATIONS = ("linear", "lower", "higher", "nearest", "midpoint")


class Memo:
    """What was computed of the same arrays before, for aggregations that share it.

    What is as long as the rows is kept only where pairs of columns will ask for it again: it
    takes memory.
    """

    def __init__(self, *, keeps_rows: bool) -> None:
        self._keeps_rows = keeps_rows
        self._held: dict[tuple[Any, ...], tuple[Any, Any]] = {}

    def of(self, name: str, arrays: tuple[Any, ...], compute: Callable[[], Any]) -> Any:
        """What has a number for each group."""
        key = (name, *map(id, arrays))
        if key not in self._held:
            self._held[key] = (arrays, compute())  # the arrays stay, so that their ids are theirs
        return self._held[key][1]

    def rows_of(self, name: str, arrays: tuple[Any, ...], compute: Callable[[], Any]) -> Any:
        """What has a number for each row."""
        return self.of(name, arrays, compute) if self._keeps_rows else compute()


class Rows(NamedTuple):
    """The codes of the rows that count, -1 of the others, and a column of values."""

    codes: Any
    groups: int
    values: Any
    memo: Memo

    def fold(self, name: str, dtype: Any, values: Any = None) -> Any:
        """A fold of the values, or of others."""
        given = self.values if values is None else values
        return folded(name, self.codes, self.groups, given, dtype)

    def counts(self) -> Any:
        """How many rows each group has, without those that are NaN."""
        arrays = (self.codes, self.values) if self.values.dtype.kind == "f" else (self.codes,)
        return self.memo.of("count", arrays, lambda: self.fold("count", "int64"))

    def means(self) -> Any:
        """The mean of each group; 0 of those without rows."""
        counts = px.maximum(self.counts(), 1).astype(np.float64)
        own = (self.codes, self.values)
        return self.memo.of("means", own, lambda: self.fold("sum", "float64") / counts)

    def apart(self) -> Any:
        """The distance of each row from its group's mean; of rows in no group anything."""

        def compute() -> Any:
            return self.values.astype(np.float64) - self.means()[px.maximum(self.codes, 0)]

        return self.memo.rows_of("apart", (self.codes, self.values), compute)

    def rounding(self) -> Any:
        """The sum of the distances of each group, which rounding alone makes differ from 0."""
        own = (self.codes, self.values)
        return self.memo.of("rounding", own, lambda: self.fold("sum", "float64", self.apart()))

    def squares(self) -> Any:
        """The sum of the squares of the distances of each group."""
        return self.memo.of("squares", (self.codes, self.values), lambda: _co_moment(self, self))


def aggregate(codes: Any, groups: int, aggregations: Sequence[tuple[Any, ...]]) -> list[Any]:
    """Numbers for each group: of (values, valid, kind[, argument]) a tuple (values, valid).

    `valid` is None where all groups have one. The argument: ddof of var and std; (quantile,
    interpolation); (values, valid, ddof) of the second column of corr and cov. Raises ValueError
    for a kind that is not known, or an argument that does not fit.
    """
    memo = Memo(keeps_rows=any(each[2] in ("corr", "cov") for each in aggregations))
    return [_aggregated(Rows(codes, groups, values, memo), *how) for values, *how in aggregations]


def _aggregated(rows: Rows, valid: Any, kind: str, argument: Any = None) -> Any:
    codes, groups, values, memo = rows
    if kind not in KINDS:
        raise ValueError(f"there is no aggregation '{kind}'")
    if kind == "size":
        return folded("count", codes, groups, codes, "int64"), None
    if valid is not None:
        codes = px.where(valid, codes, codes.dtype.type(-1))
    if values.dtype.kind in "mM":
        values = values.view(np.int64)
        codes = px.where(values == np.iinfo(np.int64).min, codes.dtype.type(-1), codes)
    return KINDS[kind](Rows(codes, groups, values, memo), argument)


def _widened(dtype: np.dtype) -> np.dtype:
    if dtype.kind == "f":
        return dtype
    return np.dtype("uint64" if dtype.kind == "u" else "int64")


def _floating(dtype: np.dtype) -> np.dtype:
    return dtype if dtype == np.float32 else np.dtype("float64")


def _accumulator(dtype: np.dtype) -> np.dtype:
    wide = _widened(dtype)
    return np.dtype("float64") if wide.kind == "f" else wide


def _sum(rows: Rows, _: Any) -> Any:
    wide = _widened(rows.values.dtype)
    return rows.fold("sum", _accumulator(wide)).astype(wide), None


def _product(rows: Rows, _: Any) -> Any:
    values = rows.values
    wide = _widened(values.dtype)
    order = by_group(rows.codes, rows.groups, there=_there(values))
    return products(values, order, _accumulator(wide)).astype(wide), None


def _there(values: Any) -> Any:
    return values == values if values.dtype.kind == "f" else None


def _checked(numbers: Any, has: Any, dtype: np.dtype) -> Any:
    """Numbers, NaN where there is none, and where they are."""
    return px.where(has, numbers, np.nan).astype(dtype), has


def _mean(rows: Rows, _: Any) -> Any:
    return _checked(rows.means(), rows.counts() > 0, _floating(rows.values.dtype))


def _co_moment(one: Rows, other: Rows) -> Any:
    """The sum over a group of the products of two distances, less what rounding left in them."""
    apart = one.apart()
    both = one.fold("sum", "float64", apart * (apart if one is other else other.apart()))
    counts = px.maximum(one.counts(), 1).astype(np.float64)
    return both - one.rounding() * other.rounding() / counts


def _variance(rows: Rows, ddof: Any) -> Any:
    ddof = 1 if ddof is None else ddof
    if rows.groups == 0 or len(rows.values) == 0:
        return _checked(
            px.zeros(rows.groups, device=rows.codes.device),
            px.zeros(rows.groups, "bool", device=rows.codes.device),
            _floating(rows.values.dtype),
        )
    counts = rows.counts()
    made = rows.squares() / px.maximum(counts - ddof, 1).astype(np.float64)
    return _checked(made, counts > ddof, _floating(rows.values.dtype))


def _deviation(rows: Rows, ddof: Any) -> Any:
    made, has = _variance(rows, ddof)
    return px.sqrt(made), has


def _extreme(name: str) -> Any:
    def found(rows: Rows, _: Any) -> Any:
        at, has = _at_extreme(name)(rows, None)
        if len(rows.values) == 0:
            return rows.values[px.zeros(0, "int64", device=at.device)], has
        return rows.values[px.maximum(at, 0)], has

    return found


def _at_extreme(name: str) -> Any:
    """The first row of the least, or greatest, value of each group; -1 where there is none."""

    def found(rows: Rows, _: Any) -> Any:
        if rows.groups == 0 or len(rows.values) == 0:
            return _missing_rows(rows)
        image, missing = part_of(rows.values, None, False)
        codes = rows.codes
        if missing is not None:
            codes = px.where(missing, codes.dtype.type(-1), codes)
        best = folded(name, codes, rows.groups, image, image.dtype)
        is_best = (codes >= 0) & (image == best[px.maximum(codes, 0)])
        codes = px.where(is_best, codes, codes.dtype.type(-1))
        return _rows_of(codes, rows.groups, "first")

    return found


def _missing_rows(rows: Rows) -> Any:
    device = rows.codes.device
    made = px.full(rows.groups, -1, dtype="int64", device=device)
    return made, px.zeros(rows.groups, "bool", device=device)


def _rows_of(codes: Any, groups: int, name: str) -> Any:
    found = folded(name, codes, groups, codes, "int64")
    has = (found >= 0) & (found < len(codes))
    return px.where(has, found, np.int64(-1)), has


def _row(name: str) -> Any:
    """The first or last row of each group that is not missing; -1 where there is none."""

    def found(rows: Rows, _: Any) -> Any:
        there = _there(rows.values)
        codes = (
            rows.codes if there is None else px.where(there, rows.codes, rows.codes.dtype.type(-1))
        )
        return _rows_of(codes, rows.groups, name)

    return found


def _value(name: str) -> Any:
    def found(rows: Rows, _: Any) -> Any:
        at, has = _row(name)(rows, None)
        if len(rows.values) == 0:
            return rows.values[px.zeros(0, "int64", device=at.device)], has
        return rows.values[px.maximum(at, 0)], has

    return found


def _truth(is_all: bool) -> Any:
    def found(rows: Rows, _: Any) -> Any:
        matters = rows.values == 0 if is_all else rows.values != 0
        if (there := _there(rows.values)) is not None:
            matters = matters & there
        codes = px.where(matters, rows.codes, rows.codes.dtype.type(-1))
        seen = folded("count", codes, rows.groups, codes, "int64")
        return (seen == 0) if is_all else (seen > 0), None

    return found


def _words_of(values: Any) -> tuple[list[Word], Any]:
    part = part_of(values, None, False)
    ((digits,),) = (joint_digits([part], False),)
    there = None if part.missing is None else ~part.missing
    return words_of(digits), there


def _quantile(rows: Rows, argument: Any) -> Any:
    quantile, between = (0.5, "linear") if argument is None else argument
    if not 0 <= quantile <= 1:
        raise ValueError(f"quantiles are from 0 to 1, not {quantile}")
    if between not in _INTERPOLATIONS:
        raise ValueError(f"there is no interpolation '{between}'")
    words, there = _words_of(rows.values)
    order = by_group(rows.codes, rows.groups, *words, there=there)
    made = quantiles(rows.values, order, quantile, between)
    has = order.counts > 0
    if between in ("linear", "midpoint") or rows.values.dtype.kind == "f":
        return made, has
    return px.where(has, made, 0.0).astype(np.int64), has


def _median(rows: Rows, _: Any) -> Any:
    words, there = _words_of(rows.values)
    order = by_group(rows.codes, rows.groups, *words, there=there)
    made = quantiles(rows.values, order, 0.5, "midpoint")
    return made.astype(_floating(rows.values.dtype)), order.counts > 0


def _unique(rows: Rows, _: Any) -> Any:
    words, there = _words_of(rows.values)
    return distinct(words, rows.codes, rows.groups, there), None


def _pair(is_correlation: bool) -> Any:
    def found(rows: Rows, argument: Any) -> Any:
        if argument is None:
            raise TypeError("corr and cov need a second column: (values, valid, ddof)")
        second, valid, ddof = argument
        codes = rows.codes
        if valid is not None:
            codes = px.where(valid, codes, codes.dtype.type(-1))
        for each in (rows.values, second):
            if (there := _there(each)) is not None:
                codes = px.where(there, codes, codes.dtype.type(-1))
        one, other = (rows._replace(codes=codes, values=each) for each in (rows.values, second))
        counts, both = one.counts(), _co_moment(one, other)
        if not is_correlation:
            return _checked(both / px.maximum(counts - ddof, 1), counts > ddof, np.dtype("float64"))
        spread = one.squares() * other.squares()
        has = (counts > 1) & (spread > 0)
        made = px.clip(both / px.sqrt(px.where(has, spread, 1.0)), -1.0, 1.0)
        return _checked(made, has, np.dtype("float64"))

    return found


KINDS = {
    "size": None,
    "count": lambda rows, _: (rows.counts(), None),
    "sum": _sum,
    "product": _product,
    "mean": _mean,
    "var": _variance,
    "std": _deviation,
    "min": _extreme("min"),
    "max": _extreme("max"),
    "first": _value("first"),
    "last": _value("last"),
    "any": _truth(False),
    "all": _truth(True),
    "idxmin": _at_extreme("min"),
    "idxmax": _at_extreme("max"),
    "first_row": _row("first"),
    "last_row": _row("last"),
    "median": _median,
    "quantile": _quantile,
    "nunique": _unique,
    "corr": _pair(True),
    "cov": _pair(False),
}
