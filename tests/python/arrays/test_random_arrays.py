"""`phalanx.random` of NumPy's bit generators: its numbers, seed for seed, in our arrays."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

import phalanx as px
from arrays.math_table import agree

pytestmark = pytest.mark.usefixtures("device")


def numpys(seed):
    return px.random.Generator(px.random.PCG64(seed))


@pytest.mark.parametrize("kind", ["MT19937", "PCG64", "PCG64DXSM", "Philox", "SFC64"])
def test_numbers_are_numpys(kind):
    mine = px.random.Generator(getattr(px.random, kind)(7))
    theirs = np.random.Generator(getattr(np.random, kind)(7))
    assert type(mine.bit_generator).__module__.startswith("phalanx")
    for draw in (
        lambda g: g.random((2, 3)),
        lambda g: g.normal(1, 2, size=4),
        lambda g: g.integers(0, 9, size=(3,), dtype="int8"),
        lambda g: g.standard_normal(5, dtype="float32"),
        lambda g: g.choice(10, size=3, replace=False),
        lambda g: g.permutation(6),
        lambda g: g.multinomial(20, [0.25] * 4),
    ):
        agree(draw(mine), draw(theirs))
    assert mine.random() == theirs.random()


def test_arrays_of_ours_are_taken():
    mine, theirs = numpys(1), np.random.default_rng(1)
    scale = np.array([1.0, 10, 100])
    agree(mine.normal(px.asarray(scale), 0.5), theirs.normal(scale, 0.5))
    agree(mine.permutation(px.asarray(scale)), theirs.permutation(scale))
    shuffled = px.array(scale)
    mine.shuffle(shuffled)
    theirs.shuffle(scale)
    agree(shuffled, scale)


def test_out():
    mine, theirs = numpys(2), np.random.default_rng(2)
    out = px.zeros((2, 3))
    assert mine.random(out=out) is out
    agree(out, theirs.random((2, 3)))
    rows = np.arange(6.0).reshape(2, 3)
    assert mine.permuted(px.asarray(rows), axis=1, out=out) is out
    agree(out, theirs.permuted(rows, axis=1))


def test_legacy_generator():
    mine, theirs = px.random.RandomState(5), np.random.RandomState(5)
    agree(mine.rand(2, 2), theirs.rand(2, 2))
    agree(mine.poisson(3.0, size=4), theirs.poisson(3.0, size=4))


def test_where_generators_come_from():
    made = numpys(3)
    assert px.random.default_rng(made) is made
    assert px.random.default_rng(made.bit_generator).bit_generator is made.bit_generator
    wrapped = px.random.default_rng(np.random.default_rng(3))
    agree(wrapped.random(3), np.asarray(made.random(3)))
    first, second = made.spawn(2)
    assert isinstance(first, px.random.Generator)
    assert float(first.random()) != float(second.random())
    agree(pickle.loads(pickle.dumps(made)).random(3), np.asarray(made.random(3)))
