"""``numba.cuda.cudadrv.devices``: contexts and devices by the names of the module that has them."""

from __future__ import annotations

from .._device.devices import close as reset
from .._device.devices import current_context as get_context
from .._device.devices import require_context
from .._device.devices import served_gpus as gpus
from ._placeholders import names_of

__all__ = ["get_context", "gpus", "require_context", "reset"]

__getattr__ = names_of("numba.cuda.cudadrv.devices")
