"""The name `cupy` for Dask's tests of CuPy: Phalanx's arrays, and what CuPy alone has."""

import numpy as np

import phalanx

from . import random as random

__version__ = "14.0.0"


def asnumpy(a, **options):
    """The array on the host."""
    return np.array(a, **options)


phalanx.ndarray.get = asnumpy  # CuPy's name for it


def __getattr__(name):
    return getattr(phalanx, name)
