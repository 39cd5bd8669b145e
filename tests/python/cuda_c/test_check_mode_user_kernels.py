"""CuPy's user kernels in check mode: no false alarm, and indices beyond an array are found."""

import numpy as np
import pytest
from phalanx.compat import cupy as cp
from phalanx.errors import KernelError

import phalanx as px

pytestmark = pytest.mark.usefixtures("device")


@pytest.fixture(autouse=True)
def checked(monkeypatch):
    monkeypatch.setenv("PHALANX_CHECK", "1")


def elements(x):
    return cp.ElementwiseKernel("T x", "T z", "z = 2 * x", "checked_twice")(x)


CALLS = {
    "elements": (elements, lambda x: 2 * x),
    "strided": (lambda x: elements(x[::2]), lambda x: 2 * x[::2]),
    "backwards": (lambda x: elements(x[::-1]), lambda x: 2 * x[::-1]),
    "every other one backwards": (lambda x: elements(x[6::-2]), lambda x: 2 * x[6::-2]),
    "flipped rows": (
        lambda x: elements(x.reshape(2, 4)[:, ::-1]),
        lambda x: 2 * x.reshape(2, 4)[:, ::-1],
    ),
    "flipped both ways": (
        lambda x: elements(x.reshape(2, 4)[::-1, ::-1]),
        lambda x: 2 * x.reshape(2, 4)[::-1, ::-1],
    ),
    "raw backwards": (
        lambda x: cp.ElementwiseKernel("raw T x", "T z", "z = x[i + 1]", "checked_raw")(
            x[::-1], size=7
        ),
        lambda x: x[::-1][1:],
    ),
    "a sum backwards": (
        lambda x: cp.ReductionKernel("T x", "T y", "x", "a + b", "y = a", "0", "checked_sum")(
            x[::-1]
        ),
        lambda x: x.sum(),
    ),
    "a row for all": (
        lambda x: cp.ElementwiseKernel("T x, T y", "T z", "z = x + y", "checked_row")(
            x.reshape(4, 2), x[:2]
        ),
        lambda x: x.reshape(4, 2) + x[:2],
    ),
    "raw": (
        lambda x: cp.ElementwiseKernel("raw T x", "T z", "z = x[i + 1]", "checked_raw")(x, size=7),
        lambda x: x[1:],
    ),
    "a sum": (
        lambda x: cp.ReductionKernel("T x", "T y", "x", "a + b", "y = a", "0", "checked_sum")(x),
        lambda x: x.sum(),
    ),
    "sums of rows": (
        lambda x: cp.ReductionKernel("T x", "T y", "x", "a + b", "y = a", "0", "checked_rows")(
            x.reshape(2, 4), axis=1
        ),
        lambda x: x.reshape(2, 4).sum(axis=1),
    ),
}


@pytest.mark.parametrize("dtype", ["f4", "f8", "i4", "c8"])
@pytest.mark.parametrize("call", CALLS)
def test_what_is_right_is_right_with_checks(call, dtype):
    ours, theirs = CALLS[call]
    host = np.arange(8).astype(dtype)
    np.testing.assert_array_equal(cp.asnumpy(ours(px.asarray(host))), theirs(host))


@pytest.mark.parametrize("step", [1, -1, -2])
def test_an_index_beyond_the_array_is_found(step):
    kernel = cp.ElementwiseKernel("raw T x", "T z", "z = x[i + 1]", "checked_beyond")
    x = px.asarray(np.arange(8, dtype="f4"))[::step]
    with pytest.raises(KernelError, match="bounds"):
        kernel(x, size=x.size)
