"""Loops over the rows of sparse samples, on the host's cores.

Columns are unsigned (`unsigned`), so that no index is asked whether it counts from the end.
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np

from .. import get_num_threads, njit, prange

# The columns and ends of dense rows, which have none.
WHOLE = (np.zeros(1, np.int64), np.zeros(1, np.int64))
_FAST = {"contract", "reassoc"}
_FEWEST = 1 << 16  # elements of a part
_WIDTHS = (1, 2, 4, 8, 12, 16, 20, 24, 28, 32)  # of tables that one pass over the samples takes
# Columns of a report of rows.
_TOTAL, _NEGATIVE, _UNSORTED, _OUTSIDE = range(4)


class Facts(NamedTuple):
    """What one read tells of rows: of their values, and whether columns are right."""

    total: float  # of values; neither a number nor infinite where one is
    has_negative: bool
    is_sorted: bool  # in each row, without repeats
    is_inside: bool


def unsigned(columns: np.ndarray) -> np.ndarray:
    """The same numbers of columns as unsigned ones."""
    return columns.view(f"u{columns.dtype.name}")


def parts_of(elements: int, each: int = 1) -> int:
    """How many parts that many elements are worth, `each` for each core at most."""
    return max(1, min(each * get_num_threads(), elements // _FEWEST))


@njit(fastmath=_FAST)
def _facts_of_values(values: Any, report: Any) -> None:
    # How many are negative, as a least value keeps the loop from being vectors.
    total, negative = 0.0, 0
    for k in range(len(values)):
        value = np.float64(values[k])
        total += value
        negative += 1 if value < 0.0 else 0
    report[_TOTAL] = total
    report[_NEGATIVE] = negative


@njit
def _facts_of_columns(columns: Any, features: Any, report: Any) -> None:
    # In vectors: all neighbors are compared, also the last and the first of two rows.
    own, before, falls, outside = columns[1:], columns[:-1], 0, 0
    if columns[0] < 0 or columns[0] >= features:
        outside = 1
    for k in range(len(own)):
        falls += 1 if own[k] <= before[k] else 0
        outside += 1 if own[k] < 0 or own[k] >= features else 0
    report[_UNSORTED] += falls
    report[_OUTSIDE] = outside


@njit(parallel=True)
def _facts(values: Any, columns: Any, ends: Any, features: Any, reports: Any) -> None:
    parts, rows = reports.shape[0], ends.shape[0] - 1
    each = (rows + parts - 1) // parts
    for part in prange(parts):
        first_row, last_row = min(rows, part * each), min(rows, (part + 1) * each)
        first, last = ends[first_row], ends[last_row]
        if first < last:
            falls = 0
            for row in range(first_row, last_row):
                start = ends[row]
                if first < start < ends[row + 1]:
                    falls += 1 if columns[start] <= columns[start - 1] else 0
            reports[part, _UNSORTED] = -falls
            _facts_of_values(values[first:last], reports[part])
            _facts_of_columns(columns[first:last], features, reports[part])


def facts_of(values: np.ndarray, columns: np.ndarray, ends: np.ndarray, features: int) -> Facts:
    """What is to be known of rows before they are used; columns are as they were given."""
    reports = np.zeros((parts_of(len(values)), 4))
    _facts(values, columns, ends, features, reports)
    found = reports.sum(axis=0).tolist()
    return Facts(
        total=found[_TOTAL],
        has_negative=found[_NEGATIVE] > 0,
        is_sorted=found[_UNSORTED] == 0,
        is_inside=found[_OUTSIDE] == 0,
    )


@cache
def _products(width: int) -> Any:
    """Rows times a table of `width` columns, which stay in registers and are known to the compiler.

    A runtime's number of columns took 2.5 times as long, as it was looked at for each value.
    """

    @njit(parallel=True)
    def products(values: Any, columns: Any, ends: Any, table: Any, out: Any, parts: Any) -> None:
        rows = out.shape[0]
        each = (rows + parts - 1) // parts
        for part in prange(parts):
            own = np.empty(width)
            for row in range(part * each, min(rows, (part + 1) * each)):
                for k in range(width):
                    own[k] = 0.0
                for place in range(ends[row], ends[row + 1]):
                    value, column = values[place], columns[place]
                    for k in range(width):
                        own[k] += value * table[column, k]
                for k in range(width):
                    out[row, k] = own[k]

    return products


def row_products(
    values: np.ndarray, columns: np.ndarray, ends: np.ndarray, table: np.ndarray
) -> np.ndarray:
    """Rows @ table, float64, of a table of columns x k."""
    rows, wanted = len(ends) - 1, table.shape[1]
    made = []
    parts = parts_of(len(values), 8)
    for first in range(0, wanted, _WIDTHS[-1]):
        part = table[:, first : first + _WIDTHS[-1]]
        width = next(each for each in _WIDTHS if each >= part.shape[1])
        right = np.zeros((len(table), width)) if width > part.shape[1] else None
        if right is None:
            right = np.ascontiguousarray(part, np.float64)
        else:
            right[:, : part.shape[1]] = part
        out = np.empty((rows, width))
        _products(width)(values, unsigned(columns), ends, right, out, parts)
        made.append(out[:, : part.shape[1]])
    if len(made) == 1:
        return made[0]
    return np.concatenate(made, axis=1) if made else np.zeros((rows, 0))


@njit(parallel=True)
def _sums_by(values: Any, columns: Any, ends: Any, groups: Any, shares: Any, sums: Any) -> None:
    parts, rows = sums.shape[0], ends.shape[0] - 1
    each = (rows + parts - 1) // parts
    for part in prange(parts):
        for row in range(part * each, min(rows, (part + 1) * each)):
            own, share = sums[part, groups[row]], shares[row]
            for place in range(ends[row], ends[row + 1]):
                own[columns[place]] += share * values[place]


def sums_by_group(
    values: np.ndarray,
    columns: np.ndarray,
    ends: np.ndarray,
    groups: np.ndarray,
    shares: np.ndarray,
    shape: tuple[int, int],
) -> np.ndarray:
    """The sum of each group's rows, each times its share: groups x columns, float64.

    Each core has sums of its own, unless there are more of them than values.
    """
    parts = max(1, min(parts_of(len(values)), len(values) // max(shape[0] * shape[1], 1)))
    sums = np.zeros((parts, *shape))
    _sums_by(values, unsigned(columns), ends, groups, shares, sums)
    return np.asarray(sums[0] if parts == 1 else sums.sum(axis=0))


@njit(parallel=True)
def _spreads(values: Any, columns: Any, mean: Any, sums: Any, counts: Any) -> None:
    parts = sums.shape[0]
    each = (len(values) + parts - 1) // parts
    for part in prange(parts):
        first, last = part * each, min(len(values), (part + 1) * each)
        own, places = values[first:last], columns[first:last]
        squares, count = sums[part], counts[part]
        for k in range(len(own)):
            column = places[k]
            apart = own[k] - mean[column]
            squares[column] += apart * apart
            count[column] += 1


def spreads(
    values: np.ndarray, columns: np.ndarray, mean: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The sum of squares of each column's values less its mean, float64, and how many there are."""
    parts = max(1, min(parts_of(len(values)), len(values) // max(len(mean), 1)))
    sums, counts = np.zeros((parts, len(mean))), np.zeros((parts, len(mean)), np.int64)
    _spreads(values, unsigned(columns), mean, sums, counts)
    return sums.sum(axis=0), counts.sum(axis=0)


@cache
def _by_column(divides: bool) -> Any:
    @njit(parallel=True, error_model="numpy")
    def by_column(values: Any, columns: Any, numbers: Any, parts: Any, out: Any) -> None:
        each = (len(values) + parts - 1) // parts
        for part in prange(parts):
            first, last = part * each, min(len(values), (part + 1) * each)
            own, places, made = values[first:last], columns[first:last], out[first:last]
            for k in range(len(own)):
                number = numbers[places[k]]
                made[k] = own[k] / number if divides else own[k] * number

    return by_column


def by_column(
    values: np.ndarray, columns: np.ndarray, numbers: np.ndarray, *, divides: bool
) -> np.ndarray:
    """Values divided by, or times, the number of their column, in the dtype of the values."""
    out = np.empty_like(values)
    parts = parts_of(len(values), 8)
    _by_column(divides)(values, unsigned(columns), np.ascontiguousarray(numbers), parts, out)
    return out


@cache
def _normalized(norm: str) -> Any:
    is_l1, is_l2 = norm == "l1", norm == "l2"

    @njit(parallel=True, error_model="numpy")
    def normalized(values: Any, ends: Any, parts: Any, out: Any) -> None:
        rows = ends.shape[0] - 1
        each = (rows + parts - 1) // parts
        for part in prange(parts):
            for row in range(part * each, min(rows, (part + 1) * each)):
                own, made = values[ends[row] : ends[row + 1]], out[ends[row] : ends[row + 1]]
                size = 0.0
                for k in range(len(own)):
                    value = abs(np.float64(own[k]))
                    if is_l2:
                        size += value * value
                    elif is_l1:
                        size += value
                    else:
                        size = max(size, value)
                if is_l2:
                    size = np.sqrt(size)
                size = 1.0 if size == 0.0 else size
                for k in range(len(own)):
                    made[k] = own[k] / size

    return normalized


def normalized_values(values: np.ndarray, ends: np.ndarray, norm: str) -> np.ndarray:
    """The values of rows, each row of norm 1 (``"l1"``, ``"l2"``, ``"max"``), in their dtype.

    Rows of zeros stay.
    """
    out = np.empty_like(values)
    _normalized(norm)(values, ends, parts_of(len(values), 8), out)
    return out


@njit(parallel=True)
def _count(columns: Any, places: Any, counts: Any) -> None:
    for part in prange(counts.shape[0]):
        own = counts[part]
        for place in range(places[part], places[part + 1]):
            own[columns[place]] += 1


@njit(parallel=True)
def _move(values: Any, columns: Any, ends: Any, starts: Any, moved: Any, rows_of: Any) -> None:
    parts, rows = starts.shape[0], ends.shape[0] - 1
    each = (rows + parts - 1) // parts
    for part in prange(parts):
        own = starts[part]
        for row in range(part * each, min(rows, (part + 1) * each)):
            for place in range(ends[row], ends[row + 1]):
                column = columns[place]
                to = own[column]
                own[column] = to + 1
                moved[to] = values[place]
                rows_of[to] = row


def transposed(
    values: np.ndarray, columns: np.ndarray, ends: np.ndarray, features: int
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Values, rows and ends by columns, rows in order, by counting: each core moves some rows."""
    count = len(ends) - 1
    parts = max(1, min(parts_of(len(values)), len(values) // max(features, 1)))
    each = -(-count // parts)
    places = ends[np.minimum(np.arange(parts + 1) * each, count)]
    counts = np.zeros((parts, features), np.int64)
    _count(unsigned(columns), places, counts)
    made = np.append(0, np.cumsum(counts.sum(axis=0)))
    starts = made[:-1] + np.cumsum(counts, axis=0) - counts
    moved = np.empty_like(values)
    is_long = count > np.iinfo(np.int32).max
    rows_of = np.empty(len(columns), np.int64 if is_long else columns.dtype)
    _move(values, unsigned(columns), ends, starts, moved, rows_of)
    return moved, rows_of, made


@cache
def vector_functions(is_sparse: bool) -> tuple[Any, Any]:
    """A product of a row with a vector, and a vector to which a row times a number is added.

    Their arguments are the vector, values, columns (`unsigned`) and ends (`WHOLE` of dense rows),
    and the row.
    """
    return _of_sparse_rows() if is_sparse else _of_dense_rows()


def _of_sparse_rows() -> tuple[Any, Any]:
    # Slices of the row: their indices are asked for no bounds and no sign.
    @njit(fastmath=_FAST)
    def product(w: Any, values: Any, columns: Any, ends: Any, i: Any) -> Any:
        own, places, total = values[ends[i] : ends[i + 1]], columns[ends[i] : ends[i + 1]], 0.0
        for k in range(len(own)):
            total += w[places[k]] * own[k]
        return total

    @njit(fastmath=_FAST)
    def moved(w: Any, values: Any, columns: Any, ends: Any, i: Any, share: Any) -> None:
        own, places = values[ends[i] : ends[i + 1]], columns[ends[i] : ends[i + 1]]
        for k in range(len(own)):
            w[places[k]] += share * own[k]

    return product, moved


def _of_dense_rows() -> tuple[Any, Any]:
    @njit(fastmath=_FAST)
    def product(w: Any, values: Any, columns: Any, ends: Any, i: Any) -> Any:
        total = 0.0
        for j in range(w.shape[0]):
            total += w[j] * values[i, j]
        return total

    @njit(fastmath=_FAST)
    def moved(w: Any, values: Any, columns: Any, ends: Any, i: Any, share: Any) -> None:
        for j in range(w.shape[0]):
            w[j] += share * values[i, j]

    return product, moved
