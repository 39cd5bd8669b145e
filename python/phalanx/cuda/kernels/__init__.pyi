"""Made by tools/make_stubs.py: what type checkers and editors see of phalanx.cuda.kernels."""

from . import transpose as transpose
