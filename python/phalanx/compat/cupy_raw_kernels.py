"""CuPy's kernels in whole CUDA C: `RawKernel` and `RawModule`."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from .. import _engine
from .._arrays.cupy_methods import MemoryPointer, UnownedMemory
from .._cuda_c import CudaCModule, SourceOptions
from ..errors import CompileError, DeviceError
from .cupy_compiler import CompileException

_BACKENDS = ("nvrtc", "nvcc")


class RawModule:
    """Kernels and variables of CUDA C source, compiled for both devices when first asked for.

    `code` is the source, or `path` names its file; `options` are NVRTC's (``-DN=4``, ``-I``,
    ``--std=c++17``, ``--use_fast_math``); `name_expressions` names instances of templates.
    `backend`, `translate_cucomplex`, `jitify` are taken and make no difference: the compiler is
    phalanx's own. Raises `TypeError` for what are no texts, `ValueError` where both or none of
    `code` and `path` are given and for another backend, and `CompileException` with the compiler's
    messages once a kernel is asked for.
    """

    def __init__(
        self,
        *,
        code: str | None = None,
        path: str | None = None,
        options: Sequence[str] = (),
        backend: str = "nvrtc",
        translate_cucomplex: bool = False,
        enable_cooperative_groups: bool = False,
        name_expressions: Sequence[str] | None = None,
        jitify: bool = False,
    ) -> None:
        if (code is None) == (path is None):
            raise TypeError("Exactly one of `code` and `path` keyword arguments must be given.")
        if backend not in _BACKENDS:
            raise ValueError(f"backend is one of {', '.join(_BACKENDS)}, not {backend!r}")
        if not isinstance(options, (tuple, list)):
            raise TypeError("options must be a tuple of texts")
        if name_expressions is not None and backend != "nvrtc":
            raise ValueError("name_expressions need the backend nvrtc")
        self.code, self.file_path = code, path
        self.options, self.backend = tuple(options), backend
        self.name_expressions = None if name_expressions is None else tuple(name_expressions)
        self.enable_cooperative_groups = enable_cooperative_groups
        self._compiled: CudaCModule | None = None

    def compile(self, log_stream: Any = None) -> None:
        """Compiles now; `log_stream` gets the compiler's messages where it fails."""
        self._module(log_stream)

    def _module(self, log_stream: Any = None) -> CudaCModule:
        if self._compiled is None:
            text = self.code if self.code is not None else Path(str(self.file_path)).read_text()
            name = "kernel.cu" if self.file_path is None else Path(self.file_path).name
            try:
                self._compiled = CudaCModule(
                    text, name, SourceOptions.parse(self.options), self.name_expressions or ()
                )
            except CompileError as error:
                log = getattr(error, "log", str(error))
                if log_stream is not None:
                    log_stream.write(log)
                raise CompileException(log, text, name, self.options) from None
        return self._compiled

    def get_function(self, name: str) -> RawKernel:
        """The kernel of that name, or of that name expression."""
        made = RawKernel.__new__(RawKernel)
        made._set(self, name)
        made._kernel()
        return made

    def get_global(self, name: str) -> Any:
        """The memory of a ``__device__`` or ``__constant__`` variable, as a `MemoryPointer`."""
        address, size = self._module().global_memory(_engine.current_device(), name)
        return MemoryPointer(UnownedMemory(address, size, self), 0)

    def get_texref(self, name: str) -> Any:
        """Raises `NotImplementedError`: texture references are gone from CUDA."""
        raise NotImplementedError(
            f"the texture reference {name}: CUDA 12 has removed them; pass a texture object"
        )


class RawKernel:
    """A kernel of CUDA C: ``kernel(grid, block, args, shared_mem=0, stream=None)``.

    Arrays are passed for pointers, numbers of NumPy's and Python's are converted to the types that
    the kernel declares. Raises `CompileException` with the compiler's messages for source with
    errors, and `TypeError` for arguments that do not fit the kernel's parameters.
    """

    def __init__(
        self,
        code: str,
        name: str,
        options: Sequence[str] = (),
        backend: str = "nvrtc",
        *,
        translate_cucomplex: bool = False,
        enable_cooperative_groups: bool = False,
        jitify: bool = False,
    ) -> None:
        if not isinstance(code, str) or not isinstance(name, str):
            raise TypeError("code and name of a RawKernel are texts")
        module = RawModule(
            code=code,
            options=options,
            backend=backend,
            enable_cooperative_groups=enable_cooperative_groups,
        )
        self._set(module, name)

    def _set(self, module: RawModule, name: str) -> None:
        self._raw_module, self.name = module, name
        self._found: Any = None

    def _kernel(self) -> Any:
        if self._found is None:
            module = self._raw_module._module()
            try:
                self._found = module.kernel(self.name)
            except ValueError as error:
                raise DeviceError(f"CUDA_ERROR_NOT_FOUND: {error}") from None
        return self._found

    def compile(self, log_stream: Any = None) -> None:
        """Compiles now; `log_stream` gets the compiler's messages where it fails."""
        self._raw_module.compile(log_stream)

    def __call__(
        self, grid: Any, block: Any, args: Any, *, shared_mem: int = 0, stream: Any = None
    ) -> None:
        """Launches blocks of threads; `grid` and `block` are tuples of up to three extents."""
        queue = 0 if stream is None else getattr(stream, "_own", stream)
        arguments = [_passed(each) for each in args]
        self._kernel().launch(grid, block, arguments, queue, shared_mem)

    @property
    def code(self) -> str | None:
        """The source."""
        return self._raw_module.code

    @property
    def file_path(self) -> str | None:
        """The file of the source, where it was given so."""
        return self._raw_module.file_path

    @property
    def options(self) -> tuple[str, ...]:
        """What the compiler is told."""
        return self._raw_module.options

    @property
    def backend(self) -> str:
        """The name that was given; the compiler is phalanx's own."""
        return self._raw_module.backend

    @property
    def enable_cooperative_groups(self) -> bool:
        """Whether the kernel waits for all blocks of its grid."""
        return self._raw_module.enable_cooperative_groups

    @property
    def kernel(self) -> Any:
        """The compiled kernel."""
        return self._kernel().handle

    @property
    def attributes(self) -> dict[str, int]:
        """What the kernel uses: registers, bytes of memory, threads of a block."""
        handle = self._kernel().handle
        return {
            "max_threads_per_block": handle.max_threads_per_block,
            "shared_size_bytes": handle.shared_mem_per_block,
            "const_size_bytes": handle.const_mem_size,
            "local_size_bytes": handle.local_mem_per_thread,
            "num_regs": handle.regs_per_thread,
        }

    def __getattr__(self, name: str) -> Any:
        if name in ("num_regs", "max_threads_per_block", "shared_size_bytes", "const_size_bytes",
                    "local_size_bytes"):  # fmt: skip
            return self.attributes[name]
        raise AttributeError(name)


def _passed(argument: Any) -> Any:
    """Complex numbers become their parts, as a struct of CUDA C has them."""
    if isinstance(argument, (complex, np.complexfloating)):
        return (argument.real, argument.imag)
    return argument
