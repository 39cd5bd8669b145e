"""The rows of Dask's registries for frames, series and indexes of ours."""

from __future__ import annotations

import functools
import pickle
from typing import Any

import numpy as np
from dask._dispatch import get_collection_type
from dask.array.dispatch import percentile_lookup
from dask.array.percentile import _percentile
from dask.base import normalize_token
from dask.dataframe import dispatch
from dask.dataframe.extensions import make_scalar
from dask.utils import Dispatch

import phalanx as px

from ..._frames import dtypes
from ..._frames.hashing import hash_pandas_object
from .. import explaining
from . import collections, divisions, joining, metas, pandas_calls, shuffling, tables

to_phalanx_dispatch = Dispatch("to_phalanx_dispatch")
_ROWS = (px.DataFrame, px.Series)
_ALL = (*_ROWS, px.Index)
_SCALARS = (px.Timestamp, px.Timedelta, px.Interval, px.Period)


@functools.cache
def register() -> None:
    """Makes our frames partitions of Dask's; a second call does nothing."""
    for registry, kinds, function in (
        (dispatch.make_meta_dispatch, _ALL, metas.without_rows),
        (dispatch.make_meta_obj, _ALL, metas.of_description),
        (dispatch.meta_nonempty, _ALL, metas.with_rows),
        (dispatch.meta_lib_from_array, px.ndarray, lambda array: px),
        (dispatch.concat_dispatch, _ALL, joining.concat),
        (dispatch.union_categoricals_dispatch, (*_ALL, px.Categorical), joining.unite),
        (dispatch.hash_object_dispatch, _ALL, shuffling.hashes),
        (dispatch.group_split_dispatch, _ALL, shuffling.split),
        (dispatch.partd_encode_dispatch, px.DataFrame, shuffling.encode),
        (dispatch.grouper_dispatch, _ROWS, lambda obj: px.Grouper),
        (dispatch.tolist_dispatch, (*_ALL, px.Categorical, px.ndarray), lambda obj: obj.tolist()),
        (dispatch.is_categorical_dtype_dispatch, (*_ALL, dtypes.ExtensionDtype), _has_categories),
        (dispatch.categorical_dtype_dispatch, _ALL, px.CategoricalDtype),
        (dispatch.pyarrow_schema_dispatch, px.DataFrame, tables.schema_of),
        (dispatch.to_pyarrow_table_dispatch, px.DataFrame, tables.table_of),
        (dispatch.from_pyarrow_table_dispatch, px.DataFrame, tables.frame_of),
        (dispatch.to_pandas_dispatch, _ALL, lambda obj, **options: obj.to_pandas(**options)),
        (percentile_lookup, (px.Series, px.Index), _percentiles),
        (make_scalar, _SCALARS, lambda value: value),
        (normalize_token, _ALL, _token),
        (normalize_token, dtypes.ExtensionDtype, lambda dtype: ("phalanx dtype", str(dtype))),
    ):
        registry.register(kinds, function)
    for registry in (get_collection_type, dispatch.get_parallel_type):
        registry.register(px.DataFrame, lambda meta: collections.DataFrame)
        registry.register(px.Series, lambda meta: collections.Series)
        registry.register(px.Index, lambda meta: collections.Index)
    divisions.register()
    pandas_calls.register()
    _register_the_way_here()
    explaining.register_frames()


def _register_the_way_here() -> None:
    import pandas as pd

    to_phalanx_dispatch.register(_ALL, lambda obj, **options: obj)
    to_phalanx_dispatch.register(
        (pd.DataFrame, pd.Series, pd.Index), lambda obj, **options: px.from_pandas(obj)
    )


def _has_categories(obj: Any) -> bool:
    return isinstance(getattr(obj, "dtype", obj), px.CategoricalDtype)


def _percentiles(a: Any, q: Any, interpolation: str = "linear") -> Any:
    return _percentile(a.to_numpy(), q, interpolation)


def _token(obj: Any) -> Any:
    """What the names of tasks are made of: the hashes of the rows, labels and dtypes."""
    try:
        hashes: Any = np.asarray(hash_pandas_object(obj))
    except TypeError:  # lists and the like among objects
        hashes = pickle.dumps(obj, protocol=5)
    if isinstance(obj, px.DataFrame):
        told: Any = (_token(obj.columns), [str(each) for each in obj.dtypes], _names(obj.index))
    elif isinstance(obj, px.Series):
        told = (obj.name, str(obj.dtype), _names(obj.index))
    else:
        told = (str(obj.dtype), _names(obj))
    return type(obj).__name__, normalize_token(told), normalize_token(hashes)


def _names(index: Any) -> Any:
    return type(index).__name__, list(index.names)
