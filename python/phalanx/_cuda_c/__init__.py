"""Kernels in CUDA C, which a front end of the engine's compiles for both devices."""

from .compiler import compile_source, library_path
from .machine_code import MachineCodeModule
from .module import CudaCKernel, CudaCModule
from .options import SourceOptions

__all__ = [
    "CudaCKernel", "CudaCModule", "MachineCodeModule", "SourceOptions", "compile_source",
    "library_path",
]  # fmt: skip
