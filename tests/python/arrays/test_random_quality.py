"""`phalanx.random.default_rng`: a battery of statistical tests, at fixed seeds."""

from __future__ import annotations

import numpy as np
import pytest

import phalanx as px
from arrays.samples import distance

pytestmark = pytest.mark.usefixtures("device")


def bits_of(words):
    """The words' bits, a row each."""
    return np.unpackbits(words.view(np.uint8).reshape(len(words), 8), axis=1, bitorder="little")


@pytest.fixture(scope="module")
def words():
    """A million words of one generator."""
    return np.asarray(px.random.Philox4x32(1).random_raw(2**20))


def test_each_bit_is_set_half_the_time(words):
    deviations = (bits_of(words).mean(axis=0) - 0.5) * 2 * np.sqrt(len(words))
    assert abs(deviations).max() < 4.5
    assert 30 < (deviations**2).sum() < 110  # chi-square of 64


def test_bits_do_not_go_together(words):
    signs = bits_of(words[: 2**16]).astype(np.float64) * 2 - 1
    following = np.roll(signs, 1, axis=0)
    for other in (signs, following):
        products = signs.T @ other / np.sqrt(len(signs))
        if other is signs:
            np.fill_diagonal(products, 0)
        assert abs(products).max() < 5


def test_neighbours_and_generators_do_not_go_together():
    x = np.asarray(px.random.default_rng(1).random(10**6)) - 0.5
    for lag in (1, 2, 3, 4, 16, 1024):
        assert abs((x[lag:] * x[:-lag]).mean()) * 12 * 1000 < 4.5
    others = [px.random.default_rng(2), *px.random.default_rng(1).spawn(2)]
    for other in others:
        assert abs((x * (np.asarray(other.random(10**6)) - 0.5)).mean()) * 12 * 1000 < 4.5


def test_functions_do_not_share_words():
    uniform = np.asarray(px.random.default_rng(1).random(10**5))
    normal = np.asarray(px.random.default_rng(1).standard_normal(10**5))
    exponential = np.asarray(px.random.default_rng(1).standard_exponential(10**5))
    for x, y in ((uniform, normal), (uniform, exponential), (normal, exponential)):
        assert abs(np.corrcoef(x, y)[0, 1]) * np.sqrt(10**5) < 4.5


def test_pairs_fill_the_square():
    x = np.asarray(px.random.default_rng(6).random((2**19, 2)))
    cells = (x[:, 0] * 64).astype(int) * 64 + (x[:, 1] * 64).astype(int)
    expected = len(x) / 4096
    statistic = ((np.bincount(cells, minlength=4096) - expected) ** 2 / expected).sum()
    assert abs(statistic - 4095) / np.sqrt(2 * 4095) < 4


def test_birthday_spacings(words):
    """Marsaglia: the spacings of 2^9 days of 2^24 that are the same are Poisson of mean 2."""
    days = np.sort((words >> np.uint64(40)).reshape(-1, 512), axis=1)
    spacings = np.sort(np.diff(days, axis=1), axis=1)
    same = (np.diff(spacings, axis=1) == 0).sum(axis=1)
    assert abs(same.mean() - 2) < 4 * np.sqrt(2 / len(same))


def test_ranks_of_binary_matrices(words):
    """Of 64 x 64 bits: 0.289 have full rank, 0.578 one less."""
    ranks = []
    for rows in words[: 64 * 400].reshape(-1, 64).tolist():
        rank, left = 0, list(rows)
        for bit in range(64):
            pivot = next((row for row in left if row >> bit & 1), None)
            if pivot is None:
                continue
            rank += 1
            left.remove(pivot)
            left = [row ^ pivot if row >> bit & 1 else row for row in left]
        ranks.append(rank)
    assert abs(ranks.count(64) / 400 - 0.2888) < 0.09
    assert abs(ranks.count(63) / 400 - 0.5776) < 0.1


def test_runs_and_gaps():
    x = np.asarray(px.random.default_rng(9).random(10**6))
    runs = 1 + (np.diff(x > 0.5) != 0).sum()
    assert abs(runs - 5e5) / 500 < 4.5
    gaps = np.diff(np.flatnonzero(x < 0.1))
    assert distance(gaps[:50_000], np.random.default_rng(1).geometric(0.1, 50_000)) < 2.2


def test_tails():
    """As far out as so many numbers are to be."""
    normal = np.asarray(px.random.default_rng(5).standard_normal(4 * 10**6))
    single = np.asarray(px.random.default_rng(5).standard_normal(4 * 10**6, dtype="float32"))
    for x in (normal, single):
        assert 4.6 < abs(x).max() < 6.6
        assert abs((abs(x) > 3).sum() / (4e6 * 0.0026998) - 1) < 0.04
        assert abs((x**4).mean() - 3) < 0.03
