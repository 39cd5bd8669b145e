"""``np.random`` in CPU functions: written in Python, compiled with the function that calls it.

The numbers are those of NumPy's legacy generator for the same seed. Each thread of the host has a
generator of its own; `np.random.seed` in a compiled function seeds that of the thread it runs on.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from . import mersenne
from .mersenne import NUMPY


def _word():
    return mersenne.word(NUMPY)


def _double():
    return mersenne.double(NUMPY)


def _gauss():
    return mersenne.gauss(NUMPY)


def _below(most):
    """A whole number from 0 to `most`, as NumPy draws them: bits are masked and tried again."""
    if most <= 0:
        return 0
    mask = most
    mask |= mask >> 1
    mask |= mask >> 2
    mask |= mask >> 4
    mask |= mask >> 8
    mask |= mask >> 16
    mask |= mask >> 32
    while True:
        if most <= 0xFFFFFFFF:
            value = _word() & mask
        else:
            high = _word()
            value = ((high << 32) | _word()) & mask
        if value <= most:
            return value


def seed(seed):
    """`np.random.seed`."""
    mersenne.seed(NUMPY, seed)


def random(size=None):
    """`np.random.random`."""
    if size is None:
        return _double()
    out = np.empty(size)
    flat = out.ravel()
    for i in range(len(flat)):
        flat[i] = _double()
    return out


def rand(*shape):
    """`np.random.rand`."""
    if len(shape) == 0:
        return _double()
    return random(shape)


def standard_normal(size=None):
    """`np.random.standard_normal`."""
    if size is None:
        return _gauss()
    out = np.empty(size)
    flat = out.ravel()
    for i in range(len(flat)):
        flat[i] = _gauss()
    return out


def randn(*shape):
    """`np.random.randn`."""
    if len(shape) == 0:
        return _gauss()
    return standard_normal(shape)


def normal(loc=0.0, scale=1.0, size=None):
    """`np.random.normal`."""
    if size is None:
        return loc + scale * _gauss()
    out = np.empty(size)
    flat = out.ravel()
    for i in range(len(flat)):
        flat[i] = loc + scale * _gauss()
    return out


def uniform(low=0.0, high=1.0, size=None):
    """`np.random.uniform`."""
    if size is None:
        return low + (high - low) * _double()
    out = np.empty(size)
    flat = out.ravel()
    for i in range(len(flat)):
        flat[i] = low + (high - low) * _double()
    return out


def exponential(scale=1.0, size=None):
    """`np.random.exponential`."""
    if size is None:
        return -scale * math.log(1.0 - _double())
    out = np.empty(size)
    flat = out.ravel()
    for i in range(len(flat)):
        flat[i] = -scale * math.log(1.0 - _double())
    return out


def randint(low, high=None, size=None):
    """`np.random.randint`."""
    if high is None:
        first = 0
        end = np.int64(low)
    else:
        first = np.int64(low)
        end = np.int64(high)
    if first >= end:
        raise ValueError("low >= high")
    most = end - first - 1
    if size is None:
        return first + _below(most)
    out = np.empty(size, np.int64)
    flat = out.ravel()
    for i in range(len(flat)):
        flat[i] = first + _below(most)
    return out


def shuffle(x):
    """`np.random.shuffle`."""
    for i in range(len(x) - 1, 0, -1):
        j = _below(i)
        if x.ndim == 1:
            x[i], x[j] = x[j], x[i]
        else:
            row = x[i].copy()
            x[i] = x[j]
            x[j] = row


def permutation(x):
    """`np.random.permutation`."""
    out = np.arange(x) if np.ndim(x) == 0 else x.copy()
    shuffle(out)
    return out


def choice(a, size=None, replace=True):
    """`np.random.choice`."""
    pool = np.arange(a) if np.ndim(a) == 0 else a
    if len(pool) == 0:
        raise ValueError("a cannot be empty")
    if size is None:
        return pool[_below(len(pool) - 1)]
    out = np.empty(size, pool.dtype)
    flat = out.ravel()
    if replace:
        for i in range(len(flat)):
            flat[i] = pool[_below(len(pool) - 1)]
        return out
    if len(flat) > len(pool):
        raise ValueError("Cannot take a larger sample than population when 'replace=False'")
    order = permutation(len(pool))
    for i in range(len(flat)):
        flat[i] = pool[order[i]]
    return out


def table() -> dict[Any, Any]:
    """NumPy's function -> the function here."""
    of = np.random
    return {
        of.seed: seed,
        of.random: random,
        of.random_sample: random,
        of.ranf: random,
        of.sample: random,
        of.rand: rand,
        of.standard_normal: standard_normal,
        of.randn: randn,
        of.normal: normal,
        of.uniform: uniform,
        of.exponential: exponential,
        of.randint: randint,
        of.shuffle: shuffle,
        of.permutation: permutation,
        of.choice: choice,
    }
