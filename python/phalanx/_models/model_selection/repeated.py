"""Splits into k parts, several times in other orders."""

from __future__ import annotations

import numbers
from collections.abc import Iterator
from typing import Any

from ..options import generator_of
from .base import Split, Splitter
from .folds import Folds, KFold, StratifiedKFold


class _Repeated(Splitter):
    _folds: Any = Folds

    def __init__(self, *, n_splits: int = 5, n_repeats: Any = 10, random_state: Any = None) -> None:
        if not isinstance(n_repeats, numbers.Integral) or n_repeats <= 0:
            raise ValueError("Number of repetitions must be greater than 0.")
        self.n_splits = n_splits
        self.n_repeats = int(n_repeats)
        self.random_state = random_state

    def _splits(self, count: int, y: Any, groups: Any) -> Iterator[Split]:
        random = generator_of(self.random_state)
        for _ in range(self.n_repeats):
            folds = self._folds(self.n_splits, shuffle=True, random_state=random)
            yield from folds._splits(count, y, groups)

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return how many pairs there are.

        >>> from phalanx.ml.model_selection import RepeatedKFold
        >>> RepeatedKFold(n_splits=2, n_repeats=2, random_state=0).get_n_splits()
        4
        """
        return self.n_splits * self.n_repeats


class RepeatedKFold(_Repeated):
    """`KFold`, `n_repeats` times. Parameters are scikit-learn's.

    >>> from phalanx.ml.model_selection import RepeatedKFold
    >>> splitter = RepeatedKFold(n_splits=2, n_repeats=2, random_state=0)
    >>> for train, test in splitter.split(range(4)):
    ...     print(train, test)
    [0 1] [2 3]
    [2 3] [0 1]
    [1 3] [0 2]
    [0 2] [1 3]
    """

    _folds = KFold


class RepeatedStratifiedKFold(_Repeated):
    """`StratifiedKFold`, `n_repeats` times. Parameters are scikit-learn's.

    >>> from phalanx.ml.model_selection import RepeatedStratifiedKFold
    >>> splitter = RepeatedStratifiedKFold(n_splits=2, n_repeats=1, random_state=0)
    >>> for train, test in splitter.split(range(4), [0, 0, 1, 1]):
    ...     print(train, test)
    [0 3] [1 2]
    [1 2] [0 3]
    """

    _folds = StratifiedKFold
