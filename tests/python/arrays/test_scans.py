"""cumsum, cumprod and accumulate of universal functions, as kernels whatever the size."""

import numpy as np
import pytest
from phalanx._arrays import scans

import phalanx as px

from .oracle import layouts

# A block takes 2,048 elements at a time, a warp 256 of them; a chunk has 4,096 and more.
LENGTHS = [0, 1, 2, 31, 33, 63, 64, 255, 256, 257, 2047, 2048, 2049, 4097, 100_000]
SHAPES = [(3, 5), (70, 50), (2, 2049), (2049, 3), (4, 5, 600), (600, 5, 4), (5, 300, 40)]
SHAPES += [(0, 3), (3, 0), (1, 1), (2, 100_000), (100_000, 2)]
INTEGERS = ["bool", "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64"]
FLOATS = ["float16", "float32", "float64"]
COMPLEX = ["complex64", "complex128"]
UFUNCS = {
    "add": INTEGERS + FLOATS + COMPLEX,
    "multiply": INTEGERS + FLOATS + COMPLEX,
    "minimum": INTEGERS + FLOATS,
    "maximum": INTEGERS + FLOATS,
    "logical_or": INTEGERS + FLOATS + COMPLEX,
    "logical_and": INTEGERS + FLOATS + COMPLEX,
    "bitwise_and": INTEGERS,
    "bitwise_or": INTEGERS,
    "bitwise_xor": INTEGERS,
}
ROWS = [(name, dtype) for name, dtypes in UFUNCS.items() for dtype in dtypes]


@pytest.fixture(autouse=True)
def always_kernels(monkeypatch):
    monkeypatch.setattr(scans, "_FEW", 0)


def values(name, dtype, shape):
    """Numbers of which sums and products neither overflow nor vanish."""
    random = np.random.default_rng(3)
    if dtype == "bool":
        return random.random(shape) < (0.999 if name.endswith("and") else 0.001)
    if np.dtype(dtype).kind in "iu":
        return random.integers(0, 100, shape).astype(dtype)
    made = random.random(shape) - 0.5
    if name == "multiply":
        made = np.exp(made * 0.01)
    if np.dtype(dtype).kind == "c":
        made = made * np.exp(1j * random.random(shape))
    if name.startswith("logical"):
        made = made * (random.random(shape) < 0.999)
    return made.astype(dtype)


def check(actual, host, expected, axis):
    """The same, or as exact as sums in float64 are."""
    assert (actual.shape, actual.dtype) == (expected.shape, expected.dtype)
    made = np.asarray(actual)
    if expected.dtype.kind not in "fc":
        np.testing.assert_array_equal(made, expected)
        return
    digits = np.finfo(expected.dtype)
    if not expected.size:
        return
    scale = np.maximum.accumulate(np.abs(expected), axis=axis)
    scale = scale + np.abs(host).max()
    # NumPy's own products of many float64 are less exact.
    most = 2048 if digits.bits == 64 else 64
    assert (np.abs(made - expected) <= most * digits.eps * scale).all()


def expected_of(name, host, axis):
    ufunc = getattr(np, name)
    if name not in ("add", "multiply") or host.dtype.kind not in "fc":
        return ufunc.accumulate(host, axis=axis)
    wide = "complex128" if host.dtype.kind == "c" else "float64"
    return ufunc.accumulate(host.astype(wide), axis=axis).astype(host.dtype)


@pytest.mark.parametrize(("name", "dtype"), ROWS)
def test_rows_of_every_length(device, name, dtype):
    for length in LENGTHS:
        host = values(name, dtype, (length,))
        made = getattr(px, name).accumulate(px.asarray(host))
        check(made, host, expected_of(name, host, 0), 0)


@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("name", UFUNCS)
def test_axes_and_layouts(device, name, shape):
    for dtype in ("int32", "float32") if name in ("add", "minimum") else ("int64",):
        host = values(name, dtype, shape)
        for axis in range(-1, len(shape)):
            expected = expected_of(name, host, axis)
            for _, laid in layouts(host):
                made = getattr(px, name).accumulate(px.asarray(laid), axis=axis)
                check(made, host, expected, axis)


@pytest.mark.parametrize("dtype", INTEGERS + FLOATS + COMPLEX)
def test_cumsum_and_cumprod(device, dtype):
    for shape in [(), (0,), (5,), (3, 4), (3, 700), (2, 3, 4)]:
        host = values("multiply", dtype, shape)
        for name, ufunc in (("cumsum", "add"), ("cumprod", "multiply")):
            flat = host.ravel()
            check(getattr(px, name)(px.asarray(host)), flat, expected_of(ufunc, flat, 0), 0)
            for axis in range(len(shape)):
                made = getattr(px.asarray(host), name)(axis)
                check(made, host, expected_of(ufunc, host, axis), axis)


def test_dtypes_and_outputs(device):
    host = np.array([[100, 2, 3], [100, 5, 6]], np.int8)
    for dtype in ("int8", "float32", "bool", "complex64", "uint16"):
        for name in ("cumsum", "cumprod"):
            expected = getattr(np, name)(host, axis=0, dtype=dtype)
            made = getattr(px, name)(px.asarray(host), axis=0, dtype=dtype)
            np.testing.assert_array_equal(np.asarray(made), expected)
            assert made.dtype == expected.dtype
            out = px.zeros((2, 3), dtype)
            assert getattr(px, name)(px.asarray(host), axis=0, out=out) is out
            expected = getattr(np, name)(host, axis=0, out=np.zeros((2, 3), dtype))
            np.testing.assert_array_equal(np.asarray(out), expected)
    x = px.array(host)
    px.cumsum(x, axis=1, out=x)  # in place
    np.testing.assert_array_equal(np.asarray(x), np.cumsum(host, axis=1, dtype="int8"))
    with pytest.raises(ValueError, match="shape"):
        px.cumsum(px.ones(3), out=px.zeros(4))


@pytest.mark.parametrize("initial", [False, True])
def test_names_of_the_array_api(device, initial):
    host = values("multiply", "float64", (3, 40))
    for name in ("cumulative_sum", "cumulative_prod"):
        for axis in (0, 1, -1):
            expected = getattr(np, name)(host, axis=axis, include_initial=initial)
            made = getattr(px, name)(px.asarray(host), axis=axis, include_initial=initial)
            check(made, host, expected, axis)
        with pytest.raises(ValueError, match="axis"):
            getattr(px, name)(px.asarray(host))


def test_elements_that_are_no_numbers(device):
    host = np.array([1, np.nan, -0.0, 3, np.inf, 2, -np.inf], "float32")
    x = px.asarray(host)
    for name in ("nancumsum", "nancumprod", "cumsum", "cumprod"):
        with np.errstate(all="ignore"):
            expected = getattr(np, name)(host)
        np.testing.assert_array_equal(np.asarray(getattr(px, name)(x)), expected)
    for name in ("minimum", "maximum"):
        expected = getattr(np, name).accumulate(host)
        np.testing.assert_array_equal(np.asarray(getattr(px, name).accumulate(x)), expected)
    zeros = np.asarray(px.cumsum(px.asarray(np.full(3000, -0.0, "float32"))))
    assert np.signbit(zeros).all()


def test_expressions_are_scanned_in_one_kernel(device):
    host = np.random.default_rng(2).random((300, 200)).astype("float32")
    x = px.asarray(host)
    made = px.cumsum(x * 2 + 1, axis=1)
    assert [each.code for each in px.explain(made).kernels] == [
        "sum.accumulate((a * 2) + 1, axis=1)"
    ]
    wide = host.astype("float64")
    check(made, host, np.cumsum(wide * 2 + 1, axis=1).astype("float32"), 1)
    centred = px.cumsum(x - x.mean(axis=1, keepdims=True), axis=0)
    expected = np.cumsum(wide - wide.mean(axis=1, keepdims=True), axis=0)
    check(centred, host, expected.astype("float32"), 0)
    chained = px.cumsum(px.cumsum(x, axis=0), axis=1) - x
    check(chained, host, (wide.cumsum(0).cumsum(1) - wide).astype("float32"), 1)
    gathered = px.cumsum(x[px.asarray(np.arange(299, -1, -1))], axis=0)
    check(gathered, host, wide[::-1].cumsum(0).astype("float32"), 0)
    positions = px.cumsum(px.arange(50_000))
    np.testing.assert_array_equal(np.asarray(positions), np.cumsum(np.arange(50_000)))


def test_a_long_row_is_as_exact_as_a_pairwise_sum(device):
    host = np.random.default_rng(2).random(3_000_000).astype("float32")
    made = np.asarray(px.cumsum(px.asarray(host)))
    expected = np.cumsum(host.astype("float64"))
    assert (np.abs(made - expected) <= 1e-6 * expected).all()
    half = np.asarray(px.cumsum(px.asarray(host[:60_000].astype("float16"))))
    expected = np.cumsum(host[:60_000].astype("float16").astype("float64"))
    assert (np.abs(half - expected) <= 1e-3 * expected).all()


def test_what_is_no_scan(device):
    with pytest.raises(TypeError):
        px.add.accumulate(px.asarray(3.0))
    with pytest.raises(np.exceptions.AxisError):
        px.cumsum(px.ones((2, 3)), axis=2)
    with pytest.raises(TypeError):
        px.bitwise_and.accumulate(px.ones(3))
    with pytest.raises(ValueError, match="axes"):
        px.add.accumulate(px.ones((2, 3)), axis=None)
