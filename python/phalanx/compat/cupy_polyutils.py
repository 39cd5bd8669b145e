"""``cupy.polynomial.polyutils``: NumPy's functions of polynomials, the lowest power first."""

from __future__ import annotations

from numpy.polynomial import polyutils

from ._cupy_hosted import functions_of

__getattr__ = functions_of(polyutils, "cupy.polynomial.polyutils")
