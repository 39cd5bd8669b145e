"""The kernels of CUDA C source, which are launched as those of Python are."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import _engine
from .._core import check as _check
from .._core import fast_math
from . import functions as python_functions
from . import nvrtc
from .compiler import compile_with_log
from .options import PLAIN, SourceOptions


class CudaCKernel(_engine.Launcher):
    """A kernel of a module: ``kernel[grid, block, stream, shared_bytes](*arguments)``.

    Pointers take arrays whose elements have the pointer's size, and addresses as ints; numbers are
    converted; structs take NumPy's records. Raises `TypeError` for another number of arguments and
    for types that cannot be passed.
    """

    def __init__(self, name: str, kernel: _engine.Kernel) -> None:
        super().__init__(name)
        self.set_advises(False)
        self.__name__ = name
        self.handle = kernel

    def _compile(self, types: tuple[_engine.Type, ...]) -> _engine.Kernel:
        return self.handle

    def launch(
        self,
        grid: Any,
        block: Any,
        arguments: Sequence[Any],
        stream: Any = 0,
        shared_bytes: int = 0,
    ) -> None:
        """Starts the kernel; records among the arguments become their members."""
        plain = [_members(each) if isinstance(each, np.void) else each for each in arguments]
        self[grid, block, stream, shared_bytes](*plain)


def _members(value: Any) -> Any:
    """A record as nested tuples of numbers."""
    if isinstance(value, np.void):
        names = value.dtype.names
        if names is None:
            raise TypeError("a struct takes a record with named fields, not bare bytes")
        return tuple(_members(value[name]) for name in names)
    if isinstance(value, np.ndarray):
        return tuple(_members(each) for each in value)
    return value


class CudaCModule:
    """Compiled CUDA C: `kernel` finds a kernel by name, `global_memory` a variable.

    `log` has the compiler's warnings. `compiler` makes the code for GPUs: "phalanx", or "nvrtc",
    NVIDIA's, with the toolkit's headers; by default what ``PHALANX_CUDA_C_COMPILER`` says, else
    phalanx. Check mode, debugging and modules with functions in Python are phalanx's. Raises
    `CompileError` for source with errors and for functions that do not fit their declarations,
    `ValueError` for another compiler.
    """

    def __init__(
        self,
        text: str | bytes,
        name: str = "kernel.cu",
        options: SourceOptions = PLAIN,
        kernels: Sequence[str] = (),
        check: Any = None,
        compiler: str | None = None,
    ) -> None:
        self.options = options
        self.check = _check.read(check)
        self.compiler = nvrtc.chosen(compiler)
        functions = python_functions.checked(options.functions)
        is_linked = bool(functions)
        source, self.log = compile_with_log(text, name, options, kernels, linked=is_linked)
        if is_linked:
            source = python_functions.link(source, functions, name, options.debug)
        # What raises is told to the host in debug mode only.
        debug = options.debug or source.can_raise
        given = self._code_options()
        by_phalanx = options.debug or given["checks"] or is_linked
        if self.compiler == "nvrtc" and not by_phalanx:
            plain = text if isinstance(text, str) else bytes(text).decode()
            given["nvrtc"] = nvrtc.source_of(plain, name, options, kernels)
        # Only such code holds the lines of functions in Python.
        own = python_functions.identity(functions, lines=debug or bool(given["checks"]))
        given["cache"] = given["cache"] and own is not None
        key = self._key(text, name, kernels, given.get("nvrtc"), own)
        self._module = _engine.KernelModule(source, key, debug=debug, **given)
        self._kernels: dict[str, CudaCKernel] = {}

    def _key(self, text: str | bytes, *others: Any) -> bytes:
        """What decides the code. Headers do too, so that code with folders is not kept on disk."""
        octets = text.encode() if isinstance(text, str) else bytes(text)
        parts = (octets, *(repr(each).encode() for each in (self.options, *others)))
        return hashlib.blake2b(b"\0".join(parts), digest_size=16).digest()

    def _code_options(self) -> dict[str, Any]:
        return {
            "contract": self.options.contract,
            "fastmath": fast_math.bits_of(self.options.fastmath),
            "max_registers": self.options.max_registers,
            "checks": _check.bits_of(self.check),
            "cache": not self.options.folders,
        }

    @property
    def kernel_names(self) -> list[str]:
        """All kernels: name expressions, plain names of ``extern "C"``, mangled names."""
        return self._module.kernel_names

    def kernel(self, name: str) -> CudaCKernel:
        """The kernel of that name; raises `ValueError`, which names those that there are."""
        if name not in self._kernels:
            self._kernels[name] = CudaCKernel(name, self._module.kernel(self._full_name(name)))
        return self._kernels[name]

    def _full_name(self, name: str) -> str:
        """Kernels that are not ``extern "C"`` can be asked for by their plain name too."""
        names = self._module.kernel_names
        if name in names:
            return name
        mangled = [each for each in names if each.startswith(f"_Z{len(name)}{name}")]
        return mangled[0] if len(mangled) == 1 else name

    def global_memory(self, device: _engine.Device, name: str) -> tuple[int, int]:
        """Address and bytes of a ``__device__`` or ``__constant__`` variable on a device.

        Raises `ValueError`, which names the variables that there are.
        """
        return self._module.global_memory(device, name)
