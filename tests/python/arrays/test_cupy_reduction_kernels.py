"""`cupy.ReductionKernel`: expressions in CUDA C that reduce, beside NumPy."""

import itertools

import numpy as np
import pytest
from numpy.exceptions import AxisError
from phalanx.compat.cupy_compiler import CompileException
from phalanx.compat.cupy_reduction_kernels import ReductionKernel

import phalanx as px
from arrays.user_kernels import needs_compiler  # noqa: F401
from phalanx import errors

pytestmark = pytest.mark.usefixtures("device", "needs_compiler")

SUM = ("T x", "T y", "x", "a + b", "y = a", "0")
VIEWS = {
    "contiguous": lambda x: x,
    "transposed": lambda x: x.T,
    "axes moved": lambda x: x.transpose(1, 2, 0),
    "every other": lambda x: x[:, ::2, ::-1],
    "empty": lambda x: x[:, :0],
}


def sample(dtype, shape=(3, 70, 6)):
    x = np.random.default_rng(0).integers(0, 2 if dtype == "f2" else 5, shape)
    return (x - 2j * x).astype(dtype) if dtype.kind == "c" else x.astype(dtype)


@pytest.mark.parametrize("view", VIEWS)
def test_every_dtype(view, dtype):
    kernel = ReductionKernel(*SUM, name="sums")
    x = VIEWS[view](sample(dtype))
    for axis in (0, 2, (0, 1, 2)):
        made, expected = kernel(px.asarray(x), axis=axis), x.sum(axis=axis, dtype=dtype)
        assert made.shape == expected.shape and made.dtype == dtype
        np.testing.assert_array_equal(np.asarray(made), expected, err_msg=str(axis))


@pytest.mark.parametrize("view", VIEWS)
def test_every_axis(view):
    kernel = ReductionKernel(*SUM)
    x = VIEWS[view](sample(np.dtype("i4")))
    for count in range(4):
        for axis in itertools.combinations(range(3), count):
            for keepdims in (False, True):
                made = kernel(px.asarray(x), axis=axis, keepdims=keepdims)
                expected = x.sum(axis=axis, keepdims=keepdims, dtype="i4")
                assert made.shape == expected.shape
                np.testing.assert_array_equal(np.asarray(made), expected, err_msg=str(axis))


@pytest.mark.parametrize("dtype", ["i1", "u1", "i2", "u2", "i4", "f4", "f8", "c8"])
@pytest.mark.parametrize("shape", [(2, 9), (9, 2), (1, 100), (100, 1), (70, 65), (65, 70)])
def test_sizes_beside_those_of_vectors(dtype, shape):
    kernel = ReductionKernel(*SUM)
    for more in range(3):
        x = sample(np.dtype(dtype), (shape[0] + more, shape[1] + more))
        for axis in (None, 0, 1, -1, (1, 0)):
            made = np.asarray(kernel(px.asarray(x), axis=axis))
            np.testing.assert_array_equal(made, x.sum(axis=axis, dtype=dtype))


@pytest.mark.parametrize("shape", [(300_007,), (2, 150_011), (150_011, 2), (500, 601), (3, 7, 901)])
def test_parts_are_joined(shape):
    x = np.arange(np.prod(shape)).reshape(shape) % 1009
    kernel = ReductionKernel(*SUM)
    for axis in (None, *range(len(shape))):
        made = np.asarray(kernel(px.asarray(x), axis=axis))
        np.testing.assert_array_equal(made, x.sum(axis=axis))


def test_operands_meet_and_results_are_mapped():
    x, w = np.arange(12.0).reshape(3, 4), np.array([1.0, 0, 2, 1])
    kernel = ReductionKernel(
        "T x, S w, float64 shift",
        "T y, int32 n",
        "(x + shift) * w",
        "a + b",
        "y = sqrt(a); n = (int)a",
        "0",
        reduce_type="double",
    )
    n = px.zeros(3, "i4")
    made = kernel(px.asarray(x), px.asarray(w), 0.5, px.zeros(3), n, axis=1)
    expected = ((x + 0.5) * w).sum(axis=1)
    np.testing.assert_allclose(np.asarray(made), np.sqrt(expected))
    np.testing.assert_array_equal(np.asarray(n), expected.astype(int))


def test_reductions_other_than_sums():
    x = np.array([[3, -1, 4], [1, -5, 9]], "i4")
    for text, identity, function in (
        ("min(a, b)", "2147483647", np.min),
        ("max(a, b)", "-2147483647", np.max),
        ("a * b", "1", np.prod),
        ("a ^ b", 0, np.bitwise_xor.reduce),
    ):
        kernel = ReductionKernel("T x", "T y", "x", text, "y = a", identity)
        made = np.asarray(kernel(px.asarray(x), axis=0))
        np.testing.assert_array_equal(made, function(x, axis=0))


PLACED = """
struct Placed {
  float value;
  int place;
  __device__ Placed() : value(0), place(-1) {}
  __device__ Placed(float v, int p) : value(v), place(p) {}
};
__device__ Placed larger(const Placed& a, const Placed& b) {
  if (a.place < 0) return b;
  if (b.place < 0) return a;
  if (a.value == b.value) return a.place < b.place ? a : b;
  return a.value < b.value ? b : a;
}
"""


@pytest.mark.parametrize("axis", [None, 0, 1])
def test_values_of_a_type_of_the_users(axis):
    x = (np.arange(60_000) * 7919 % 10_007).astype("f4").reshape(300, 200)
    kernel = ReductionKernel(
        "T x", "int64 y", "Placed(x, _J)", "larger(a, b)", "y = a.place", None, "argmax",
        reduce_type="Placed", preamble=PLACED,
    )  # fmt: skip
    np.testing.assert_array_equal(np.asarray(kernel(px.asarray(x), axis=axis)), x.argmax(axis=axis))


def test_the_type_of_the_values_may_be_large_enough():
    large = "struct Large { double all[20]; __device__ Large(int) {} };"
    kernel = ReductionKernel("T x", "T y", "Large(1)", "a", "y = 0", "0", reduce_type="Large",
                             preamble=large)  # fmt: skip
    with pytest.raises(errors.CompileError, match="at most 128 bytes"):
        kernel(px.ones(3))


def test_raw_operands_and_indices():
    x, weights = np.arange(12.0).reshape(3, 4), np.array([1.0, 10, 100])
    kernel = ReductionKernel(
        "T x, raw T w", "T y", "x * w[_J] + 0 * _in_ind.size()", "a + b",
        "y = a + _out_ind.get()[0]", "0", reduce_dims=False,
    )  # fmt: skip
    made = kernel(px.asarray(x), px.asarray(weights), axis=0)
    np.testing.assert_array_equal(np.asarray(made), weights @ x + np.arange(4))
    with pytest.raises(NotImplementedError, match=r"axis=\(0,\), not 1"):
        kernel(px.asarray(x), px.asarray(weights), axis=1)


def test_outputs_are_given_by_place_and_by_name():
    kernel, x = ReductionKernel(*SUM), px.ones((3, 4))
    for out in (px.zeros(3), px.zeros((4, 3)).T[:, 1]):
        assert kernel(x, out, axis=1) is out and out.tolist() == [4, 4, 4]
        out[...] = 0
        assert kernel(x, axis=1, out=out) is out and out.tolist() == [4, 4, 4]
    with pytest.raises(ValueError, match="both a positional and keyword"):
        kernel(x, px.zeros(3), axis=1, out=px.zeros(3))


def test_no_elements():
    x = px.zeros((0, 3), "i4")
    assert ReductionKernel("T x", "T y", "x", "a + b", "y = a", "7")(x, axis=0).tolist() == [7] * 3
    assert ReductionKernel(*SUM)(x, axis=1).shape == (0,)
    with pytest.raises(ValueError, match=r"zero-size array .* has no identity"):
        ReductionKernel("T x", "T y", "x", "a + b", "y = a", None)(x, axis=0)


def test_a_parameter_may_be_called_a():
    kernel = ReductionKernel("T a, T b", "T y", "a * b", "a + b", "y = a", "0")
    assert kernel(px.arange(4.0), px.arange(4.0)).tolist() == 14


def test_what_a_kernel_shows():
    kernel = ReductionKernel(*SUM, "shown", reduce_dims=False, options=("-DN=1",))
    assert (kernel.nin, kernel.nout, kernel.nargs) == (1, 1, 2)
    assert (kernel.name, kernel.__name__, kernel.identity) == ("shown", "shown", "0")
    assert (kernel.map_expr, kernel.reduce_expr, kernel.post_map_expr) == ("x", "a + b", "y = a")
    assert kernel.reduce_type == "T" and not kernel.reduce_dims and kernel.options == ("-DN=1",)
    with pytest.warns(UserWarning, match="No codes are cached"):
        assert kernel.cached_codes == {}
    kernel(px.ones(3))
    kernel(px.ones((3, 2)), axis=0)
    assert len(kernel.cached_codes) == 1 and "a + b" in kernel.cached_code


X = lambda *shape, dtype="f4": px.zeros(shape, dtype)  # noqa: E731
CALLS = {
    "count": (lambda k: k(), TypeError, "Wrong number of arguments for sums"),
    "option": (lambda k: k(X(2), wrong=1), TypeError, "wrong"),
    "axis": (lambda k: k(X(2, 2), axis=2), AxisError, "axis 2 is out of bounds"),
    "axis twice": (lambda k: k(X(2, 2), axis=(0, -2)), ValueError, "repeated axis"),
    "number": (lambda k: k(1), ValueError, "Loop size is undecided"),
    "list": (lambda k: k([1]), TypeError, "Unsupported type"),
    "output": (lambda k: k(X(2, 3), X(2), axis=0), ValueError, "Out shape is mismatched: y"),
    "dtype": (lambda k: k(X(2), X(dtype="f8")), TypeError, "Type is mismatched"),
    "no output": (lambda k: k(X(2), 3), TypeError, "Output arguments must be"),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_wrong_call_says_what_to_do(name):
    call, error, text = CALLS[name]
    with pytest.raises(error, match=text):
        call(ReductionKernel(*SUM, name="sums"))


def test_wrong_kernels():
    with pytest.raises(ValueError, match="Invalid kernel name"):
        ReductionKernel(*SUM, name="1")
    with pytest.raises(ValueError, match="has no output"):
        ReductionKernel("T x", "", "x", "a + b", "", "0")
    kernel = ReductionKernel("T x", "T y, T z", "x", "a + b", "y = a; z = a", "0")
    with pytest.raises(NotImplementedError, match="2 outputs: pass them by position"):
        kernel(px.ones(2), out=px.ones(()))


@pytest.mark.parametrize("what", ["map_expr", "reduce_expr", "post_map_expr", "identity"])
def test_lines_of_errors_are_the_users(what):
    parts = {"map_expr": "x", "reduce_expr": "a + b", "post_map_expr": "y = a", "identity": "0"}
    parts[what] = "\n\nunknown_name"
    kernel = ReductionKernel("T x", "T y", *parts.values(), "faulty")
    with pytest.raises(CompileException, match="unknown_name") as caught:
        kernel(px.ones(1))
    assert f"faulty, {what}:3" in str(caught.value) or f"faulty, {what}(3)" in str(caught.value)
