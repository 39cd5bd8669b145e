"""The rows of Dask's registries for chunks that are arrays of ours."""

from __future__ import annotations

import functools
import math
from typing import Any

import numpy as np
from dask.array.backends import percentile
from dask.array.chunk_types import register_chunk_type
from dask.array.dispatch import (
    concatenate_lookup,
    divide_lookup,
    einsum_lookup,
    empty_lookup,
    nannumel_lookup,
    numel_lookup,
    percentile_lookup,
    take_lookup,
    tensordot_lookup,
    to_numpy_dispatch,
)
from dask.base import normalize_token
from dask.utils import Dispatch

import phalanx as px

to_phalanx_dispatch = Dispatch("to_phalanx_dispatch")


@functools.cache
def register() -> None:
    """Makes arrays of ours chunks that Dask does not defer to, with our functions on them."""
    register_chunk_type(px.ndarray)
    rows = {
        concatenate_lookup: px.concatenate,
        take_lookup: px.take,
        tensordot_lookup: px.tensordot,
        einsum_lookup: px.einsum,
        empty_lookup: px.empty,
        divide_lookup: px.divide,
        percentile_lookup: percentile,
        numel_lookup: _number_of_elements,
        nannumel_lookup: _number_of_numbers,
        # A copy: what is computed belongs to the caller, who may write to it.
        to_numpy_dispatch: lambda chunk, **options: np.array(chunk, **options),
        normalize_token: _token,
    }
    for registry, function in rows.items():
        registry.register(px.ndarray, function)
    to_phalanx_dispatch.register(object, px.asarray)
    concatenate_lookup.register_lazy("phalanx", _register_sparse)


def _register_sparse() -> None:
    """Joins blocks that are sparse matrices of ours, once a program has some."""
    concatenate_lookup.register(px.sparse.Sparse, _joined_matrices)


def _joined_matrices(parts: Any, axis: int = 0) -> Any:
    return (px.sparse.hstack if axis else px.sparse.vstack)(list(parts), format="csr")


def _token(array: Any) -> Any:
    """What the names of tasks are made of: the elements and their device."""
    return "phalanx.ndarray", str(array.device), normalize_token(np.asarray(array))


def _number_of_elements(
    x: Any, axis: Any = None, keepdims: bool = False, dtype: Any = np.float64, **options: Any
) -> Any:
    """How many elements a reduction along the axes is of, as an array of the reduction's shape."""
    axes = range(x.ndim) if axis is None else np.atleast_1d(axis) % max(x.ndim, 1)
    count = math.prod(x.shape[each] for each in axes)
    shape = [1 if each in axes else extent for each, extent in enumerate(x.shape)]
    if not keepdims:
        shape = [extent for each, extent in enumerate(shape) if each not in axes]
    return px.full_like(x, count, shape=tuple(shape), dtype=dtype)


def _number_of_numbers(x: Any, **options: Any) -> Any:
    """As `_number_of_elements`, without those that are NaN."""
    return px.sum(~px.isnan(x), **options)
