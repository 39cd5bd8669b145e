"""``numba.cuda.cudadrv``: device arrays, code to link, the driver's classes and errors."""

from __future__ import annotations

from .._kernels import link as linkable_code
from ..cuda import devicearray
from . import numba_cudadrv_error as error
from . import numba_devices as devices
from . import numba_driver as driver
from . import numba_runtime as runtime
from ._placeholders import names_of

__all__ = ["devicearray", "devices", "driver", "error", "linkable_code", "runtime"]

__getattr__ = names_of("numba.cuda.cudadrv")
