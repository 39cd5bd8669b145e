"""Which dtype indices have, and others that are safe."""

from __future__ import annotations

from typing import Any

import numpy as np

import phalanx as px


def get_index_dtype(arrays: Any = (), maxval: Any = None, check_contents: bool = False) -> Any:
    """int32 or int64: what holds the indices in the arrays and `maxval`.

    With `check_contents` of int64 arrays their elements count, not their dtype.

    >>> px.sparse.get_index_dtype(maxval=100), px.sparse.get_index_dtype(maxval=2**40)
    (<class 'numpy.int32'>, <class 'numpy.int64'>)
    """
    largest = np.iinfo("int32").max
    if maxval is not None and maxval > largest:
        return np.int64
    given = (arrays,) if isinstance(arrays, (px.ndarray, np.ndarray)) else arrays
    for each in map(px.asarray, given):
        if np.can_cast(each.dtype, np.int32):
            continue
        is_small = check_contents and each.dtype.kind in "iu"
        if is_small and each.size:
            is_small = int(each.max()) <= largest and int(each.min()) >= -largest - 1
        if not is_small:
            return np.int64
    return np.int32


def safely_cast_index_arrays(A: Any, idx_dtype: Any = np.int32, msg: str = "") -> Any:
    """The index arrays of a matrix in a dtype: (indices, indptr), (row, col) or the offsets.

    Raises `ValueError` where the dtype does not hold them.
    """
    wanted = np.dtype(idx_dtype)
    names = {"coo": ("row", "col"), "dia": ("offsets",)}.get(A.format, ("indices", "indptr"))
    arrays = [getattr(A, name) for name in names]
    for name, array in zip(names, arrays, strict=True):
        if array.size and int(array.max()) > np.iinfo(wanted).max:
            what = "coords" if A.format == "coo" else name
            raise ValueError(f"{what} values too large for {msg or f'dtype {wanted}'}")
    made = tuple(array.astype(wanted, copy=False) for array in arrays)
    return made[0] if A.format == "dia" else made
