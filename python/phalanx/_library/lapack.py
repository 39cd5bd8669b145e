"""How CPU functions call LAPACK: matrices column by column, and what its answers mean.

The routines are those of phalanx/runtime/cpu/lapack_systems.cpp and lapack_spectra.cpp. They are
called on copies as NumPy calls them, so that where the library is NumPy's own the numbers of
double precision are NumPy's, too.
"""

from __future__ import annotations

import numpy as np

from .register import refuse
from .routines import check_memory


def floats(a):
    """A copy in floats: of whole numbers in double precision."""
    copy = np.empty(a.shape, np.true_divide(a, np.int32(1)).dtype)
    copy[...] = a
    return copy


def columns_as(a, kind):
    """The columns of a matrix as rows of a new array."""
    columns = np.empty((a.shape[1], a.shape[0]), kind)
    columns[...] = a.T
    return columns


def columns_of(a):
    """The same in floats."""
    if a.ndim != 2:
        refuse("numpy.linalg takes one matrix here")
    return columns_as(a, np.true_divide(a, np.int32(1)).dtype)


def check_square(a):
    """Raises where the matrix is not square."""
    if a.ndim != 2:
        refuse("numpy.linalg takes one matrix here")
    if a.shape[0] != a.shape[1]:
        raise np.linalg.LinAlgError("Last 2 dimensions of the array must be square.")


def square(a):
    """`columns_of` a square matrix."""
    check_square(a)
    return columns_of(a)


def check(info):
    """Raises where LAPACK did not run."""
    check_memory(info)
    if info == -2:
        raise RuntimeError(
            "numpy.linalg needs LAPACK, and there is none: pip install scipy-openblas32, or set "
            "PHALANX_LAPACK to the file of one"
        )


def check_finite(work):
    """Raises where there is infinity or NaN: LAPACK may not come to an end."""
    if not np.all(np.isfinite(work)):
        raise np.linalg.LinAlgError("Array must not contain infs or NaNs")


def check_convergence(info):
    """Raises where eigenvalues were not found."""
    check(info)
    if info != 0:
        raise np.linalg.LinAlgError("Eigenvalues did not converge")
