"""`import phalanx.linalg`: the namespace `phalanx.linalg` of functions of arrays."""

import sys

from ._arrays import linalg

sys.modules[__name__] = linalg
