"""Binomial draws, and distributions of several numbers at once."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ... import _engine
from ..._core.warnings import say
from .. import coerce, host, joining, reductions, ufuncs
from . import conditions as must_be
from .counters import Philox4x32, extents
from .sampling import Sampling, parameter, shape_of


def binomial(source: Philox4x32, n: Any, p: Any, size: Any) -> Any:
    """How many of `n` trials of probability `p` succeed, in int64.

    Raises `ValueError` for negative `n` and probabilities outside of [0, 1].
    """
    trials, chance = parameter("n", n, "int64"), parameter("p", p)
    if must_be.is_any(trials < 0):
        raise ValueError("n < 0")
    must_be.probability("p", chance)
    return _successes(Sampling(source, shape_of(size, [trials, chance])), trials, chance)


def _successes(s: Sampling, trials: Any, chance: Any) -> Any:
    """Successes, or all trials but the failures where these are rarer."""
    is_rare = chance <= 0.5
    rarer = s.where(is_rare, chance, 1.0 - chance)
    # The engine's functions take one parameter: a pair of numbers is one that is complex.
    drawn = s.draw("binomial", trials + 1j * rarer, dtype="complex128")
    if s.shape is None:
        drawn = min(drawn, trials)  # which may have been rounded up
        return drawn if is_rare else trials - drawn
    trials, table = s.integer(trials), ufuncs.table()
    drawn = table["minimum"](drawn, trials)
    if not isinstance(chance, _engine.Array):
        return drawn if is_rare else trials - drawn
    return _engine.array_where(is_rare, drawn, trials - drawn)


def multinomial(source: Philox4x32, n: Any, pvals: Any, size: Any) -> Any:
    """How many of `n` trials have each of the outcomes, along a last dimension, in int64.

    The last probability is what the others leave. Raises `ValueError` for negative `n` and for
    probabilities that are negative or add to more than 1.
    """
    chances = np.asarray(host.as_host(pvals), dtype=np.float64)
    if chances.ndim == 0 or not chances.shape[-1]:
        raise TypeError("pvals must be a 1-d sequence")
    must_be.probability("pvals", coerce.as_operand(chances))
    if (chances[..., :-1].sum(axis=-1) > 1.0 + 1e-12).any():
        raise ValueError("sum(pvals[:-1]) > 1.0")
    trials = parameter("n", n, "int64")
    if must_be.is_any(trials < 0):
        raise ValueError("n < 0")
    rows = coerce.as_operand(chances[..., 0]) if chances.ndim > 1 else 0
    shape = shape_of(size, [trials, rows])
    s = Sampling(source, () if shape is None else shape)
    left: Any = _engine.array_copy(s.integer(trials), s.shape)
    rest = np.ones(chances.shape[:-1])
    parts = []
    for i in range(chances.shape[-1] - 1):
        ratio = np.divide(chances[..., i], rest, out=np.zeros_like(rest), where=rest > 0)
        parts.append(_successes(s, left, s.float(np.clip(ratio, 0, 1))))
        left = left - parts[-1]
        rest = rest - chances[..., i]
    return joining.stack([*parts, left], axis=-1)


def dirichlet(source: Philox4x32, alpha: Any, size: Any) -> Any:
    """Parts of 1, along a last dimension, with weights `alpha`.

    Raises `ValueError` for weights below 0, and unless they are a vector.
    """
    weights = np.asarray(host.as_host(alpha), dtype=np.float64)
    if weights.ndim != 1 or not weights.size:
        raise ValueError("alpha must be a 1-d sequence")
    if (weights < 0).any():
        raise ValueError("alpha < 0")
    shape = () if size is None else extents(size)
    if not weights.any():
        return _engine.array_copy(_engine.array_number(0.0, "float64"), (*shape, weights.size))
    if not weights.max() < 0.1:
        s = Sampling(source, (*shape, weights.size))
        drawn = s.gamma(coerce.as_operand(weights))
        return drawn / reductions.sum(drawn, axis=-1, keepdims=True)
    # All of the gammas may be beyond the format: parts are broken off one after another.
    from .distributions import DISTRIBUTIONS

    s, parts, left = Sampling(source, shape), [], 1.0
    for i, weight in enumerate(weights[:-1]):
        following = float(weights[i + 1 :].sum())
        if weight == 0 or following == 0:
            part: Any = _engine.array_copy(s.float(float(weight != 0)), shape)
        else:
            part = DISTRIBUTIONS["beta"].make(s, float(weight), following)
        parts.append(left * part)
        left = left - parts[-1]
    return joining.stack([*parts, left * s.ones()], axis=-1)


def multivariate_normal(
    source: Philox4x32, mean: Any, cov: Any, size: Any, method: str, check: tuple[str, float]
) -> Any:
    """Normal vectors of that mean and covariance, along a last dimension.

    The covariance is factorised on the host; `check` has what to do unless it is valid, and within
    which tolerance. Raises `ValueError` for shapes that do not fit, for
    other methods than svd, eigh and cholesky and, with `check_valid="raise"`, where the covariance
    is not symmetric positive-semidefinite; `LinAlgError` where cholesky finds it is not definite.
    """
    if method not in ("svd", "eigh", "cholesky"):
        raise ValueError("method must be one of {'eigh', 'svd', 'cholesky'}")
    check_valid, tol = check
    if check_valid not in ("warn", "raise", "ignore"):
        raise ValueError("check_valid must equal 'warn', 'raise', or 'ignore'")
    centre = coerce.as_operand(mean)
    matrix = np.asarray(host.as_host(cov), dtype=np.float64)
    if centre.ndim != 1:
        raise ValueError("mean must be 1 dimensional")
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ValueError("cov must be 2 dimensional and square")
    if centre.shape[0] != matrix.shape[0]:
        raise ValueError("mean and cov must have same length")
    factor = _factor(matrix, method, check_valid, tol)
    shape = () if size is None else extents(size)
    drawn = Sampling(source, (math.prod(shape), len(matrix))).normal()
    made = drawn @ coerce.as_operand(np.ascontiguousarray(factor.T)) + centre
    return made._reshape((*shape, len(matrix)))


def _factor(cov: Any, method: str, check_valid: str, tol: float) -> Any:
    """F with F @ F^T = cov."""
    if method == "cholesky":
        return np.linalg.cholesky(cov)
    if method == "eigh":
        values, vectors = np.linalg.eigh(cov)
        is_valid = not (values < -tol).any()
    else:
        vectors, values, right = np.linalg.svd(cov)
        is_valid = np.allclose(np.dot(right.T * values, right), cov, rtol=tol, atol=tol)
    if not is_valid and check_valid != "ignore":
        text = "covariance is not symmetric positive-semidefinite."
        if check_valid == "raise":
            raise ValueError(text)
        say(text, RuntimeWarning)
    return vectors * np.sqrt(np.abs(values))


def on_host(source: Philox4x32, name: str, size: Any, *parameters: Any, **more: Any) -> Any:
    """A distribution as NumPy draws it, from a key that the generator gives: not fast on a GPU."""
    count = 1 if size is None else math.prod(extents(size))

    def draw(generator: np.random.Generator) -> Any:
        return host.run(getattr(generator, name), *parameters, size=size, **more)

    return source.by_numpy(count, draw)
