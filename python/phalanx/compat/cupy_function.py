"""``cupy.cuda.function``: compiled modules of CUDA C, and how their kernels are launched."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

from .. import _engine
from .._arrays.cupy_methods import MemoryPointer, UnownedMemory
from .._cuda_c import CudaCModule, MachineCodeModule
from ..errors import CompileError, LaunchError
from .cupy_compiler import CompileException
from .cupy_driver import CUDADriverError
from .cupy_raw_arguments import converters

__all__ = ["Function", "Module"]


class Function(_engine.KernelCaller):
    """A kernel of a module: ``function(grid, block, args)`` launches blocks of threads."""

    def __init__(self, module: Module, funcname: str) -> None:
        self.module, self.name = module, funcname
        try:
            self._launcher = module._compiled.kernel(funcname)
        except ValueError as error:
            raise _not_found(error) from None
        types = self.handle.types
        super().__init__(self._launcher, types, None)
        own = getattr(self._launcher, "converters", None)
        self._converters = converters(types) if own is None else own

    @property
    def handle(self) -> _engine.Kernel:
        """The engine's kernel, which has its code as text and what it uses."""
        return self._launcher.handle

    def __call__(
        self,
        grid: Any,
        block: Any,
        args: Sequence[Any],
        shared_mem: int = 0,
        stream: Any = None,
        enable_cooperative_groups: bool = False,
    ) -> None:
        """Launches blocks of threads; extents below 1 are 1.

        Raises `TypeError` for arguments that do not fit the parameters, `OverflowError` for
        integers beyond the range of theirs, `CompileException` for a kernel with assembly that the
        device does not run, `CUDADriverError` for a
        grid, a block or shared memory beyond the device's limits, and `ValueError` for a grid of
        several dimensions whose blocks do not run at once, where that is asked for.
        """
        if enable_cooperative_groups and self.handle.cooperative:
            grid = self._at_once(_extents(grid), _extents(block), shared_mem)
        self._launch(grid, block, args, stream, shared_mem)

    def _convert(self, given: Any, number: int) -> Any:
        """What the engine does not take as it is, for the parameter at that number."""
        try:
            return self._converters[number](given)
        except (OverflowError, TypeError) as error:
            raise type(error)(f"{self.name}, argument {number + 1}: {error}") from None

    @staticmethod
    def _queue_of(stream: Any) -> Any:
        return getattr(stream, "_own", stream)

    @staticmethod
    def _extents_of(given: Any) -> Any:
        return _extents(given)

    def _refuse_count(self, count: int) -> NoReturn:
        raise TypeError(f"{self.name} expects {len(self._converters)} arguments, got {count}")

    def _fail(self, error: BaseException) -> NoReturn:
        """Raises what the engine has raised, as of the driver's call."""
        if isinstance(error, LaunchError):
            raise CUDADriverError(f"CUDA_ERROR_INVALID_VALUE: invalid argument: {error}") from None
        if isinstance(error, CompileError):  # the device of the launch does not run it
            module = self.module
            raise CompileException(str(error), module.source, self.name, module.options) from None
        raise error

    def linear_launch(
        self,
        size: int,
        args: Sequence[Any],
        shared_mem: int = 0,
        block_max_size: int = 128,
        stream: Any = None,
        enable_cooperative_groups: bool = False,
    ) -> None:
        """Launches `size` threads at least, in blocks of `block_max_size` at most."""
        grid = min(2**31 - 1, -(-size // block_max_size))
        block = min(block_max_size, size)
        self((grid,), (block,), args, shared_mem, stream, enable_cooperative_groups)

    def _at_once(self, grid: Any, block: Any, shared_mem: int) -> Any:
        """The grid, or as many blocks of a line as run at once."""
        most = self.handle.max_cooperative_grid_blocks(block, shared_mem)
        if math.prod(grid) <= most:
            return grid
        if math.prod(grid[1:]) != 1:
            raise ValueError(f"the grid {grid} is beyond the {most} blocks that run at once")
        warnings.warn(
            f"the grid of {grid[0]} blocks is reduced to the {most} that run at once", stacklevel=4
        )
        return (most,)


def _extents(given: Any) -> Any:
    """As the driver takes them: an extent of 0 is 1. Other things are left to the launch."""
    if not isinstance(given, (tuple, list)):
        return given
    if given and min(given) > 0:
        return given
    return tuple([each if each > 0 else 1 for each in given])


class Module:
    """Compiled CUDA C. `mapping` has name expressions and the names that their kernels have."""

    _compiled: CudaCModule | MachineCodeModule

    def __init__(self, source: str = "", options: Sequence[str] = ()) -> None:
        self.mapping: dict[str, str] | None = None
        self.source, self.options = source, options  # what errors tell of

    def get_function(self, name: str) -> Function:
        """The kernel of that name. Raises `CUDADriverError`, which names those that there are."""
        return Function(self, name)

    def get_global_var(self, name: str) -> int:
        """The address of a variable of the module. Raises `CUDADriverError` as `get_function`."""
        return self.variable(name).ptr

    def variable(self, name: str) -> MemoryPointer:
        """The memory of a ``__device__`` or ``__constant__`` variable."""
        try:
            address, size = self._compiled.global_memory(_engine.current_device(), name)
        except ValueError as error:
            raise _not_found(error) from None
        return MemoryPointer(UnownedMemory(address, size, self), 0)

    def load(self, cubin: bytes) -> None:
        """Makes it the module of a cubin, or of PTX, which run on GPUs only.

        Raises `CompileError` for what is neither.
        """
        self._compiled = MachineCodeModule(bytes(cubin))

    def load_file(self, filename: str) -> None:
        """As `load`. Raises `CUDADriverError` where the file is not there, or is damaged."""
        try:
            octets = Path(filename).read_bytes()
        except OSError:
            raise CUDADriverError(
                f"CUDA_ERROR_FILE_NOT_FOUND: file not found: {filename}"
            ) from None
        try:
            self.load(octets)
        except CompileError as error:
            raise CUDADriverError(
                f"CUDA_ERROR_INVALID_IMAGE: device kernel image is invalid: {filename}: {error}"
            ) from None


def _not_found(error: ValueError) -> CUDADriverError:
    return CUDADriverError(f"CUDA_ERROR_NOT_FOUND: named symbol not found: {error}")
