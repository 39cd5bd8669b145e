"""Kernels in Python: the interface of numba.cuda, on GPUs and on the CPU device.

    import numpy as np
    from phalanx import cuda

    @cuda.jit
    def add(a, b, out):
        i = cuda.grid(1)
        if i < out.shape[0]:
            out[i] = a[i] + b[i]

    a = cuda.to_device(np.arange(1000, dtype=np.float32))
    out = cuda.device_array_like(a)
    add[4, 256](a, a, out)
    out.copy_to_host()

The device is the GPU where there is one, else the CPU; ``PHALANX_DEVICE=cpu|cuda|cuda:N`` chooses.
"""

from __future__ import annotations

import os
from typing import Any

from .. import types
from .._core.kernel_names import NAMES
from .._device.arrays import DeviceNDArray
from .._device.devices import (
    Context,
    MemoryInfo,
    close,
    cuda_error,
    current_context,
    detect,
    get_current_device,
    gpus,
    is_available,
    is_supported_version,
    list_devices,
    require_context,
    select_device,
    synchronize,
)
from .._device.graph import Graph, graph
from .._device.mapped import managed_array, mapped, mapped_array, mapped_array_like
from .._device.streams import (
    Event,
    Stream,
    default_stream,
    event,
    event_elapsed_time,
    external_stream,
    legacy_default_stream,
    per_thread_default_stream,
    stream,
)
from .._device.transfer import (
    as_cuda_array,
    defer_cleanup,
    device_array,
    device_array_like,
    from_cuda_array_interface,
    is_cuda_array,
    pinned,
    pinned_array,
    pinned_array_like,
    to_device,
)
from .._kernels.decorators import jit
from .._kernels.dispatcher import Dispatcher
from .._launch.arguments import In, InOut, Out

globals().update(NAMES)

if os.environ.get("NUMBA_CUDA_MEMORY_MANAGER", "default") != "default":
    from .._device.memory_manager import load as _load_memory_manager

    _load_memory_manager(os.environ["NUMBA_CUDA_MEMORY_MANAGER"])


def is_float16_supported() -> bool:
    """True: kernels have float16 on both devices.

    >>> cuda.is_float16_supported()
    True
    """
    return True


def is_bfloat16_supported() -> bool:
    """True: kernels have bfloat16 on both devices.

    >>> cuda.is_bfloat16_supported()
    True
    """
    return True


def is_fp8_supported() -> bool:
    """False: Phalanx has no types of eight bits.

    >>> cuda.is_fp8_supported()
    False
    """
    return False


# Found when they are asked for first: module below ``phalanx`` and name there.
_LAZY = {
    **{
        name: ("_device.memory_manager", name)
        for name in (
            "BaseCUDAMemoryManager",
            "HostOnlyCUDAMemoryManager",
            "MemoryPointer",
            "set_allocator",
            "set_memory_manager",
        )
    },
    **{
        name: ("_kernels.link", name)
        for name in (
            "Archive",
            "CUSource",
            "Cubin",
            "Fatbin",
            "LTOIR",
            "LinkableCode",
            "Object",
            "PTXSource",
            "declare_device",
        )
    },
    **{
        name: ("_kernels.compilation", name)
        for name in (
            "compile",
            "compile_all",
            "compile_for_current_device",
            "compile_ptx",
            "compile_ptx_for_current_device",
        )
    },
    **{
        name: ("_device.profiling", name) for name in ("profile_start", "profile_stop", "profiling")
    },
    "struct_declaration": ("_cuda_c.structs", "struct_declaration"),
    "GetIpcHandleMixin": ("_device.ipc_memory", "GetIpcHandleMixin"),
    "IpcArrayHandle": ("_device.ipc", "IpcArrayHandle"),
    "IpcHandle": ("_device.ipc_memory", "IpcHandle"),
    "open_ipc_array": ("_device.ipc_memory", "open_ipc_array"),
    "launchconfig": ("cuda.launchconfig", ""),
    "Reduce": ("_ufunc.reduction", "Reduce"),
    "bf16": ("cuda.bf16", ""),
    "config": ("compat.numba_config", ""),
    "cudadrv": ("compat.numba_cudadrv", ""),
    "devices": ("compat.numba_devices", ""),
    "driver": ("compat.numba_driver", ""),
    "errors": ("compat.numba_cuda_errors", ""),
    "devicearray": ("cuda.devicearray", ""),
    "extending": ("extending", ""),
    "CudaSupportError": ("errors", "DeviceError"),
    "KernelRuntimeError": ("errors", "KernelError"),
    "literal_unroll": ("_core.numba_names", "literal_unroll"),
    "runtime": ("compat.numba_runtime", "runtime"),
    "guvectorize": ("_ufunc.decorators", "guvectorize"),
    "kernels": ("cuda.kernels", ""),
    "libdevice": ("cuda.libdevice", ""),
    "random": ("cuda.random", ""),
    "reduce": ("_ufunc.reduction", "Reduce"),
    "vectorize": ("_ufunc.decorators", "vectorize"),
}


def __getattr__(name: str) -> Any:
    if name in _LAZY:
        import importlib

        module, member = _LAZY[name]
        found: Any = importlib.import_module(f"phalanx.{module}")
        value = getattr(found, member) if member else found
        globals()[name] = value
        return value
    if name in types.VECTORS:
        return types.VECTORS[name]
    if name in types.__all__:  # numba.cuda has the names of the types too
        return getattr(types, name)
    raise AttributeError(f"module 'phalanx.cuda' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY, *types.VECTORS})


__all__ = [
    "Context",
    "DeviceNDArray",
    "Dispatcher",
    "Event",
    "Graph",
    "In",
    "InOut",
    "MemoryInfo",
    "Out",
    "Stream",
    "as_cuda_array",
    "close",
    "cuda_error",
    "current_context",
    "default_stream",
    "defer_cleanup",
    "detect",
    "device_array",
    "device_array_like",
    "event",
    "event_elapsed_time",
    "external_stream",
    "from_cuda_array_interface",
    "get_current_device",
    "gpus",
    "graph",
    "is_available",
    "is_cuda_array",
    "is_bfloat16_supported",
    "is_float16_supported",
    "is_fp8_supported",
    "is_supported_version",
    "jit",
    "legacy_default_stream",
    "list_devices",
    "managed_array",
    "mapped",
    "mapped_array",
    "mapped_array_like",
    "per_thread_default_stream",
    "pinned",
    "pinned_array",
    "pinned_array_like",
    "require_context",
    "select_device",
    "stream",
    "synchronize",
    "to_device",
    "types",
    *NAMES,
]
