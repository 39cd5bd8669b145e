"""Sparse samples: the same elements as a dense array of NumPy's."""

import numpy as np

import phalanx as px
from phalanx import sparse

FORMATS = ("coo", "csr", "csc", "dia")
DTYPES = ("bool", "float32", "float64", "complex64", "complex128")
# Shape and the part of the places that have entries.
SHAPES = {
    "wide": ((4, 7), 0.4),
    "tall": ((9, 3), 0.3),
    "full": ((5, 5), 1.0),
    "without entries": ((3, 4), 0.0),
    "one row": ((1, 6), 0.5),
    "one column": ((6, 1), 0.5),
    "one place": ((1, 1), 1.0),
    "no rows": ((0, 4), 0.0),
    "no columns": ((4, 0), 0.0),
}


def dense(dtype, shape, density, seed=0):
    """An array whose elements are small whole numbers, so that sums are exact."""
    rng = np.random.default_rng(seed)
    values = rng.integers(-4, 5, shape) * (rng.random(shape) < density)
    made = values.astype(dtype)
    if np.dtype(dtype).kind == "c":
        made = made + (1j * (rng.integers(-2, 3, shape) * (values != 0))).astype(dtype)
    return made


def made(format, array, is_array=False):
    """The sparse matrix or array of a format with the elements of the array."""
    return getattr(sparse, f"{format}_{'array' if is_array else 'matrix'}")(px.asarray(array))


def host(value):
    """NumPy's array of what an operation gave."""
    if sparse.issparse(value):
        value = value.toarray()
    if isinstance(value, (tuple, list)):
        return [host(each) for each in value]
    return np.asarray(value)


def check(actual, expected, dtype=None):
    """Raises where shapes or elements differ."""
    actual, expected = host(actual), np.asarray(expected)
    assert actual.shape == expected.shape
    narrow = np.result_type(actual.dtype, np.float32).name in ("float32", "complex64")
    rtol, atol = (1e-5, 1e-5) if narrow else (1e-12, 1e-12)
    np.testing.assert_allclose(actual, expected, rtol=rtol, atol=atol)
    if dtype is not None:
        assert actual.dtype == dtype
