"""``numba.cuda.cudadrv``: device arrays, the driver's classes and the errors of a device."""

from __future__ import annotations

from ..cuda import devicearray
from . import numba_cudadrv_error as error
from . import numba_driver as driver

__all__ = ["devicearray", "driver", "error"]
