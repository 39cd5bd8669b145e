"""``cupy.cuda.driver``: the error of kernels, modules and launches."""

from __future__ import annotations

from ..errors import DeviceError
from .cupy_runtime import driverGetVersion

__all__ = ["CUDADriverError", "get_build_version"]

# What the engine raises of a device too, so that one `except` has both.
CUDADriverError = DeviceError


def get_build_version() -> int:
    """The version of CUDA that the driver serves, such as 13000."""
    return driverGetVersion()
