"""``numba.cuda.cudadrv.runtime``: which CUDA the kernels meet."""

from __future__ import annotations

from .. import _engine
from ..cuda import is_available
from ..errors import DeviceError
from ._placeholders import names_of


class Runtime:
    """The CUDA version by the methods of numba-cuda's runtime object."""

    def get_version(self) -> tuple[int, int]:
        """(major, minor) of the CUDA that the driver serves: there is no runtime library.

        (-1, -1) where the CPU device serves as a GPU, as of Numba's simulator. Raises
        `DeviceError` where there is neither.
        """
        info = _engine.driver_info()
        if not info["usable"]:
            if is_available():
                return -1, -1
            raise DeviceError(info["problem"])
        return info["version"] // 1000, info["version"] % 1000 // 10

    def is_supported_version(self) -> bool:
        """Returns whether the driver can be used."""
        return bool(_engine.driver_info()["usable"])


runtime = Runtime()
get_version = runtime.get_version

__all__ = ["Runtime", "get_version", "runtime"]

__getattr__ = names_of("numba.cuda.cudadrv.runtime")
