"""Functions that NumPy has given up, and CuPy still has."""

from __future__ import annotations

from typing import Any

import numpy as np

import phalanx as px


def asfarray(a: Any, dtype: Any = float) -> Any:
    """The array as one of floats."""
    kind = np.dtype(dtype)
    return px.asarray(a, dtype=kind if np.issubdtype(kind, np.inexact) else float)


def msort(a: Any) -> Any:
    """The array sorted along its first axis."""
    return px.sort(a, axis=0)


def in1d(ar1: Any, ar2: Any, assume_unique: bool = False, invert: bool = False) -> Any:
    """As `isin`, of the flat array."""
    return px.isin(ar1, ar2, assume_unique=assume_unique, invert=invert).ravel()


def byte_bounds(a: Any) -> tuple[int, int]:
    """The address of the first byte of an array, and of the first one after it."""
    interface = getattr(a, "__cuda_array_interface__", None) or a.__array_interface__
    low = high = int(interface["data"][0])
    if a.size:
        steps = [(n - 1) * stride for n, stride in zip(a.shape, a.strides, strict=True)]
        low += sum(step for step in steps if step < 0)
        high += sum(step for step in steps if step > 0) + a.itemsize
    return low, high


def who(vardict: dict[str, Any] | None = None) -> None:
    """Prints the arrays of a dictionary, with shapes, bytes and dtypes."""
    for name, value in (vardict or {}).items():
        if isinstance(value, px.ndarray):
            print(f"{name}  {value.shape}  {value.nbytes}  {value.dtype}")


def obj2sctype(rep: Any, default: Any = None) -> Any:
    """The class of scalars of an object, or the default."""
    if isinstance(rep, type) and issubclass(rep, np.generic):
        return rep
    if isinstance(rep, (np.ndarray, px.ndarray)):
        return rep.dtype.type
    try:
        return np.dtype(rep).type
    except TypeError:
        return default


def issctype(rep: Any) -> bool:
    """Returns whether an object is a class of scalars or a dtype."""
    if not isinstance(rep, (type, np.dtype)):
        return False
    found = obj2sctype(rep)
    return found is not None and found is not np.object_


def sctype2char(sctype: Any) -> str:
    """The character of a class of scalars. Raises `ValueError` where there is none."""
    found = obj2sctype(sctype)
    if found is None:
        raise ValueError("unrecognized type")
    return str(np.dtype(found).char)


def issubclass_(arg1: Any, arg2: Any) -> bool:
    """As `issubclass`, and False for what is no class."""
    try:
        return issubclass(arg1, arg2)
    except TypeError:
        return False


def issubsctype(arg1: Any, arg2: Any) -> bool:
    """Returns whether one class of scalars is below another."""
    return issubclass(obj2sctype(arg1), obj2sctype(arg2))


def find_common_type(*args: Any, **options: Any) -> Any:
    """Always raises `RuntimeError`, as CuPy's does since NumPy 2."""
    raise RuntimeError("NumPy 2 has no find_common_type: take promote_types or result_type")
