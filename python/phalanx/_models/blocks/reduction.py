"""Sums over processes that compute together: what they have in common in place of a memory."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np


class Reduction(Protocol):
    """What processes add up arrays by: each gives one, and each gets the sum of all.

    All make the same calls in the same order with the same shapes.
    """

    rank: int
    size: int

    @property
    def is_broken(self) -> bool:
        """True if it was given up, or is to be."""

    def all_reduce(self, array: np.ndarray) -> np.ndarray:
        """The sum over all processes."""

    def queue_sum(self, given: Any, made: Any) -> None:
        """Tells the device to add up float64 in memory of each process, into other memory."""

    def wait(self) -> None:
        """Wait until the device has done what it was told."""

    def close(self) -> None:
        """Give up: the other processes wait no longer than until somebody tells them."""


class Alone:
    """The sums of one process."""

    rank, size = 0, 1

    @property
    def is_broken(self) -> bool:
        """Never."""
        return False

    def all_reduce(self, array: np.ndarray) -> np.ndarray:
        """The array itself."""
        return array

    def queue_sum(self, given: Any, made: Any) -> None:
        """A copy."""
        made.copy_from(given)

    def wait(self) -> None:
        """Nothing: whoever reads waits."""

    def close(self) -> None:
        """Nothing."""


def beside(reduction: Reduction, number: int) -> np.ndarray:
    """The numbers of all processes, in their order."""
    own = np.zeros(reduction.size, np.int64)
    own[reduction.rank] = number
    return reduction.all_reduce(own)
