"""Categories as whole numbers."""

from __future__ import annotations

import numbers
from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np

from ..base import OneToOneFeatureMixin
from ..options import NONE, Rule, one_of, whole
from ..validation import given_as, refuse_shapes
from .category_columns import columns_of, is_nan
from .category_encoder import CATEGORIES, RARE, RARE_NAME, CategoryEncoder

_NAN = Rule(is_nan, "NaN")


class OrdinalEncoder(OneToOneFeatureMixin, CategoryEncoder):  # type: ignore[misc]
    """Numbers the sorted categories of each feature from 0.

    Parameters are scikit-learn's. Categories that are not among those of `fit` are refused, or
    with ``handle_unknown="use_encoded_value"`` become `unknown_value`; NaN and rare categories
    become `encoded_missing_value` and one number.

    Attributes: `categories_` (an array a feature), `infrequent_categories_`, `n_features_in_`.
    """

    _rules: ClassVar[Mapping[str, Rule]] = {
        "categories": CATEGORIES,
        "encoded_missing_value": whole() | _NAN,
        "handle_unknown": one_of("error", "use_encoded_value"),
        "unknown_value": whole() | _NAN | NONE,
        **RARE,
    }

    def __init__(
        self,
        *,
        categories: Any = "auto",
        dtype: Any = np.float64,
        handle_unknown: str = "error",
        unknown_value: Any = None,
        encoded_missing_value: Any = np.nan,
        min_frequency: Any = None,
        max_categories: Any = None,
    ) -> None:
        self.categories = categories
        self.dtype = dtype
        self.handle_unknown = handle_unknown
        self.unknown_value = unknown_value
        self.encoded_missing_value = encoded_missing_value
        self.min_frequency = min_frequency
        self.max_categories = max_categories

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the categories of samples x features, of numbers, texts and other objects.

        Raises ValueError and TypeError for values of parameters that the categories have already,
        or that the dtype has not, and what `check_options` raises.
        """
        self._check_options()
        self._check_unknown_value()
        self._fit_categories(X, refuses_others=self.handle_unknown == "error", groups_nan=False)
        self._missing = {
            number: len(categories) - 1
            for number, categories in enumerate(self.categories_)
            if is_nan(categories[-1])
        }
        self._check_values()
        return self

    def _check_unknown_value(self) -> None:
        value = self.unknown_value
        if self.handle_unknown == "error":
            if value is not None:
                raise TypeError(
                    "unknown_value should only be set when handle_unknown is 'use_encoded_value', "
                    f"got {value}."
                )
        elif is_nan(value):
            if np.dtype(self.dtype).kind != "f":
                raise ValueError(
                    "When unknown_value is np.nan, the dtype parameter should be a float dtype. "
                    f"Got {self.dtype}."
                )
        elif not isinstance(value, numbers.Integral):
            raise TypeError(
                "unknown_value should be an integer or np.nan when handle_unknown is "
                f"'use_encoded_value', got {value}."
            )

    def _check_values(self) -> None:
        """Refuse values for others and for NaN that categories have."""
        used = [
            len(categories)
            - (number in self._missing)
            - (0 if groups is None else groups.rare.sum())
            for number, (categories, groups) in enumerate(
                zip(self.categories_, self._groups, strict=True)
            )
        ]
        if self.handle_unknown != "error" and any(0 <= self.unknown_value < each for each in used):
            raise ValueError(
                f"The used value for unknown_value {self.unknown_value} is one of the values "
                "already used for encoding the seen categories."
            )
        value = self.encoded_missing_value
        if self._missing and is_nan(value) and np.dtype(self.dtype).kind != "f":
            raise ValueError(
                f"There are missing values in features {list(self._missing)}. For OrdinalEncoder "
                f"to encode missing values with dtype: {self.dtype}, set encoded_missing_value to "
                "a non-nan value, or set dtype to a float"
            )
        taken = [each for each in self._missing if not is_nan(value) and 0 <= value < used[each]]
        if taken:
            names = getattr(self, "feature_names_in_", None)
            raise ValueError(
                f"encoded_missing_value ({value}) is already used to encode a known category in "
                f"features: {taken if names is None else names[taken]}"
            )

    def transform(self, X: Any) -> Any:
        """Return the numbers of the categories of samples x features, in `dtype`.

        Raises ValueError for unknown categories unless `handle_unknown` says otherwise.
        """
        columns = columns_of(self, X)
        codes = self._codes(columns, "transform" if self.handle_unknown == "error" else None)
        made = np.empty((len(columns[0]), len(columns)), self.dtype)
        for number, each in enumerate(codes):
            unknown, groups = each < 0, self._groups[number]
            known = np.where(unknown, 0, each)
            made[:, number] = known if groups is None else groups.of_category[known]
            if number in self._missing:
                made[each == self._missing[number], number] = self.encoded_missing_value
            if self.handle_unknown != "error":
                made[unknown, number] = self.unknown_value
        return given_as(X, made)

    def inverse_transform(self, X: Any) -> Any:
        """Return the categories of numbers, samples x features; None for `unknown_value`.

        Rare ones are the text ``"infrequent_sklearn"``. Raises ValueError for other shapes.
        """
        values = np.asarray(X)
        refuse_shapes(values, self)
        if values.shape[1] != len(self.categories_):
            raise ValueError(
                "Shape of the passed X data is not correct. Expected "
                f"{len(self.categories_)} columns, got {values.shape[1]}."
            )
        columns = [self._inverse(values[:, each], each) for each in range(values.shape[1])]
        dtype = np.result_type(*(column.dtype for column in columns))
        if self.handle_unknown != "error" or any(each is not None for each in self._groups):
            dtype = np.dtype(object)
        return np.stack([column.astype(dtype) for column in columns], axis=1)

    def _inverse(self, labels: np.ndarray, feature: int) -> np.ndarray:
        categories, groups = self.categories_[feature], self._groups[feature]
        codes = np.where(np.isnan(labels), -1, labels).astype(np.int64)
        shown = np.arange(len(categories))
        if groups is not None:
            shown = np.flatnonzero(~groups.rare)
            categories = np.append(categories.astype(object), RARE_NAME)
            shown = np.insert(shown, groups.shared, len(categories) - 1)
        missing = np.zeros(len(labels), bool)
        if feature in self._missing:
            missing = _is_value(labels, self.encoded_missing_value)
            codes[missing] = len(shown) - 1
        if self.handle_unknown == "error":
            return np.asarray(categories[shown[codes]])
        unknown = _is_value(labels, self.unknown_value) & ~missing
        made = categories.astype(object)[shown[np.where(unknown, 0, codes)]]
        made[unknown] = None
        return made


def _is_value(labels: np.ndarray, value: Any) -> np.ndarray:
    return np.isnan(labels) if is_nan(value) else labels == value
