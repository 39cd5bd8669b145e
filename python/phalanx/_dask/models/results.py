"""What models give for Dask's collections: their methods, block by block."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import dask
import dask.array as da
import numpy as np
from dask.base import is_dask_collection

from ..._models.exceptions import check_is_fitted
from ..._models.sparse_samples import is_sparse
from ..._models.validation import given_as, is_ours


def _call(block: Any, model: Any, method: str, empty: Any) -> Any:
    if block.shape[0] == 0:  # no model of one process takes that
        return empty if is_sparse(empty) else given_as(block, empty)
    made = getattr(model, method)(block)
    return made if is_ours(made) or is_sparse(made) else np.asarray(made)


class OverBlocks:
    """A model whose methods take arrays and frames of Dask's, too, and give Dask's arrays."""

    _learns = "n_features_in_"  # what a fitted model has

    def _of_one_process(self) -> Any:
        return next(each for each in type(self).__mro__ if not issubclass(each, OverBlocks))

    def _alone(self) -> Any:
        """The model of one process with these parameters and what was learned: its tasks'."""
        alone = self._of_one_process()
        made = alone.__new__(alone)
        left = ("labels_", "_blocks")  # of the samples, which no task needs
        made.__dict__.update({k: v for k, v in vars(self).items() if k not in left})
        return made

    def _unfitted(self) -> Any:
        """The model of one process with these parameters, and the number of features."""
        own: Any = self
        made = self._of_one_process()(**own.get_params(deep=False))
        made.n_features_in_ = own.n_features_in_
        return made

    def _sample(self, X: Any) -> Any:
        """A sample with the features of a collection, which is asked for shapes and dtypes."""
        columns = getattr(X, "columns", None)
        if columns is None:
            return np.ones((1, X.shape[1]), X.dtype)
        return type(X._meta)({name: np.ones(1) for name in columns})

    def _over(self, method: str, X: Any) -> Any:
        check_is_fitted(self, self._learns)
        model = self._alone()
        made = getattr(model, method)(self._sample(X))
        made = made if is_sparse(made) else np.asarray(made)
        call = functools.partial(_call, model=model, method=method, empty=made[:0])
        if not isinstance(X, da.Array):
            return X.map_partitions(call, meta=made[:0])
        kind = made[:0] if is_sparse(made) else given_as(X._meta, made[:0])
        if X.ndim == 1:
            return _of_targets(X, call, made, kind)
        rows = X.rechunk({1: -1})
        if made.ndim == 1:
            return rows.map_blocks(call, drop_axis=1, meta=kind)
        return rows.map_blocks(call, chunks=(rows.chunks[0], (made.shape[1],)), meta=kind)


def together(*values: Any) -> Any:
    """The values, of which Dask's collections are computed in one go.

    As delayed values, as `dask.compute` of Dask 2026.8 mixes up the order of arrays and frames.
    """
    return dask.compute(*(dask.delayed(v) if is_dask_collection(v) else v for v in values))


class Scored(OverBlocks):
    """A model of targets, whose predictions are brought together to be compared with them."""

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the model's score of samples, targets and weights: Dask's collections or others.

        Of collections the rows need not be known before. Raises ValueError for other lengths.
        """
        own: Any = self
        found, true, weight = together(own.predict(X), y, sample_weight)
        model = self._alone()
        model.predict = lambda _: found
        return float(model.score(found, true, weight))


def _of_targets(X: Any, call: Any, made: Any, kind: Any) -> Any:
    """Results for blocks of one dimension, as of targets."""
    if made.ndim == 1:
        return X.map_blocks(call, meta=kind)
    return X.map_blocks(call, new_axis=1, chunks=(X.chunks[0], (made.shape[1],)), meta=kind)


def over_blocks(*methods: str) -> Callable[[type], type]:
    """Give a class methods that take Dask's collections; of other samples as they were."""

    def decorate(cls: type) -> type:
        for name in methods:
            setattr(cls, name, _method(getattr(cls, name), name))
        return cls

    return decorate


def _method(original: Any, name: str) -> Any:
    @functools.wraps(original)
    def method(self: Any, X: Any, *arguments: Any, **options: Any) -> Any:
        if is_dask_collection(X):
            return self._over(name, X)
        return original(self, X, *arguments, **options)

    return method
