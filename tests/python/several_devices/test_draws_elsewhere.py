"""Random numbers are drawn where the arrays among their parameters lie."""

from __future__ import annotations

import pytest
from data_elsewhere import ELSEWHERE, HOME, OF_NUMPY, arrays, check

import phalanx as px

DRAWS = {
    "normal": lambda rng, x: rng.normal(x, OF_NUMPY[1]),
    "normal of NumPy's": lambda rng, x: rng.normal(OF_NUMPY[1], x),
    "uniform": lambda rng, x: rng.uniform([0.0, 1.0, 1.0], high=x),
    "integers": lambda rng, x: rng.integers(OF_NUMPY[2], x.astype(int) + 3),
    "binomial": lambda rng, x: rng.binomial(OF_NUMPY[2], x / 4),
    "poisson": lambda rng, x: rng.poisson(x, (2, 3)),
    "choice": lambda rng, x: rng.choice(x, 5),
    "choice with chances": lambda rng, x: rng.choice(OF_NUMPY[1], 5, p=x / 6),
    "choice without replacement": lambda rng, x: rng.choice(x, 2, False, [0.5, 0.25, 0.25]),
    "permutation": lambda rng, x: rng.permutation(x),
    "permuted": lambda rng, x: rng.permuted(x),
    "shuffle": lambda rng, x: (rng.shuffle(x), x),
    "multinomial": lambda rng, x: rng.multinomial(9, x / 6),
    "dirichlet": lambda rng, x: rng.dirichlet(x),
    "multivariate_normal": lambda rng, x: rng.multivariate_normal(x, OF_NUMPY[0] @ OF_NUMPY[0].T),
    "hypergeometric": lambda rng, x: rng.hypergeometric(x.astype(int), OF_NUMPY[2] + 1, 2),
}


@pytest.mark.parametrize("name", DRAWS)
def test_draws(name):
    check(lambda of: DRAWS[name](px.random.default_rng(3), of[1]), arrays)


def test_draws_of_two_devices_are_refused():
    with px.device(ELSEWHERE):
        other = px.ones(3)
    with px.device(HOME):
        rng, x = px.random.default_rng(3), px.ones(3)
    for draw in (lambda: rng.normal(x, other), lambda: rng.uniform(other, x)):
        with pytest.raises(ValueError, match="different devices"):
            draw()
