"""`phalanx.random.default_rng`: parameters far out, and what is no array of numbers."""

from __future__ import annotations

import numpy as np
import pytest

import phalanx as px

pytestmark = pytest.mark.usefixtures("device")


def moments(x, mean, deviation):
    """How far the mean and the standard deviation are from these, in standard errors."""
    x = (np.asarray(x).astype("f8") - mean) / deviation
    return abs(x.mean()) * np.sqrt(len(x)), abs(x.std() - 1) * np.sqrt(2 * len(x))


@pytest.mark.parametrize("power", [6, 10, 13, 15])
def test_large_counts(power):
    """The logarithms of probabilities are differences of what is 10^power times as large."""
    n, generator = 10**power, px.random.default_rng(1)
    binomial = generator.binomial(n, 0.3, 50_000)
    assert max(moments(binomial, n * 0.3, np.sqrt(n * 0.21))) < 4
    assert max(moments(generator.poisson(float(n), 50_000), n, np.sqrt(n))) < 4


def test_all_trials_of_many():
    generator, many = px.random.default_rng(1), 2**62 + 1
    assert generator.binomial(many, 1.0) == many
    assert generator.binomial(many, 0.0) == 0
    assert np.asarray(generator.binomial(np.array([many, 3]), 1.0)).tolist() == [many, 3]
    counts = np.asarray(generator.multinomial(2**60 + 1, [0.5, 0.5, 0], 4))
    assert (counts >= 0).all()
    assert (counts.sum(axis=1) == 2**60 + 1).all()
    assert (counts[:, 2] == 0).all()
    low = np.full(3, 2**60, "uint64")
    drawn = np.asarray(generator.integers(low, 2**60 + 10, size=(100, 3)))
    assert drawn.min() >= 2**60
    assert drawn.max() < 2**60 + 10


@pytest.mark.parametrize(
    ("name", "given", "expected"),
    [
        ("noncentral_chisquare", (3.0, 1e20), 1e20),
        ("noncentral_chisquare", (3.0, np.inf), np.inf),
        ("noncentral_chisquare", (3.0, np.nan), np.nan),
        ("noncentral_chisquare", (0.5, np.nan), np.nan),
        ("wald", (1e300, 1.0), None),
        ("wald", (1e10, 2.0), None),
        ("wald", (1e6, 1e-3), None),
        ("beta", (np.nan, 1.0), np.nan),
        ("dirichlet", ([0.0, 0.0],), 0.0),
        ("pareto", (1e17,), None),
        ("f", (2.0, 1e-18), None),
        ("standard_t", (0.01,), None),
    ],
)
def test_parameters_far_out(name, given, expected):
    generator = px.random.default_rng(1)
    for drawn in (getattr(generator, name)(*given), getattr(generator, name)(*given, size=200)):
        drawn = np.asarray(drawn)
        if expected is None:
            assert not np.isnan(drawn).any()
            assert (drawn != 0).all()
            assert (drawn > 0).all() or name == "standard_t"
        else:
            np.testing.assert_allclose(drawn, expected, rtol=1e-6)


def test_small_betas_are_at_the_ends():
    drawn = np.asarray(px.random.default_rng(1).beta(1e-320, 3e-320, 4000))
    assert set(drawn.tolist()) == {0.0, 1.0}
    assert abs(drawn.mean() - 0.25) < 0.03


def test_what_arrays_do_not_hold():
    generator = px.random.default_rng(1)
    assert generator.choice(["a", "b"]) in ("a", "b")
    assert sorted(generator.permutation(["a", "b", "c"]).tolist()) == ["a", "b", "c"]
    items = np.array([None, "x", 3], dtype=object)
    generator.shuffle(items)
    assert set(items.tolist()) == {None, "x", 3}
    assert {5: 1}[generator.integers(5, 6)] == 1
    assert generator.random(np.array([2, 3])).shape == (2, 3)
    assert generator.choice(np.array(5), 3).shape == (3,)
    assert generator.integers(0, 0, size=0).shape == (0,)
    assert px.random.default_rng(np.random.RandomState(1)).random() < 1
    fixed = np.arange(3)
    fixed.flags.writeable = False
    state = generator.bit_generator.state
    for wrong in (
        lambda: generator.shuffle(fixed),
        lambda: generator.permutation(-3),
        lambda: generator.permuted(px.arange(3), out=px.zeros(4, dtype=int)),
        lambda: generator.negative_binomial(1e17, 0.001),
        lambda: generator.binomial(2**70, 0.3),
        lambda: generator.multinomial(10, []),
        lambda: generator.integers([1.0, np.nan], 9),
        lambda: generator.bit_generator.advance(-1),
        lambda: generator.bit_generator.jumped(-1),
    ):
        with pytest.raises((ValueError, TypeError)):
            wrong()
    with pytest.raises(TypeError):
        generator.normal(np.complex128(1 + 2j))
    assert generator.bit_generator.state == state
