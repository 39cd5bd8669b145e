"""Splits that leave out single samples, groups, or what is given."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import numpy as np

from .base import Splitter, needed_groups
from .samples import count_of, on_host


def _needed_count(X: Any) -> int:
    if X is None:
        raise ValueError("The 'X' parameter should not be None.")
    return count_of(X)


class LeaveOneOut(Splitter):
    """Each sample is tested with the others.

    >>> from phalanx.ml.model_selection import LeaveOneOut
    >>> splitter = LeaveOneOut()
    >>> for train, test in splitter.split(range(3)):
    ...     print(train, test)
    [1 2] [0]
    [0 2] [1]
    [0 1] [2]
    """

    def _tests(self, count: int, y: Any, groups: Any) -> Iterator[np.ndarray]:
        if count <= 1:
            raise ValueError(f"Cannot perform LeaveOneOut with n_samples={count}.")
        yield from np.arange(count)[:, None]

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return how many samples there are.

        >>> from phalanx.ml.model_selection import LeaveOneOut
        >>> LeaveOneOut().get_n_splits(range(3))
        3
        """
        return _needed_count(X)


class LeavePOut(Splitter):
    """Each set of `p` samples is tested with the others.

    >>> from phalanx.ml.model_selection import LeavePOut
    >>> splitter = LeavePOut(2)
    >>> for train, test in splitter.split(range(3)):
    ...     print(train, test)
    [2] [0 1]
    [1] [0 2]
    [0] [1 2]
    """

    def __init__(self, p: int) -> None:
        self.p = p

    def _tests(self, count: int, y: Any, groups: Any) -> Iterator[np.ndarray]:
        if count <= self.p:
            raise ValueError(f"p={self.p} must be strictly less than the number of samples={count}")
        yield from map(np.array, combinations(range(count), self.p))

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return how many sets of `p` samples there are.

        >>> from phalanx.ml.model_selection import LeavePOut
        >>> LeavePOut(2).get_n_splits(range(3))
        3
        """
        return math.comb(_needed_count(X), self.p)


class LeaveOneGroupOut(Splitter):
    """Each group is tested with the others.

    >>> from phalanx.ml.model_selection import LeaveOneGroupOut
    >>> splitter = LeaveOneGroupOut()
    >>> for train, test in splitter.split(range(6), groups=[0, 0, 1, 1, 2, 2]):
    ...     print(train, test)
    [2 3 4 5] [0 1]
    [0 1 4 5] [2 3]
    [0 1 2 3] [4 5]
    """

    _uses_groups = True

    def _tests(self, count: int, y: Any, groups: Any) -> Iterator[np.ndarray]:
        given = on_host(needed_groups(groups))
        names = np.unique(given)
        if len(names) <= 1:
            raise ValueError(
                f"The groups parameter contains fewer than 2 unique groups ({names}). "
                "LeaveOneGroupOut expects at least 2."
            )
        for name in names:
            yield np.flatnonzero(given == name)

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return how many groups there are.

        >>> from phalanx.ml.model_selection import LeaveOneGroupOut
        >>> LeaveOneGroupOut().get_n_splits(groups=[0, 0, 1, 1, 2, 2])
        3
        """
        return len(np.unique(on_host(needed_groups(groups))))


class LeavePGroupsOut(Splitter):
    """Each set of `n_groups` groups is tested with the others.

    >>> from phalanx.ml.model_selection import LeavePGroupsOut
    >>> splitter = LeavePGroupsOut(2)
    >>> for train, test in splitter.split(range(6), groups=[0, 0, 1, 1, 2, 2]):
    ...     print(train, test)
    [4 5] [0 1 2 3]
    [2 3] [0 1 4 5]
    [0 1] [2 3 4 5]
    """

    _uses_groups = True

    def __init__(self, n_groups: int) -> None:
        self.n_groups = n_groups

    def _tests(self, count: int, y: Any, groups: Any) -> Iterator[np.ndarray]:
        given = on_host(needed_groups(groups))
        names = np.unique(given)
        if self.n_groups >= len(names):
            raise ValueError(
                f"The groups parameter contains fewer than (or equal to) n_groups "
                f"({self.n_groups}) numbers of unique groups ({names}). LeavePGroupsOut expects "
                f"that at least n_groups + 1 ({self.n_groups + 1}) unique groups be present"
            )
        for chosen in combinations(names, self.n_groups):
            yield np.flatnonzero(np.isin(given, chosen))

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return how many sets of `n_groups` groups there are.

        >>> from phalanx.ml.model_selection import LeavePGroupsOut
        >>> LeavePGroupsOut(2).get_n_splits(groups=[0, 0, 1, 1, 2, 2])
        3
        """
        return math.comb(len(np.unique(on_host(needed_groups(groups)))), self.n_groups)


class PredefinedSplit(Splitter):
    """`test_fold` says which part each sample is tested in; -1 is never.

    >>> from phalanx.ml.model_selection import PredefinedSplit
    >>> splitter = PredefinedSplit([0, 0, 1, -1])
    >>> for train, test in splitter.split():
    ...     print(train, test)
    [2 3] [0 1]
    [0 1 3] [2]
    """

    def __init__(self, test_fold: Any) -> None:
        self.test_fold = on_host(test_fold).astype(np.int64)
        self.unique_folds = np.unique(self.test_fold[self.test_fold != -1])

    def split(self, X: Any = None, y: Any = None, groups: Any = None) -> Iterator[Any]:
        """Give the pairs of the parts, in their order.

        >>> from phalanx.ml.model_selection import PredefinedSplit
        >>> splitter = PredefinedSplit([0, 0, 1, -1])
        >>> for train, test in splitter.split():
        ...     print(train, test)
        [2 3] [0 1]
        [0 1 3] [2]
        """
        return super().split(self.test_fold, None, groups)

    def _tests(self, count: int, y: Any, groups: Any) -> Iterator[np.ndarray]:
        for fold in self.unique_folds:
            yield np.flatnonzero(self.test_fold == fold)

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return how many parts there are.

        >>> from phalanx.ml.model_selection import PredefinedSplit
        >>> PredefinedSplit([0, 0, 1, -1]).get_n_splits()
        2
        """
        return len(self.unique_folds)
