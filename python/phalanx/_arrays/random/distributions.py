"""The distributions of one number each: parameters, what these must be, and how they are drawn.

A row draws from the engine's functions (numpy/random.h) and computes with what IEEE 754 rounds and
`Sampling` has on all devices alike, so that the numbers do not depend on the device.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from . import conditions as must_be
from .sampling import Sampling

_NONE = object()  # a parameter without default


@dataclass(frozen=True)
class Parameter:
    """A parameter of a distribution."""

    name: str
    check: Callable[[str, Any], None]
    default: Any = _NONE

    @property
    def is_needed(self) -> bool:
        """True if a call has to give it."""
        return self.default is _NONE


@dataclass(frozen=True)
class Distribution:
    """A row of the table; `make` gets a `Sampling` and the parameters."""

    doc: str
    parameters: tuple[Parameter, ...]
    make: Callable[..., Any]


LOC = Parameter("loc", must_be.anything, 0.0)
SCALE = Parameter("scale", must_be.not_negative, 1.0)


def _uniform(s: Sampling, low: Any, high: Any) -> Any:
    span = high - low
    must_be.not_negative("high - low", span)
    if must_be.is_any(span - span != 0):
        raise OverflowError("high - low range exceeds valid bounds")
    return low + span * s.random()


def _beta(s: Sampling, a: Any, b: Any) -> Any:
    # x / (x + y) of two gammas, which are often beyond the format. Where the logarithms are, too:
    # the limit of small parameters, all at 0 or at 1.
    difference = s.draw("log_gamma", b) - s.draw("log_gamma", a)
    total = a + b
    is_one = s.where(s.random() * total < a, 1.0, 0.0) + 0.0 * total  # NaN of such parameters
    return s.where(difference != difference, is_one, 1.0 / (1.0 + s.exp(difference)))


def _noncentral_chisquare(s: Sampling, df: Any, nonc: Any) -> Any:
    # Of more than one degree of freedom one is a normal draw that is moved; else a Poisson mixture.
    is_more = df > 1.0
    z = s.normal() + s.sqrt(nonc)
    moved = s.chisquare(s.where(is_more, df - 1.0, 1.0)) + z * z
    mixed = s.chisquare(df + 2.0 * s.draw("poisson", nonc * 0.5)) + 0.0 * nonc
    return s.where(is_more, moved, mixed)


def _f(s: Sampling, dfnum: Any, dfden: Any) -> Any:
    return s.divide(s.chisquare(dfnum) * dfden, s.chisquare(dfden) * dfnum)


def _noncentral_f(s: Sampling, dfnum: Any, dfden: Any, nonc: Any) -> Any:
    numerator = _noncentral_chisquare(s, dfnum, nonc)
    return s.divide(numerator * dfden, s.chisquare(dfden) * dfnum)


def _laplace(s: Sampling, loc: Any, scale: Any) -> Any:
    size = s.exponential()
    return loc + scale * s.where(s.random() < 0.5, -size, size)


def _logistic(s: Sampling, loc: Any, scale: Any) -> Any:
    # The logarithm of a quotient of two exponential draws.
    return loc + scale * (s.log(s.exponential()) - s.log(s.exponential()))


def _triangular(s: Sampling, left: Any, mode: Any, right: Any) -> Any:
    if must_be.is_any(left > mode):
        raise ValueError("left > mode")
    if must_be.is_any(mode > right):
        raise ValueError("mode > right")
    if must_be.is_any(left == right):
        raise ValueError("left == right")
    u, base = s.random(), right - left
    rising = left + s.sqrt(u * (base * (mode - left)))
    falling = right - s.sqrt((1.0 - u) * (base * (right - mode)))
    return s.where(u * base <= mode - left, rising, falling)


def _wald(s: Sampling, mean: Any, scale: Any) -> Any:
    # Michael, Schucany and Haas, "Generating random variates using transformations with multiple
    # roots", 1976. The lesser root by the mean is (root - 1) / (root + 1) of root = sqrt(1 + w).
    z = s.normal()
    w = s.divide(s.divide(4.0 * scale, mean), z * z)
    half = 1.0 + s.sqrt(1.0 + w)
    lesser = s.where(w > 1e300, 1.0, s.divide(s.divide(w, half), half))
    is_lesser = s.random() * (1.0 + lesser) <= 1.0
    return s.where(is_lesser, mean * lesser, s.divide(mean, lesser))


def _power_of(s: Sampling, x: Any, exponent: Any) -> Any:
    return s.exp(s.log(x) * exponent)


def _weibull(s: Sampling, a: Any) -> Any:
    is_none = a == 0  # a draw of 0
    return _power_of(s, s.exponential(), 1.0 / (a + 1.0 * is_none)) * (1.0 - is_none)


def _negative_binomial(s: Sampling, n: Any, p: Any) -> Any:
    odds = (1.0 - p) / p
    most = odds * (n + 10.0 * s.sqrt(n))
    if must_be.is_any(must_be.is_beyond_poisson(most)):
        raise ValueError("n too large or p too small: the draws may be beyond int64")
    return s.draw("poisson", s.gamma(n) * odds)


def _parameters(*names: str, check: Callable[[str, Any], None]) -> tuple[Parameter, ...]:
    return tuple(Parameter(name, check) for name in names)


DISTRIBUTIONS = {
    "uniform": Distribution(
        "Uniform on [low, high). Raises `OverflowError` for a range beyond float64.",
        (Parameter("low", must_be.anything, 0.0), Parameter("high", must_be.anything, 1.0)),
        _uniform,
    ),
    "normal": Distribution(
        "Normal, of mean `loc` and standard deviation `scale`.",
        (LOC, SCALE),
        lambda s, loc, scale: loc + scale * s.normal(),
    ),
    "lognormal": Distribution(
        "Exponentials of normal draws of that mean and deviation.",
        (
            Parameter("mean", must_be.anything, 0.0),
            Parameter("sigma", must_be.not_negative, 1.0),
        ),
        lambda s, mean, sigma: s.exp(mean + sigma * s.normal()),
    ),
    "exponential": Distribution(
        "Exponential, of mean `scale`.", (SCALE,), lambda s, scale: scale * s.exponential()
    ),
    "gamma": Distribution(
        "Gamma, of that shape, times `scale`.",
        (Parameter("shape", must_be.not_negative), SCALE),
        lambda s, shape, scale: scale * s.gamma(shape),
    ),
    "beta": Distribution("Beta, on [0, 1].", _parameters("a", "b", check=must_be.positive), _beta),
    "chisquare": Distribution(
        "Chi-square, of `df` degrees of freedom.",
        _parameters("df", check=must_be.positive),
        lambda s, df: s.chisquare(df),
    ),
    "noncentral_chisquare": Distribution(
        "Noncentral chi-square: a Poisson mixture of chi-squares.",
        (Parameter("df", must_be.positive), Parameter("nonc", must_be.not_negative)),
        _noncentral_chisquare,
    ),
    "f": Distribution(
        "Fisher's F: the quotient of two chi-squares by their degrees of freedom.",
        _parameters("dfnum", "dfden", check=must_be.positive),
        _f,
    ),
    "noncentral_f": Distribution(
        "Fisher's F with a noncentral numerator.",
        (
            *_parameters("dfnum", "dfden", check=must_be.positive),
            Parameter("nonc", must_be.not_negative),
        ),
        _noncentral_f,
    ),
    "standard_cauchy": Distribution("Cauchy, at 0.", (), lambda s: s.draw("cauchy")),
    "standard_t": Distribution(
        "Student's t, of `df` degrees of freedom.",
        _parameters("df", check=must_be.positive),
        lambda s, df: s.normal() * s.sqrt(s.divide(df, s.chisquare(df))),
    ),
    "gumbel": Distribution(
        "Gumbel, the distribution of maxima.",
        (LOC, SCALE),
        lambda s, loc, scale: loc - scale * s.log(s.exponential()),
    ),
    "laplace": Distribution("Laplace: exponential on both sides.", (LOC, SCALE), _laplace),
    "logistic": Distribution("Logistic.", (LOC, SCALE), _logistic),
    "pareto": Distribution(
        "Pareto II (Lomax), from 0 on.",
        _parameters("a", check=must_be.positive),
        lambda s, a: s.expm1(s.exponential() / a),
    ),
    "power": Distribution(
        "On [0, 1], of the density a x^(a - 1).",
        _parameters("a", check=must_be.positive),
        lambda s, a: s.exp(-s.exponential() / a),
    ),
    "rayleigh": Distribution(
        "Rayleigh: the length of a vector of two normal draws.",
        (SCALE,),
        lambda s, scale: scale * s.sqrt(2.0 * s.exponential()),
    ),
    "triangular": Distribution(
        "Between `left` and `right`, with a peak at `mode`.",
        _parameters("left", "mode", "right", check=must_be.anything),
        _triangular,
    ),
    "wald": Distribution(
        "Wald, or inverse Gaussian.",
        _parameters("mean", "scale", check=must_be.positive),
        _wald,
    ),
    "weibull": Distribution(
        "Weibull, of that shape and scale 1.",
        _parameters("a", check=must_be.not_negative),
        _weibull,
    ),
    # Whole numbers
    "poisson": Distribution(
        "Poisson, of mean `lam`.",
        (Parameter("lam", must_be.mean_of_poisson, 1.0),),
        lambda s, lam: s.draw("poisson", lam),
    ),
    "negative_binomial": Distribution(
        "How many failures there are before `n` successes of probability `p`.",
        (
            Parameter("n", must_be.positive_number),
            Parameter("p", must_be.probability_above_0),
        ),
        _negative_binomial,
    ),
    "geometric": Distribution(
        "How many trials of probability `p` there are until the first success.",
        _parameters("p", check=must_be.probability_above_0),
        lambda s, p: s.draw("geometric", p),
    ),
    "logseries": Distribution(
        "Logarithmic series.",
        _parameters("p", check=must_be.probability_below_1),
        lambda s, p: s.draw("logseries", p),
    ),
    "zipf": Distribution(
        "Zipf, or zeta: k with a probability of k^-a.",
        _parameters("a", check=must_be.above_1),
        lambda s, a: s.draw("zipf", a),
    ),
}
