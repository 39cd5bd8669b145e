"""Rows of decimals computed: words of 128 bits, each 10 to the power of a scale less.

`Words` are an int64 array of shape (rows, 2), the low word first, two's complement, and a mask of
the rows that are there (None: all), both NumPy's: decimals are computed with on the host.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from phalanx.errors import DecimalDivisionError, DecimalOverflowError

from ... import _engine
from ..arrow_dtypes import MOST_DIGITS
from ..engine import on_host

Words = tuple[np.ndarray, np.ndarray | None]


def _given(words: Words) -> tuple[np.ndarray, np.ndarray | None]:
    values, mask = words
    return on_host(values).reshape(-1), None if mask is None else on_host(mask)


def _rows(words: np.ndarray) -> np.ndarray:
    return words.reshape(-1, 2)


def of_integers(values: np.ndarray) -> np.ndarray:
    """Words of integers."""
    words = np.zeros((len(values), 2), np.int64)
    words[:, 0] = values.astype(np.uint64 if values.dtype.kind == "u" else np.int64).view(np.int64)
    if values.dtype.kind == "i":
        words[:, 1] = words[:, 0] >> 63
    return words


def of_integer(value: int) -> np.ndarray:
    """The words of one integer."""
    low, high = value & (2**64 - 1), value >> 64
    return np.array([[low - (low >> 63 << 64), high]], np.int64)


def integer_of(words: np.ndarray) -> int:
    """The integer of one row's words."""
    low, high = map(int, words.tolist())
    return high * 2**64 + (low & (2**64 - 1))


def is_int64(words: np.ndarray) -> np.ndarray:
    """Which rows are integers of 64 bits."""
    return words[:, 1] == words[:, 0] >> 63  # type: ignore[no-any-return]


def compute(name: str, left: Words, right: Words, shifts: tuple[int, int] = (0, 0)) -> np.ndarray:
    """Words of add, sub, mul or div, for which each side is first multiplied by a power of ten.

    One row meets all of the other side. Quotients are cut towards zero. Raises
    DecimalOverflowError, and DecimalDivisionError for divisors that are 0.
    """
    if max(shifts) > MOST_DIGITS:
        _overflow(f"an operand of {name} times ten to the power of {max(shifts)}")
    made, failed = _engine.frames.compute_decimals(name, _given(left), _given(right), shifts)
    if failed >= 0:
        if name == "div" and not right[0][failed if len(right[0]) > 1 else 0].any():
            raise DecimalDivisionError(f"Divide by zero: row {failed} of decimals")
        _overflow(f"row {failed} of {name}")
    return _rows(made)


def _overflow(what: str) -> None:
    raise DecimalOverflowError(
        f"{what} has more digits than the {MOST_DIGITS} that a decimal has: cast to a dtype of "
        "fewer digits after the point before, or to float64"
    )


def scale(words: Words, power: int, precision: int = MOST_DIGITS, rounding: str = "exact") -> Any:
    """Words times ten to a power, and a row that failed, or -1."""
    made, failed = _engine.frames.scale_decimals(_given(words), power, precision, rounding)
    return _rows(made), failed


def fold(
    name: str, words: Words, scale: int, codes: Any = None, groups: int = 1
) -> tuple[np.ndarray, np.ndarray]:
    """Words of sum, mean, product, min or max of each group, and its rows that are there.

    Without codes all rows are one group. Raises DecimalOverflowError.
    """
    placed = None if codes is None else on_host(codes)
    made, counts, failed = _engine.frames.fold_decimals(placed, groups, _given(words), name, scale)
    if failed >= 0:
        _overflow(f"{name} of group {failed}" if codes is not None else name)
    return _rows(made), counts


def run(name: str, words: Words, codes: Any = None, groups: int = 1) -> np.ndarray:
    """Words of sum, min or max of the rows of a group up to each. Raises DecimalOverflowError."""
    placed = None if codes is None else on_host(codes)
    made, failed = _engine.frames.run_decimals(placed, groups, _given(words), name)
    if failed >= 0:
        _overflow(f"row {failed} of the running {name}")
    return _rows(made)


def to_floats(words: Words, scale: int) -> np.ndarray:
    """The nearest float64 of each row, NaN of missing ones."""
    return np.asarray(_engine.frames.decimals_to_floats(_given(words), scale))


def of_floats(values: np.ndarray, mask: Any, scale: int, precision: int) -> Any:
    """Words of the nearest decimals, and a row that has none, or -1."""
    made, failed = _engine.frames.floats_to_decimals(on_host(values), mask, scale, precision)
    return _rows(made), failed


def to_texts(words: Words, scale: int) -> tuple[np.ndarray, np.ndarray]:
    """Offsets and bytes of rows as Python writes decimals."""
    offsets, text = _engine.frames.write_decimals(_given(words), scale)
    return offsets, text


def of_texts(key: Any, scale: int, precision: int) -> Any:
    """Words of texts, and a row that is no such decimal, or -1."""
    made, failed = _engine.frames.read_decimals(key, scale, precision)
    return _rows(made), failed


def compared(name: str, left: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Which rows are eq, ne, lt, le, gt or ge to others of the same scale."""
    if name in ("gt", "le"):
        return compared("lt" if name == "gt" else "ge", right, left)
    same_high = left[:, 1] == right[:, 1]
    if name in ("eq", "ne"):
        same = same_high & (left[:, 0] == right[:, 0])
        return same if name == "eq" else ~same  # type: ignore[no-any-return]
    less = left[:, 0].view(np.uint64) < right[:, 0].view(np.uint64)
    found: np.ndarray = np.where(same_high, less, left[:, 1] < right[:, 1])
    return found if name == "lt" else ~found
