"""Names of NumPy's that run on the host: polynomials, windows, transforms, text, iterators."""

from __future__ import annotations

import io
import runpy
from pathlib import Path

import numpy as np
import pytest

import phalanx as px
from arrays.math_table import agree

pytestmark = pytest.mark.usefixtures("device")
LEAST = {
    "`numpy`": 470,
    "`numpy.linalg`": 32,
    "`numpy.fft`": 18,
    "`numpy.random.Generator`": 45,
}
TOOL = Path(__file__).parents[3] / "tools" / "name_table.py"


def test_numpys_names_are_there_and_counted_in_the_guide():
    made = runpy.run_path(str(TOOL))
    counts = made["counts"]()
    assert {title: counts[title][1] >= least for title, least in LEAST.items()} == dict.fromkeys(
        LEAST, True
    )
    text = made["FILE"].read_text()
    if f"of NumPy {np.__version__}:" in text:  # another version has other names
        assert text == made["table"](), "python tools/name_table.py writes it"


POLYNOMIALS = {
    "poly": lambda m, a, b: m.poly(a),
    "poly of a matrix": lambda m, a, b: m.poly(m.stack([a, a[::-1], b[:3]])),
    "polyadd": lambda m, a, b: m.polyadd(a, b),
    "polysub": lambda m, a, b: m.polysub(a, b),
    "polymul": lambda m, a, b: m.polymul(a, b),
    "polydiv": lambda m, a, b: m.polydiv(b, a),
    "polyval": lambda m, a, b: m.polyval(a, m.stack([b, b])),
    "polyder": lambda m, a, b: m.polyder(b, 2),
    "polyint": lambda m, a, b: m.polyint(b, 2, [1, 2]),
    "polyfit": lambda m, a, b: m.polyfit(m.arange(6.0), m.stack([b, b]).ravel()[:6], 2),
    "polyfit with covariances": lambda m, a, b: m.polyfit(m.arange(4.0), b, 1, cov=True),
    "roots": lambda m, a, b: m.roots(b),
    "coefficients": lambda m, a, b: m.poly1d(b).coeffs,
    "from roots": lambda m, a, b: m.poly1d(a, r=True).c,
    "value": lambda m, a, b: m.poly1d(a)(b),
    "value of a number": lambda m, a, b: m.poly1d(a)(2.5),
    "polynomial of a polynomial": lambda m, a, b: m.poly1d(a)(m.poly1d(b)).coeffs,
    "sum": lambda m, a, b: (m.poly1d(a) + m.poly1d(b) + 1).coeffs,
    "array on the left": lambda m, a, b: [a + m.poly1d(a), a * m.poly1d(a), a - m.poly1d(a)],
    "difference": lambda m, a, b: (2 - m.poly1d(a)).coeffs,
    "product": lambda m, a, b: (m.poly1d(a) * b * 2).coeffs,
    "quotient": lambda m, a, b: [each.coeffs for each in m.poly1d(b) / m.poly1d(a)],
    "quotient of a number": lambda m, a, b: (m.poly1d(b) / 4).coeffs,
    "power": lambda m, a, b: (m.poly1d(a) ** 3).coeffs,
    "negative": lambda m, a, b: (-m.poly1d(a)).coeffs,
    "derivative": lambda m, a, b: m.poly1d(b).deriv().coeffs,
    "antiderivative": lambda m, a, b: m.poly1d(b).integ(k=3).coeffs,
    "roots of it": lambda m, a, b: m.poly1d(b).roots,
    "one coefficient": lambda m, a, b: m.poly1d(b)[1],
    "its text": lambda m, a, b: np.array([len(str(m.poly1d(b))), m.poly1d(b).order]),
}


def of_lists(value):
    return list(value) if isinstance(value, (tuple, list)) else [value]


@pytest.mark.parametrize("name", POLYNOMIALS)
def test_polynomials(name):
    a, b = np.array([2.0, -1.0, 3.0]), np.array([1.0, 4.0, -2.0, 0.5])
    expected = of_lists(POLYNOMIALS[name](np, a, b))
    actual = of_lists(POLYNOMIALS[name](px, px.asarray(a), px.asarray(b)))
    for one, other in zip(actual, expected, strict=True):
        np.testing.assert_allclose(np.asarray(one), other, rtol=1e-12)


def test_a_polynomial_gives_arrays_and_compares():
    p = px.poly1d(px.array([1.0, 2.0]), variable="z")
    assert isinstance(p.coeffs, px.ndarray)
    assert isinstance(p(px.arange(3.0)), px.ndarray)
    assert p == px.poly1d([1, 2])
    assert p != px.poly1d([1, 3])
    assert isinstance(p.get(), np.poly1d)
    assert p.variable == "z"
    p.set(np.poly1d([3, 4]))
    p[2] = 7
    assert p.coeffs.tolist() == [7, 3, 4]


@pytest.mark.parametrize("name", ["bartlett", "blackman", "hamming", "hanning"])
@pytest.mark.parametrize("length", [0, 1, 2, 9])
def test_windows(name, length):
    agree(getattr(px, name)(length), getattr(np, name)(length))
    agree(px.kaiser(length, 5.0), np.kaiser(length, 5.0))


@pytest.mark.parametrize("name", sorted({*dir(px.fft)} - {"fftfreq", "rfftfreq"}))
@pytest.mark.parametrize("dtype", ["f4", "f8", "c8", "c16", "i4", "?"])
def test_transforms(name, dtype):
    x = np.random.default_rng(1).integers(0, 5, (3, 4, 6)).astype(dtype)
    if name in ("rfft", "rfft2", "rfftn", "ihfft"):
        x = x.real
    expected, actual = getattr(np.fft, name)(x), getattr(px.fft, name)(px.asarray(x))
    assert actual.dtype == expected.dtype
    np.testing.assert_allclose(np.asarray(actual), expected, rtol=1e-4, atol=1e-4)


def test_frequencies_and_options_of_transforms():
    agree(px.fft.fftfreq(7, 0.5), np.fft.fftfreq(7, 0.5))
    agree(px.fft.rfftfreq(8), np.fft.rfftfreq(8))
    assert px.fft.fftfreq(7, dtype="f4").dtype == np.float32
    x = np.arange(12.0).reshape(3, 4)
    ours = px.asarray(x)
    agree(px.fft.fft(ours, 6, 0, "ortho"), np.fft.fft(x, 6, 0, "ortho"))
    agree(px.fft.irfftn(ours, axes=(0,)), np.fft.irfftn(x, axes=(0,)))


def test_functions_that_become_complex():
    x = np.array([-4.0, 0.25, 2.0])
    for name in ("sqrt", "log", "log2", "log10", "arccos", "arcsin", "arctanh"):
        agree(getattr(px.emath, name)(px.asarray(x)), getattr(np.emath, name)(x))
    agree(px.emath.power(px.asarray(x), 0.5), np.emath.power(x, 0.5))
    agree(px.emath.logn(2, px.asarray(x)), np.emath.logn(2, x))


def test_text_files():
    x = np.arange(6.0).reshape(2, 3)
    written, expected = io.StringIO(), io.StringIO()
    px.savetxt(written, px.asarray(x), fmt="%.3f", delimiter=",")
    np.savetxt(expected, x, fmt="%.3f", delimiter=",")
    assert written.getvalue() == expected.getvalue()
    for name in ("loadtxt", "genfromtxt"):
        read = getattr(px, name)(io.StringIO(written.getvalue()), delimiter=",")
        assert isinstance(read, px.ndarray)
        agree(read, x)


def test_numbers_as_text():
    assert px.base_repr(px.array(10), 3) == np.base_repr(10, 3)
    assert px.binary_repr(-3, 5) == np.binary_repr(-3, 5)
    x = px.array([1.25e9])[0]
    assert px.format_float_positional(x) == np.format_float_positional(1.25e9)
    assert px.format_float_scientific(x) == np.format_float_scientific(1.25e9)


def test_a_broadcast_shows_its_elements():
    x, y = np.arange(3), np.array([[1], [2]])
    made, expected = px.broadcast(px.asarray(x), px.asarray(y)), np.broadcast(x, y)
    for name in ("shape", "ndim", "nd", "size", "numiter", "index"):
        assert getattr(made, name) == getattr(expected, name)
    assert list(made) == list(expected)
    assert made.index == 6
    made.reset()
    assert next(made) == (0, 1)
    assert [each.shape for each in made.values] == [(2, 3), (2, 3)]
    with pytest.raises(ValueError, match="broadcast"):
        px.broadcast(px.ones(2), px.ones(3))


def test_iterators_read():
    x = px.arange(6).reshape(2, 3)
    assert [int(each) for each in px.nditer(x)] == list(range(6))
    assert [(int(a), int(b)) for a, b in px.nditer([x, px.arange(3)])][:2] == [(0, 0), (1, 1)]
    outer, inner = px.nested_iters(x, [[1], [0]], flags=["multi_index"])
    assert [[int(each) for each in inner] for _ in outer] == [[0, 3], [1, 4], [2, 5]]
    for op, flags in ((x, [["readwrite"]]), ([x, None], None)):
        with pytest.raises(NotImplementedError, match="only reads"):
            px.nditer(op, op_flags=flags)
    assert isinstance(x.flat, px.flatiter)


def test_indices_of_masks():
    for one, other in zip(
        px.mask_indices(4, px.triu, 1), np.mask_indices(4, np.triu, 1), strict=True
    ):
        agree(one, other)
    with pytest.warns(DeprecationWarning, match="vstack"):
        stacked = px.row_stack([px.arange(3), px.ones(3)])
    agree(stacked, np.vstack([np.arange(3), np.ones(3)]))
    agree(px.diag_indices(-3)[0], np.diag_indices(-3)[0])


def test_dtypes_and_settings_are_numpys():
    assert px.common_type(px.ones(1, "f4"), px.ones(1, "i2")) is np.common_type(
        np.ones(1, "f4"), np.ones(1, "i2")
    )
    with pytest.raises(TypeError):
        px.common_type(px.ones(1, "?"))
    for name in ("True_", "ScalarType", "typecodes", "object_", "little_endian"):
        assert getattr(px, name) is getattr(np, name)


def test_numbers_leave_the_dtype_of_a_polynomial():
    p, q = (m.poly1d(m.asarray([1, 2, 3], dtype="f4")) for m in (px, np))
    for function in (lambda p: p * 3, lambda p: 3 * p, lambda p: p / 2, lambda p: 6 / p):
        made, expected = function(p).coeffs, function(q).coeffs
        assert made.dtype == expected.dtype
        np.testing.assert_array_equal(np.asarray(made), expected)


def test_coefficients_of_an_array_can_be_assigned_to():
    x = px.asarray([0.0, 1.0, 2.0])
    p = px.poly1d(x)
    p[0] = 7.0
    assert p.coeffs.tolist() == [1, 7] and x.tolist() == [0, 1, 2]


def test_the_least_dtype_of_a_value():
    assert px.min_scalar_type(px.arange(3)) == np.int64
    assert px.min_scalar_type(px.asarray(3)) == np.min_scalar_type(np.asarray(3))
    assert px.min_scalar_type(300) == np.uint16
