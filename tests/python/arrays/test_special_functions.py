"""Bessel and incomplete functions of `phalanx.special`: mpmath is the oracle, and SciPy."""

from __future__ import annotations

import importlib.util
import math

import mpmath as mp
import numpy as np
import pytest

import phalanx as px

pytestmark = pytest.mark.usefixtures("device")
HAS_SCIPY = importlib.util.find_spec("scipy") is not None
NAN, INF = math.nan, math.inf

ABOVE = np.concatenate(
    [
        np.linspace(0.05, 30, 80),
        np.geomspace(1e-300, 1e-2, 12),
        np.geomspace(30, 650, 20),
        # Where one approximation ends and the next begins.
        np.nextafter([1.0, 3, 4, 5, 6, 8, 12, 24, 48], np.inf),
        [1.0, 3, 4, 5, 6, 8, 12, 24, 48],
    ]
)
BOTH = np.concatenate([ABOVE, -ABOVE])
FAR = np.geomspace(700, 1e7, 12)

# The function, where it is computed, and how many units in the last place are allowed there.
ONE = {
    "j0": (lambda x: mp.besselj(0, x), np.concatenate([BOTH, FAR]), 8),
    "j1": (lambda x: mp.besselj(1, x), np.concatenate([BOTH, FAR]), 8),
    "y0": (lambda x: mp.bessely(0, x), np.concatenate([ABOVE, FAR]), 24),
    "y1": (lambda x: mp.bessely(1, x), np.concatenate([ABOVE, FAR]), 24),
    "i0": (lambda x: mp.besseli(0, x), BOTH, 6),
    "i0e": (lambda x: mp.besseli(0, x) * mp.exp(-abs(x)), BOTH, 6),
    "i1": (lambda x: mp.besseli(1, x), BOTH, 6),
    "i1e": (lambda x: mp.besseli(1, x) * mp.exp(-abs(x)), BOTH, 6),
    "k0": (lambda x: mp.besselk(0, x), ABOVE, 8),
    "k0e": (lambda x: mp.besselk(0, x) * mp.exp(x), ABOVE, 8),
    "k1": (lambda x: mp.besselk(1, x), ABOVE, 8),
    "k1e": (lambda x: mp.besselk(1, x) * mp.exp(x), ABOVE, 8),
    "exp1": (mp.e1, ABOVE, 8),
    "expi": (lambda x: mp.re(mp.ei(x)), BOTH, 8),
    "erfcx": (lambda x: mp.exp(x * x) * mp.erfc(x), BOTH[BOTH > -26], 8),
    "rgamma": (mp.rgamma, np.linspace(-20.3, 170, 300), 24),
    "exprel": (lambda x: mp.expm1(x) / x, BOTH, 6),
    "log_ndtr": (lambda x: mp.log(mp.erfc(-x / mp.sqrt(2)) / 2), np.linspace(-200, 8, 200), 40),
}
# These are made of several operations in float32; the others are computed in float64.
OF_FLOAT32 = {"exprel": 4, "log_ndtr": 40, "rgamma": 32}
# Between its zeros the function is at most so large: near them the distance is measured by it.
SIZES = {
    "j0": lambda x: np.minimum(1, 1 / np.sqrt(x)),
    "j1": lambda x: np.minimum(x, 1 / np.sqrt(x)),
    "y0": lambda x: np.minimum(1, 1 / np.sqrt(x)),
    "y1": lambda x: np.minimum(1, 1 / np.sqrt(x)),
}


@pytest.mark.parametrize("dtype", ["float64", "float32"])
@pytest.mark.parametrize("name", ONE)
def test_functions_of_one_number(name, dtype):
    exact, points, units = ONE[name]
    points = points.astype(dtype)
    points = points[points != 0]
    made = getattr(px.special, name)(px.asarray(points))
    assert made.dtype == dtype
    with mp.workdps(40), np.errstate(over="ignore"):
        expected = np.array([float(exact(mp.mpf(float(x)))) for x in points])
        rounded = expected.astype(dtype)
    unit = np.finfo(dtype).eps
    with np.errstate(invalid="ignore"):
        distance = np.abs(np.asarray(made).astype(float) - rounded)
    size = np.abs(expected)
    if name in SIZES:
        size = np.maximum(size, SIZES[name](np.abs(points).astype(float)))
    allowed = (units if dtype == "float64" else OF_FLOAT32.get(name, 1)) * unit * size + np.finfo(
        dtype
    ).tiny
    is_good = (distance <= allowed) | (np.asarray(made) == rounded)
    assert is_good.all(), (points[~is_good], distance[~is_good] / allowed[~is_good])


def test_sine_and_cosine_integrals():
    points = BOTH
    sines, cosines = (np.asarray(each) for each in px.special.sici(px.asarray(points)))
    with mp.workdps(40):
        expected = np.array([[float(mp.si(x)), float(mp.re(mp.ci(x)))] for x in points])
    assert np.all(np.abs(sines - expected[:, 0]) <= 1e-15 * np.minimum(1, np.abs(points)))
    np.testing.assert_allclose(cosines, expected[:, 1], rtol=1e-15, atol=6e-16)


@pytest.mark.parametrize("name", ["j0", "j1"])
def test_zeros_keep_their_digits(name):
    order = int(name[1])
    zeros = np.array([float(mp.besseljzero(order, i)) for i in (1, 2)])
    x = np.concatenate([zeros, np.nextafter(zeros, 0), zeros + 1e-9])
    x = x[x <= 5]
    with mp.workdps(40):
        expected = [float(mp.besselj(order, mp.mpf(float(each)))) for each in x]
    made = np.asarray(getattr(px.special, name)(px.asarray(x)))
    np.testing.assert_allclose(made, expected, rtol=5e-15, atol=1e-22)


# a and x: small, on both sides of each choice between methods, and large.
GAMMAS = [
    *((a, x) for a in (1e-8, 0.01, 0.3, 0.5, 1, 2.5) for x in (1e-9, 0.2, 0.5, 1, 1.1, 1.5, 4, 30)),
    *(
        (a, a * ratio)
        for a in (5, 19.5, 20, 75, 300)
        for ratio in (0.3, 0.61, 0.9, 1, 1.1, 1.41, 2)
    ),
    *((a, a + d * a**0.5) for a in (2e3, 1e5) for d in (-5, -1, 0, 2, 6)),
]


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_incomplete_gamma(dtype):
    a, x = np.array(GAMMAS, dtype).T
    with mp.workdps(30):
        pairs = [(mp.mpf(float(p)), mp.mpf(float(q))) for p, q in zip(a, x, strict=True)]
        lower = [float(mp.gammainc(p, 0, q, regularized=True)) for p, q in pairs]
        upper = [float(mp.gammainc(p, q, mp.inf, regularized=True)) for p, q in pairs]
    tolerance = 1e-13 if dtype == "float64" else 1e-7
    for name, expected in (("gammainc", lower), ("gammaincc", upper)):
        made = getattr(px.special, name)(px.asarray(a), px.asarray(x))
        assert made.dtype == dtype
        np.testing.assert_allclose(
            np.asarray(made), np.array(expected, dtype), rtol=tolerance, atol=1e-290
        )


BETAS = [
    *((1e-6, 2.5, 0.01), (1e-6, 40, 1e-3), (3, 1e-5, 0.99), (1e-5, 1e-4, 0.3)),
    *(
        (a, b, x)
        for a in (0.01, 0.5, 3, 40)
        for b in (0.01, 0.5, 2.5, 70)
        for x in (1e-9, 0.2, 0.5)
    ),
    *((a, b, x) for a in (0.3, 4) for b in (0.2, 1, 9) for x in (0.51, 0.8, 0.999, 1 - 1e-12)),
    *((a, 2 * a, 1 / 3 + d / a**0.5) for a in (30, 300) for d in (-1, -0.1, 0, 0.1, 1)),
]


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_incomplete_beta(dtype):
    a, b, x = np.array(BETAS, dtype).T
    given = [tuple(mp.mpf(float(each)) for each in row) for row in zip(a, b, x, strict=True)]
    with mp.workdps(60):
        lower = [float(mp.betainc(p, q, 0, at, regularized=True)) for p, q, at in given]
        upper = [float(mp.betainc(q, p, 0, 1 - at, regularized=True)) for p, q, at in given]
    tolerance = 2e-13 if dtype == "float64" else 1e-7
    for name, expected in (("betainc", lower), ("betaincc", upper)):
        made = getattr(px.special, name)(*map(px.asarray, (a, b, x)))
        assert made.dtype == dtype
        np.testing.assert_allclose(
            np.asarray(made), np.array(expected, dtype), rtol=tolerance, atol=1e-290
        )


def test_beta_and_binomials():
    a, b = (each.ravel() for each in np.meshgrid([1e-9, 0.2, 1, 7.5, 60, 300], [0.3, 2, 11, 1e4]))
    expected = [float(mp.beta(p, q)) for p, q in zip(a, b, strict=True)]
    made = np.asarray(px.special.beta(px.asarray(a), px.asarray(b)))
    np.testing.assert_allclose(made, expected, rtol=2e-13, atol=1e-300)
    logs = np.asarray(px.special.betaln(px.asarray(a), px.asarray(b)))
    logs_expected = [float(mp.log(mp.beta(p, q))) for p, q in zip(a, b, strict=True)]
    np.testing.assert_allclose(logs, logs_expected, rtol=1e-13, atol=1e-15)
    p, q = np.array([-0.5, -2.5, -3.2, 180.5, -1, -3]), np.array([2.2, 0.7, -1.4, -0.5, 1, 2])
    expected = [
        float(mp.gamma(u) * mp.gamma(v) * mp.rgamma(u + v))
        for u, v in zip(p[:4], q[:4], strict=True)
    ]
    made = np.asarray(px.special.beta(px.asarray(p), px.asarray(q)))
    np.testing.assert_allclose(made, [*expected, -1, 1 / 6], rtol=1e-12)

    n, k = (each.ravel() for each in np.meshgrid(np.arange(40), np.arange(41)))
    made = np.asarray(px.special.binom(px.asarray(n), px.asarray(k)))
    assert made.tolist() == [math.comb(*map(int, pair)) for pair in zip(n, k, strict=True)]
    made = np.asarray(
        px.special.binom(px.asarray([5.5, -0.5, 1e-5, 100]), px.asarray([2.2, 3, 1, 50]))
    )
    expected = [float(mp.binomial(*pair)) for pair in ((5.5, 2.2), (-0.5, 3), (1e-5, 1), (100, 50))]
    np.testing.assert_allclose(made, expected, rtol=1e-13)


def test_recurrences():
    """P(a + 1, x) is P(a, x) less a term, and I_x(a, b) is the sum of those of a + 1 and b + 1."""
    a = px.asarray(np.geomspace(0.1, 1e4, 200)[:, None])
    x = a * px.asarray(np.linspace(0.5, 1.6, 45))
    term = px.exp(a * px.log(x) - x - px.special.gammaln(a + 1))
    step = px.special.gammainc(a, x) - px.special.gammainc(a + 1, x)
    np.testing.assert_allclose(np.asarray(step), np.asarray(term), rtol=1e-9, atol=1e-14)
    b, at = (
        px.asarray(np.geomspace(0.1, 1e3, 40)[:, None, None]),
        px.asarray(np.linspace(0.01, 1, 40)),
    )
    parts = [
        a[::9] * px.special.betainc(a[::9] + 1, b, at),
        b * px.special.betainc(a[::9], b + 1, at),
    ]
    whole = (a[::9] + b) * px.special.betainc(a[::9], b, at)
    np.testing.assert_allclose(
        np.asarray(parts[0] + parts[1]), np.asarray(whole), rtol=1e-11, atol=1e-290
    )


VALUES = [NAN, INF, -INF, 0.0, -0.0, -1.0]
AT_VALUES = {
    "j0": [NAN, NAN, NAN, 1, 1, 0.7651976865579666],
    "j1": [NAN, NAN, NAN, 0, 0, -0.4400505857449335],
    "y0": [NAN, NAN, NAN, -INF, -INF, NAN],
    "y1": [NAN, NAN, NAN, -INF, -INF, NAN],
    "i0e": [NAN, 0, 0, 1, 1, 0.46575960759364043],
    "i1e": [NAN, 0, 0, 0, 0, -0.2079104153497085],
    "k0": [NAN, 0, NAN, INF, INF, NAN],
    "k0e": [NAN, 0, NAN, INF, INF, NAN],
    "k1": [NAN, 0, NAN, INF, INF, NAN],
    "k1e": [NAN, 0, NAN, INF, INF, NAN],
    "exp1": [NAN, 0, NAN, INF, INF, NAN],
    "expi": [NAN, INF, 0, -INF, -INF, -0.21938393439552029],
    "erfcx": [NAN, 0, INF, 1, 1, 5.0089800807622835],
    "rgamma": [NAN, 0, 0, 0, 0, 0],
    "gammasgn": [NAN, 1, NAN, 1, -1, NAN],
    "log_ndtr": [NAN, 0, -INF, -math.log(2), -math.log(2), -1.8410216450092636],
}


@pytest.mark.parametrize("name", AT_VALUES)
def test_special_values(name):
    for dtype, tolerance in (("float64", 1e-15), ("float32", 3e-7)):
        made = np.asarray(getattr(px.special, name)(px.asarray(np.array(VALUES, dtype))))
        np.testing.assert_allclose(made, AT_VALUES[name], rtol=tolerance)


def test_ends_of_incomplete_functions():
    special = px.special
    a = px.asarray([NAN, -1.0, 0, 0, INF, INF, 2, 2, 2])
    x = px.asarray([1.0, 1, 0, 1, 1, INF, 0, INF, -1])
    assert repr(special.gammainc(a, x).tolist()) == repr(
        [NAN, NAN, NAN, 1.0, 0.0, NAN, 0.0, 1.0, NAN]
    )
    assert repr(special.gammaincc(a, x).tolist()) == repr(
        [NAN, NAN, NAN, 0.0, 1.0, NAN, 1.0, 0.0, NAN]
    )
    a = px.asarray([NAN, -1.0, 0, 0, INF, 1, 2, 2, 2, 2])
    b = px.asarray([1.0, 1, 0, 1, 1, INF, 3, 3, 3, 3])
    x = px.asarray([0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 0, 1, -0.1, 1.1])
    lower = [NAN, NAN, NAN, 1.0, 0.0, 1.0, 0.0, 1.0, NAN, NAN]
    assert repr(special.betainc(a, b, x).tolist()) == repr(lower)
    assert repr(special.betaincc(a, b, x).tolist()) == repr([1 - each for each in lower])


def test_distributions():
    special = px.special
    # Of two degrees of freedom, of one, and of few trials they have closed forms.
    x = np.geomspace(1e-6, 300, 50)
    at = px.asarray(x)
    np.testing.assert_allclose(np.asarray(special.chdtr(2, at)), -np.expm1(-x / 2), rtol=1e-14)
    np.testing.assert_allclose(np.asarray(special.chdtrc(2, at)), np.exp(-x / 2), rtol=1e-13)
    np.testing.assert_allclose(np.asarray(special.gdtr(3.0, 1, at)), -np.expm1(-3 * x), rtol=1e-14)
    cauchy = np.arctan2(1, x) / np.pi
    np.testing.assert_allclose(np.asarray(special.stdtr(1, -at)), cauchy, rtol=1e-14)
    np.testing.assert_allclose(np.asarray(special.stdtr(1, at)), 1 - cauchy, rtol=1e-14)
    small = np.asarray(special.stdtr(1, px.asarray([-1e-12, 0.0, 1e-12]))) - 0.5
    np.testing.assert_allclose(small, [-1e-12 / np.pi, 0, 1e-12 / np.pi], atol=2e-16)
    np.testing.assert_allclose(
        np.asarray(special.fdtr(2, 4, at)), 1 - (1 + x / 2) ** -2.0, rtol=1e-9
    )
    np.testing.assert_allclose(np.asarray(special.fdtrc(2, 4, at)), (1 + x / 2) ** -2, rtol=1e-13)
    poisson = [
        sum(3.5**i / math.factorial(i) for i in range(k + 1)) * math.exp(-3.5) for k in range(9)
    ]
    k = px.arange(9)
    np.testing.assert_allclose(np.asarray(special.pdtr(k, 3.5)), poisson, rtol=1e-14)
    np.testing.assert_allclose(np.asarray(special.pdtrc(k, 3.5)), 1 - np.array(poisson), rtol=1e-12)
    binomial = np.cumsum([math.comb(8, i) * 0.3**i * 0.7 ** (8 - i) for i in range(9)])
    np.testing.assert_allclose(np.asarray(special.bdtr(k, 8, 0.3)), binomial, rtol=1e-14)
    np.testing.assert_allclose(np.asarray(special.bdtrc(k, 8, 0.3)), 1 - binomial, atol=1e-15)
    failures = np.cumsum([math.comb(i + 2, i) * 0.3**3 * 0.7**i for i in range(9)])
    np.testing.assert_allclose(np.asarray(special.nbdtr(k, 3, 0.3)), failures, rtol=1e-14)
    np.testing.assert_allclose(np.asarray(special.nbdtrc(k, 3, 0.3)), 1 - failures, rtol=1e-14)


def test_operands_are_broadcast():
    made = px.special.betainc(px.ones((3, 1)), px.ones((1, 4)), 0.25)
    assert made.shape == (3, 4)
    assert np.allclose(np.asarray(made), 0.25)
    assert px.special.gammainc(px.ones(3, dtype="float32"), 2).dtype == np.float32
    assert px.special.gammainc(1, 2).shape == ()


def test_they_fuse():
    x = px.linspace(0.1, 9, 10**5)
    text = str(px.explain((px.special.j0(x) * 2 + 1).sum()))
    assert text.count("will run") == 1
    text = str(px.explain((px.special.gammainc(x, 2 * x) + px.special.betainc(x, 2.0, 0.5)).sum()))
    assert text.count("will run") == 1


TWO = ("beta", "betaln", "gammainc", "gammaincc", "chdtr", "chdtrc", "stdtr")
THREE = ("betainc", "betaincc", "gdtr", "gdtrc", "fdtr", "fdtrc")
NUMBERS = np.array([NAN, -INF, -1, -0.5, 0, 0.01, 0.3, 0.5, 0.97, 1, 2, 2.5, 30, 33.5, 150])


@pytest.mark.skipif(not HAS_SCIPY, reason="SciPy is not installed")
@pytest.mark.parametrize("dtype", ["float64", "float32", "int64"])
@pytest.mark.parametrize("name", [*TWO, *THREE, "pdtr", "pdtrc", "bdtr", "bdtrc"])
def test_they_are_scipys(name, dtype):
    import scipy.special

    values = NUMBERS.astype(dtype) if dtype != "int64" else np.arange(-3, 12)
    arity = getattr(px.special, name).__code__.co_argcount
    given = [values.reshape(-1, *(1,) * i) for i in reversed(range(arity))]
    if name.startswith("bdtr"):
        given[1] = np.arange(1, 12)[:, None]  # SciPy warns of other numbers of trials
    if name.startswith("pdtr"):
        given[0] = given[0][~np.isnan(given[0][:, 0])]
    # SciPy computes some of them in float32, to fewer digits than the float64 of the same numbers.
    wide = [each.astype("float64") if each.dtype == "float32" else each for each in given]
    with np.errstate(all="ignore"):
        expected = getattr(scipy.special, name)(*wide)
    made = np.asarray(getattr(px.special, name)(*map(px.asarray, given)))
    assert made.dtype == np.result_type(*given, np.float32)
    tolerance, least = (1e-12, 1e-290) if made.dtype == np.float64 else (2e-5, 1e-37)
    near_zero = 1e-15 if name == "betaln" else least
    np.testing.assert_allclose(made, expected, rtol=tolerance, atol=near_zero)
