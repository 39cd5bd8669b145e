"""`pycuda.driver`: devices, memory, modules and launches, on GPUs and on the CPU device."""

from __future__ import annotations

from typing import Any

from . import arguments, context, copies, errors, flags, host_memory, memory, modules
from .arguments import *  # noqa: F403
from .context import *  # noqa: F403
from .copies import *  # noqa: F403
from .errors import *  # noqa: F403
from .flags import *  # noqa: F403
from .host_memory import *  # noqa: F403
from .memory import *  # noqa: F403
from .modules import *  # noqa: F403

_PARTS: tuple[Any, ...] = (arguments, context, copies, errors, flags, host_memory, memory, modules)
__all__ = [name for part in _PARTS for name in part.__all__]

CUDA_DEBUGGING = False


def set_debugging(flag: bool = True) -> None:
    """Changes nothing: PHALANX_CHECK=1 runs kernels in check mode."""


def __getattr__(name: str) -> Any:
    if name in _TEXTURES:
        raise AttributeError(
            f"pycuda.driver.{name}: textures and surfaces are not there; CUDA 12 has removed their "
            "references, which were PyCUDA's way to them"
        )
    raise AttributeError(f"module 'pycuda.driver', served by phalanx, has no attribute {name!r}")


_TEXTURES = frozenset(
    (
        "ArrayDescriptor", "ArrayDescriptor3D", "SurfaceReference", "TextureReference",
        "bind_array_to_texref", "gpuarray_to_array", "make_multichannel_2d_array",
        "matrix_to_array", "matrix_to_texref", "np_to_array", "dtype_to_array_format",
    )
)  # fmt: skip
