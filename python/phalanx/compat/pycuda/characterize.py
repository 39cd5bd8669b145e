"""`pycuda.characterize`: what the device and the compiler are like."""

from __future__ import annotations

import sys

import numpy as np

from .compiler import SourceModule
from .context import Context
from .memory import from_device, mem_alloc
from .tools import context_dependent_memoize

__all__ = ["has_double_support", "has_stack", "platform_bits", "sizeof"]


def platform_bits() -> int:
    """The bits of an address."""
    return 64 if sys.maxsize > 1 << 32 else 32


def has_stack() -> bool:
    """Returns whether kernels have a stack; all devices of today do."""
    return Context.get_device().compute_capability() >= (2, 0)


def has_double_support() -> bool:
    """Returns whether kernels compute with double; all devices of today do."""
    return Context.get_device().compute_capability() >= (1, 3)


@context_dependent_memoize
def sizeof(type_name: str, preamble: str = "") -> int:
    """The bytes of a type of CUDA C, which `preamble` may define. Raises `CompileError`."""
    source = (
        f'{preamble}\nextern "C" __global__ void write_size(size_t* output) '
        f"{{ *output = sizeof({type_name}); }}\n"
    )
    output = mem_alloc(8)
    kernel = SourceModule(source, no_extern_c=True).get_function("write_size")
    kernel(output, block=(1, 1, 1))
    return int(from_device(output, (), np.uintp))
