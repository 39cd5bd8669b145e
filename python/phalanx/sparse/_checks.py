"""What the constructors take: dtypes, shapes, data and indices, with errors that name the fix."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np

import phalanx as px

_DTYPES = ("bool", "float32", "float64", "complex64", "complex128")
_INT32_MAX = 2**31 - 1


def data_dtype(dtype: Any) -> Any:
    """The NumPy dtype of data. Raises `ValueError` for one that sparse matrices do not have."""
    found = np.dtype(dtype)
    if found.name not in _DTYPES:
        raise ValueError(
            f"sparse data is bool, float32, float64, complex64 or complex128, not {found}: "
            "convert it, as by dtype='float64'"
        )
    return found


def promoted(*operands: Any) -> Any:
    """The dtype in which operands of these dtypes are computed and that data can have."""
    found = np.result_type(*operands)
    return found if found.name in _DTYPES else np.result_type(found, np.float32)


def shape_of(shape: Any) -> tuple[int, int]:
    """Two extents as ints. Raises `ValueError` for others, `TypeError` for what is no number."""
    try:
        extents = tuple(operator.index(_number(each)) for each in shape)
    except TypeError:
        raise TypeError(f"a shape is a tuple of two integers, not {shape!r}") from None
    if len(extents) != 2 or min(extents) < 0:
        what = "'shape' elements cannot be negative" if len(extents) == 2 else "two extents needed"
        raise ValueError(f"{what}: the shape of a sparse matrix is not {extents}")
    return extents


def _number(extent: Any) -> Any:
    is_array = isinstance(extent, (px.ndarray, np.ndarray))
    return extent.item() if is_array and not extent.ndim else extent


def is_shape(value: Any) -> bool:
    """True if a constructor's first argument is a shape, not arrays."""
    if not isinstance(value, tuple) or len(value) != 2:
        return False
    try:
        for each in value:
            operator.index(_number(each))
    except TypeError:
        return False
    return True


def index_dtype(*largest: int) -> Any:
    """int32 where it holds these numbers, else int64."""
    return np.dtype("int32" if max(largest, default=0) <= _INT32_MAX else "int64")


def is_scalar(value: Any) -> bool:
    """True for numbers and arrays without dimensions."""
    if isinstance(value, (px.ndarray, np.ndarray)):
        return value.ndim == 0
    return isinstance(value, (bool, int, float, complex, np.generic))


def vector(values: Any, what: str) -> Any:
    """An array of one dimension. Raises `ValueError` for what is none, `TypeError` for a number."""
    if is_scalar(values):
        raise TypeError(f"the {what} is an array of one dimension, not the number {values!r}")
    try:
        made = px.asarray(values)
    except TypeError as error:
        raise ValueError(f"the {what} is an array of numbers, not {values!r}") from error
    if made.ndim != 1:
        raise ValueError(f"the {what} has one dimension, not the shape {made.shape}")
    return made


def entries(values: Any, dtype: Any, is_copied: bool) -> Any:
    """The data of a matrix, of the dtype if one is asked for."""
    made = vector(values, "data")
    wanted = data_dtype(made.dtype if dtype is None else dtype)
    return made.astype(wanted, copy=is_copied)


def indices(values: Any, what: str) -> Any:
    """Indices as they came. Raises `ValueError` for others than integers."""
    made = vector(values, what)
    if made.dtype.kind not in "iu" and made.size:
        raise ValueError(f"the {what} is an array of integers, not of {made.dtype}")
    return made


def check_range(given: Any, extent: int, what: str) -> None:
    """Raises `ValueError` for an index that is out of range; waits for the device."""
    if not given.size:
        return
    least, greatest = int(given.min()), int(given.max())
    if least < 0 or greatest >= extent:
        wrong = least if least < 0 else greatest
        raise ValueError(f"{what} index {wrong} is out of range for {extent} of them")


def check_pointers(pointers: Any, majors: int, nnz: int) -> None:
    """Raises `ValueError` for an indptr that does not begin at 0, rise, and end within the data."""
    if len(pointers) != majors + 1:
        raise ValueError(f"indptr has {len(pointers)} elements where the shape needs {majors + 1}")
    if int(pointers[0]) != 0:
        raise ValueError(f"indptr begins with {int(pointers[0])} instead of 0")
    if int(pointers[-1]) > nnz:
        raise ValueError(f"indptr ends with {int(pointers[-1])}, but there are {nnz} entries")
    if majors and bool((pointers[1:] < pointers[:-1]).any()):
        raise ValueError("indptr decreases: each row (or column) ends where the next begins")


def dense(value: Any) -> Any:
    """A dense operand as an array of ours."""
    return px.asarray(value)
