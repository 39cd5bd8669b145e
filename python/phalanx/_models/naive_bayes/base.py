"""What naive Bayes classifiers share: classes that come in parts, and predictions."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

import phalanx as px

from ..._arrays.ndarray import ndarray
from ..base import ClassifierMixin, Estimator
from ..classes import checked_classes, named
from ..preprocessing.category_columns import categories_of, codes_of
from ..validation import given_as, samples, weights


class NaiveBayes(ClassifierMixin, Estimator):  # type: ignore[misc]
    """Learns from parts of the samples; the class with the greatest joint chance is predicted."""

    classes_: np.ndarray

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn from samples x features and a class for each, number or text.

        Raises ValueError for NaN, infinities and other shapes, and what `check_options` raises.

        >>> from phalanx.ml.naive_bayes import BernoulliNB
        >>> X, y = np.array([[1, 0], [2, 0], [0, 3], [0, 1]]), np.array([0, 0, 1, 1])
        >>> model = BernoulliNB().fit(X, y)
        >>> model.score(X, y)
        1.0
        """
        for name in [each for each in vars(self) if each.endswith("_")]:
            delattr(self, name)
        return self._take(X, y, sample_weight, None)

    def partial_fit(self, X: Any, y: Any, classes: Any = None, sample_weight: Any = None) -> Self:
        """Learn from some more samples; the first call gets all `classes` that there will be.

        Raises ValueError where it does not, for classes that are not among them, and as `fit` does.

        >>> from phalanx.ml.naive_bayes import BernoulliNB
        >>> X, y = np.array([[1, 0], [2, 0], [0, 3], [0, 1]]), np.array([0, 0, 1, 1])
        >>> model = BernoulliNB().partial_fit(X[:2], y[:2], classes=[0, 1])
        >>> model.partial_fit(X[2:], y[2:]).predict([[0, 2]])
        array([1])
        """
        if not hasattr(self, "classes_") and classes is None:
            raise ValueError("classes must be passed on the first call to partial_fit.")
        return self._take(X, y, sample_weight, classes)

    def _take(self, X: Any, y: Any, sample_weight: Any, classes: Any) -> Self:
        self._check_options()
        is_first = not hasattr(self, "classes_")
        x = self._seen(self._samples(X, fitting=is_first))
        labels = checked_classes(self, y, x.shape[0])
        if classes is not None:
            given = categories_of(np.asarray(classes))
            if not is_first and not np.array_equal(self.classes_, given):
                raise ValueError(
                    f"`classes={classes!r}` is not the same as on last call to partial_fit, was: "
                    f"{self.classes_!r}"
                )
            self.classes_ = given
        elif is_first:
            self.classes_ = categories_of(labels)
        codes = codes_of(labels, self.classes_)
        if (codes < 0).any():
            others = categories_of(np.asarray(labels)[codes < 0])
            raise ValueError(
                f"The target label(s) {others} in y do not exist in the initial classes "
                f"{self.classes_}"
            )
        self._add(x, codes, weights(sample_weight, x), is_first)
        self._finish()
        return self

    def _samples(self, X: Any, *, fitting: bool = False) -> ndarray:
        return samples(self, X, fitting=fitting)

    def _seen(self, x: Any) -> Any:
        """What the model takes of checked samples."""
        return x

    def _add(self, x: ndarray, codes: np.ndarray, weight: ndarray | None, is_first: bool) -> None:
        """Add some samples, with the numbers of their classes, to what is known of the classes."""
        raise NotImplementedError

    def _finish(self) -> None:
        """Set what predictions need, by what is known of the classes."""
        raise NotImplementedError

    def _joint(self, x: ndarray) -> ndarray:
        """The logarithm of the chance of each class with a sample, samples x classes."""
        raise NotImplementedError

    def _prior_of(self, given: Any) -> np.ndarray:
        """Chances of classes that a parameter gives. Raises ValueError for another number."""
        made = np.asarray(given, np.float64)
        if len(made) != len(self.classes_):
            raise ValueError("Number of priors must match number of classes.")
        return made

    def predict(self, X: Any) -> Any:
        """Return the class of each sample.

        Raises ValueError for NaN, infinities and another number of features.

        >>> from phalanx.ml.naive_bayes import BernoulliNB
        >>> X, y = np.array([[1, 0], [2, 0], [0, 3], [0, 1]]), np.array([0, 0, 1, 1])
        >>> model = BernoulliNB().fit(X, y)
        >>> model.predict([[0, 2], [3, 0]])
        array([1, 0])
        """
        joint = self._joint(self._seen(self._samples(X)))
        return named(X, self.classes_, px.argmax(joint, axis=1))

    def predict_joint_log_proba(self, X: Any) -> Any:
        """Return the logarithm of the chance of each class with a sample, samples x classes.

        >>> from phalanx.ml.naive_bayes import BernoulliNB
        >>> X, y = np.array([[1, 0], [2, 0], [0, 3], [0, 1]]), np.array([0, 0, 1, 1])
        >>> model = BernoulliNB().fit(X, y)
        >>> model.predict_joint_log_proba([[0, 2]]).round(3)
        array([[-3.466, -1.269]])
        """
        x = self._seen(self._samples(X))
        return given_as(X, self._finished(self._joint(x), x))

    def predict_log_proba(self, X: Any) -> Any:
        """Return the logarithm of each class's chance, samples x classes. Raises as `predict`.

        >>> from phalanx.ml.naive_bayes import BernoulliNB
        >>> X, y = np.array([[1, 0], [2, 0], [0, 3], [0, 1]]), np.array([0, 0, 1, 1])
        >>> model = BernoulliNB().fit(X, y)
        >>> model.predict_log_proba([[0, 2]]).round(3)
        array([[-2.303, -0.105]])
        """
        return given_as(X, self._log_chances(X))

    def predict_proba(self, X: Any) -> Any:
        """Return the chance of each class, samples x classes. Raises as `predict`.

        >>> from phalanx.ml.naive_bayes import BernoulliNB
        >>> X, y = np.array([[1, 0], [2, 0], [0, 3], [0, 1]]), np.array([0, 0, 1, 1])
        >>> model = BernoulliNB().fit(X, y)
        >>> model.predict_proba([[0, 2]]).round(3)
        array([[0.1, 0.9]])
        """
        return given_as(X, px.exp(self._log_chances(X)))

    def _log_chances(self, X: Any) -> ndarray:
        x = self._seen(self._samples(X))
        joint = self._joint(x)
        apart = joint - px.max(joint, axis=1)[:, None]
        return self._finished(apart - px.log(px.sum(px.exp(apart), axis=1))[:, None], x)

    def _finished(self, made: ndarray, x: ndarray) -> ndarray:
        """Results in the dtype that is given back."""
        return made


def members(codes: np.ndarray, classes: int, weight: ndarray | None, like: ndarray) -> ndarray:
    """Samples x classes: the weight of a sample in the column of its class, else 0; float64."""
    numbers = px.asarray(codes, device=like.device)
    made = (numbers[:, None] == px.arange(classes, device=like.device)).astype(np.float64)
    return made if weight is None else made * weight[:, None]
