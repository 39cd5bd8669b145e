"""Sets of classes as rows of zeros and ones."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np

from ..base import Estimator, TransformerMixin
from ..exceptions import check_is_fitted, warn_user
from ..options import ARRAY, BOOL, NONE, Rule
from ..sparse_results import compressed


class MultiLabelBinarizer(TransformerMixin, Estimator, auto_wrap_output_keys=None):  # type: ignore[call-arg,misc]
    """Makes of each sample's set of classes a row that is 1 for those that it has, else 0.

    Parameters are scikit-learn's. Attribute: `classes_`, sorted or as given.

    >>> from phalanx.ml.preprocessing import MultiLabelBinarizer
    >>> MultiLabelBinarizer().fit_transform([{"a"}, {"a", "b"}])
    array([[1, 0],
           [1, 1]])
    """

    _rules: ClassVar[Mapping[str, Rule]] = {"classes": ARRAY | NONE, "sparse_output": BOOL}

    def __init__(self, *, classes: Any = None, sparse_output: bool = False) -> None:
        self.classes = classes
        self.sparse_output = sparse_output

    def fit(self, y: Any) -> Self:
        """Find the classes of samples, each an iterable of them.

        Raises ValueError for classes that are given twice.

        >>> from phalanx.ml.preprocessing import MultiLabelBinarizer
        >>> model = MultiLabelBinarizer().fit([{"a"}, {"a", "b"}])
        >>> model.classes_
        array(['a', 'b'], dtype=object)
        """
        self._check_options()
        if self.classes is None:
            classes = sorted(set(itertools.chain.from_iterable(y)))
        elif len(set(self.classes)) < len(self.classes):
            raise ValueError(
                "The classes argument contains duplicate classes. Remove these duplicates before "
                "passing them to MultiLabelBinarizer."
            )
        else:
            classes = list(self.classes)
        whole = all(isinstance(each, int) for each in classes)
        self.classes_ = np.empty(len(classes), np.int64 if whole else object)
        self.classes_[:] = classes
        return self

    def fit_transform(self, y: Any) -> Any:
        """Find the classes, and return the rows.

        >>> from phalanx.ml.preprocessing import MultiLabelBinarizer
        >>> model = MultiLabelBinarizer()
        >>> model.fit_transform([{"a"}, {"a", "b"}])
        array([[1, 0],
               [1, 1]])
        """
        given = y if hasattr(y, "__len__") else [list(labels) for labels in y]
        return self.fit(given).transform(given)

    def transform(self, y: Any) -> Any:
        """Return samples x classes, int64; warns (UserWarning) of classes that there are not.

        >>> from phalanx.ml.preprocessing import MultiLabelBinarizer
        >>> model = MultiLabelBinarizer().fit([{"a"}, {"a", "b"}])
        >>> model.transform([{"b"}])
        array([[0, 1]])
        """
        check_is_fitted(self, "classes_")
        table = {label: number for number, label in enumerate(self.classes_.tolist())}
        unknown: set[Any] = set()
        columns: list[int] = []
        ends = [0]
        for labels in y:
            own = set(labels)
            unknown |= own - table.keys()
            columns += sorted(table[label] for label in own & table.keys())
            ends.append(len(columns))
        if unknown:
            warn_user(f"unknown class(es) {sorted(unknown, key=str)} will be ignored")
        shape = (len(ends) - 1, len(table))
        if self.sparse_output:
            parts = (np.ones(len(columns), np.int64), np.array(columns, np.int32))
            return compressed(None, (*parts, np.array(ends, np.int32)), shape)
        made = np.zeros(shape, np.int64)
        made[np.repeat(np.arange(shape[0]), np.diff(ends)), columns] = 1
        return made

    def inverse_transform(self, yt: Any) -> list[tuple[Any, ...]]:
        """Return the classes of each row. Raises ValueError for others than zeros and ones.

        >>> from phalanx.ml.preprocessing import MultiLabelBinarizer
        >>> model = MultiLabelBinarizer().fit([{"a"}, {"a", "b"}])
        >>> model.inverse_transform(np.array([[1, 1]]))
        [('a', 'b')]
        """
        check_is_fitted(self, "classes_")
        values = np.asarray(yt.toarray() if hasattr(yt, "toarray") else yt)
        if values.shape[1] != len(self.classes_):
            raise ValueError(
                f"Expected indicator for {len(self.classes_)} classes, but got {values.shape[1]}"
            )
        others = np.setdiff1d(values, [0, 1])
        if len(others):
            raise ValueError(f"Expected only 0s and 1s in label indicator. Also got {others}")
        return [tuple(self.classes_[row != 0]) for row in values]

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False
        tags.target_tags.two_d_labels = True
        return tags
