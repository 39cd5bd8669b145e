"""Special functions after SciPy's names, which fuse as ufuncs do.

They take arrays and numbers and compute in float32 for arrays of float32, float16 and bfloat16,
else in float64. The other functions of `scipy.special` are there where SciPy is installed, which
computes them on the host.
"""

from __future__ import annotations

import importlib
import math
from collections.abc import Callable
from functools import cache
from typing import Any

from .. import _engine
from . import coerce, host, names, reductions, ufuncs

_NARROW = ("float32", "float16", "bfloat16")
_ROOT_HALF = math.sqrt(0.5)


def _operand(x: Any) -> Any:
    array = coerce.as_operand(x)
    if array._dtype.startswith(("complex", "datetime", "timedelta")):
        raise TypeError(f"the function is of real numbers, not of {array._dtype}")
    return array


def _float(x: Any, dtype: str | None = None) -> Any:
    array = _operand(x)
    wanted = dtype or ("float32" if array._dtype in _NARROW else "float64")
    return array if array._dtype == wanted else _engine.array_cast(array, wanted)


def _floats(*given: Any) -> list[Any]:
    """The operands in one dtype; numbers of Python's take that of the arrays."""
    arrays = [_operand(each) for each in given if not isinstance(each, (bool, int, float))]
    is_narrow = bool(arrays) and all(each._dtype in _NARROW for each in arrays)
    return [_float(each, "float32" if is_narrow else "float64") for each in given]


def _finished(made: Any) -> Any:
    return made if made.ndim else made._as_number()


def _of_engine(name: str, doc: str, key: str = "") -> Callable[[Any], Any]:
    key = key or name

    def function(x: Any) -> Any:
        array = _float(x)
        suffix = "_single" if array._dtype == "float32" else ""
        return _finished(_engine.array_special(key + suffix, [array]))

    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    return function


def _of_several(key: str, *operands: Any) -> Any:
    arrays = _floats(*operands)
    suffix = "_single" if arrays[0]._dtype == "float32" else ""
    return _finished(_engine.array_special(key + suffix, arrays))


def _apply(name: str, *operands: Any) -> Any:
    return ufuncs.table()[name](*operands)


def _where(condition: Any, x: Any, y: Any) -> Any:
    dtype = next(each._dtype for each in (x, y) if isinstance(each, _engine.Array))
    given = [
        each if isinstance(each, _engine.Array) else _engine.array_number(each, dtype)
        for each in (x, y)
    ]
    return _engine.array_where(condition, *given)


erf = _of_engine("erf", "The error function: 2 / sqrt(pi) times the integral of exp(-t^2) to x.")
erfc = _of_engine("erfc", "1 - erf(x), exact for large x.")
gamma = _of_engine("gamma", "The gamma function.")
gammaln = _of_engine(
    "gammaln", "The logarithm of the gamma function's absolute value, as C's lgamma.", "lgamma"
)
digamma = psi = _of_engine("digamma", "The derivative of `gammaln`.")
ndtri = _of_engine("ndtri", "The quantile of the normal distribution, of a probability.")
erfinv = _of_engine("erfinv", "The x of which `erf` is the given number.")
erfcinv = _of_engine("erfcinv", "The x of which `erfc` is the given number.")
j0 = _of_engine("j0", "The Bessel function of the first kind of order 0.")
j1 = _of_engine("j1", "The Bessel function of the first kind of order 1.")
y0 = _of_engine("y0", "The Bessel function of the second kind of order 0.")
y1 = _of_engine("y1", "The Bessel function of the second kind of order 1.")
i0 = _of_engine("i0", "The modified Bessel function of the first kind of order 0.")
i0e = _of_engine("i0e", "exp(-|x|) i0(x).")
i1 = _of_engine("i1", "The modified Bessel function of the first kind of order 1.")
i1e = _of_engine("i1e", "exp(-|x|) i1(x).")
k0 = _of_engine("k0", "The modified Bessel function of the second kind of order 0.")
k0e = _of_engine("k0e", "exp(x) k0(x).")
k1 = _of_engine("k1", "The modified Bessel function of the second kind of order 1.")
k1e = _of_engine("k1e", "exp(x) k1(x).")
exp1 = _of_engine("exp1", "The integral of exp(-t) / t from x on, for x >= 0.")
expi = _of_engine("expi", "The integral of exp(t) / t up to x, its principal value.")
erfcx = _of_engine("erfcx", "exp(x^2) erfc(x).")
_si = _of_engine("si", "The integral of sin(t) / t from 0 to x.")
_ci = _of_engine("ci", "The integral of cos(t) / t from infinity to x.")


def sici(x: Any) -> Any:
    """The integrals of sin(t) / t from 0, and of cos(t) / t from infinity, to x."""
    return _si(x), _ci(x)


def beta(a: Any, b: Any) -> Any:
    """gamma(a) gamma(b) / gamma(a + b)."""
    return _of_several("beta", a, b)


def betaln(a: Any, b: Any) -> Any:
    """The logarithm of the absolute value of `beta`."""
    return _of_several("betaln", a, b)


def binom(n: Any, k: Any) -> Any:
    """The binomial coefficient n over k, also of numbers that are not whole."""
    return _of_several("binom", n, k)


def gammainc(a: Any, x: Any) -> Any:
    """The lower incomplete gamma function by gamma(a): from 0 for x = 0 to 1."""
    return _of_several("gammainc", a, x)


def gammaincc(a: Any, x: Any) -> Any:
    """1 - gammainc(a, x), exact where it is small."""
    return _of_several("gammaincc", a, x)


def _probable(a: Any, b: Any, x: Any) -> list[Any]:
    """The operands, for the engine's functions of x, or of x - 1 where that is below 0."""
    first, second, at = _floats(a, b, x)
    return [first, second, _where(at < 0, math.nan, at)]


def betainc(a: Any, b: Any, x: Any) -> Any:
    """The incomplete beta function by beta(a, b): from 0 for x = 0 to 1 for x = 1."""
    return _of_several("betainc", *_probable(a, b, x))


def betaincc(a: Any, b: Any, x: Any) -> Any:
    """1 - betainc(a, b, x), exact where it is small."""
    return _of_several("betaincc", *_probable(a, b, x))


def rgamma(x: Any) -> Any:
    """1 / gamma(x), which is 0 at the poles."""
    array = _float(x)
    is_pole = (array <= 0) & (array == _apply("floor", array))
    # Where gamma overflows its reciprocal need not be 0 yet.
    most = 34.0 if array._dtype == "float32" else 170.0
    small = 1.0 / gamma(_where(is_pole, 1.0, array))
    made = _where(array > most, _apply("exp", -gammaln(array)), small)
    return _finished(_where(is_pole, _where(array == 0, array, 0.0), made))


def gammasgn(x: Any) -> Any:
    """The sign of gamma(x); NaN at the poles below 0 and at infinity's lower end."""
    array = _float(x)
    below = _apply("floor", array)
    turns = below - 2.0 * _apply("floor", below * 0.5)
    made = _where(array > 0, 1.0, 1.0 - 2.0 * turns)
    is_pole = (array < 0) & (below == array)
    at_zero = _apply("copysign", _full_like(array, 1.0), array)
    made = _where(is_pole, math.nan, _where(array == 0, at_zero, made))
    return _finished(_where(_apply("isnan", array), array, made))


def log_ndtr(x: Any) -> Any:
    """The logarithm of `ndtr`, exact also where that is 0."""
    array = _float(x)
    lower = _apply("minimum", array, 0.0)
    left = _apply("log", 0.5 * erfcx(-lower * _ROOT_HALF)) - 0.5 * lower * lower
    right = _apply("log1p", -0.5 * erfc(_apply("maximum", array, -1.0) * _ROOT_HALF))
    return _finished(_where(array < -1, left, right))


def exprel(x: Any) -> Any:
    """(exp(x) - 1) / x, which is 1 at 0."""
    array = _float(x)
    made = _apply("expm1", array) / _where(array == 0, 1.0, array)
    # In two factors, the exponential is infinite only where the function is.
    root = _apply("exp", 0.5 * array)
    made = _where(array > 40, root / array * root, _where(array == 0, 1.0, made))
    return _finished(_where(array == math.inf, math.inf, made))


def _outside(condition: Any, made: Any) -> Any:
    return _finished(_where(condition, math.nan, made))


def chdtr(v: Any, x: Any) -> Any:
    """The probability that a chi-square number of v degrees of freedom is at most x."""
    degrees, at = _floats(v, x)
    return gammainc(degrees * 0.5, at * 0.5)


def chdtrc(v: Any, x: Any) -> Any:
    """1 - chdtr(v, x), exact where it is small."""
    degrees, at = _floats(v, x)
    return gammaincc(degrees * 0.5, at * 0.5)


def gdtr(a: Any, b: Any, x: Any) -> Any:
    """The probability that a gamma number of shape b and rate a is at most x."""
    rate, shape, at = _floats(a, b, x)
    return _outside(at < 0, gammainc(shape, rate * at))


def gdtrc(a: Any, b: Any, x: Any) -> Any:
    """1 - gdtr(a, b, x), exact where it is small."""
    rate, shape, at = _floats(a, b, x)
    return _outside(at < 0, gammaincc(shape, rate * at))


def pdtr(k: Any, m: Any) -> Any:
    """The probability that a Poisson number of mean m is at most k."""
    count, mean = _floats(k, m)
    return _outside(count < 0, gammaincc(_apply("floor", count) + 1.0, mean))


def pdtrc(k: Any, m: Any) -> Any:
    """1 - pdtr(k, m), exact where it is small."""
    count, mean = _floats(k, m)
    return _outside(count < 0, gammainc(_apply("floor", count) + 1.0, mean))


def bdtr(k: Any, n: Any, p: Any) -> Any:
    """The probability of at most k successes in n trials of chance p."""
    count, trials, chance = _floats(k, n, p)
    count = _apply("floor", count)
    made = betaincc(count + 1.0, trials - count, chance)
    made = _where((count == trials) & (chance == 1), 1.0, made)
    return _outside((count < 0) | (count > trials), made)


def bdtrc(k: Any, n: Any, p: Any) -> Any:
    """The probability of more than k successes in n trials of chance p."""
    count, trials, chance = _floats(k, n, p)
    count = _apply("floor", count)
    made = betainc(count + 1.0, trials - count, chance)
    made = _where((count == trials) & (chance == 1), 0.0, made)
    made = _where(count > trials, math.nan, _where(count < 0, 1.0, made))
    return _outside(~((chance >= 0) & (chance <= 1)), made)


def nbdtr(k: Any, n: Any, p: Any) -> Any:
    """The probability of at most k failures before the n-th success of chance p."""
    count, wanted, chance = _floats(k, n, p)
    made = betainc(wanted, _apply("floor", count) + 1.0, chance)
    return _outside((count < 0) | (wanted <= 0), made)


def nbdtrc(k: Any, n: Any, p: Any) -> Any:
    """1 - nbdtr(k, n, p), exact where it is small."""
    count, wanted, chance = _floats(k, n, p)
    made = betaincc(wanted, _apply("floor", count) + 1.0, chance)
    return _outside((count < 0) | (wanted <= 0), made)


def _share(above: Any, below: Any) -> Any:
    """above / (above + below), or that less 1 where it is the exacter number, for `betainc`."""
    total = above + below
    x, rest = above / total, below / total
    return _where(above == math.inf, 1.0, _where((rest < x) & (rest > 0), -rest, x))


def stdtr(df: Any, t: Any) -> Any:
    """The probability that Student's number of df degrees of freedom is at most t."""
    degrees, at = _floats(df, t)
    square = at * at
    half = _full_like(square, 0.5)
    tail = 0.5 * _of_several("betainc", degrees * 0.5, half, _share(degrees, square))
    made = _where(at < 0, tail, 1.0 - tail)
    made = _where(degrees == math.inf, ndtr(at), made)
    return _outside(~(degrees > 0), made)


def _fisher(key: str, *operands: Any) -> Any:
    above, below, at = _floats(*operands)
    made = _of_several(key, above * 0.5, below * 0.5, _share(above * at, below))
    is_limit = ((above == math.inf) | (below == math.inf)) & (at < math.inf)
    return _outside((above <= 0) | (below <= 0) | (at < 0) | is_limit, made)


def fdtr(dfn: Any, dfd: Any, x: Any) -> Any:
    """The probability that Fisher's number of dfn and dfd degrees of freedom is at most x."""
    return _fisher("betainc", dfn, dfd, x)


def fdtrc(dfn: Any, dfd: Any, x: Any) -> Any:
    """1 - fdtr(dfn, dfd, x), exact where it is small."""
    return _fisher("betaincc", dfn, dfd, x)


def expit(x: Any) -> Any:
    """The logistic function 1 / (1 + exp(-x))."""
    return 1.0 / (1.0 + _apply("exp", -_float(x)))


def log_expit(x: Any) -> Any:
    """The logarithm of `expit`."""
    array = _float(x)
    size = _apply("absolute", array)
    return _apply("minimum", array, 0.0) - _apply("log1p", _apply("exp", -size))


def logit(x: Any) -> Any:
    """The inverse of `expit`: log(x / (1 - x))."""
    from . import selecting

    array = _float(x)
    # Near a half both logarithms are nearly the same.
    twice = 2 * (array - 0.5)
    near = _apply("log1p", twice) - _apply("log1p", -twice)
    is_near = (array > 0.3) & (array < 0.65)
    return selecting.where(is_near, near, _apply("log", array) - _apply("log1p", -array))


def ndtr(x: Any) -> Any:
    """The probability that a normal number is below x."""
    return 0.5 * erfc(-_float(x) * _ROOT_HALF)


def xlogy(x: Any, y: Any) -> Any:
    """x log(y), and 0 where x is 0 and y a number."""
    first, second = _floats(x, y)
    is_none = (first == 0) & ~_apply("isnan", second)
    return _finished(_where(is_none, 0.0, first * _apply("log", second)))


def xlog1py(x: Any, y: Any) -> Any:
    """x log(1 + y), and 0 where x is 0 and y a number."""
    first, second = _floats(x, y)
    is_none = (first == 0) & ~_apply("isnan", second)
    return _finished(_where(is_none, 0.0, first * _apply("log1p", second)))


def entr(x: Any) -> Any:
    """-x log(x); 0 at 0, minus infinity below."""
    array = _float(x)
    inside = _where(array == 0, 0.0, -array * _apply("log", array))
    return _finished(_where(array < 0, -math.inf, inside))


def rel_entr(x: Any, y: Any) -> Any:
    """x log(x / y) for numbers above 0; 0 where x is 0 and y not below; else infinity."""
    first, second = _floats(x, y)
    is_above = (first > 0) & (second > 0)
    is_none = (first == 0) & (second >= 0)
    made = first * _apply("log", first / second)
    is_nan = _apply("isnan", first) | _apply("isnan", second)
    other = _where(is_none, 0.0, _where(is_nan, math.nan, _full_like(made, math.inf)))
    return _finished(_where(is_above, made, other))


def kl_div(x: Any, y: Any) -> Any:
    """x log(x / y) - x + y for numbers above 0; y where x is 0 and y not below; else infinity."""
    first, second = _floats(x, y)
    is_valid = ((first > 0) & (second > 0)) | ((first == 0) & (second >= 0))
    made = rel_entr(first, second) - first + second
    is_nan = _apply("isnan", first) | _apply("isnan", second)
    other = _where(is_nan, math.nan, _full_like(made, math.inf))
    return _finished(_where(is_valid, made, other))


def _full_like(array: Any, value: float) -> Any:
    return _engine.array_copy(_engine.array_number(value, array._dtype), array.shape)


def huber(delta: Any, r: Any) -> Any:
    """r^2 / 2 up to `delta`, and linear beyond; infinity for negative deltas."""
    bound, residual = _floats(delta, r)
    size = _apply("absolute", residual)
    made = _where(size <= bound, 0.5 * residual * residual, bound * (size - 0.5 * bound))
    return _finished(_where(bound < 0, math.inf, made))


def boxcox(x: Any, lmbda: Any) -> Any:
    """(x^lmbda - 1) / lmbda, and log(x) where lmbda is 0."""
    array, power = _floats(x, lmbda)
    log = _apply("log", array)
    made = _apply("expm1", power * log) / _where(power == 0, 1.0, power)
    return _finished(_where(power == 0, log, made))


def inv_boxcox(y: Any, lmbda: Any) -> Any:
    """The x of which `boxcox` is y."""
    array, power = _floats(y, lmbda)
    log = _apply("log1p", power * array) / _where(power == 0, 1.0, power)
    return _finished(_apply("exp", _where(power == 0, array, log)))


def exp10(x: Any) -> Any:
    """10 raised to the value."""
    return _apply("power", 10.0, _float(x))


def logsumexp(
    a: Any, axis: Any = None, b: Any = None, keepdims: bool = False, return_sign: bool = False
) -> Any:
    """log(sum(b exp(a))) along the axes, without overflow in between.

    With `return_sign` of the sum's absolute value, and the sum's sign. Without it a negative sum
    gives NaN.
    """
    array = _float(a)
    weights = None
    if b is not None:
        array, weights = _floats(array, b)
        array = _where(weights == 0, -math.inf, array)
    most = reductions.max(array, axis=axis, keepdims=True, initial=-math.inf)
    shift = _where(_apply("isfinite", most), most, 0.0)
    terms = _apply("exp", array - shift)
    total = reductions.sum(
        terms if weights is None else weights * terms, axis=axis, keepdims=keepdims
    )
    moved = shift if keepdims else shift._reshape(total.shape)
    if not return_sign:
        return _finished(_apply("log", total) + moved)
    sign = _apply("sign", total)
    return _finished(_apply("log", _apply("absolute", total)) + moved), sign


def softmax(x: Any, axis: Any = None) -> Any:
    """exp(x) by its sum along the axes."""
    array = _float(x)
    terms = _apply("exp", array - reductions.max(array, axis=axis, keepdims=True))
    return terms / reductions.sum(terms, axis=axis, keepdims=True)


def log_softmax(x: Any, axis: Any = None) -> Any:
    """The logarithm of `softmax`."""
    from . import selecting

    array = _float(x)
    most = reductions.max(array, axis=axis, keepdims=True)
    shifted = array - selecting.where(_apply("isfinite", most), most, 0)
    total = reductions.sum(_apply("exp", shifted), axis=axis, keepdims=True)
    return shifted - _apply("log", total)


def _of_ufunc(name: str, doc: str) -> Callable[[Any], Any]:
    def function(x: Any) -> Any:
        return _apply(name, _float(x))  # NumPy would compute small integers in float16

    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    return function


cbrt = _of_ufunc("cbrt", "The cube root.")
exp2 = _of_ufunc("exp2", "2 raised to the value.")
expm1 = _of_ufunc("expm1", "exp(x) - 1, exact for small x.")
log1p = _of_ufunc("log1p", "log(1 + x), exact for small x.")

_UFUNCS = ("sinc",)
OWN = tuple(
    name
    for name, value in list(globals().items())
    if callable(value) and name[0].islower() and getattr(value, "__module__", "") == __name__
)


@cache
def _scipy() -> Any:
    try:
        return importlib.import_module("scipy.special")
    except ImportError:
        return None


def __getattr__(name: str) -> Any:
    if name in _UFUNCS:
        return getattr(importlib.import_module(f".{names.NAMES[name]}", __package__), name)
    if name.startswith("_"):
        raise AttributeError(f"phalanx.special has no attribute {name!r}")
    if _scipy() is None:
        raise AttributeError(
            f"phalanx.special has no attribute {name!r} of its own; the functions of SciPy's are "
            "there where it is installed: pip install scipy"
        )
    function = getattr(_scipy(), name, None)
    if not callable(function):
        raise AttributeError(f"neither phalanx.special nor scipy.special has {name!r}")

    def on_host(*args: Any, **kwargs: Any) -> Any:
        return host.run(function, *args, **kwargs)

    on_host.__name__ = on_host.__qualname__ = name
    on_host.__doc__ = f"As `scipy.special.{name}`, which computes it on the host."
    globals()[name] = on_host
    return on_host


def __dir__() -> list[str]:
    return sorted({*OWN, *_UFUNCS, *(getattr(_scipy(), "__all__", ()) if _scipy() else ())})
