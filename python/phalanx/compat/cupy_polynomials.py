"""``cupy.polynomial.polynomial``: NumPy's functions of polynomials, the lowest power first."""

from __future__ import annotations

from numpy.polynomial import polynomial

from ._cupy_hosted import functions_of

__getattr__ = functions_of(polynomial, "cupy.polynomial.polynomial")
