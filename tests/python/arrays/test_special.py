"""`phalanx.special`: Python's `math` and `statistics` are the oracles, and SciPy where it is."""

from __future__ import annotations

import importlib.util
import math
from statistics import NormalDist

import mpmath
import numpy as np
import pytest
from phalanx._arrays import special

import phalanx as px

pytestmark = pytest.mark.usefixtures("device")
HAS_SCIPY = importlib.util.find_spec("scipy") is not None

POINTS = np.concatenate(
    [np.linspace(-6, 6, 241), np.geomspace(1e-12, 150, 200), -np.geomspace(1e-12, 150, 200) - 1e-3]
)
PROBABILITIES = np.concatenate([np.linspace(0.001, 0.999, 500), np.geomspace(1e-300, 0.5, 300)])


def digamma(x):
    """By its series of differences: psi(x) = log(y) - ... at a large y, less the steps to it."""
    steps = sum(1 / (x + i) for i in range(10_000))
    y = x + 10_000
    return math.log(y) - 1 / (2 * y) - 1 / (12 * y * y) - steps


ORACLES = {
    "erf": (math.erf, POINTS),
    "erfc": (math.erfc, POINTS),
    "gamma": (math.gamma, POINTS[(POINTS % 1 != 0) | (POINTS > 0)]),
    "gammaln": (math.lgamma, POINTS[(POINTS % 1 != 0) | (POINTS > 0)]),
    "ndtri": (NormalDist().inv_cdf, PROBABILITIES),
    "digamma": (digamma, np.geomspace(0.01, 100, 60)),
    "expit": (lambda x: 1 / (1 + math.exp(-x)), POINTS),
    "logit": (lambda p: math.log(p / (1 - p)), np.linspace(0.01, 0.99, 99)),
    "ndtr": (NormalDist().cdf, np.linspace(-5, 8, 100)),
    "entr": (lambda x: -x * math.log(x), np.geomspace(1e-9, 1e9, 50)),
}


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("name", ORACLES)
def test_values(name, dtype):
    oracle, points = ORACLES[name]
    points = points.astype(dtype)
    points = points[points > 0] if name in ("ndtri", "digamma", "logit") else points
    made = getattr(px.special, name)(px.asarray(points))
    expected = np.array([oracle(float(each)) for each in points])
    assert made.dtype == dtype
    with np.errstate(over="ignore"):
        expected = expected.astype(dtype)
    tolerance = 3e-12 if dtype == "float64" else 4e-6
    # Near a root the distance is that of the terms; CUDA's lgammaf has 1.5e-7 there.
    np.testing.assert_allclose(np.asarray(made), expected, rtol=tolerance, atol=tolerance * 0.04)


def test_inverses():
    x = px.linspace(-0.999, 0.999, 401)
    assert np.allclose(np.asarray(px.special.erf(px.special.erfinv(x))), np.asarray(x), rtol=1e-13)
    y = px.asarray(np.concatenate([np.geomspace(1e-300, 1, 100), np.linspace(1, 1.999, 50)]))
    assert np.allclose(
        np.asarray(px.special.erfc(px.special.erfcinv(y))), np.asarray(y), rtol=1e-11
    )
    assert np.allclose(np.asarray(px.special.ndtr(px.special.ndtri(y[:100]))), np.asarray(y[:100]))


def test_special_values():
    special_values = px.asarray(np.array([np.nan, np.inf, -np.inf, 0.0, -0.0, 1.0, -1.0, 2.0]))

    def of(name):
        return np.asarray(getattr(px.special, name)(special_values)).tolist()

    nan, inf = math.nan, math.inf
    assert repr(of("erf")[:5]) == repr([nan, 1.0, -1.0, 0.0, -0.0])
    assert repr(of("ndtri")) == repr([nan, nan, nan, -inf, -inf, inf, nan, nan])
    assert repr(of("erfinv")) == repr([nan, nan, nan, 0.0, -0.0, inf, -inf, nan])
    assert repr(of("digamma")[:5]) == repr([nan, inf, nan, -inf, inf])
    assert repr(of("expit")[:3]) == repr([nan, 1.0, 0.0])
    assert repr(of("entr")[:4]) == repr([nan, -inf, -inf, 0.0])


def test_types():
    assert px.special.erf(1) == math.erf(1)
    assert px.special.erf(px.asarray([1, 2])).dtype == np.float64
    assert px.special.erf(px.asarray([1, 2], dtype="float16")).dtype == np.float32
    assert px.special.xlogy(px.asarray([1.0], dtype="float32"), 2).dtype == np.float32
    assert px.special.erf([[0.5]]).shape == (1, 1)
    with pytest.raises(TypeError, match="real numbers"):
        px.special.erf(px.asarray([1j]))
    with pytest.raises(AttributeError):
        px.special.sinus  # noqa: B018


def test_they_fuse():
    x = px.ones(10**5)
    text = str(px.explain((px.special.erf(x * 0.5) + px.special.expit(x)).sum()))
    assert text.count("will run") == 1


def test_logsumexp():
    x = np.array([[1000.0, 1000.5, -np.inf], [-1000, -1001, -999], [0, 0, 0]])
    expected = [1000 + math.log(1 + math.exp(0.5)), -999 + math.log(1 + 1 / math.e + 1 / math.e**2)]
    made = px.special.logsumexp(px.asarray(x), axis=1)
    assert np.allclose(np.asarray(made), [*expected, math.log(3)])
    assert px.special.logsumexp(px.asarray(x), axis=1, keepdims=True).shape == (3, 1)
    assert float(px.special.logsumexp(px.asarray([-np.inf, -np.inf]))) == -math.inf
    assert float(px.special.logsumexp(px.asarray([np.inf, 1.0]))) == math.inf
    value, sign = px.special.logsumexp(
        px.asarray([1.0, 2]), b=px.asarray([1.0, -1]), return_sign=True
    )
    assert float(sign) == -1
    assert np.isclose(float(value), math.log(math.e**2 - math.e))
    parts = px.special.softmax(px.asarray(x), axis=1)
    assert np.allclose(np.asarray(parts.sum(axis=1)), 1)
    assert np.allclose(np.asarray(px.special.log_softmax(px.asarray(x), axis=1))[2], -math.log(3))


ARITY = {
    name: getattr(special, name).__code__.co_argcount
    for name in {*special.OWN} - {"logsumexp", "softmax", "log_softmax", "sici"}
}
TWO = ("xlogy", "xlog1py", "rel_entr", "kl_div", "huber", "boxcox", "inv_boxcox")
ONE = sorted(name for name, arity in ARITY.items() if arity == 1)


@pytest.mark.skipif(not HAS_SCIPY, reason="SciPy is not installed")
@pytest.mark.parametrize("dtype", ["float64", "float32", "int64"])
@pytest.mark.parametrize("name", [*ONE, *TWO])
def test_they_are_scipys(name, dtype):
    import scipy.special

    values = np.array(
        [np.nan, np.inf, -np.inf, 0, -0.0, 1, -1, 2, 0.5, -0.5, 0.3, 5, 30, -30.5, 1e-9]
    )
    values = values.astype(dtype) if dtype != "int64" else np.arange(-3, 6)
    if name == "gammaln":
        values = values[values != -np.inf]  # where C's is infinite and SciPy's -infinite
    given = (values,) if name in ONE else (values[:, None], values)
    with np.errstate(all="ignore"):
        expected = getattr(scipy.special, name)(*given)
    made = np.asarray(getattr(px.special, name)(*map(px.asarray, given)))
    assert made.dtype == expected.dtype
    tolerance = 1e-12 if expected.dtype == np.float64 else 5e-6
    np.testing.assert_allclose(made, expected, rtol=tolerance, atol=tolerance * 0.1)


@pytest.mark.skipif(not HAS_SCIPY, reason="SciPy is not installed")
def test_others_are_scipys():
    import scipy.special

    x = np.linspace(0.1, 5, 20)
    made = px.special.jv(2, px.asarray(x))
    assert isinstance(made, px.ndarray)
    assert np.allclose(np.asarray(made), scipy.special.jv(2, x))


@pytest.mark.parametrize("name", ["cbrt", "exp2", "expm1", "log1p"])
def test_whole_numbers_in_float64(name):
    x = np.array([1, 3, 12], np.uint8)
    made = getattr(px.special, name)(px.asarray(x))
    assert made.dtype == "float64"
    np.testing.assert_allclose(np.asarray(made), getattr(np, name)(x.astype(float)), rtol=1e-15)
    assert getattr(px.special, name)(px.asarray(x).astype("float32")).dtype == "float32"


def test_logarithms_near_a_half_and_of_infinity():
    x = np.float64(0.5) + np.array([1e-12, -1e-9, 1.04e-6, 0.1, -0.15, 0.2])
    with mpmath.workdps(40):
        exact = [float(mpmath.log(mpmath.mpf(v) / (1 - mpmath.mpf(v)))) for v in x]
    np.testing.assert_allclose(np.asarray(px.special.logit(px.asarray(x))), exact, rtol=4e-16)
    made = px.special.log_softmax(px.asarray([1.0, np.inf, 2]))
    np.testing.assert_array_equal(np.asarray(made), [-np.inf, np.nan, -np.inf])
