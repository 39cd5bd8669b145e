"""`import phalanx.emath`: the namespace `phalanx.emath` of functions of arrays."""

import sys

from ._arrays import emath

sys.modules[__name__] = emath
