"""`Interval`: what lies between two bounds."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np

from .cells import scalar_text

SIDES = ("right", "left", "both", "neither")


def check_closed(closed: Any) -> str:
    """The sides that belong to an interval. Raises ValueError for others."""
    if closed not in SIDES:
        raise ValueError(f"invalid option for 'closed': {closed}; pass one of {', '.join(SIDES)}")
    return str(closed)


class Sides:
    """Which bounds belong to an interval, or to all intervals of an index, as ``closed`` says."""

    __slots__ = ()
    closed: str

    @property
    def closed_left(self) -> bool:
        """True if the left bound belongs to it."""
        return self.closed in ("left", "both")

    @property
    def closed_right(self) -> bool:
        """True if the right bound belongs to it."""
        return self.closed in ("right", "both")

    @property
    def open_left(self) -> bool:
        """True if the left bound does not belong to it."""
        return not self.closed_left

    @property
    def open_right(self) -> bool:
        """True if the right bound does not belong to it."""
        return not self.closed_right


@functools.total_ordering
class Interval(Sides):
    """What lies between two bounds, of which ``closed`` says which belong to it.

    Raises ValueError where the left bound is above the right one, or for an unknown ``closed``.

    >>> 1 in px.Interval(0, 1), px.Interval(0, 1).mid
    (True, 0.5)
    """

    __module__ = "phalanx"
    __slots__ = {
        "closed": 'Which bounds belong to it: "left", "right", "both" or "neither".',
        "left": "The lower bound.",
        "right": "The upper bound.",
    }

    def __init__(self, left: Any, right: Any, closed: str = "right") -> None:
        self.closed = check_closed(closed)
        if isinstance(left, (str, list)) or isinstance(right, (str, list)):
            raise ValueError("Only numeric, Timestamp and Timedelta endpoints are allowed")
        if not left <= right:
            raise ValueError("left side of interval must be <= right side")
        self.left = left
        self.right = right

    @property
    def mid(self) -> Any:
        """The value halfway between the bounds."""
        return (
            self.left + 0.5 * self.length if self._is_number() else (self.left + self.length // 2)
        )

    def _is_number(self) -> bool:
        return not isinstance(self.left, (np.datetime64, np.timedelta64))

    @property
    def length(self) -> Any:
        """How far the bounds are from each other."""
        return self.right - self.left

    @property
    def is_empty(self) -> bool:
        """True if no value is in it: equal bounds of which one is open."""
        return bool(self.left == self.right) and self.closed != "both"

    def __contains__(self, key: Any) -> bool:
        if isinstance(key, Interval):
            low = self.left < key.left or (
                self.left == key.left and (self.closed_left or key.open_left)
            )
            high = key.right < self.right or (
                key.right == self.right and (self.closed_right or key.open_right)
            )
            return bool(low and high)
        low = self.left <= key if self.closed_left else self.left < key
        high = key <= self.right if self.closed_right else key < self.right
        return bool(low and high)

    def overlaps(self, other: Interval) -> bool:
        """True if a value is in both. Raises TypeError for what is no interval."""
        if not isinstance(other, Interval):
            raise TypeError(f"`other` must be an Interval, got {type(other).__name__}")
        first = (
            self.left <= other.right
            if self.closed_left and other.closed_right
            else (self.left < other.right)
        )
        second = (
            other.left <= self.right
            if other.closed_left and self.closed_right
            else (other.left < self.right)
        )
        return bool(first and second)

    def _key(self) -> tuple[Any, Any]:
        return self.left, self.right

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Interval):
            return NotImplemented
        return bool(self._key() == other._key()) and self.closed == other.closed

    def __lt__(self, other: Any) -> bool:
        if not isinstance(other, Interval):
            return NotImplemented
        return bool(self._key() < other._key())

    def __hash__(self) -> int:
        return hash((self.left, self.right, self.closed))

    def __add__(self, other: Any) -> Interval:
        return Interval(self.left + other, self.right + other, self.closed)

    __radd__ = __add__

    def __sub__(self, other: Any) -> Interval:
        return Interval(self.left - other, self.right - other, self.closed)

    def __mul__(self, other: Any) -> Interval:
        return Interval(self.left * other, self.right * other, self.closed)

    __rmul__ = __mul__

    def __truediv__(self, other: Any) -> Interval:
        return Interval(self.left / other, self.right / other, self.closed)

    def __floordiv__(self, other: Any) -> Interval:
        return Interval(self.left // other, self.right // other, self.closed)

    def __reduce__(self) -> Any:
        return Interval, (self.left, self.right, self.closed)

    def __repr__(self) -> str:
        left, right = map(scalar_text, self._key())
        return f"Interval({left}, {right}, closed='{self.closed}')"

    def __str__(self) -> str:
        left, right = map(scalar_text, self._key())
        return (
            f"{'[' if self.closed_left else '('}{left}, {right}{']' if self.closed_right else ')'}"
        )
