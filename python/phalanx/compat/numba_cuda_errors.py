"""``numba.cuda.errors``: numba-cuda's own names for errors of kernels."""

from __future__ import annotations

from ..errors import KernelError, LoweringError
from ._placeholders import names_of

KernelRuntimeError = KernelError
CudaLoweringError = LoweringError

__all__ = ["CudaLoweringError", "KernelRuntimeError", "LoweringError"]

__getattr__ = names_of("numba.cuda.errors")
