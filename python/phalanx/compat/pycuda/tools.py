"""`pycuda.tools`."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from .context import Context, Device
from .errors import RuntimeError


def get_default_device(default: int = 0) -> Device:
    """The device that ``CUDA_DEVICE`` numbers, by default the first one."""
    return Device(int(os.environ.get("CUDA_DEVICE", default)))


def make_default_context(ctx_maker: Any = None) -> Context:
    """A context of the default device, which is the current one from now on."""
    device = get_default_device()
    if ctx_maker is not None:
        return ctx_maker(device)
    if Device.count() == 0:
        raise RuntimeError("no device")
    return device.make_context()


_C_NAMES = {
    "bool": "bool", "int8": "signed char", "uint8": "unsigned char", "int16": "short",
    "uint16": "unsigned short", "int32": "int", "uint32": "unsigned", "int64": "long long",
    "uint64": "unsigned long long", "float16": "half", "float32": "float", "float64": "double",
    "complex64": "pycuda::complex<float>", "complex128": "pycuda::complex<double>",
}  # fmt: skip


def dtype_to_ctype(dtype: Any, **options: Any) -> str:
    """The name of a dtype in CUDA C. Raises `ValueError` for one without."""
    if dtype is None:
        raise ValueError("dtype may not be None")
    dtype = np.dtype(dtype)
    try:
        return _C_NAMES[dtype.name]
    except KeyError:
        raise ValueError(f"unable to map dtype {dtype} to a type of C") from None


def bitlog2(n: int) -> int:
    """The position of the highest bit."""
    return int(n).bit_length() - 1


def mark_cuda_test(function: Any) -> Any:
    """Marks a test that needs a device (pytest)."""
    return function
