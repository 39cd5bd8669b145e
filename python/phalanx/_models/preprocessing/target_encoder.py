"""Categories as the mean target of their samples."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np

from ..base import OneToOneFeatureMixin
from ..exceptions import check_is_fitted, warn_user
from ..features import names_of_input
from ..model_selection.folds import KFold, StratifiedKFold
from ..options import BOOL, RANDOM, Rule, one_of, real, whole
from ..validation import given_as, targets
from .category_columns import columns_of
from .category_encoder import CATEGORIES, CategoryEncoder
from .label_binarizer import LabelBinarizer
from .target_kinds import kind_of_target

_SPLITS = Rule(lambda value: hasattr(value, "split"), "a splitter") | Rule(
    lambda value: hasattr(value, "__iter__"), "an iterable of splits"
)
_KINDS = ("continuous", "binary", "multiclass")


class TargetEncoder(OneToOneFeatureMixin, CategoryEncoder):  # type: ignore[misc]
    """Makes of each category the mean target of its samples, drawn towards the mean of all.

    By D. Micci-Barreca, "A preprocessing scheme for high-cardinality categorical attributes in
    classification and prediction problems" (2001): equation 5 with ``smooth="auto"``, else 7.
    `fit_transform` encodes parts of the samples by the others, so that no sample sees its own
    target. Of more than two classes each has its column. Parameters are scikit-learn's.

    Attributes: `categories_`, `encodings_` (a float64 array for each feature, and class),
    `target_type_`, `target_mean_`, `classes_` (None for numbers), `n_features_in_`.
    """

    _rules: ClassVar[Mapping[str, Rule]] = {
        "categories": CATEGORIES,
        "target_type": one_of("auto", *_KINDS),
        "smooth": one_of("auto") | real(0),
        "cv": whole(2) | _SPLITS,
        "shuffle": BOOL | one_of("deprecated"),
        "random_state": RANDOM | one_of("deprecated"),
    }

    def __init__(
        self,
        categories: Any = "auto",
        target_type: str = "auto",
        smooth: Any = "auto",
        cv: Any = 5,
        shuffle: Any = "deprecated",
        random_state: Any = "deprecated",
    ) -> None:
        self.categories = categories
        self.smooth = smooth
        self.target_type = target_type
        self.cv = cv
        self.shuffle = shuffle
        self.random_state = random_state

    def fit(self, X: Any, y: Any) -> Self:
        """Find the categories of samples x features, and their means of the targets.

        Raises ValueError for targets of another kind than `target_type`, of several columns, and
        what `check_options` raises.
        """
        self._fit(X, y)
        return self

    def _fit(self, X: Any, y: Any) -> tuple[list[np.ndarray], np.ndarray]:
        self._check_options()
        codes = self._codes(self._fit_categories(X, refuses_others=False), None)
        values = np.asarray(targets(self, y, len(codes[0])))
        kind = kind_of_target(values) if self.target_type == "auto" else self.target_type
        if kind not in _KINDS:
            raise ValueError(
                f"Unknown label type: Target type was inferred to be {kind!r}. Only {_KINDS} are "
                "supported."
            )
        self.target_type_, self.classes_ = kind, None
        if kind == "continuous":
            columns = values.astype(np.float64)[:, None]
        else:
            coder = LabelBinarizer().fit(values)
            self.classes_ = coder.classes_
            columns = np.asarray(coder.transform(values), np.float64)
        means = columns.mean(axis=0)
        self.target_mean_ = means if kind == "multiclass" else means[0]
        self.encodings_ = self._encodings(codes, columns)
        return codes, columns

    def _encodings(self, codes: list[np.ndarray], columns: np.ndarray) -> list[np.ndarray]:
        """Of each feature, and of each column of the targets, what its categories become."""
        return [
            self._encoding(each, len(categories), columns[:, number])
            for each, categories in zip(codes, self.categories_, strict=True)
            for number in range(columns.shape[1])
        ]

    def _encoding(self, codes: np.ndarray, count: int, y: np.ndarray) -> np.ndarray:
        mean, known = y.mean(), codes >= 0
        codes, y_known = codes[known], y[known]
        members = np.bincount(codes, minlength=count).astype(np.float64)
        sums = np.bincount(codes, y_known, minlength=count)
        with np.errstate(invalid="ignore", divide="ignore"):
            if self.smooth != "auto":
                made = (sums + self.smooth * mean) / (members + self.smooth)
                return np.where(members + self.smooth == 0, mean, made)
            own = sums / members
            within = np.bincount(codes, (y_known - own[codes]) ** 2, minlength=count)
            between = y.var() * members
            share = between / (between + within / members)
            return np.where(np.isnan(share), mean, share * own + (1 - share) * mean)

    def fit_transform(self, X: Any, y: Any, **params: Any) -> Any:
        """Fit, and return samples x features, each part encoded by the other parts.

        Raises ValueError where the test parts of `cv` are not all samples, once each.
        """
        codes, columns = self._fit(X, y)
        made = np.empty((len(codes[0]), len(self.encodings_)))
        seen = np.zeros(len(made), np.int64)
        for learn, test in self._splits(np.asarray(y), params.get("groups")):
            seen[test] += 1
            encodings = self._encodings([each[learn] for each in codes], columns[learn])
            means = columns[learn].mean(axis=0)
            made[test] = _encoded([each[test] for each in codes], encodings, means)
        if (seen != 1).any():
            raise ValueError(
                "Validation indices from `cv` must cover each sample index exactly once with no "
                "overlap. Pass a splitter with non-overlapping validation folds as `cv` or refer "
                "to the docs for other options."
            )
        return given_as(X, made)

    def _splits(self, y: np.ndarray, groups: Any) -> Any:
        deprecated = self.shuffle != "deprecated" or self.random_state != "deprecated"
        if deprecated:
            warn_user(
                "`TargetEncoder.shuffle` and `TargetEncoder.random_state` are deprecated in "
                "version 1.9 and will be removed in version 1.11. Pass a cross-validation "
                "generator as `cv` argument to specify the shuffling behaviour instead.",
                FutureWarning,
            )
        if hasattr(self.cv, "split"):
            return self.cv.split(np.empty((len(y), 1)), y, groups)
        if not isinstance(self.cv, (int, np.integer)):
            return iter(self.cv)
        shuffle = True if self.shuffle == "deprecated" else self.shuffle
        seed = None if self.random_state == "deprecated" else self.random_state
        kind = KFold if self.target_type_ == "continuous" else StratifiedKFold
        return kind(int(self.cv), shuffle=shuffle, random_state=seed).split(y, y)

    def transform(self, X: Any) -> Any:
        """Return samples x features, or x features and classes, float64.

        Unknown categories become the mean of all. Raises ValueError for other shapes.
        """
        check_is_fitted(self)
        codes = self._codes(columns_of(self, X), None)
        return given_as(X, _encoded(codes, self.encodings_, np.atleast_1d(self.target_mean_)))

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Return the names of the features, of several classes with theirs."""
        names = names_of_input(self, input_features)
        if self.target_type_ != "multiclass":
            return names
        classes = np.asarray(self.classes_).tolist()
        return np.asarray([f"{name}_{each}" for name in names for each in classes], object)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.target_tags.required = True
        return tags


def _encoded(codes: list[np.ndarray], encodings: list[np.ndarray], means: np.ndarray) -> np.ndarray:
    """What the categories become, and the mean of all for unknown ones."""
    made = np.empty((len(codes[0]), len(encodings)))
    for number, encoding in enumerate(encodings):
        feature, column = divmod(number, len(means))
        own = codes[feature]
        made[:, number] = np.where(own < 0, means[column], encoding[own])
    return made
