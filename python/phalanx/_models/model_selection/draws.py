"""Splits by chance, and one of them for arrays side by side."""

from __future__ import annotations

from collections.abc import Iterator
from math import ceil, floor
from typing import Any

import numpy as np

from ..options import generator_of
from .base import Split, Splitter, needed_groups
from .samples import on_host, same_count, taken


def _kind(size: Any) -> str:
    return "" if size is None else np.asarray(size).dtype.kind


def _refuse(name: str, size: Any, count: int) -> None:
    """Raise ValueError unless a size is None, a share, or a number of some of the samples."""
    kind = _kind(size)
    if kind not in ("", "i", "f"):
        raise ValueError(f"Invalid value for {name}: {size}")
    if (kind == "i" and not 0 < size < count) or (kind == "f" and not 0 < size < 1):
        raise ValueError(
            f"{name}={size} should be either positive and smaller than the number of samples "
            f"{count} or a float in the (0, 1) range"
        )


def sizes(count: int, test_size: Any, train_size: Any, share: float) -> tuple[int, int]:
    """How many samples to learn from and to test with, of `count`.

    `share` is that of the test where nothing is given. Raises ValueError for sizes that do not fit.
    """
    if test_size is None and train_size is None:
        test_size = share
    _refuse("test_size", test_size, count)
    _refuse("train_size", train_size, count)
    if _kind(test_size) == _kind(train_size) == "f" and train_size + test_size > 1:
        raise ValueError(
            f"The sum of test_size and train_size = {train_size + test_size}, should be in the "
            "(0, 1) range. Reduce test_size and/or train_size."
        )
    test = ceil(test_size * count) if _kind(test_size) == "f" else test_size
    train = floor(train_size * count) if _kind(train_size) == "f" else train_size
    train = count - test if train is None else train
    test = count - train if test is None else test
    if train + test > count:
        raise ValueError(
            f"The sum of train_size and test_size = {train + test}, should be smaller than the "
            f"number of samples {count}. Reduce test_size and/or train_size."
        )
    if train == 0:
        raise ValueError(
            f"With n_samples={count}, test_size={test_size} and train_size={train_size}, the "
            "resulting train set will be empty. Adjust any of the aforementioned parameters."
        )
    return int(train), int(test)


class _Draws(Splitter):
    _share = 0.1

    def __init__(
        self,
        n_splits: int = 10,
        *,
        test_size: Any = None,
        train_size: Any = None,
        random_state: Any = None,
    ) -> None:
        self.n_splits = n_splits
        self.test_size = test_size
        self.train_size = train_size
        self.random_state = random_state

    def _sizes(self, count: int) -> tuple[int, int]:
        return sizes(count, self.test_size, self.train_size, self._share)

    def _drawn(self, count: int) -> Iterator[Split]:
        train, test = self._sizes(count)
        random = generator_of(self.random_state)
        for _ in range(self.n_splits):
            order = random.permutation(count)
            yield order[test : test + train], order[:test]


class ShuffleSplit(_Draws):
    """Samples in random order, split in two, again and again. Parameters are scikit-learn's.

    >>> from phalanx.ml.model_selection import ShuffleSplit
    >>> splitter = ShuffleSplit(2, test_size=2, random_state=0)
    >>> for train, test in splitter.split(range(4)):
    ...     print(train, test)
    [1 0] [2 3]
    [1 3] [0 2]
    """

    def _splits(self, count: int, y: Any, groups: Any) -> Iterator[Split]:
        yield from self._drawn(count)


class GroupShuffleSplit(_Draws):
    """As `ShuffleSplit`, of whole groups. Parameters are scikit-learn's.

    >>> from phalanx.ml.model_selection import GroupShuffleSplit
    >>> splitter = GroupShuffleSplit(2, test_size=1, random_state=0)
    >>> for train, test in splitter.split(range(6), groups=[0, 0, 1, 1, 2, 2]):
    ...     print(train, test)
    [0 1 2 3] [4 5]
    [0 1 2 3] [4 5]
    """

    _uses_groups = True
    _share = 0.2

    def __init__(
        self,
        n_splits: int = 5,
        *,
        test_size: Any = None,
        train_size: Any = None,
        random_state: Any = None,
    ) -> None:
        super().__init__(
            n_splits, test_size=test_size, train_size=train_size, random_state=random_state
        )

    def _splits(self, count: int, y: Any, groups: Any) -> Iterator[Split]:
        names, codes = np.unique(on_host(needed_groups(groups)), return_inverse=True)
        for train, test in self._drawn(len(names)):
            yield np.flatnonzero(np.isin(codes, train)), np.flatnonzero(np.isin(codes, test))


class StratifiedShuffleSplit(_Draws):
    """As `ShuffleSplit`, with about the same share of each class. Parameters are scikit-learn's.

    >>> from phalanx.ml.model_selection import StratifiedShuffleSplit
    >>> splitter = StratifiedShuffleSplit(2, test_size=2, random_state=0)
    >>> for train, test in splitter.split(range(4), [0, 0, 1, 1]):
    ...     print(train, test)
    [1 2] [3 0]
    [0 2] [1 3]
    """

    def _splits(self, count: int, y: Any, groups: Any) -> Iterator[Split]:
        codes, counts = _strata(y)
        train, test = self._sizes(count)
        for name, size in (("train", train), ("test", test)):
            if size < len(counts):
                raise ValueError(
                    f"The {name}_size = {size} should be greater or equal to the number of classes "
                    f"= {len(counts)}"
                )
        members = np.split(np.argsort(codes, kind="stable"), np.cumsum(counts)[:-1])
        random = generator_of(self.random_state)
        for _ in range(self.n_splits):
            of_train = _shares(counts, train, random)
            of_test = _shares(counts - of_train, test, random)
            first, second = [], []
            for rows, learn, tested in zip(members, of_train, of_test, strict=True):
                order = rows[random.permutation(len(rows))]
                first.append(order[:learn])
                second.append(order[learn : learn + tested])
            yield (
                random.permutation(np.concatenate(first)),
                random.permutation(np.concatenate(second)),
            )


def _strata(y: Any) -> tuple[np.ndarray, np.ndarray]:
    """The number of each sample's class, and how many samples each class has."""
    if y is None:
        raise ValueError("The 'y' parameter should not be None.")
    values = on_host(y)
    if values.ndim == 2:
        values = np.array([" ".join(row.astype("str")) for row in values])
    names, codes, counts = np.unique(values, return_inverse=True, return_counts=True)
    if counts.min() < 2:
        raise ValueError(
            "The least populated classes in y have only 1 member, which is too few. The minimum "
            "number of groups for any class cannot be less than 2. Classes with too few members "
            f"are: {names[counts < 2].tolist()}"
        )
    return codes.reshape(-1), counts


def _shares(counts: np.ndarray, drawn: int, random: Any) -> np.ndarray:
    """The likeliest numbers of each class among `drawn` samples; equal ones are drawn.

    They are the mode of the multivariate hypergeometric distribution, up to rounding.
    """
    exact = counts / counts.sum() * drawn
    made = np.floor(exact)
    left = int(drawn - made.sum())
    rest = exact - made
    for value in np.sort(np.unique(rest))[::-1]:
        if left <= 0:
            break
        equal = np.flatnonzero(rest == value)
        more = min(len(equal), left)
        made[random.choice(equal, size=more, replace=False)] += 1
        left -= more
    return made.astype(np.int64)


def train_test_split(
    *arrays: Any,
    test_size: Any = None,
    train_size: Any = None,
    random_state: Any = None,
    shuffle: bool = True,
    stratify: Any = None,
) -> list[Any]:
    """Return of each array the samples to learn from and those to test with, one after another.

    Arrays and frames, NumPy's, pandas' and ours, SciPy's matrices and lists stay what they are.
    Parameters are scikit-learn's, as is the order of a seed. Raises ValueError for no arrays,
    lengths that differ, and sizes that do not fit.
    """
    if not arrays:
        raise ValueError("At least one array required as input")
    count = same_count(*arrays)
    train, test = sizes(count, test_size, train_size, 0.25)
    if shuffle is False:
        if stratify is not None:
            raise ValueError("Stratified train/test split is not implemented for shuffle=False")
        rows = (np.arange(train), np.arange(train, train + test))
    else:
        kind = ShuffleSplit if stratify is None else StratifiedShuffleSplit
        splitter = kind(test_size=test, train_size=train, random_state=random_state)
        rows = next(splitter.split(np.empty(count), stratify))
    return [taken(each, part) for each in arrays for part in rows]
