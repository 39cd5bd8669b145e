"""`import phalanx.special`: the namespace `phalanx.special` of functions of arrays."""

import sys

from ._arrays import special

sys.modules[__name__] = special
