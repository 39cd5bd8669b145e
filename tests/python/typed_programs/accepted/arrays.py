"""Arrays, with NumPy's names."""

from typing import assert_type

import numpy as np
from phalanx.linalg import solve

import phalanx as px
from phalanx import fft, linalg, random

x = px.asarray(np.arange(6.0), device="cpu")
y = px.zeros((2, 3), dtype=px.float32)
assert_type(x, px.ndarray)
assert_type(y, px.ndarray)
assert_type(px.sin(x), px.ndarray)
assert_type(px.divmod(x, 2.0), tuple[px.ndarray, px.ndarray])
assert_type(-x + 2 * x**2, px.ndarray)
assert_type(x[x > 1], px.ndarray)
assert_type(x.shape, tuple[int, ...])
assert_type(x.T, px.ndarray)
assert_type(px.linspace(0.0, 1.0, 50), px.ndarray)
assert_type(px.concatenate([x, x]), px.ndarray)
assert_type(px.sum(y, axis=0), px.ndarray)
assert_type(px.where(x > 1, x, 0.0), px.ndarray)
x[1:3] = 0
x += 1
print(px.add.reduce(x), px.exp(x, out=x), px.pi, px.newaxis, px.float32(1))
print(y.reshape(3, 2).sum(axis=0).mean(), float(y.max()), y.dtype, y.get(), px.cov(y))
print(linalg.norm(y), solve(px.eye(3), px.ones(3)), fft.fft(x), px.special.erf(x))
print(random.default_rng(1).normal(size=5), px.random.default_rng(2).random(3))
for row in y:
    print(row)
