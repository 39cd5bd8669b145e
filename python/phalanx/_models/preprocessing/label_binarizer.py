"""Classes as columns of two numbers."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np

import phalanx as px

from ..base import Estimator, TransformerMixin
from ..exceptions import check_is_fitted
from ..options import BOOL, Rule, whole
from ..sparse_results import compressed
from ..validation import as_array, given_as
from .category_columns import categories_of, codes_of
from .target_kinds import kind_of_target


class LabelBinarizer(TransformerMixin, Estimator, auto_wrap_output_keys=None):  # type: ignore[call-arg,misc]
    """Makes a column for each class, which is `pos_label` for its samples, else `neg_label`.

    Two classes have one column. Samples that have several classes, as rows of zeros and ones, stay.
    Parameters are scikit-learn's; sparse targets are refused (TypeError).

    Attributes: `classes_`, `y_type_` (``"binary"``, ``"multiclass"``, ``"multilabel-indicator"``),
    `sparse_input_` (False).

    >>> from phalanx.ml.preprocessing import LabelBinarizer
    >>> LabelBinarizer().fit_transform(["b", "a", "c"])
    array([[0, 1, 0],
           [1, 0, 0],
           [0, 0, 1]])
    """

    _rules: ClassVar[Mapping[str, Rule]] = {
        "neg_label": whole(),
        "pos_label": whole(),
        "sparse_output": BOOL,
    }

    def __init__(
        self, *, neg_label: int = 0, pos_label: int = 1, sparse_output: bool = False
    ) -> None:
        self.neg_label = neg_label
        self.pos_label = pos_label
        self.sparse_output = sparse_output

    def fit(self, y: Any) -> Self:
        """Find the classes of samples, numbers or texts.

        Raises ValueError for no samples, several targets that are no zeros and ones, and labels
        that do not fit each other.

        >>> from phalanx.ml.preprocessing import LabelBinarizer
        >>> model = LabelBinarizer().fit(["a", "b", "c"])
        >>> model.classes_
        array(['a', 'b', 'c'], dtype='<U1')
        """
        self._check_options()
        _check_labels(self.neg_label, self.pos_label, self.sparse_output)
        values = as_array(y, "y")
        if values.ndim and values.shape[0] == 0:
            raise ValueError(f"y has 0 samples: {y!r}")
        self.y_type_ = kind_of_target(values)
        if "multioutput" in self.y_type_:
            raise ValueError("Multioutput target data is not supported with label binarization")
        if self.y_type_ == "continuous":
            raise ValueError("Unknown label type: continuous targets have no classes")
        self.sparse_input_ = False
        several = self.y_type_ == "multilabel-indicator"
        self.classes_ = np.arange(values.shape[1]) if several else categories_of(_flat(values))
        return self

    def fit_transform(self, y: Any) -> Any:
        """Find the classes, and return the columns.

        >>> from phalanx.ml.preprocessing import LabelBinarizer
        >>> model = LabelBinarizer()
        >>> model.fit_transform(["b", "a", "c"])
        array([[0, 1, 0],
               [1, 0, 0],
               [0, 0, 1]])
        """
        return self.fit(y).transform(y)

    def transform(self, y: Any) -> Any:
        """Return samples x classes, int64; samples of other classes have no `pos_label`.

        Raises ValueError for samples of several classes unless `fit` had such.

        >>> from phalanx.ml.preprocessing import LabelBinarizer
        >>> model = LabelBinarizer().fit(["a", "b", "c"])
        >>> model.transform(["b", "a"])
        array([[0, 1, 0],
               [1, 0, 0]])
        """
        check_is_fitted(self, "classes_")
        values = as_array(y, "y")
        several = kind_of_target(values).startswith("multilabel")
        if several and not self.y_type_.startswith("multilabel"):
            raise ValueError("The object was not fitted with multilabel input.")
        return label_binarize(
            y,
            classes=self.classes_,
            neg_label=self.neg_label,
            pos_label=self.pos_label,
            sparse_output=self.sparse_output,
        )

    def inverse_transform(self, Y: Any, threshold: float | None = None) -> Any:
        """Return the class of each sample: the greatest column's, or that above `threshold`.

        The threshold is the middle of both labels unless given. Raises ValueError for other shapes.

        >>> from phalanx.ml.preprocessing import LabelBinarizer
        >>> model = LabelBinarizer().fit(["a", "b", "c"])
        >>> model.inverse_transform(np.array([[0, 1, 0]]))
        array(['b'], dtype='<U1')
        """
        check_is_fitted(self, "classes_")
        values = np.asarray(Y.toarray() if hasattr(Y, "toarray") else as_array(Y, "Y"))
        if threshold is None:
            threshold = (self.pos_label + self.neg_label) / 2.0
        if self.y_type_ == "multiclass":
            _check_columns(values, len(self.classes_))
            found = self.classes_[values.argmax(axis=1)]
        elif self.y_type_ == "binary":
            found = self._inverse_of_two(values, threshold)
        else:
            _check_columns(values, len(self.classes_))
            found = (values > threshold).astype(np.int64)
        return given_as(Y, found)

    def _inverse_of_two(self, values: np.ndarray, threshold: float) -> np.ndarray:
        if values.ndim == 2 and values.shape[1] > 2:
            raise ValueError(f"output_type='binary', but y.shape = {values.shape}")
        column = values[:, -1] if values.ndim == 2 else values
        if len(self.classes_) == 1:
            return np.repeat(self.classes_[0], len(column))
        return np.asarray(self.classes_[(column > threshold).astype(np.int64)])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.target_tags.one_d_labels = True
        return tags


def _flat(values: Any) -> Any:
    values = values.reshape(-1)
    return px.asarray(values) if values.dtype.kind in "biuf" else np.asarray(values)


def _check_labels(negative: int, positive: int, sparse: bool) -> None:
    if negative >= positive:
        raise ValueError(f"neg_label={negative} must be strictly less than pos_label={positive}.")
    if sparse and (positive == 0 or negative != 0):
        raise ValueError(
            "Sparse binarization is only supported with non zero pos_label and zero neg_label, got "
            f"pos_label={positive} and neg_label={negative}"
        )


def _check_columns(values: np.ndarray, classes: int) -> None:
    if values.ndim != 2 or values.shape[1] != classes:
        raise ValueError(
            f"The number of class is not equal to the number of dimension of y: {classes} classes, "
            f"but the shape is {values.shape}"
        )


def label_binarize(
    y: Any, *, classes: Any, neg_label: int = 0, pos_label: int = 1, sparse_output: bool = False
) -> Any:
    """Return samples x `classes`, int64, as `LabelBinarizer` does: CSR with `sparse_output`.

    Raises ValueError for no samples, several targets, and labels that do not fit each other.

    >>> from phalanx.ml.preprocessing import label_binarize
    >>> label_binarize([1, 3], classes=[1, 2, 3])
    array([[1, 0, 0],
           [0, 0, 1]])
    """
    _check_labels(neg_label, pos_label, sparse_output)
    values = as_array(y, "y")
    if values.ndim and values.shape[0] == 0:
        raise ValueError(f"y has 0 samples: {y!r}")
    kind, classes = kind_of_target(values), np.asarray(classes)
    if "multioutput" in kind or kind == "continuous":
        raise ValueError(f"{kind} target data is not supported with label binarization")
    if kind == "multilabel-indicator":
        if values.shape[1] != len(classes):
            raise ValueError(
                f"classes {classes} mismatch with the labels {np.arange(values.shape[1])} found in "
                "the data"
            )
        is_one = np.asarray(values) != 0
    else:
        is_one = _codes(_flat(values), classes)[:, None] == np.arange(len(classes))
        if len(classes) <= 2 and kind == "binary":
            is_one = is_one[:, 1:] if len(classes) == 2 else np.zeros((len(is_one), 1), bool)
    if sparse_output:
        return _sparse(y, is_one, pos_label)
    return given_as(y, np.where(is_one, pos_label, neg_label).astype(np.int64))


def _codes(values: Any, classes: np.ndarray) -> np.ndarray:
    """The place of each sample's class among the classes, which need not be sorted."""
    order = np.argsort(classes, kind="stable")
    codes = codes_of(values, classes[order])
    return np.where(codes < 0, -1, order[codes])


def _sparse(y: Any, is_one: np.ndarray, label: int) -> Any:
    ends = np.append(0, np.cumsum(is_one.sum(axis=1))).astype(np.int32)
    columns = np.nonzero(is_one)[1].astype(np.int32)
    return compressed(y, (np.full(len(columns), label, np.int64), columns, ends), is_one.shape)
