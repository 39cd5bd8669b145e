"""A decorated function: compiled for the argument types it meets, and launched."""

from __future__ import annotations

import copyreg
import operator
import pickle
import sys
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, SupportsIndex

from .. import _engine
from .._core.typed import P, R
from .._device.streams import engine_stream
from .._launch import arguments, front_end
from .._launch.compiled import Compiled
from .._types import bridge
from .._types.objects import NoneType, Signature, Type
from ..errors import DeviceFunctionError
from . import dump
from .options import Options

if TYPE_CHECKING:
    from .._core.typed import Configuration, ConfiguredLaunch
    from .explaining import KernelExplanation

_NOT_CONFIGURED = """
Kernel launch configuration was not specified. Use the syntax:

kernel_function[blockspergrid, threadsperblock](arg0, arg1, ..., argn)

or, to let the block size be chosen: kernel_function.over(array)(arg0, arg1, ..., argn)
"""


class CompileStats(NamedTuple):
    """Where compiled code came from, by the types of the arguments."""

    cache_path: str
    cache_hits: dict[tuple[Any, ...], int]
    cache_misses: dict[tuple[Any, ...], int]


class Dispatcher(Compiled[P, R]):
    """What ``cuda.jit`` makes of a function: a kernel to launch, or a device function to call.

    ``kernel[grid, block, stream, sharedmem](*arguments)`` launches it: `grid` and `block` are ints
    or tuples of up to three, `sharedmem` the bytes of dynamic shared memory of a block.

    >>> @cuda.jit
    ... def double(x):
    ...     i = cuda.grid(1)
    ...     if i < x.size:
    ...         x[i] *= 2
    >>> x = cuda.to_device(np.arange(3.0))
    >>> double[1, 32](x)
    >>> double.forall(3)(x)
    >>> x.copy_to_host()
    array([0., 4., 8.])
    """

    if TYPE_CHECKING:  # the engine's

        def __getitem__(self, configuration: Configuration, /) -> ConfiguredLaunch[P]:
            """The launch with a grid, a block, a stream and bytes of shared memory."""

    def __init__(
        self, py_func: Callable[P, R], options: Options, signatures: Sequence[Signature] = ()
    ) -> None:
        super().__init__(py_func, options, signatures)
        self.compile_listeners: list[dict[str, Any]] = []  # see launchconfig
        self.specializations: dict[tuple[Type, ...], Dispatcher[P, R]] = {}
        if signatures:
            for signature in signatures:
                arguments.check_count(py_func, signature)
            types = [bridge.argument_types(each) for each in signatures]
            if not options.device:
                self.set_signatures(types)
                for each in types:
                    self._compile_early(self.kernel_for(each))

    def _compile_early(self, kernel: _engine.Kernel) -> None:
        """Mistakes show at the decorator: those of linked code on a GPU, too."""
        kernel.module  # noqa: B018
        if self.options.link:
            device = _engine.current_device()
            if not device.is_host:
                kernel.compile(device)

    @property
    def targetoptions(self) -> dict[str, Any]:
        """The options as numba.cuda names them.

        >>> @cuda.jit
        ... def scale(x, factor):
        ...     i = cuda.grid(1)
        ...     if i < x.size:
        ...         x[i] *= factor
        >>> x = np.ones(4)
        >>> scale[1, 4](x, 3.0)
        >>> scale.targetoptions.get("debug", False)
        False
        """
        options = {**self.options.engine_options(), "fastmath": self.options.fastmath}
        return {"device": self.options.device, **options}

    def _compile(self, types: tuple[_engine.Type, ...]) -> _engine.Kernel:
        """The kernel for these argument types; the engine asks once for each tuple of types."""
        if self.options.device:
            raise DeviceFunctionError(
                f"Cannot compile a device function as a kernel: call {self.__name__} from a "
                "kernel, or decorate it without device=True to launch it"
            )
        if self.compile_listeners:
            from .launch_config import current_launch_config

            for listener in self.compile_listeners:
                listener["config"] = current_launch_config()
        # Only such code holds line numbers: other kernels may move in their file.
        has_lines = self.options.debug or self.options.lineinfo or bool(self.options.check)
        key = self._identity(has_lines)
        types_key = repr([str(each) for each in types]).encode()
        linking = self._linking()
        is_kept = key is not None and not (linking and linking.has_folders)
        made = _engine.Kernel(
            self.__name__,
            b"" if key is None else key + types_key,
            list(types),
            lambda: self._module_for(types, linking),
            **{**self.options.engine_options(), "cache": self.options.cache and is_kept},
            link=None if linking is None else (linking.identity, linking.rows),
            location=front_end.location(self.py_func),
            loaded=self._module_loaded if "phalanx._kernels.link" in sys.modules else None,
        )
        dump.dump(self.__name__, made)
        return made

    def _identity(self, lines: bool) -> bytes | None:
        """What tells the kernel apart from every other in the disk cache; None where nothing can.

        `lines` also tells code apart that was written at other locations.
        """
        return front_end.fingerprint(self.py_func, lines=lines)

    def _front_end(self, types: tuple[_engine.Type, ...]) -> _engine.Module:
        return front_end.compile_kernel(self.py_func, types, **self.options.frontend_options())

    def _device(self) -> _engine.Device:
        return _engine.current_device()

    def _return_type(self, kernel: _engine.Kernel) -> Any:
        return NoneType()

    def _module_for(self, types: tuple[_engine.Type, ...], linking: Any = None) -> _engine.Module:
        made = super()._module_for(types)
        return made if linking is None else linking.link(made)

    def _linking(self) -> Any:
        """How the kernel is linked with code that is not Python; None where there is none."""
        module = sys.modules.get("phalanx._kernels.link")
        if module is None or not (codes := self._codes(module)):
            return None
        from .source_linking import Linking

        called = front_end.referred(self.py_func, module.ExternFunction)
        return Linking(codes, self.options.lineinfo, called)

    def _codes(self, module: Any) -> list[Any]:
        """The code to link, of the kernel's decorator and of functions that it calls."""
        called = front_end.referred(self.py_func, module.ExternFunction)
        codes = [*self.options.link, *(code for each in called for code in each.link)]
        return list(dict.fromkeys(codes))  # callbacks are of each

    def _module_loaded(self, loaded: Any) -> Callable[[], None] | None:
        from .callbacks import module_loaded

        return module_loaded(self, self._codes(sys.modules["phalanx._kernels.link"]), loaded)

    def _bind(self, args: tuple[Any, ...], named: dict[str, Any]) -> tuple[Any, ...]:
        """The arguments of a launch with names, in the order of the parameters."""
        import inspect

        signature = inspect.signature(self.py_func)
        bound = arguments.bind(self.__name__, signature, args, named)
        return (*bound.args, *bound.kwargs.values())  # keyword-only parameters are the last

    def _adapt(self, value: Any) -> Any:
        return arguments.adapt(value)

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:
        if self.options.device:
            return self.py_func(*args, **kwargs)
        raise ValueError(_NOT_CONFIGURED)

    def forall(
        self, ntasks: int, tpb: int = 0, stream: Any = 0, sharedmem: int = 0
    ) -> Callable[P, None]:
        """A 1-d launch of at least `ntasks` threads; the block size is chosen unless `tpb` is.

        Raises `ValueError` when `ntasks` is negative, `TypeError` when it is no whole number.

        >>> @cuda.jit
        ... def scale(x, factor):
        ...     i = cuda.grid(1)
        ...     if i < x.size:
        ...         x[i] *= factor
        >>> x = np.ones(5)
        >>> scale.forall(x.size)(x, 3.0)
        >>> x
        array([3., 3., 3., 3., 3.])
        """
        try:
            ntasks = operator.index(ntasks)
        except TypeError:
            raise TypeError(
                f"forall() takes a whole number of threads, not {ntasks!r}; over() takes shapes"
            ) from None
        if ntasks < 0:
            raise ValueError(f"Can't create ForAll with negative task count: {ntasks}")
        if tpb < 0:
            raise ValueError(f"a block cannot have {tpb} threads; 0 lets the number be chosen")

        def launch(*args: P.args, **named: P.kwargs) -> None:
            if ntasks == 0:
                return
            block = tpb or self._suggested_block(args, sharedmem, named)
            self[(ntasks + block - 1) // block, block, stream, sharedmem](*args, **named)

        return launch

    def over(self, shape: Any, stream: Any = 0, sharedmem: int = 0) -> Callable[P, None]:
        """A launch of at least one thread for each element of `shape`: an array, a tuple or an int.

        ``kernel.over(image)(image, out)``: threads run along x for the first dimension, y for the
        second and z for the third, as `cuda.grid` counts them; more than three become one. The
        block is chosen by occupancy on a GPU, by the width of vectors on the CPU device. The
        kernel must check its indices: the last blocks reach beyond the shape.

        Raises `TypeError` for what has no shape, `ValueError` for negative extents.
        """
        from .over import over

        return over(self, shape, stream, sharedmem)

    def _suggested_block(
        self, args: tuple[Any, ...], sharedmem: int, named: dict[str, Any] | None = None
    ) -> int:
        if named:
            args = self._bind(args, named)
        kernel = self.kernel_for(tuple(_engine.typeof(self._value(arg)) for arg in args))
        _, block = kernel.suggest_block(_engine.current_device(), sharedmem)
        return int(block)

    def _value(self, arg: Any) -> Any:
        adapted = arguments.adapt(arg)
        if adapted is None:
            return arg
        return adapted[0] if isinstance(adapted, tuple) and len(adapted) == 2 else adapted

    def specialize(self, *args: Any) -> Dispatcher[P, R]:
        """A dispatcher for the types of these arguments only, which may be types themselves.

        Raises `RuntimeError` when this one takes one signature only.

        >>> @cuda.jit
        ... def scale(x, factor):
        ...     i = cuda.grid(1)
        ...     if i < x.size:
        ...         x[i] *= factor
        >>> x = np.ones(4)
        >>> scale.specialize(x, 3.0)[1, 4](x, 3.0)
        >>> x
        array([3., 3., 3., 3.])
        """
        if self.specialized:
            raise RuntimeError("Dispatcher already specialized")
        types = tuple(
            arg if isinstance(arg, Type) else bridge.from_engine(_engine.typeof(self._value(arg)))
            for arg in args
        )
        found = self.specializations.get(types)
        if found is None:
            made = Dispatcher(self.py_func, self.options, [Signature(None, types)])
            found = self.specializations.setdefault(types, made)  # another thread's may be there
        return found

    @property
    def specialized(self) -> bool:
        """Returns whether it takes one signature only.

        >>> @cuda.jit
        ... def scale(x, factor):
        ...     i = cuda.grid(1)
        ...     if i < x.size:
        ...         x[i] *= factor
        >>> x = np.ones(4)
        >>> scale[1, 4](x, 3.0)
        >>> scale.specialized
        False
        """
        return len(self.declared_signatures) == 1

    @property
    def nopython_signatures(self) -> list[tuple[Any, ...]]:
        """The argument types compiled for.

        >>> @cuda.jit
        ... def scale(x, factor):
        ...     i = cuda.grid(1)
        ...     if i < x.size:
        ...         x[i] *= factor
        >>> x = np.ones(4)
        >>> scale[1, 4](x, 3.0)
        >>> scale.nopython_signatures
        [(array(float64, 1d, C), float64)]
        """
        return self.signatures

    @property
    def stats(self) -> CompileStats:
        """How often the disk cache had the code of each signature, and how often not."""
        counts = {types: kernel.stats["counts"] for types, kernel in self.overloads.items()}
        return CompileStats(
            _engine.cache_info()["path"],
            {types: each["disk"] for types, each in counts.items() if each["disk"]},
            {types: each["codegen"] for types, each in counts.items() if each["codegen"]},
        )

    inspect_ptx = Compiled.inspect_asm

    def inspect_lto_ptx(self, signature: Any = None) -> Any:
        """Left out: there is no LTO-IR. Raises `NotImplementedError`."""
        raise NotImplementedError("phalanx makes no LTO-IR; see inspect_ptx")

    def inspect_sass(self, signature: Any = None) -> Any:
        """The GPU's machine code as text: of a signature, or a dictionary of all.

        Raises `RuntimeError` that says what to install where there is no nvdisasm or cuobjdump, and
        on the CPU device.
        """
        from .sass import disassemble

        if self.options.device:
            raise RuntimeError(
                "Cannot inspect SASS of a device function: it is part of the kernels that call it"
            )
        return self._each(signature, disassemble)

    def inspect_sass_cfg(self, signature: Any = None) -> Any:
        """The control flow of `inspect_sass` as a graph in DOT."""
        from .sass import control_flow

        return self._each(signature, control_flow)

    def max_cooperative_grid_blocks(
        self, blockdim: Any, dynsmemsize: int = 0, signature: Any = None
    ) -> Any:
        """Most blocks that run at once, as a cooperative launch needs: of a signature, or of all.

        `blockdim` are the threads of a block: an int, or a tuple of them.
        """
        return self._each(
            signature, lambda kernel: kernel.max_cooperative_grid_blocks(blockdim, dynsmemsize)
        )

    def _attribute(self, name: str, signature: Any) -> Any:
        """Of one signature, of the only one, or a dictionary over all."""
        device = _engine.current_device()
        if signature is None and self.specialized:
            signature = self.declared_signatures[0]
        return self._each(signature, lambda kernel: kernel.attributes(device)[name])

    def get_regs_per_thread(self, signature: Any = None) -> Any:
        """Registers a thread uses."""
        return self._attribute("registers", signature)

    def get_const_mem_size(self, signature: Any = None) -> Any:
        """Bytes of constant memory.

        >>> @cuda.jit
        ... def scale(x, factor):
        ...     i = cuda.grid(1)
        ...     if i < x.size:
        ...         x[i] *= factor
        >>> x = np.ones(4)
        >>> scale[1, 4](x, 3.0)
        >>> list(scale.get_const_mem_size().values())
        [0]
        """
        return self._attribute("constant_bytes", signature)

    def get_shared_mem_per_block(self, signature: Any = None) -> Any:
        """Bytes of static shared memory of a block.

        >>> @cuda.jit
        ... def scale(x, factor):
        ...     i = cuda.grid(1)
        ...     if i < x.size:
        ...         x[i] *= factor
        >>> x = np.ones(4)
        >>> scale[1, 4](x, 3.0)
        >>> list(scale.get_shared_mem_per_block().values())
        [0]
        """
        return self._attribute("static_shared_bytes", signature)

    def get_local_mem_per_thread(self, signature: Any = None) -> Any:
        """Bytes of local memory of a thread.

        >>> @cuda.jit
        ... def scale(x, factor):
        ...     i = cuda.grid(1)
        ...     if i < x.size:
        ...         x[i] *= factor
        >>> x = np.ones(4)
        >>> scale[1, 4](x, 3.0)
        >>> list(scale.get_local_mem_per_thread().values())
        [0]
        """
        return self._attribute("local_bytes", signature)

    def get_max_threads_per_block(self, signature: Any = None) -> Any:
        """Most threads of a block that this kernel can be launched with."""
        return self._attribute("max_threads", signature)

    def explain(self, block: SupportsIndex = 128) -> KernelExplanation:
        """What is known of its code for each tuple of types it was compiled for; prints as text.

            scale[40, 256](x, y, 2.0)
            print(scale.explain(256))

        Args:
            block: Threads of a block, for which occupancy is told.

        Returns:
            A `KernelExplanation`: `variants` has the figures.

        Raises:
            TypeError: `block` is no whole number.
            ValueError: It is below 1.
        """
        from .explaining import explain

        return explain(self.__name__, self.kernels(), block)

    def configure(
        self, griddim: Any, blockdim: Any, stream: Any = 0, sharedmem: int = 0
    ) -> ConfiguredLaunch[P]:
        """``self[griddim, blockdim, stream, sharedmem]``.

        >>> @cuda.jit
        ... def scale(x, factor):
        ...     i = cuda.grid(1)
        ...     if i < x.size:
        ...         x[i] *= factor
        >>> x = np.ones(4)
        >>> scale.configure(1, 4)(x, 3.0)
        >>> x
        array([3., 3., 3., 3.])
        """
        return self[griddim, blockdim, engine_stream(stream), sharedmem]

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        from .._core.pickling import reduced

        return reduced(self, self.options, self.declared_signatures)

    def __repr__(self) -> str:
        kind = "device function" if self.options.device else "kernel"
        return f"<phalanx {kind} {self.__name__}>"


def _configured(launcher: Dispatcher[..., Any], *configuration: Any) -> Any:
    return launcher[configuration]


def _reduce_configured(configured: Any) -> tuple[Any, ...]:
    if configured.stream is not None:
        raise TypeError("a launch configuration with a stream cannot be pickled")
    if configured.pre_launch_callbacks:
        raise pickle.PicklingError("Cannot pickle configured launches with pre-launch callbacks")
    parts = (configured.launcher, configured.grid, configured.block, 0, configured.shared)
    return _configured, parts


def _show_configured(configured: _engine.Configured) -> str:
    shared = f", {configured.shared} bytes of shared memory" if configured.shared else ""
    where = f"grid {configured.grid}, block {configured.block}{shared}"
    return f"<launch of {configured.launcher!r}: {where}>"


copyreg.pickle(_engine.Configured, _reduce_configured)
_engine.Configured.__repr__ = _show_configured  # type: ignore[method-assign,assignment]
