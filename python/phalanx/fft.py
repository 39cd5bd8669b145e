"""`import phalanx.fft`: the namespace `phalanx.fft` of functions of arrays."""

import sys

from ._arrays import fft

sys.modules[__name__] = fft
