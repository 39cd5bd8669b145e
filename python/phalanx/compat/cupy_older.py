"""Functions that NumPy has given up, and CuPy still has."""

from __future__ import annotations

import sys
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


def disp(mesg: Any, device: Any = None, linefeed: bool = True) -> None:
    """Writes a text and the end of the line to a file, by default to the standard output."""
    print(mesg, end="\n" if linefeed else "", file=device, flush=True)


def who(vardict: dict[str, Any] | None = None) -> None:
    """Prints a table of the arrays of a dictionary, by default of the caller's module."""
    given = sys._getframe(1).f_globals if vardict is None else vardict
    rows: list[tuple[str, ...]] = []
    names: dict[int, str] = {}  # the first one of each array
    total = 0
    for name in sorted(each for each in given if isinstance(given[each], px.ndarray)):
        array = given[name]
        is_new = id(array) not in names
        shown = name if is_new else f"{name} ({names[id(array)]})"
        total += array.nbytes if is_new else 0
        names.setdefault(id(array), name)
        extents = " x ".join(map(str, array.shape))
        rows.append((shown, extents, str(array.nbytes), array.dtype.name))
    titles = ("Name", "Shape", "Bytes", "Type")
    widths = [max(10, *(len(row[i]) for row in rows)) + 6 if rows else 0 for i in range(4)]
    for row in (titles, *rows) if rows else ():
        print("".join(f"{each:{width}}" for each, width in zip(row, widths, strict=True)).rstrip())
        if row is titles:
            print("=" * sum(widths), end="\n\n")
    print(f"\nUpper bound on total bytes  =       {total}")


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
