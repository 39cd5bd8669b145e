"""A column of zeros and ones for each category."""

from __future__ import annotations

import importlib.util
from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np

from ..exceptions import check_is_fitted, warn_user
from ..features import names_of_input
from ..options import ARRAY, BOOL, FUNCTION, NONE, Rule, one_of
from ..sparse_results import compressed
from ..validation import as_array, given_as
from .category_columns import columns_of, is_nan
from .category_encoder import CATEGORIES, RARE, RARE_NAME, CategoryEncoder


class OneHotEncoder(CategoryEncoder):
    """Makes of each category of each feature a column that is 1 where a sample has it, else 0.

    Parameters are scikit-learn's. With `sparse_output` results are matrices in CSR form: SciPy's,
    or ours of arrays of ours and where SciPy is not installed.

    Attributes: `categories_` (an array a feature), `drop_idx_` (the category of each feature that
    has no column; None where all have), `infrequent_categories_`, `n_features_in_`.
    """

    _rules: ClassVar[Mapping[str, Rule]] = {
        "categories": CATEGORIES,
        "drop": one_of("first", "if_binary") | ARRAY | NONE,
        "handle_unknown": one_of("error", "ignore", "infrequent_if_exist", "warn"),
        **RARE,
        "sparse_output": BOOL,
        "feature_name_combiner": one_of("concat") | FUNCTION,
    }

    def __init__(
        self,
        *,
        categories: Any = "auto",
        drop: Any = None,
        sparse_output: bool = True,
        dtype: Any = np.float64,
        handle_unknown: str = "error",
        min_frequency: Any = None,
        max_categories: Any = None,
        feature_name_combiner: Any = "concat",
    ) -> None:
        self.categories = categories
        self.drop = drop
        self.sparse_output = sparse_output
        self.dtype = dtype
        self.handle_unknown = handle_unknown
        self.min_frequency = min_frequency
        self.max_categories = max_categories
        self.feature_name_combiner = feature_name_combiner

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the categories of samples x features, of numbers, texts and other objects.

        Raises ValueError for categories to drop that there are not, and what `check_options`
        raises.
        """
        self._check_options()
        self._fit_categories(X, refuses_others=self.handle_unknown == "error")
        self._dropped = self._find_dropped()
        self.drop_idx_ = self._dropped_categories()
        return self

    def _grouped(self, feature: int) -> np.ndarray:
        """The categories of a feature, in which one text is for all that are rare."""
        categories, groups = self.categories_[feature], self._groups[feature]
        if groups is None:
            return categories
        return np.append(categories[~groups.rare].astype(object), RARE_NAME)

    def _find_dropped(self) -> list[int | None]:
        """Of each feature the number, among its groups, of the one without a column."""
        features = range(len(self.categories_))
        if self.drop is None:
            return [None for _ in features]
        if isinstance(self.drop, str):
            only_two = self.drop == "if_binary"
            return [
                0 if not only_two or len(self._grouped(each)) == 2 else None for each in features
            ]
        given = np.asarray(self.drop, object)
        if len(given) != len(features):
            raise ValueError(
                f"`drop` should have length equal to the number of features ({len(features)}), got "
                f"{len(given)}"
            )
        found = [self._number_of(each, value) for each, value in zip(features, given, strict=True)]
        lost = [each for each in features if found[each] is None]
        if lost:
            raise ValueError(
                "The following categories were supposed to be dropped, but were not found in the "
                "training data.\n"
                + "\n".join(f"Category: {given[each]}, Feature: {each}" for each in lost)
            )
        return found

    def _number_of(self, feature: int, value: Any) -> int | None:
        categories, groups = self.categories_[feature], self._groups[feature]
        same = [is_nan(each) if is_nan(value) else each == value for each in categories.tolist()]
        if not any(same):
            return None
        number = same.index(True)
        if groups is None:
            return number
        if groups.rare[number]:
            raise ValueError(
                f"Unable to drop category {value!r} from feature {feature} because it is infrequent"
            )
        return int(groups.of_category[number])

    def _dropped_categories(self) -> Any:
        if self.drop is None:
            return None
        made = np.empty(len(self._dropped), object)
        for feature, (number, groups) in enumerate(zip(self._dropped, self._groups, strict=True)):
            made[feature] = (
                number
                if number is None or groups is None
                else np.flatnonzero(groups.of_category == number)[0]
            )
        return made

    def _widths(self) -> list[int]:
        return [
            len(self._grouped(feature)) - (number is not None)
            for feature, number in enumerate(self._dropped)
        ]

    @property
    def _n_features_out(self) -> int:
        return sum(self._widths())

    def transform(self, X: Any) -> Any:
        """Return samples x columns of zeros and ones, in `dtype`.

        Raises ValueError for unknown categories unless `handle_unknown` says otherwise, and for
        sparse results where scikit-learn's `set_output` asks for frames.
        """
        check_is_fitted(self)
        self._refuse_frames()
        return self.encoded(X, self.dtype)

    def encoded(self, X: Any, dtype: Any) -> Any:
        """What `transform` returns, in a dtype, whatever frames scikit-learn is asked for."""
        columns = columns_of(self, X)
        codes = self._codes(columns, "transform" if self.handle_unknown == "error" else None)
        self._warn_of_unknown(codes)
        places = np.stack([self._places(each, codes[each]) for each in range(len(codes))], axis=1)
        is_one = places >= 0
        places += np.cumsum([0, *self._widths()[:-1]])
        rows, width = len(places), self._n_features_out
        if not self.sparse_output:
            made = np.zeros((rows, width), dtype)
            made[np.nonzero(is_one)[0], places[is_one]] = 1
            return given_as(X, made)
        ends = np.append(0, np.cumsum(is_one.sum(axis=1))).astype(np.int32)
        ones = np.ones(ends[-1], dtype)
        return compressed(X, (ones, places[is_one].astype(np.int32), ends), (rows, width))

    def _places(self, feature: int, codes: np.ndarray) -> np.ndarray:
        """The column of each sample's category among those of its feature; -1 where it has none."""
        groups, dropped = self._groups[feature], self._dropped[feature]
        made = codes.copy()
        if groups is not None:
            made = np.where(codes < 0, -1, groups.of_category[codes])
            if self.handle_unknown in ("infrequent_if_exist", "warn"):
                made[codes < 0] = groups.shared
        if dropped is not None:
            made = np.where(made == dropped, -1, made - (made > dropped))
        return made

    def _warn_of_unknown(self, codes: list[np.ndarray]) -> None:
        handling = self.handle_unknown
        if handling != "warn" and (self.drop is None or handling == "error"):
            return
        unknown = [number for number, each in enumerate(codes) if (each < 0).any()]
        if unknown:
            become = "all zeros" if handling == "ignore" else "the infrequent category"
            warn_user(
                f"Found unknown categories in columns {unknown} during transform. These unknown "
                f"categories will be encoded as {become}"
            )

    def _refuse_frames(self) -> None:
        wished = getattr(self, "_sklearn_output_config", {}).get("transform", "default")
        if importlib.util.find_spec("sklearn") is not None:
            from sklearn import get_config

            if "transform" not in getattr(self, "_sklearn_output_config", {}):
                wished = get_config()["transform_output"]
        if self.sparse_output and wished != "default":
            raise ValueError(
                f"{wished.capitalize()} output does not support sparse data. Set "
                f"sparse_output=False to output {wished} dataframes or disable "
                f'{wished.capitalize()} output via `ohe.set_output(transform="default").'
            )

    def inverse_transform(self, X: Any) -> np.ndarray:
        """Return the categories of samples x columns; None where a sample has none.

        Raises ValueError for another number of columns, and for samples of zeros only where every
        category has a column and unknown ones were refused.
        """
        check_is_fitted(self)
        values = np.asarray(X.toarray() if hasattr(X, "toarray") else as_array(X))
        if values.ndim != 2 or values.shape[1] != self._n_features_out:
            raise ValueError(
                f"Shape of the passed X data is not correct. Expected {self._n_features_out} "
                f"columns, got {values.shape[-1]}."
            )
        ends = np.cumsum(self._widths())[:-1]
        parts = np.split(values, ends, axis=1)
        made = [self._inverse(feature, part) for feature, part in enumerate(parts)]
        dtype = np.result_type(*(column.dtype for column in made))
        return np.stack([column.astype(dtype) for column in made], axis=1)

    def _inverse(self, feature: int, part: np.ndarray) -> np.ndarray:
        categories, dropped = self._grouped(feature), self._dropped[feature]
        shown = categories if dropped is None else np.delete(categories, dropped)
        if not len(shown):
            return np.repeat(categories, len(part))
        made = shown[part.argmax(axis=1)]
        nothing = part.sum(axis=1) == 0
        if not nothing.any():
            return made
        if dropped is not None:
            made[nothing] = categories[dropped]
        elif self.handle_unknown == "error" or (
            self.handle_unknown != "ignore" and self._groups[feature] is not None
        ):
            raise ValueError(
                f"Samples {np.flatnonzero(nothing)} can not be inverted when drop=None and "
                "handle_unknown='error' because they contain all zeros"
            )
        else:
            made = made.astype(object)
            made[nothing] = None
        return made

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray:
        """Return the names of the columns: of the feature and of the category.

        Raises TypeError where `feature_name_combiner` returns no text.
        """
        names = names_of_input(self, input_features)
        combine = self.feature_name_combiner
        if combine == "concat":
            combine = _concatenated
        elif not isinstance(combine("feature", "category"), str):
            raise TypeError(
                "When `feature_name_combiner` is a callable, it should return a Python string. Got "
                f"{type(combine('feature', 'category'))} instead."
            )
        made = []
        for feature, (name, dropped) in enumerate(zip(names, self._dropped, strict=True)):
            shown = self._grouped(feature)
            shown = shown if dropped is None else np.delete(shown, dropped)
            made += [combine(name, category) for category in shown]
        return np.array(made, dtype=object)


def _concatenated(feature: str, category: Any) -> str:
    # As a text: a float32 is formatted with the digits of a double.
    return f"{feature}_{category!s}"
