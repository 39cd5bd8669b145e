"""`cupy.random`: Phalanx's, with the name of CuPy's default bit generator."""

from phalanx._arrays.random import *  # noqa: F403
from phalanx._arrays.random import PCG64 as XORWOW  # noqa: F401
