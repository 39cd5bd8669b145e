"""The array back end "phalanx" of Dask's: `dask.config.set({"array.backend": "phalanx"})`."""

from __future__ import annotations

from typing import Any

import dask.array as da
import numpy as np
from dask import config
from dask.array.backends import ArrayBackendEntrypoint
from dask.utils import Dispatch

import phalanx as px

from . import chunks


def _made(function: str, *args: Any, **options: Any) -> Any:
    """What Dask's function of that name makes, of chunks of ours unless `meta` says otherwise."""
    options.setdefault("meta", px.empty(()))
    with config.set({"array.backend": "numpy"}):  # else it would come back here
        return getattr(da, function)(*args, **options)


class Backend(ArrayBackendEntrypoint):  # type: ignore[misc]
    """Creates Dask's arrays with chunks of ours, and brings others' chunks to ours."""

    def __init__(self) -> None:
        chunks.register()

    @classmethod
    def to_backend_dispatch(cls) -> Dispatch:
        """The function that makes a chunk of ours of another one."""
        return chunks.to_phalanx_dispatch

    @classmethod
    def to_backend(cls, data: Any, **options: Any) -> Any:
        """The Dask array with chunks of ours: itself where they are.

        Raises `TypeError` for masked arrays, which would lose their masks.
        """
        if isinstance(data._meta, np.ma.MaskedArray):
            raise TypeError("phalanx has no masked arrays: fill them first, as by da.ma.filled(x)")
        if isinstance(data._meta, px.ndarray):
            return data
        return data.map_blocks(cls.to_backend_dispatch(), **options)

    @property
    def RandomState(self) -> Any:
        """The legacy generator of random numbers, whose arrays are ours."""
        return px.random.RandomState

    @property
    def default_bit_generator(self) -> Any:
        """The bit generator of `dask.array.random.default_rng`."""
        return px.random.PCG64

    @staticmethod
    def ones(*args: Any, **options: Any) -> Any:
        """As `dask.array.ones`."""
        return _made("ones", *args, **options)

    @staticmethod
    def zeros(*args: Any, **options: Any) -> Any:
        """As `dask.array.zeros`."""
        return _made("zeros", *args, **options)

    @staticmethod
    def empty(*args: Any, **options: Any) -> Any:
        """As `dask.array.empty`."""
        return _made("empty", *args, **options)

    @staticmethod
    def full(*args: Any, **options: Any) -> Any:
        """As `dask.array.full`."""
        return _made("full", *args, **options)

    @staticmethod
    def arange(*args: Any, like: Any = None, **options: Any) -> Any:
        """As `dask.array.arange`."""
        with config.set({"array.backend": "numpy"}):
            return da.arange(*args, like=px.empty(()) if like is None else like, **options)
