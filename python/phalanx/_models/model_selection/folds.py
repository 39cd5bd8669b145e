"""Splits into k parts, each of which is tested with once."""

from __future__ import annotations

import numbers
from collections.abc import Iterator
from typing import Any

import numpy as np

from ..exceptions import warn_user
from ..options import generator_of
from .base import Split, Splitter, needed_groups
from .samples import classes_of, on_host


class Folds(Splitter):
    """Splits into `n_splits` parts; raises ValueError and TypeError for other parameters."""

    n_splits: int
    shuffle: bool
    random_state: Any

    def __init__(self, n_splits: Any, *, shuffle: bool, random_state: Any) -> None:
        if not isinstance(n_splits, numbers.Integral):
            raise ValueError(
                f"The number of folds must be of Integral type. {n_splits} of type "
                f"{type(n_splits)} was passed."
            )
        if n_splits <= 1:
            raise ValueError(
                "k-fold cross-validation requires at least one train/test split by setting "
                f"n_splits=2 or more, got n_splits={n_splits}."
            )
        if not isinstance(shuffle, bool):
            raise TypeError(f"shuffle must be True or False; got {shuffle}")
        if not shuffle and random_state is not None:
            raise ValueError(
                "Setting a random_state has no effect since shuffle is False. You should leave "
                "random_state to its default (None), or set shuffle=True."
            )
        self.n_splits = int(n_splits)
        self.shuffle = shuffle
        self.random_state = random_state

    def _splits(self, count: int, y: Any, groups: Any) -> Iterator[Split]:
        if self.n_splits > count:
            raise ValueError(
                f"Cannot have number of splits n_splits={self.n_splits} greater than the number of "
                f"samples: n_samples={count}."
            )
        yield from super()._splits(count, y, groups)


class _FiveFolds(Folds):
    def __init__(
        self, n_splits: int = 5, *, shuffle: bool = False, random_state: Any = None
    ) -> None:
        super().__init__(n_splits, shuffle=shuffle, random_state=random_state)


class KFold(_FiveFolds):
    """Parts of consecutive samples, or of shuffled ones. Parameters are scikit-learn's.

    >>> from phalanx.ml.model_selection import KFold
    >>> splitter = KFold(3)
    >>> for train, test in splitter.split(range(6)):
    ...     print(train, test)
    [2 3 4 5] [0 1]
    [0 1 4 5] [2 3]
    [0 1 2 3] [4 5]
    """

    def _tests(self, count: int, y: Any, groups: Any) -> Iterator[np.ndarray]:
        order = np.arange(count)
        if self.shuffle:
            generator_of(self.random_state).shuffle(order)
        yield from np.array_split(order, self.n_splits)


class StratifiedKFold(_FiveFolds):
    """Parts that have about the same share of each class. Parameters are scikit-learn's.

    >>> from phalanx.ml.model_selection import StratifiedKFold
    >>> splitter = StratifiedKFold(2)
    >>> for train, test in splitter.split(range(4), [0, 0, 1, 1]):
    ...     print(train, test)
    [1 3] [0 2]
    [0 2] [1 3]
    """

    def _tests(self, count: int, y: Any, groups: Any) -> Iterator[np.ndarray]:
        fold = self._fold_of_each(y)
        for number in range(self.n_splits):
            yield np.flatnonzero(fold == number)

    def _fold_of_each(self, y: Any) -> np.ndarray:
        random = generator_of(self.random_state)
        codes, counts = by_first(classes_of(y))
        _check_members(self.n_splits, counts)
        # Every n_splits-th of the sorted samples go to a part: their classes say how many of each.
        ordered = np.sort(codes)
        members = [
            np.bincount(ordered[number :: self.n_splits], minlength=len(counts))
            for number in range(self.n_splits)
        ]
        fold = np.empty(len(codes), np.int64)
        for code in range(len(counts)):
            of_class = np.repeat(np.arange(self.n_splits), [each[code] for each in members])
            if self.shuffle:
                random.shuffle(of_class)
            fold[codes == code] = of_class
        return fold


def by_first(y: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Numbers of the classes in the order in which they come, and how many samples each has."""
    _, first, codes = np.unique(y, return_index=True, return_inverse=True)
    places = np.empty(len(first), np.int64)
    places[np.argsort(first)] = np.arange(len(first))
    made = places[codes.reshape(-1)]
    return made, np.bincount(made)


def _check_members(splits: int, counts: np.ndarray) -> None:
    if (counts < splits).all():
        raise ValueError(
            f"n_splits={splits} cannot be greater than the number of members in each class."
        )
    if counts.min() < splits:
        warn_user(
            f"The least populated class in y has only {counts.min()} members, which is less than "
            f"n_splits={splits}."
        )


def _groups_of(groups: Any, splits: int) -> tuple[np.ndarray, np.ndarray]:
    names, codes = np.unique(on_host(needed_groups(groups)), return_inverse=True)
    if splits > len(names):
        raise ValueError(
            f"Cannot have number of splits n_splits={splits} greater than the number of groups: "
            f"{len(names)}."
        )
    return names, codes.reshape(-1)


class GroupKFold(_FiveFolds):
    """Parts of about the same size, no group in two of them. Parameters are scikit-learn's.

    >>> from phalanx.ml.model_selection import GroupKFold
    >>> splitter = GroupKFold(3)
    >>> for train, test in splitter.split(range(6), groups=[0, 0, 1, 1, 2, 2]):
    ...     print(train, test)
    [0 1 2 3] [4 5]
    [0 1 4 5] [2 3]
    [2 3 4 5] [0 1]
    """

    _uses_groups = True

    def _tests(self, count: int, y: Any, groups: Any) -> Iterator[np.ndarray]:
        names, codes = _groups_of(groups, self.n_splits)
        if self.shuffle:
            order = generator_of(self.random_state).permutation(np.arange(len(names)))
            for part in np.array_split(order, self.n_splits):
                yield np.flatnonzero(np.isin(codes, part))
            return
        sizes = np.bincount(codes)
        loads, fold = np.zeros(self.n_splits), np.empty(len(names), np.int64)
        for group in np.argsort(sizes, kind="stable")[::-1]:
            fold[group] = np.argmin(loads)
            loads[fold[group]] += sizes[group]
        for number in range(self.n_splits):
            yield np.flatnonzero(fold[codes] == number)


class StratifiedGroupKFold(Folds):
    """As `GroupKFold`, with about the same share of each class. Parameters are scikit-learn's.

    Groups go one after another, the most uneven first, where the classes' shares stay most even.

    >>> from phalanx.ml.model_selection import StratifiedGroupKFold
    >>> splitter = StratifiedGroupKFold(2)
    >>> for train, test in splitter.split(range(4), [0, 1, 0, 1], [0, 0, 1, 1]):
    ...     print(train, test)
    [2 3] [0 1]
    [0 1] [2 3]
    """

    _uses_groups = True

    def __init__(self, n_splits: int = 5, shuffle: bool = False, random_state: Any = None) -> None:
        super().__init__(n_splits, shuffle=shuffle, random_state=random_state)

    def _tests(self, count: int, y: Any, groups: Any) -> Iterator[np.ndarray]:
        random = generator_of(self.random_state)
        _, classes = np.unique(classes_of(y), return_inverse=True)
        totals = np.bincount(classes)
        _check_members(self.n_splits, totals)
        names, codes = _groups_of(groups, self.n_splits)
        order = np.arange(len(names))
        if self.shuffle:
            random.shuffle(order)
        members = np.zeros((len(names), len(totals)))
        np.add.at(members, (codes, classes), 1)
        uneven = np.argsort(-np.std(members[order], axis=1), kind="stable")
        filled, fold = np.zeros((self.n_splits, len(totals))), np.empty(len(names), np.int64)
        for group in order[uneven]:
            fold[group] = _evenest(filled, members[group], totals)
            filled[fold[group]] += members[group]
        for number in range(self.n_splits):
            yield np.flatnonzero(fold[codes] == number)


def _evenest(filled: np.ndarray, added: np.ndarray, totals: np.ndarray) -> int:
    """The part in which a group leaves the classes' shares most even; the smaller of equal ones."""
    best, least, fewest = 0, np.inf, np.inf
    for number in range(len(filled)):
        tried = filled.copy()
        tried[number] += added
        spread, size = np.std(tried / totals, axis=0).mean(), filled[number].sum()
        if spread < least or (np.isclose(spread, least) and size < fewest):
            best, least, fewest = number, spread, size
    return best


class TimeSeriesSplit(Folds):
    """Each part of consecutive samples is tested with what comes before it.

    Parameters are scikit-learn's.

    >>> from phalanx.ml.model_selection import TimeSeriesSplit
    >>> splitter = TimeSeriesSplit(2)
    >>> for train, test in splitter.split(range(6)):
    ...     print(train, test)
    [0 1] [2 3]
    [0 1 2 3] [4 5]
    """

    def __init__(
        self,
        n_splits: int = 5,
        *,
        max_train_size: int | None = None,
        test_size: int | None = None,
        gap: int = 0,
    ) -> None:
        super().__init__(n_splits, shuffle=False, random_state=None)
        self.max_train_size = max_train_size
        self.test_size = test_size
        self.gap = gap

    def _splits(self, count: int, y: Any, groups: Any) -> Iterator[Split]:
        folds = self.n_splits + 1
        size = count // folds if self.test_size is None else self.test_size
        if folds > count:
            raise ValueError(
                f"Cannot have number of folds={folds} greater than the number of samples={count}."
            )
        if count - self.gap - size * self.n_splits <= 0:
            raise ValueError(
                f"Too many splits={self.n_splits} for number of samples={count} with "
                f"test_size={size} and gap={self.gap}."
            )
        every = np.arange(count)
        for start in range(count - self.n_splits * size, count, size):
            end = start - self.gap
            first = max(0, end - self.max_train_size) if self.max_train_size else 0
            yield every[first:end], every[start : start + size]
