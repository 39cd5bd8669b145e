"""Modules of CUDA C and their kernels, as `pycuda.driver` has them."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NoReturn

from ... import _engine
from ..._cuda_c import CudaCModule, MachineCodeModule
from ...errors import CompileError
from .addresses import PointerHolderBase
from .arguments import ArgumentHandler, check_format, converters, type_text
from .context import Context, Event, Stream, note_use, queue_of, seconds_of
from .errors import ENGINES, LogicError, of_driver, translated
from .flags import function_attribute

__all__ = [
    "Function", "Module", "module_from_buffer", "module_from_file",
]  # fmt: skip


class Module:
    """Compiled CUDA C. It belongs to the context in which it was made."""

    def __init__(self, compiled: CudaCModule | MachineCodeModule) -> None:
        self._compiled = compiled
        self._context = Context.get_current()
        note_use()
        self._found: dict[str, Function] = {}

    def get_function(self, name: str) -> Function:
        """The kernel of that name. Raises `LogicError`, which names those that there are."""
        self._check("cuModuleGetFunction")
        if name not in self._found:
            try:
                self._found[name] = Function(self, name)
            except ValueError as error:
                raise LogicError(
                    f"cuModuleGetFunction failed: named symbol not found - {error}"
                ) from None
        return self._found[name]

    def get_global(self, name: str) -> tuple[GlobalVariable, int]:
        """Address and bytes of a ``__device__`` or ``__constant__`` variable.

        Raises `LogicError`, which names those that there are.
        """
        self._check("cuModuleGetGlobal")
        try:
            address, size = self._compiled.global_memory(_engine.current_device(), name)
        except ValueError as error:
            raise LogicError(
                f"cuModuleGetGlobal failed: named symbol not found - {error}"
            ) from None
        return GlobalVariable(self, address, size), size

    def get_texref(self, name: str) -> Any:
        """Raises `LogicError`: texture references are gone from CUDA."""
        raise LogicError(
            f"cuModuleGetTexRef failed: the texture reference {name}: CUDA 12 has removed them; "
            "read from an array"
        )

    get_surfref = get_texref

    def _check(self, call: str) -> None:
        if self._context is not None:
            self._context._check(call)


class GlobalVariable(PointerHolderBase):
    """A variable of a module, which stays loaded."""

    def __init__(self, module: Module, address: int, size: int) -> None:
        self._module, self._address, self._room = module, address, size

    def get_pointer(self) -> int:
        """The address."""
        return self._address


def module_from_file(filename: str) -> Module:
    """The module of a file of PTX, or of a cubin; for GPUs only.

    Raises `LogicError` where the file is not there, or is neither.
    """
    try:
        octets = Path(filename).read_bytes()
    except OSError as error:
        raise LogicError(f"cuModuleLoad failed: file not found - {error}") from None
    return _loaded("cuModuleLoad", octets, filename)


def module_from_buffer(
    buffer: bytes | str, options: Sequence[Any] = (), message_handler: Any = None
) -> Module:
    """The module of PTX, or of a cubin, in memory; for GPUs only.

    `options` are taken and change nothing, and `message_handler` is not called. Raises
    `LogicError` for what is neither.
    """
    octets = buffer.encode() if isinstance(buffer, str) else bytes(buffer)
    return _loaded("cuModuleLoadDataEx", octets, "the buffer")


def _loaded(call: str, octets: bytes, name: str) -> Module:
    try:
        return Module(MachineCodeModule(octets))
    except CompileError as error:
        raise LogicError(
            f"{call} failed: device kernel image is invalid - {name}: {error}"
        ) from None


class Function(_engine.KernelCaller):
    """A kernel: ``function(*arguments, block=(x, y, z), grid=(x, y))`` launches it.

    Its attributes are those of the driver in lower case: ``num_regs``, ``local_size_bytes``.
    """

    def __init__(self, module: Module, name: str) -> None:
        launcher = module._compiled.kernel(name)
        super().__init__(launcher, launcher.handle.types, module._context)
        self._module, self.name, self._launcher = module, name, launcher
        own: list[Callable[[Any], Any]] | None = getattr(launcher, "converters", None)
        self._converters: list[Callable[[Any, int], Any]] = (
            converters(launcher.handle.types)
            if own is None
            else [functools.partial(_by_bytes, each) for each in own]
        )
        if module._context is not None:
            module._context._functions.add(self)

    _queue_of = staticmethod(queue_of)

    def _call(
        self,
        *args: Any,
        block: tuple[int, ...] | None = None,
        grid: tuple[int, ...] = (1, 1),
        stream: Stream | None = None,
        shared: int = 0,
        texrefs: Sequence[Any] = (),
        time_kernel: bool = False,
    ) -> float | None:
        """A call for which the engine needs Python: it takes most arguments as they are.

        Waits where an `Out` is to be filled. With `time_kernel` it waits, too, and gives the
        seconds that it took. Raises `ValueError` without a block, `TypeError` for arguments that do
        not fit, and `LogicError` for extents beyond the device's limits.
        """
        if block is None:
            raise ValueError("must specify block size")
        if texrefs:
            raise LogicError("cuParamSetTexRef failed: CUDA 12 has removed texture references")
        if time_kernel and stream is not None:
            raise ValueError("can't time the kernel on an asynchronous invocation")
        passed = self._converted(args)
        handlers = [each for each in args if isinstance(each, ArgumentHandler)]
        for each in handlers:
            each.pre_call(stream)
        launch = self._configured_for(grid, block, stream, shared)
        seconds = None
        if time_kernel:
            seconds = seconds_of(lambda: self._start(launch, passed))
        else:
            self._start(launch, passed)
        for each in handlers:
            if hasattr(each, "post_call"):
                each.post_call(stream)
        return seconds

    def _converted(self, args: Sequence[Any]) -> list[Any]:
        if len(args) != len(self._converters):
            self._refuse_count(len(args))
        return [
            convert(each, number)
            for number, (convert, each) in enumerate(zip(self._converters, args, strict=True))
        ]

    def _refuse_count(self, count: int) -> NoReturn:
        raise TypeError(f"{self.name} takes {len(self._converters)} arguments, {count} were given")

    def _configured_for(self, grid: Any, block: Any, stream: Stream | None, shared: int) -> Any:
        self._module._check("cuLaunchKernel")
        queue = queue_of(stream)
        with of_driver("cuLaunchKernel"):
            return self._launcher[grid, block, queue, shared]

    def _start(self, launch: Any, passed: Sequence[Any]) -> None:
        try:
            launch(*passed)
        except ENGINES as error:
            self._fail(error)

    def _fail(self, error: BaseException) -> NoReturn:
        """Raises what the engine has raised, as of the driver's call."""
        if isinstance(error, ENGINES):
            raise translated("cuLaunchKernel", error) from None
        raise error

    def _convert(self, given: Any, number: int) -> Any:
        """What the engine's calls do not take as it is, for the parameter at that number."""
        if isinstance(given, ArgumentHandler):
            raise TypeError(
                f"invalid type on parameter #{number} (0-based): {type(given).__name__} is for "
                "calls that are not prepared; pass drv.to_device(a)"
            )
        return self._converters[number](given, number)

    def prepare(self, arg_types: Any, texrefs: Sequence[Any] = ()) -> Function:
        """Says what types the arguments of `prepared_call` have, which are checked here.

        Raises `LogicError` where they are not the kernel's; gives itself.
        """
        check_format(arg_types, self._launcher.handle.types, self.name)
        return self

    def prepared_timed_call(
        self, grid: Any, block: Any, *args: Any, shared_size: int = 0
    ) -> Callable[[], float]:
        """Launches the kernel; gives a function that waits, and gives the seconds it took."""
        start, end = Event(), Event()
        self._prepared_call_after(start.record, grid, block, *args, shared_size=shared_size)
        end.record()

        def seconds() -> float:
            end.synchronize()
            return end.time_since(start) * 1e-3

        return seconds

    def get_attribute(self, attribute: int) -> int:
        """The value of a `function_attribute`."""
        handle = self._launcher.handle
        try:
            name = function_attribute(attribute).name.lower()
        except ValueError:
            raise LogicError(f"cuFuncGetAttribute failed: no attribute {attribute}") from None
        if name in _OF_HANDLE:
            return int(getattr(handle, _OF_HANDLE[name]))
        major, minor = Context.get_device().compute_capability()
        return 10 * major + minor if name.endswith("_version") else 0

    def set_attribute(self, attribute: int, value: int) -> None:
        """Changes nothing: launches ask for what they need."""

    def set_cache_config(self, config: int) -> None:
        """Changes nothing: it is a hint, which GPUs of today do not take."""

    set_shared_config = set_cache_config

    def __repr__(self) -> str:
        declared = ", ".join(map(type_text, self._launcher.handle.types))
        return f"<Function {self.name}({declared})>"


def _by_bytes(convert: Callable[[Any], Any], given: Any, number: int) -> Any:
    """What a kernel of PTX or a cubin takes for an argument."""
    is_of_host = isinstance(given, ArgumentHandler)
    return convert(int(given.get_device_alloc()) if is_of_host else given)


def _add_attributes() -> None:
    """The attributes of the driver. A `__getattr__` would make each call of a method slower."""
    for each in function_attribute:
        get = functools.partial(Function.get_attribute, attribute=each)
        setattr(Function, each.name.lower(), property(get))


_add_attributes()

_OF_HANDLE = {
    "max_threads_per_block": "max_threads_per_block",
    "shared_size_bytes": "shared_mem_per_block",
    "const_size_bytes": "const_mem_size",
    "local_size_bytes": "local_mem_per_thread",
    "num_regs": "regs_per_thread",
}
