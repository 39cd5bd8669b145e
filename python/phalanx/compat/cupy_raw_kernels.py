"""CuPy's kernels in whole CUDA C: `RawKernel` and `RawModule`."""

from __future__ import annotations

import dataclasses
import pickle
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from .. import _engine
from .._cuda_c import CudaCModule, SourceOptions
from .._cuda_c.functions import checked
from .._device import devices
from ..errors import CompileError
from .cupy_compiler import CompileException
from .cupy_driver import CUDADriverError
from .cupy_function import Function, Module

_BACKENDS = ("nvrtc", "nvcc")
_COMPILED = (".cubin", ".fatbin", ".ptx", ".o")  # files of what is compiled already
_VERSION = 1  # of what is pickled
_CUCOMPLEX = re.compile(r"^[ \t]*#[ \t]*include[ \t]*[<\"]cuComplex\.h[>\"].*$", re.MULTILINE)


class RawModule:
    """Kernels and variables of CUDA C source, compiled for both devices when first asked for.

    `code` is the source, or `path` names its file, or one of PTX or a cubin (for GPUs only);
    `options` are NVRTC's (``-DN=4``, ``-I``, ``--std=c++17``, ``--use_fast_math``);
    `name_expressions` names instances of templates.
    `functions` are Python functions by the names that the source declares and leaves without a body
    (``extern "C" __device__ float f(float);``): kernels call them as device functions.
    `translate_cucomplex` makes the types and functions of ``cuComplex.h`` those of ``complex<T>``.
    `backend` and `jitify` make no difference: the compiler is phalanx's own. Raises `TypeError` for
    what are no texts and where both or none of `code` and `path` are given, `ValueError` for
    another backend and for what does not go together, and `CompileException` with the compiler's
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
        functions: Mapping[str, Callable[..., Any]] | None = None,
    ) -> None:
        if (code is None) == (path is None):
            raise TypeError("Exactly one of `code` and `path` keyword arguments must be given.")
        if not isinstance(code if path is None else path, str):
            raise TypeError("code and path of a RawModule are texts")
        if not isinstance(options, (tuple, list)):
            raise TypeError("options must be a tuple of texts")
        if backend not in _BACKENDS:
            raise ValueError(f"backend is one of {', '.join(_BACKENDS)}, not {backend!r}")
        if (name_expressions is not None or jitify) and (backend != "nvrtc" or code is None):
            raise ValueError("name_expressions and jitify need source and the backend nvrtc")
        self.code, self.file_path = code, path
        self.options, self.backend = tuple(options), backend
        self.name_expressions = None if name_expressions is None else tuple(name_expressions)
        self.translate_cucomplex = translate_cucomplex
        self.enable_cooperative_groups = enable_cooperative_groups
        self.jitify = jitify
        self.functions = checked(functions)
        self._made: Module | None = None

    @property
    def module(self) -> Module:
        """The compiled module."""
        if self._made is None:
            self.compile()
        assert self._made is not None
        return self._made

    def compile(self, log_stream: Any = None) -> None:
        """Compiles now; `log_stream` gets the compiler's messages."""
        name = "kernel.cu" if self.file_path is None else Path(self.file_path).name
        if self.file_path is not None and Path(name).suffix in _COMPILED:
            made = Module()
            made.load_file(self.file_path)
            self._made = made
            return
        text = self._text()
        made = Module(text, self.options)
        try:
            options = SourceOptions.parse(self.options)
            told = dataclasses.replace(options, functions=self.functions)
            made._compiled = CudaCModule(text, name, told, self.name_expressions or ())
        except (CompileError, ValueError) as error:
            log = getattr(error, "log", str(error))
            if log_stream is not None:
                log_stream.write(log)
            raise CompileException(log, text, name, self.options, self.backend) from None
        if log_stream is not None:
            log_stream.write(getattr(made._compiled, "log", ""))
        if self.name_expressions is not None:
            made.mapping = {each: each for each in self.name_expressions}
        self._made = made

    def _text(self) -> str:
        """The source. Raises `CUDADriverError` where its file is not there."""
        text = self.code
        if text is None:
            file = Path(str(self.file_path))
            if not file.exists():
                raise CUDADriverError(f"CUDA_ERROR_FILE_NOT_FOUND: file not found: {file}")
            text = file.read_text()
        if self.translate_cucomplex:
            text = _CUCOMPLEX.sub("#include <cupy/cuComplex_bridge.h>", text)
        return text

    def get_function(self, name: str) -> RawKernel:
        """The kernel of that name, or of that name expression.

        Raises `CUDADriverError`, which names the kernels that there are.
        """
        made = RawKernel.__new__(RawKernel)
        made._set(self, name)
        made.kernel  # noqa: B018  (a name that is not there is told now)
        return made

    def get_global(self, name: str) -> Any:
        """The memory of a ``__device__`` or ``__constant__`` variable, as a `MemoryPointer`.

        Raises `CUDADriverError`, which names the variables that there are.
        """
        return self.module.variable(name)

    def get_texref(self, name: str) -> Any:
        """Raises `NotImplementedError`: texture references are gone from CUDA."""
        raise NotImplementedError(
            f"the texture reference {name}: CUDA 12 has removed them; pass a texture object"
        )

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_made": None, "raw_ver": _VERSION}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(_checked(state))


class RawKernel:
    """A kernel of CUDA C: ``kernel(grid, block, args, shared_mem=0, stream=None)``.

    Arrays are passed for pointers; numbers are converted to the types that the kernel declares;
    structs take NumPy's records, complex numbers among them. `functions` are as for `RawModule`.
    Raises `CompileException` with the compiler's messages for source with errors, and `TypeError`
    for arguments that do not fit the kernel's parameters.
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
        functions: Mapping[str, Callable[..., Any]] | None = None,
    ) -> None:
        if not isinstance(code, str) or not isinstance(name, str):
            raise TypeError("code and name of a RawKernel are texts")
        module = RawModule(
            code=code,
            options=options,
            backend=backend,
            translate_cucomplex=translate_cucomplex,
            enable_cooperative_groups=enable_cooperative_groups,
            jitify=jitify,
            functions=functions,
        )
        self._set(module, name)

    def _set(self, module: RawModule, name: str) -> None:
        self._raw_module = module
        self.name = self.__name__ = name
        self._found: Function | None = None
        self._chosen: dict[str, int] = {}

    @property
    def kernel(self) -> Function:
        """The compiled kernel."""
        if self._found is None:
            self._found = self._raw_module.module.get_function(self.name)
        return self._found

    def compile(self, log_stream: Any = None) -> None:
        """Compiles now; `log_stream` gets the compiler's messages."""
        self._raw_module.compile(log_stream)
        self._found = None

    def __call__(
        self, grid: Any, block: Any, args: Any, *, shared_mem: int = 0, stream: Any = None
    ) -> None:
        """Launches blocks of threads; `grid` and `block` are tuples of up to three extents."""
        function = self._found or self.kernel
        if self._raw_module.enable_cooperative_groups:
            function(grid, block, args, shared_mem, stream, True)
        else:
            function._launch(grid, block, args, stream, shared_mem)

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
    def name_expressions(self) -> tuple[str, ...] | None:
        """The instances of templates that its module has."""
        return self._raw_module.name_expressions

    @property
    def translate_cucomplex(self) -> bool:
        """Returns whether the types of ``cuComplex.h`` are ``complex<T>``."""
        return self._raw_module.translate_cucomplex

    @property
    def enable_cooperative_groups(self) -> bool:
        """Returns whether the kernel waits for all blocks of its grid."""
        return self._raw_module.enable_cooperative_groups

    @property
    def attributes(self) -> dict[str, int]:
        """What the kernel uses, by the names of CuPy's attributes below."""
        return {name: getattr(self, name) for name in _ATTRIBUTES}

    @property
    def max_threads_per_block(self) -> int:
        """Most threads of a block."""
        return self.kernel.handle.max_threads_per_block

    @property
    def shared_size_bytes(self) -> int:
        """Bytes of shared memory that the source declares."""
        return self.kernel.handle.shared_mem_per_block

    @property
    def const_size_bytes(self) -> int:
        """Bytes of constant memory."""
        return self.kernel.handle.const_mem_size

    @property
    def local_size_bytes(self) -> int:
        """Bytes of a thread's own memory."""
        return self.kernel.handle.local_mem_per_thread

    @property
    def num_regs(self) -> int:
        """Registers of a thread; 0 on the CPU device."""
        return self.kernel.handle.regs_per_thread

    @property
    def ptx_version(self) -> int:
        """The compute capability that it is compiled for, such as 90."""
        major, minor = devices.get_current_device().compute_capability
        return 10 * major + minor

    binary_version = ptx_version

    @property
    def cache_mode_ca(self) -> int:
        """0: the option that asks for it is not passed on."""
        return 0

    @property
    def max_dynamic_shared_size_bytes(self) -> int:
        """Most bytes of shared memory that a launch may ask for: what the device has.

        A value that is set is checked and kept; launches need none. Raises `CUDADriverError` for
        more than there is.
        """
        most = int(_engine.current_device().limits["max_shared_bytes"]) - self.shared_size_bytes
        return self._chosen.get("dynamic", most)

    @max_dynamic_shared_size_bytes.setter
    def max_dynamic_shared_size_bytes(self, size: int) -> None:
        most = int(_engine.current_device().limits["max_shared_bytes"]) - self.shared_size_bytes
        if not 0 <= size <= most:
            raise CUDADriverError(
                f"CUDA_ERROR_INVALID_VALUE: invalid argument: {size} bytes of dynamic shared "
                f"memory; {self.name} can have {most}"
            )
        self._chosen["dynamic"] = int(size)

    @property
    def preferred_shared_memory_carveout(self) -> int:
        """Percent of the fast memory that is to be shared memory; -1 leaves it to the driver.

        A value that is set is kept and changes nothing.
        """
        return self._chosen.get("carveout", -1)

    @preferred_shared_memory_carveout.setter
    def preferred_shared_memory_carveout(self, percent: int) -> None:
        if not -1 <= percent <= 100:
            raise CUDADriverError(
                f"CUDA_ERROR_INVALID_VALUE: invalid argument: a carveout of {percent} percent"
            )
        self._chosen["carveout"] = int(percent)

    def __getstate__(self) -> dict[str, Any]:
        return {**vars(self), "_found": None, "raw_ver": _VERSION}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(_checked(state))


_ATTRIBUTES = (
    "max_threads_per_block",
    "shared_size_bytes",
    "const_size_bytes",
    "local_size_bytes",
    "num_regs",
    "ptx_version",
    "binary_version",
    "cache_mode_ca",
    "max_dynamic_shared_size_bytes",
    "preferred_shared_memory_carveout",
)


def _checked(state: dict[str, Any]) -> dict[str, Any]:
    """What was pickled, by this version. Raises `UnpicklingError` for another one's."""
    rest = dict(state)
    if rest.pop("raw_ver", None) != _VERSION:
        raise pickle.UnpicklingError(
            "the kernel was pickled by another version of phalanx: make it anew"
        )
    return rest
