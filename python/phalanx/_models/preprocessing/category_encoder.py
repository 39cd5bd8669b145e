"""What encoders of categories share: the categories of each feature, and groups of rare ones."""

from __future__ import annotations

import numbers
from typing import Any, NamedTuple

import numpy as np

from ..base import Estimator, TransformerMixin
from ..options import NONE, Rule, one_of, real, whole
from .category_columns import categories_of, codes_of, columns_of, given_categories, is_nan

CATEGORIES = one_of("auto") | Rule(lambda value: isinstance(value, list), "a list")
RARE = {
    "max_categories": whole(1) | NONE,
    "min_frequency": whole(1) | real(0, 1, "neither") | NONE,
}
RARE_NAME = "infrequent_sklearn"


class Groups(NamedTuple):
    """The group of each category of a feature, and which ones are rare: they share the last."""

    of_category: np.ndarray
    rare: np.ndarray

    @property
    def shared(self) -> int:
        """The group of the rare ones."""
        return int(self.of_category[self.rare][0])


class Columns(NamedTuple):
    """The values of each feature, how often each is there (None: once), and how many samples."""

    values: list[Any]
    counts: list[np.ndarray] | None
    samples: int


class CategoryEncoder(TransformerMixin, Estimator):  # type: ignore[misc]
    """Finds the categories of each feature, and numbers the samples' categories by them."""

    categories: Any
    max_categories: Any
    min_frequency: Any
    categories_: list[np.ndarray]
    _groups: list[Groups | None]  # of each feature, None where no category is rare

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.categorical = True
        tags.input_tags.allow_nan = True
        tags.transformer_tags.preserves_dtype = []
        return tags

    def _fit_categories(
        self, X: Any, *, refuses_others: bool, groups_nan: bool = True
    ) -> list[Any]:
        """Set `categories_` and the groups; returns the columns."""
        columns = columns_of(self, X, fitting=True)
        given = Columns(columns, None, len(columns[0]))
        self._fit_columns(given, refuses_others=refuses_others, groups_nan=groups_nan)
        return columns

    def _fit_columns(self, given: Columns, *, refuses_others: bool, groups_nan: bool) -> None:
        """As `_fit_categories`, of columns that are checked."""
        columns = given.values
        if self.categories != "auto" and len(self.categories) != len(columns):
            raise ValueError(
                "Shape mismatch: if categories is an array, it has to be of shape (n_features,)."
            )
        self.categories_ = [
            categories_of(column)
            if self.categories == "auto"
            else given_categories(column, self.categories[number], number)
            for number, column in enumerate(columns)
        ]
        self._groups = [None for _ in columns]
        refuses_others = refuses_others and self.categories != "auto"
        if not refuses_others and not self._has_rare():
            return
        codes = self._codes(columns, "fit" if refuses_others else None)
        self._groups = [
            self._group(number, each, given, groups_nan) for number, each in enumerate(codes)
        ]

    def _has_rare(self) -> bool:
        """True if parameters may put rare categories together."""
        bounds = (getattr(self, name, None) for name in RARE)
        return any(each is not None for each in bounds)

    def _codes(self, columns: list[Any], refusing: str | None) -> list[np.ndarray]:
        """The categories' numbers, -1 for others, which `refusing` (when?) makes a ValueError."""
        made = []
        for number, (column, categories) in enumerate(zip(columns, self.categories_, strict=True)):
            codes = codes_of(column, categories)
            if refusing and (codes < 0).any():
                others = categories_of(np.asarray(column)[codes < 0]).tolist()
                raise ValueError(
                    f"Found unknown categories {others} in column {number} during {refusing}"
                )
            made.append(codes)
        return made

    def _group(
        self, number: int, codes: np.ndarray, given: Columns, groups_nan: bool
    ) -> Groups | None:
        """The group of each category, where rare ones share the last; None where none is rare."""
        most = getattr(self, "max_categories", None)
        least = getattr(self, "min_frequency", None)
        if most is None and least is None:
            return None
        categories, known = self.categories_[number], codes >= 0
        times = None if given.counts is None else given.counts[number][known]
        counts = np.bincount(codes[known], times, minlength=len(categories))
        has_nan = not groups_nan and len(categories) > 0 and is_nan(categories[-1])
        if has_nan:
            counts = counts[:-1]
        bound: Any = 0 if least is None else least
        if not isinstance(bound, numbers.Integral):
            bound = bound * given.samples
        rare = counts < bound
        if most is not None and most < len(counts) - rare.sum() + 1:
            order = np.argsort(counts, kind="stable")
            rare[order[: len(order) - (most - 1)]] = True
        if not rare.any():
            return None
        groups = np.cumsum(~rare) - 1
        groups[rare] = (~rare).sum()
        if has_nan:
            groups, rare = np.append(groups, len(counts)), np.append(rare, False)
        return Groups(groups, rare)

    @property
    def infrequent_categories_(self) -> list[Any]:
        """Of each feature the rare categories, or None where there are none.

        Raises AttributeError unless `max_categories` or `min_frequency` asks for them.
        """
        # TargetEncoder has neither parameter: it gives each category a mean of its own.
        asked = (getattr(self, each, None) for each in ("max_categories", "min_frequency"))
        if all(each is None for each in asked):
            raise AttributeError(f"{type(self).__name__} groups no infrequent categories")
        return [
            None if groups is None else categories[groups.rare]
            for groups, categories in zip(self._groups, self.categories_, strict=True)
        ]
