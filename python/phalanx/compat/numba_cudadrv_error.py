"""``numba.cuda.cudadrv.error``: numba-cuda's names for the errors of a device and its tools."""

from __future__ import annotations

from ..errors import CompileError, DeviceError, LoweringError
from ._placeholders import names_of

CudaDriverError = DeviceError
CudaRuntimeError = DeviceError
CudaSupportError = DeviceError
CCSupportError = DeviceError
NvrtcError = CompileError
NvrtcCompilationError = LoweringError
NvrtcSupportError = DeviceError
NvvmError = CompileError
NvvmSupportError = CompileError

__all__ = [
    "CCSupportError",
    "CudaDriverError",
    "CudaRuntimeError",
    "CudaSupportError",
    "NvrtcCompilationError",
    "NvrtcError",
    "NvrtcSupportError",
    "NvvmError",
    "NvvmSupportError",
]

__getattr__ = names_of("numba.cuda.cudadrv.error")
