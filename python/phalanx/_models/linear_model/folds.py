"""Parts of the samples that are left out in turn, and products of features of each."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from ..options import NONE, Rule, whole

_FOLDS = 5

CV = (
    NONE
    | whole(2)
    | Rule(lambda value: hasattr(value, "split"), "a splitter")
    | Rule(lambda value: isinstance(value, Iterable) and not isinstance(value, str), "splits")
)


class Fold(NamedTuple):
    """The rows that are learnt from, and those that are left out."""

    train: np.ndarray
    test: np.ndarray


def folds_of(cv: Any, X: Any, y: Any, codes: np.ndarray | None = None) -> list[Fold]:
    """The folds that `cv` means: a number (None: 5), a splitter, or pairs of rows.

    With the numbers of classes as `codes` each fold has as many of each class as it can. Raises
    ValueError for more folds than samples, or than samples of each class.
    """
    if cv is None or isinstance(cv, (int, np.integer)):
        count = len(y)
        number = _FOLDS if cv is None else int(cv)
        if number > count:
            raise ValueError(
                f"Cannot have number of splits n_splits={number} greater than the number of "
                f"samples: n_samples={count}."
            )
        places = np.arange(number).repeat(_sizes(count, number))
        if codes is not None:
            places = _by_class(codes, number)
        return [
            Fold(np.flatnonzero(places != i), np.flatnonzero(places == i)) for i in range(number)
        ]
    splits = cv.split(X, y) if hasattr(cv, "split") else cv
    return [Fold(np.asarray(train), np.asarray(test)) for train, test in splits]


def _sizes(count: int, number: int) -> np.ndarray:
    return count // number + (np.arange(number) < count % number)


def _by_class(codes: np.ndarray, number: int) -> np.ndarray:
    """The fold of each sample: those of a class follow each other, in equal parts."""
    _, first, own = np.unique(codes, return_index=True, return_inverse=True)
    own = np.argsort(np.argsort(first))[own]  # in the order in which classes come
    counts = np.bincount(own)
    if number > counts.max():
        raise ValueError(
            f"n_splits={number} cannot be greater than the number of members in each class."
        )
    order = np.sort(own)
    made = np.empty(len(codes), np.int64)
    shares = np.array([np.bincount(order[i::number], minlength=len(counts)) for i in range(number)])
    for each in range(len(counts)):
        made[own == each] = np.arange(number).repeat(shares[:, each])
    return made


class Sums(NamedTuple):
    """Products of features and targets less the means of some samples, and these means."""

    gram: np.ndarray
    cross: np.ndarray  # features x targets
    squares: np.ndarray  # of targets
    x_mean: np.ndarray
    y_mean: np.ndarray
    total: float


class Products:
    """Sums over parts of the samples, by one read of them: products of all columns in pairs.

    Columns are features, targets and a 1, in float64, less the means of all samples so that less
    cancels. Sums of the samples that are left are those of all less those of a part.
    """

    def __init__(self, x: ndarray, y: ndarray, weight: ndarray | None, *, intercept: bool) -> None:
        self.features, self.targets, self._intercept = x.shape[1], y.shape[1], intercept
        ones = px.ones((x.shape[0], 1), np.float64, device=x.device)
        columns = px.concatenate([x.astype(np.float64), y.astype(np.float64)], axis=1)
        self.middle = np.zeros(columns.shape[1])
        share = ones if weight is None else weight.astype(np.float64)[:, None]
        if intercept:
            middle = px.sum(columns * share, axis=0) / px.sum(share)
            columns, self.middle = columns - middle, np.asarray(middle)
        whole = px.concatenate([columns, ones], axis=1)
        self._rooted = whole if weight is None else whole * px.sqrt(share)
        self.count = x.shape[0]
        self.all = self.of(slice(None))

    def of(self, rows: Any) -> np.ndarray:
        """The products of all columns over some rows."""
        part = self._rooted[rows]
        return np.asarray(part.T @ part)

    def of_fold(self, fold: Fold) -> tuple[np.ndarray, np.ndarray]:
        """The products over the samples that are learnt from and those that are left out."""
        left_out = self.of(row_index(fold.test))
        both = np.concatenate([fold.train, fold.test])
        if len(both) == self.count and (np.bincount(both, minlength=self.count) == 1).all():
            return self.all - left_out, left_out
        return self.of(row_index(fold.train)), left_out

    def sums(self, products: np.ndarray) -> Sums:
        """The sums of products, less the means of their samples if there is an intercept."""
        p, total = self.features, float(products[-1, -1])
        means = np.zeros(len(products) - 1)
        if self._intercept:
            means = products[:-1, -1] / total
        moved = products[:-1, :-1] - total * np.outer(means, means)
        return Sums(
            np.ascontiguousarray(moved[:p, :p]),
            np.ascontiguousarray(moved[:p, p:]),
            np.diagonal(moved)[p:].copy(),
            means[:p],
            means[p:],
            total,
        )

    def errors(self, products: np.ndarray, sums: Sums, w: np.ndarray) -> np.ndarray:
        """The mean squared error of each target over samples with these products.

        `w` is features x targets; the intercept is that of the samples of `sums`.
        """
        shift = sums.y_mean - sums.x_mean @ w
        table = np.vstack([-w, np.eye(self.targets), -shift[None]])
        made = np.einsum("it,ij,jt->t", table, products, table)
        return np.asarray(np.maximum(made, 0) / products[-1, -1])

    def intercepts(self, w: np.ndarray) -> np.ndarray:
        """The intercept of each target for the samples as they were given."""
        p = self.features
        return np.asarray(self.middle[p:] - self.middle[:p] @ w)


def row_index(rows: np.ndarray) -> Any:
    """Rows as a slice where they follow each other, else as an array of ours."""
    if len(rows) and rows[-1] - rows[0] == len(rows) - 1 and (np.diff(rows) == 1).all():
        return slice(int(rows[0]), int(rows[-1]) + 1)
    return px.asarray(np.ascontiguousarray(rows, np.int64))
