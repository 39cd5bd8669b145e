"""Named values of samples as columns, one for each name or name with text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from numbers import Number
from typing import Any, ClassVar, Self

import numpy as np

from ..base import Estimator, TransformerMixin
from ..exceptions import check_is_fitted
from ..options import BOOL, Rule
from ..sparse_results import compressed
from .counting import Vocabulary

_TEXT = Rule(lambda value: isinstance(value, str), "a text")


class DictVectorizer(TransformerMixin, Estimator):  # type: ignore[misc]
    """Makes samples, each a dict of names and values, rows of numbers.

    A number goes to the column of its name, None as NaN; a text makes a column of its own, named
    ``name=text``, that is 1 where it is met, as do the texts of a list, summed where they repeat.
    Names that were not met at `fit` are left out. Parameters are scikit-learn's. Results are
    SciPy's matrices in CSR form, or NumPy's arrays unless `sparse`.

    Attributes: `feature_names_` (a list, sorted with `sort`, else as they come), `vocabulary_`
    (their columns).

    >>> from phalanx.ml.feature_extraction import DictVectorizer
    >>> rows = [{"size": 1.0, "kind": "a"}, {"size": 2.0, "kind": "b"}]
    >>> DictVectorizer(sparse=False).fit_transform(rows)
    array([[1., 0., 1.],
           [0., 1., 2.]])
    """

    _rules: ClassVar[Mapping[str, Rule]] = {"separator": _TEXT, "sparse": BOOL, "sort": BOOL}
    feature_names_: list[Any]
    vocabulary_: dict[Any, int]

    def __init__(
        self,
        *,
        dtype: Any = np.float64,
        separator: str = "=",
        sparse: bool = True,
        sort: bool = True,
    ) -> None:
        self.dtype = dtype
        self.separator = separator
        self.sparse = sparse
        self.sort = sort

    def fit(self, X: Any, y: Any = None) -> Self:
        """Find the names of dicts, or of a single one.

        Raises TypeError for values that are neither numbers, texts, None nor lists of texts, and
        what `check_options` raises.

        >>> from phalanx.ml.feature_extraction import DictVectorizer
        >>> rows = [{"size": 1.0, "kind": "a"}, {"size": 2.0, "kind": "b"}]
        >>> model = DictVectorizer(sparse=False).fit(rows)
        >>> model.vocabulary_
        {'kind=a': 0, 'kind=b': 1, 'size': 2}
        """
        self._check_options()
        table = Vocabulary()
        for sample in _samples(X):
            for name, _ in self._pairs(sample):
                table[name]
        self._keep(dict(table))
        return self

    def _keep(self, found: dict[Any, int]) -> np.ndarray:
        """Set the names; return the column of each number of a name."""
        names = sorted(found) if self.sort else list(found)
        self.feature_names_ = names
        self.vocabulary_ = {name: column for column, name in enumerate(names)}
        return np.array([self.vocabulary_[name] for name in found], np.int64)

    def _pairs(self, sample: Any) -> Iterator[tuple[Any, Any]]:
        """The names and numbers of a sample. Raises TypeError for other values."""
        if not hasattr(sample, "items"):
            raise TypeError(
                f"a sample is a mapping of names to values, not {type(sample).__name__}"
            )
        for name, value in sample.items():
            if isinstance(value, str):
                yield f"{name}{self.separator}{value}", 1
            elif isinstance(value, Number) or value is None:
                yield name, value
            elif isinstance(value, Iterable) and not isinstance(value, Mapping):
                for each in value:
                    if not isinstance(each, str):
                        raise TypeError(
                            f"Unsupported type {type(each)} in iterable value. Only iterables of "
                            "string are supported."
                        )
                    yield f"{name}{self.separator}{each}", 1
            else:
                raise TypeError(
                    f"Unsupported value type {type(value)} for {name}: {value}.\n"
                    f"{type(value)} objects are not supported: give numbers, texts or lists of "
                    "texts."
                )

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Return what `fit` and then `transform` do, in one pass over the samples.

        Raises as they do.

        >>> from phalanx.ml.feature_extraction import DictVectorizer
        >>> rows = [{"size": 1.0, "kind": "a"}, {"size": 2.0, "kind": "b"}]
        >>> DictVectorizer(sparse=False).fit_transform(rows)
        array([[1., 0., 1.],
               [0., 1., 2.]])
        """
        self._check_options()
        table = Vocabulary()
        terms, values, ends = self._numbered(X, table)
        return self._rows(self._keep(dict(table))[terms], values, ends)

    def transform(self, X: Any) -> Any:
        """Return samples x names of dicts, or of a single one.

        Raises TypeError as `fit` does, ValueError for no samples, and NotFittedError.

        >>> from phalanx.ml.feature_extraction import DictVectorizer
        >>> rows = [{"size": 1.0, "kind": "a"}, {"size": 2.0, "kind": "b"}]
        >>> model = DictVectorizer(sparse=False).fit(rows)
        >>> model.transform([{"size": 5.0}])
        array([[0., 0., 5.]])
        """
        check_is_fitted(self, "feature_names_")
        return self._rows(*self._numbered(X, self.vocabulary_))

    def _numbered(
        self, X: Any, table: Mapping[Any, int]
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Columns and numbers of all samples, each up to its end."""
        terms: list[int] = []
        values: list[Any] = []
        ends = [0]
        is_growing = isinstance(table, Vocabulary)
        for sample in _samples(X):
            for name, value in self._pairs(sample):
                if is_growing or name in table:
                    terms.append(table[name])
                    values.append(value)
            ends.append(len(terms))
        if len(ends) == 1:
            raise ValueError("Sample sequence X is empty.")
        columns = np.array(terms, np.int64)
        return columns, np.array(values).astype(self.dtype), np.array(ends, np.int64)

    def _rows(self, columns: np.ndarray, values: np.ndarray, ends: np.ndarray) -> Any:
        count, width = len(ends) - 1, len(self.feature_names_)
        rows = np.repeat(np.arange(count), np.diff(ends))
        if not self.sparse:
            made = np.zeros((count, width), values.dtype)
            np.add.at(made, (rows, columns), values)
            return made
        order = np.lexsort((columns, rows))
        rows, columns, values = rows[order], columns[order], values[order]
        is_first = np.ones(len(rows), bool)
        is_first[1:] = (np.diff(rows) > 0) | (np.diff(columns) > 0)
        if not is_first.all():
            values = np.add.reduceat(values, np.flatnonzero(is_first)).astype(values.dtype)
            rows, columns = rows[is_first], columns[is_first]
        places = np.append(0, np.cumsum(np.bincount(rows, minlength=count)))
        parts = (values, columns.astype(np.int32), places.astype(np.int32))
        return compressed(None, parts, (count, width))

    def inverse_transform(self, X: Any, dict_type: Any = dict) -> list[Any]:
        """Return a mapping for each row of samples x names, of the numbers that are not 0.

        Names with texts stay as they are. Raises ValueError for another number of columns.
        """
        check_is_fitted(self, "feature_names_")
        dense = X.toarray() if hasattr(X, "toarray") else X
        table = np.asarray(dense)
        if table.ndim != 2 or table.shape[1] != len(self.feature_names_):
            raise ValueError(
                f"X has shape {table.shape}, but DictVectorizer is expecting "
                f"{len(self.feature_names_)} columns"
            )
        made = [dict_type() for _ in range(len(table))]
        for i, j in zip(*np.nonzero(table), strict=True):
            made[i][self.feature_names_[j]] = table[i, j]
        return made

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """Return the names of the columns, as texts.

        >>> from phalanx.ml.feature_extraction import DictVectorizer
        >>> rows = [{"size": 1.0, "kind": "a"}, {"size": 2.0, "kind": "b"}]
        >>> model = DictVectorizer(sparse=False).fit(rows)
        >>> model.get_feature_names_out()
        array(['kind=a', 'kind=b', 'size'], dtype=object)
        """
        check_is_fitted(self, "feature_names_")
        return np.asarray([str(name) for name in self.feature_names_], object)

    def restrict(self, support: Any, indices: bool = False) -> Self:
        """Keep some columns: True in a mask, or their numbers with `indices`.

        Raises IndexError for numbers that there are not.

        >>> from phalanx.ml.feature_extraction import DictVectorizer
        >>> rows = [{"size": 1.0, "kind": "a"}, {"size": 2.0, "kind": "b"}]
        >>> model = DictVectorizer(sparse=False).fit(rows)
        >>> model.restrict([True, False, True]).get_feature_names_out()
        array(['kind=a', 'size'], dtype=object)
        """
        check_is_fitted(self, "feature_names_")
        kept = np.asarray(support) if indices else np.flatnonzero(support)
        names = [self.feature_names_[int(each)] for each in kept]
        self.feature_names_ = names
        self.vocabulary_ = {name: column for column, name in enumerate(names)}
        return self

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.dict = True
        tags.input_tags.two_d_array = False
        return tags


def _samples(X: Any) -> Iterable[Any]:
    return [X] if isinstance(X, Mapping) else X
