"""``numba.cuda`` under ``phalanx run``: `phalanx.cuda`, with another list of GPUs.

Scripts enter ``cuda.gpus[0]``: here it holds the CPU device where that serves as a GPU, while
`phalanx.cuda.gpus` lists GPUs only.
"""

from __future__ import annotations

from typing import Any

from .. import cuda as _cuda
from .._device.devices import served_gpus as gpus
from ._placeholders import names_of

_others = names_of("numba.cuda")
CUDADispatcher = _cuda.Dispatcher
HAS_NUMBA = True
implementation = "Phalanx"
__version__ = "0.30.4"  # of numba-cuda, whose interface this is

__all__ = list(_cuda.__all__)


def list_devices() -> Any:
    """The GPUs, or the CPU device that serves as one."""
    return gpus


def __getattr__(name: str) -> Any:
    try:
        return getattr(_cuda, name)
    except AttributeError:
        return _others(name)


def __dir__() -> list[str]:
    return dir(_cuda)
