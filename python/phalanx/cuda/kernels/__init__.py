"""``numba.cuda.kernels``: ready kernels."""
