"""Splines of one and two dimensions."""

import numpy as np
from interpolation import interp
from interpolation.splines import UCGrid, eval_linear, eval_spline, filter_cubic

x = np.linspace(0, 1, 20)
print(interp(x, np.sin(x), np.linspace(0, 1, 33)).tolist())
grid = UCGrid((0.0, 1.0, 10), (0.0, 1.0, 12))
values = np.sin(np.linspace(0, 1, 10)[:, None] + np.linspace(0, 2, 12)[None])
points = np.random.default_rng(0).random((15, 2))
print(eval_linear(grid, values, points).tolist())
coefficients = filter_cubic(grid, values)
print(eval_spline(grid, coefficients, points, k=3).tolist())
