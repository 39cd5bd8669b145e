"""Densities and distribution functions."""

import numpy as np
from numba_stats import expon, norm, poisson, t, truncnorm, uniform, voigt

x = np.linspace(-5, 5, 101)
print(norm.pdf(x, 1.0, 2.0).tolist())
print(norm.cdf(x, 1.0, 2.0).tolist())
print(norm.ppf(np.linspace(0.01, 0.99, 9), 0.0, 1.0).tolist())
print(truncnorm.pdf(x, -2.0, 3.0, 0.0, 1.0).tolist())
print(expon.logpdf(np.abs(x), 0.0, 1.5).tolist())
print(poisson.pmf(np.arange(10), 3.0).tolist())
print(t.pdf(x, 4.0, 0.0, 1.0).tolist())
print(uniform.cdf(x, -1.0, 2.0).tolist())
print(voigt.pdf(x, 0.5, 0.1, 1.0).tolist())
