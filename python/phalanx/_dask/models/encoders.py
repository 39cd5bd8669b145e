"""Encoders over blocks: the categories of all blocks are merged, with how often each is there."""

from __future__ import annotations

from typing import Any, NamedTuple, Self

import dask.array as da
import numpy as np

import phalanx as px

from ..._models.blocks.source import checker, refuse_dimensions
from ..._models.features import keep_features
from ..._models.preprocessing import label_binarizer, label_encoder, one_hot_encoder
from ..._models.preprocessing import ordinal_encoder as ordinal
from ..._models.preprocessing.category_columns import categories_of, codes_of, columns_of
from ..._models.preprocessing.category_encoder import Columns
from ..._models.validation import as_array, given_as
from .blocks import Parts, delayed_rows, refuse_others
from .results import OverBlocks, over_blocks


class _Found(NamedTuple):
    """The categories of a column, and how often each is there."""

    categories: np.ndarray
    counts: np.ndarray


def _as_column(values: Any) -> Any:
    return px.asarray(values) if values.dtype.kind in "biuf" else np.asarray(values)


def _found(column: Any) -> _Found:
    categories = categories_of(column)
    codes = codes_of(column, categories)
    return _Found(categories, np.bincount(codes, minlength=len(categories)))


def _both(first: _Found, second: _Found) -> _Found:
    given = _as_column(np.concatenate([first.categories, second.categories]))
    categories = categories_of(given)
    counts = np.concatenate([first.counts, second.counts])
    codes = codes_of(given, categories)
    made = np.bincount(codes, counts, minlength=len(categories))
    return _Found(categories, made.astype(np.int64))


def _of_table(X: Any, name: str) -> list[_Found]:
    return [_found(column) for column in columns_of(checker(name), X, fitting=True)]


def _tables(first: list[_Found], second: list[_Found]) -> list[_Found]:
    return [_both(*each) for each in zip(first, second, strict=True)]


def _of_targets(y: Any) -> _Found:
    return _found(_as_column(as_array(y, "y").reshape(-1)))


class _Categories(OverBlocks):
    """Categories of samples x features in blocks."""

    def _fit_categories(self, X: Any, *, refuses_others: bool, groups_nan: bool = True) -> Any:
        model: Any = self
        refuse_others(X, "X", self)
        refuse_dimensions(X)
        found = Parts.of(delayed_rows(X)).reduced(_of_table, _tables, type(self).__name__)
        keep_features(self, X._meta, X.shape[1])
        columns = [_as_column(each.categories) for each in found]
        counts = [each.counts for each in found]
        given = Columns(columns, counts, int(counts[0].sum()))
        model._fit_columns(given, refuses_others=refuses_others, groups_nan=groups_nan)

    def _sample(self, X: Any) -> Any:
        model: Any = self
        return _row([each[0] for each in model.categories_], X)


def _row(values: list[Any], X: Any) -> Any:
    """One sample of these values, in the kind of X's blocks."""
    if isinstance(X, da.Array):
        return given_as(X._meta, np.array([values], X.dtype))
    return type(X._meta)({k: [v] for k, v in zip(X.columns, values, strict=True)})


@over_blocks("transform")
class OneHotEncoder(_Categories, one_hot_encoder.OneHotEncoder):
    """`phalanx.ml.OneHotEncoder` over arrays and frames of Dask's.

    With `sparse_output` blocks of results are matrices in CSR form.
    """

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Fit, and return samples x columns, an array of Dask's."""
        return self.fit(X).transform(X)


@over_blocks("transform")
class OrdinalEncoder(_Categories, ordinal.OrdinalEncoder):
    """`phalanx.ml.OrdinalEncoder` over arrays and frames of Dask's."""

    def fit_transform(self, X: Any, y: Any = None) -> Any:
        """Fit, and return samples x features, an array of Dask's."""
        return self.fit(X).transform(X)


class _Targets(OverBlocks):
    """Classes of targets in blocks, one a sample."""

    _learns = "classes_"

    def fit(self, y: Any) -> Self:
        """Find the classes. Raises TypeError for what is not Dask's, ValueError for no samples."""
        refuse_others(y, "y", self)
        if y.ndim == 2 and y.shape[1] != 1:
            raise NotImplementedError(
                f"several targets are not supported by phalanx.ml.dask's {type(self).__name__}; "
                f"phalanx.ml.{type(self).__name__} takes them"
            )
        found = Parts.of(delayed_rows(y)).reduced(_of_targets, _both)
        super().fit(found.categories)  # type: ignore[misc]
        return self

    def fit_transform(self, y: Any) -> Any:
        """Fit, and return what `transform` gives, an array of Dask's."""
        model: Any = self
        return model.fit(y).transform(y)

    def _sample(self, y: Any) -> Any:
        model: Any = self
        return given_as(y._meta, model.classes_[:1])


@over_blocks("transform", "inverse_transform")
class LabelEncoder(_Targets, label_encoder.LabelEncoder):
    """`phalanx.ml.LabelEncoder` over arrays and series of Dask's."""


@over_blocks("transform")
class LabelBinarizer(_Targets, label_binarizer.LabelBinarizer):
    """`phalanx.ml.LabelBinarizer` over arrays and series of Dask's, of one class a sample."""
