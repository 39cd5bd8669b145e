"""The package `cupyx.scipy`: sparse matrices, and which functions are for an array."""

from __future__ import annotations

import importlib
from typing import Any

import phalanx as px

from . import _cupy_table


def get_array_module(*args: Any) -> Any:
    """This package where an argument is an array or sparse matrix of ours, else `scipy`."""
    from .. import sparse

    if any(isinstance(each, px.ndarray) or sparse.issparse(each) for each in args):
        return importlib.import_module("cupyx.scipy")
    return importlib.import_module("scipy")


def __getattr__(name: str) -> Any:
    if f"cupyx.scipy.{name}" in _cupy_table.TABLE:
        return importlib.import_module(f"cupyx.scipy.{name}")
    if name.startswith("__"):
        raise AttributeError(name)
    raise AttributeError(
        f"phalanx does not provide cupyx.scipy.{name}; {_cupy_table.remedy('cupyx.scipy')}"
    )
