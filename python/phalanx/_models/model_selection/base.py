"""What all splitters share."""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..exceptions import warn_user
from .samples import same_count

Split = tuple[np.ndarray, np.ndarray]


class Splitter:
    """Pairs of numbers of samples, NumPy's int64: to learn from, and to test with."""

    _uses_groups = False

    def split(self, X: Any, y: Any = None, groups: Any = None) -> Iterator[Split]:
        """Give the pairs, one after another.

        Raises ValueError for lengths that differ, and for fewer samples, classes or groups than
        the splits need.

        >>> from phalanx.ml.model_selection import KFold
        >>> splitter = KFold(3)
        >>> for train, test in splitter.split(range(6)):
        ...     print(train, test)
        [2 3 4 5] [0 1]
        [0 1 4 5] [2 3]
        [0 1 2 3] [4 5]
        """
        if groups is not None and not self._uses_groups:
            warn_user(f"The groups parameter is ignored by {type(self).__name__}")
        count = same_count(X, y, groups)
        yield from self._splits(count, y, groups)

    def _splits(self, count: int, y: Any, groups: Any) -> Iterator[Split]:
        every = np.arange(count)
        for test in self._tests(count, y, groups):
            is_test = np.zeros(count, bool)
            is_test[test] = True
            yield every[~is_test], every[is_test]

    def _tests(self, count: int, y: Any, groups: Any) -> Iterator[np.ndarray]:
        """The samples to test with, of each split."""
        raise NotImplementedError

    def get_n_splits(self, X: Any = None, y: Any = None, groups: Any = None) -> int:
        """Return how many pairs there are.

        >>> from phalanx.ml.model_selection import KFold
        >>> KFold(3).get_n_splits()
        3
        """
        return int(self.n_splits)  # type: ignore[attr-defined]

    def __repr__(self) -> str:
        names = [
            name for name in inspect.signature(type(self).__init__).parameters if name != "self"
        ]
        shown = ", ".join(f"{name}={getattr(self, name, None)!r}" for name in sorted(names))
        return f"{type(self).__name__}({shown})"


def needed_groups(groups: Any) -> Any:
    """The groups. Raises ValueError where there are none."""
    if groups is None:
        raise ValueError("The 'groups' parameter should not be None.")
    return groups
