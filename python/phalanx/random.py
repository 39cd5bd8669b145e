"""`import phalanx.random`: the namespace `phalanx.random` of functions of arrays."""

import sys

from ._arrays import random

sys.modules[__name__] = random
