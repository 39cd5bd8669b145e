"""Puts the shim in place in the test process and in every Python that a test starts."""

from numba_cuda_suite import names

names.install()
