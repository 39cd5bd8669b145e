"""NumPy's reductions of whole arrays inside kernels, against NumPy."""

import warnings

import numpy as np
import pytest
from from_text import function_with

from phalanx import cuda

FUNCTIONS = [
    "all", "any", "argmax", "argmin", "max", "mean", "min", "prod", "ptp", "std", "sum", "var",
    "nanmax", "nanmean", "nanmin", "nanprod", "nanstd", "nansum", "nanvar", "count_nonzero",
]  # fmt: skip
METHODS = ["all", "any", "argmax", "argmin", "max", "mean", "min", "prod", "std", "sum", "var"]
NAN, INF = float("nan"), float("inf")

ARRAYS = {
    "one": np.array([2.5]),
    "floats": np.array([1.0, 2.0, 0.5, -1.0, 1.5]),
    "float32": np.array([1.0, 2.0, 0.5, -1.0], np.float32),
    "NaN inside": np.array([3.0, NAN, -1.5, NAN, 2.0]),
    "NaN first": np.array([NAN, 1.0, 5.0]),
    "infinite": np.array([INF, 1.0, -2.0]),
    "int32": np.array([3, -7, 0, 7], np.int32),
    "uint8": np.array([200, 100, 3], np.uint8),
    "bool": np.array([True, False, True]),
    "square": np.arange(6.0).reshape(2, 3) - 2,
    "Fortran": np.asfortranarray(np.arange(6.0).reshape(2, 3) % 4),
    "strided": (np.arange(24.0).reshape(2, 3, 4) % 7)[:, ::2, ::-1],
    "4 dimensions": (np.arange(48.0).reshape(2, 2, 3, 4) % 11)[..., ::-1],
    "0 dimensions": np.array(3.0),
}  # fmt: skip


def run(text, array, dtype):
    kernel = function_with(f"out[0] = {text}", "out, a", np=np)
    out = np.zeros(1, dtype)
    cuda.jit(kernel)[1, 1](out, array)
    return out[0]


def check(text, expected, array):
    tolerance = 1e-5 if array.dtype == np.float32 else 1e-14
    np.testing.assert_allclose(run(text, array, expected.dtype), expected, rtol=tolerance)


def is_refused(name, array):
    return name == "ptp" and array.dtype == bool


@pytest.mark.parametrize("array", ARRAYS.values(), ids=ARRAYS)
@pytest.mark.parametrize("name", FUNCTIONS)
def test_functions_match_numpy(device, name, array):
    if is_refused(name, array):
        pytest.skip("NumPy refuses it too")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = np.asarray(getattr(np, name)(array))
    check(f"np.{name}(a)", expected, array)


@pytest.mark.parametrize("name", METHODS)
def test_methods_match_numpy(device, name):
    array = ARRAYS["square"]
    check(f"a.{name}()", np.asarray(getattr(array, name)()), array)


def test_captured_arrays_are_reduced_one_by_one(device):
    arrays = tuple(ARRAYS.values())

    @cuda.jit
    def kernel(out):
        for i, array in enumerate(arrays):
            out[i] = np.sum(array)

    out = np.zeros(len(arrays))
    kernel[1, 1](out)
    np.testing.assert_allclose(out, [np.sum(array) for array in arrays], rtol=1e-6)


def test_a_reduction_of_a_shared_array(device):
    @cuda.jit
    def kernel(out, a):
        tile = cuda.shared.array((4, 8), np.float64)
        tile[cuda.threadIdx.y, cuda.threadIdx.x] = a[cuda.threadIdx.y, cuda.threadIdx.x]
        cuda.syncthreads()
        if cuda.threadIdx.x == 0:
            out[cuda.threadIdx.y] = tile[cuda.threadIdx.y].sum()

    a = np.arange(32.0).reshape(4, 8)
    out = np.zeros(4)
    kernel[1, (8, 4)](out, a)
    np.testing.assert_array_equal(out, a.sum(axis=1))
