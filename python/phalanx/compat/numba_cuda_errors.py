"""``numba.cuda.errors``: numba-cuda's own names for errors of kernels."""

from __future__ import annotations

from ..errors import KernelError, LoweringError

KernelRuntimeError = KernelError
CudaLoweringError = LoweringError

__all__ = ["CudaLoweringError", "KernelRuntimeError", "LoweringError"]
