# Signatures that nanobind's stub generator cannot see (Launcher and Configured are written against
# CPython itself) or shows with less than type checkers want to know.
phalanx._engine.Launcher.__init__:
    def __init__(self, name: str) -> None: ...

phalanx._engine.Launcher.__getitem__:
    \from typing import Any
    def __getitem__(self, configuration: Any, /) -> Configured: ...
    def _compile(self, types: tuple[Type, ...]) -> Kernel: ...

phalanx._engine.Launcher.set_advises:
    def set_advises(self, advises: bool, /) -> None: ...

phalanx._engine.Launcher.set_signatures:
    def set_signatures(self, signatures: Sequence[Sequence[Type]], /) -> None: ...

phalanx._engine.Launcher.kernel_for:
    def kernel_for(self, types: Sequence[Type], /) -> Kernel: ...

phalanx._engine.Launcher.kernels:
    def kernels(self) -> list[tuple[tuple[Type, ...], Kernel]]: ...

phalanx._engine.Launcher.forget:
    def forget(self) -> None: ...

phalanx._engine.make_texture$:
    def make_texture(device: Device, array: TextureArray, **sampler: Any) -> TextureObject: ...

phalanx._engine.make_memory_texture:
    def make_memory_texture(device: Device, memory: int, owner: Any, format: Sequence[int], extent: Sequence[int], pitch: int, **sampler: Any) -> TextureObject: ...

phalanx._engine.compile_cuda_c:
    def compile_cuda_c(library: str, name: str, text: bytes, **options: Any) -> tuple[Module | None, str]: ...

phalanx._engine.KernelModule.__init__:
    def __init__(self, module: Module, key: bytes, **options: Any) -> None: ...

phalanx._engine.Function.__call__:
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    def _set_calling(self, arity: int, least: int, releases_gil: bool, falls_back: bool, /) -> None: ...

phalanx._engine.Function.__getitem__:

phalanx._engine.Function.__vectorcalloffset__:

phalanx._engine.UfuncCaller.__call__:
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
    def _serve(self, ufunc: Any, typed: int, may_spread: bool, /) -> None: ...

phalanx._engine.UfuncCaller.__init__:
    def __init__(self, /, *args: Any, **kwargs: Any) -> None: ...

phalanx._engine.UfuncCaller.__vectorcalloffset__:

phalanx._engine.HeldMemory._held:
    _held: Any

phalanx._engine.KernelCaller.__init__:
    def __init__(self, launcher: Launcher, types: Sequence[Type], context: Any, /) -> None: ...

phalanx._engine.KernelCaller.__call__:
    def __call__(self, *args: Any, **kwargs: Any) -> Any: ...

phalanx._engine.KernelCaller.prepared_call:
    def prepared_call(self, grid: Any, block: Any, *args: Any, shared_size: int = 0) -> None: ...

phalanx._engine.KernelCaller.prepared_async_call:
    def prepared_async_call(
        self, grid: Any, block: Any, stream: Any, *args: Any, shared_size: int = 0
    ) -> None: ...

phalanx._engine.KernelCaller._prepared_call_after:
    def _prepared_call_after(
        self, before: Callable[[], Any], grid: Any, block: Any, *args: Any, shared_size: int = 0
    ) -> None: ...

phalanx._engine.KernelCaller._forget_configuration:
    def _forget_configuration(self) -> None: ...

phalanx._engine.KernelCaller._launch:
    def _launch(
        self, grid: Any, block: Any, args: Sequence[Any], stream: Any, shared_size: int, /
    ) -> None: ...

phalanx._engine.Configured.__call__:
    def __call__(self, /, *args: Any) -> None: ...

phalanx._engine.Configured.__vectorcalloffset__:

phalanx._engine.Configured.(griddim|blockdim|grid|block):
    @property
    def \1(self) -> tuple[int, int, int]: ...

phalanx._engine.Configured.shared:
    shared: int

phalanx._engine.Configured.stream:
    stream: Stream | None

phalanx._engine.Configured.pre_launch_callbacks:
    pre_launch_callbacks: list[Callable[[Kernel, Configured], Any]]

phalanx._engine.Configured.launcher:
    launcher: Launcher

phalanx._engine.Configured.cooperative:
    cooperative: bool

phalanx._engine.Array.__eq__:
    @overload
    def __eq__(self, other: Array | complex, /) -> Self: ...
    @overload
    def __eq__(self, other: Any, /) -> Any: ...

.*\.__eq__:
    def __eq__(self, other: object, /) -> bool: ...

phalanx._engine.Type.named_tuple:
    \from collections.abc import Callable
    \from typing import Any, Tuple as _Tuple
    @staticmethod
    def named_tuple(name: str, fields: Sequence[_Tuple[str, Type]]) -> Type: ...

phalanx._engine.Type.record:
    @staticmethod
    def record(
        fields: Sequence[_Tuple[str, Type, int]],
        size: int,
        alignment: int = 1,
        shapes: Sequence[Sequence[int]] = ...,
    ) -> Type: ...

phalanx._engine.Type.fields:
    @property
    def fields(self) -> list[_Tuple[str, Type, int]]: ...

phalanx._engine.(?:Device|Kernel|DeviceArray).(limits|stats|__cuda_array_interface__|__array_interface__):
    @property
    def \1(self) -> dict[str, Any]: ...

phalanx._engine.Device.memory_info:
    def memory_info(self) -> dict[str, int]: ...

phalanx._engine.(driver_info|cache_info|statistics):
    def \1() -> dict[str, Any]: ...

phalanx._engine.Kernel.attributes:
    def attributes(self, device: Device) -> dict[str, int]: ...

phalanx._engine.Kernel.__init__:
    def __init__(
        self,
        name: str,
        key: bytes,
        types: Sequence[Type],
        produce: Callable[[], Module],
        *,
        contract: bool = True,
        fastmath: int = 0,
        debug: bool = False,
        lineinfo: bool = False,
        checks: int = 0,
        optimization: int = 3,
        max_registers: int = 0,
        max_threads: int = 0,
        min_blocks: int = 0,
        cache: bool = True,
        lanes: int = 0,
        function: bool = False,
        location: _Tuple[str, int] | None = None,
        link: _Tuple[bytes, Callable[[_Tuple[int, int]], Sequence[_Tuple[str, str, bytes]]]]
        | None = None,
        loaded: Callable[[LoadedModule], Callable[[], None] | None] | None = None,
    ) -> None: ...

phalanx._engine.DeviceArray.__init__:
    \from typing import overload
    @overload
    def __init__(
        self,
        base: DeviceArray,
        shape: Sequence[int],
        strides: Sequence[int],
        offset: int = 0,
        element: Type | None = None,
    ) -> None: ...
    @overload
    def __init__(
        self,
        address: int,
        shape: Sequence[int],
        strides: Sequence[int],
        element: Type,
        owner: object | None,
        *,
        read_only: bool = False,
        stream: object | None = None,
        device: Device | None = None,
    ) -> None: ...
    @overload
    def __init__(
        self,
        shape: Sequence[int],
        element: Type,
        *,
        order: str = "C",
        stream: object | None = None,
        device: Device | None = None,
        kind: str = "device",
    ) -> None: ...

phalanx._engine.DeviceArray.(shape|strides):
    @property
    def \1(self) -> tuple[int, ...]: ...

phalanx._engine.DeviceArray.descr:
    @property
    def descr(self) -> list[Any]: ...

phalanx._engine.Stream.add_callback:
    def add_callback(self, function: Callable[[], object]) -> None: ...

phalanx._engine.make_ufunc:
    def make_ufunc(
        name: str,
        cores: Sequence[Sequence[int]],
        inputs: int,
        loops: list[Any],
        *,
        doc: str = "",
        signature: str = "",
        identity: int = -1,
        may_split: bool = False,
        is_written_apart: bool = False,
    ) -> object: ...

phalanx._engine.compile_for_items:
    def compile_for_items(
        function: object,
        types: Sequence[Type],
        name: str,
        form: str,
        *,
        debug: bool = False,
        unassigned: bool = False,
        bounds: bool = False,
    ) -> Module: ...

phalanx._engine.compile_item_loop:
    def compile_item_loop(
        function: object,
        types: Sequence[Type],
        name: str,
        layouts: str,
        *,
        operands: Sequence[tuple[Sequence[int], bool, int]],
        elementwise: bool = False,
        raises_on_zero_division: bool = True,
        checks_bounds: bool = False,
        parallel: bool = False,
        fastmath: int = 0,
    ) -> Module: ...

phalanx._engine.compile_function:
    def compile_function(
        function: object,
        types: Sequence[Type],
        *,
        raises_on_zero_division: bool = True,
        checks_bounds: bool = False,
        parallel: bool = False,
        fastmath: int = 0,
        locals: object | None = None,
        result: Type | None = None,
    ) -> Module: ...

# Operators are written against CPython, and private members are not in the stub. What makes another
# library's object of an array and one of its own is not known here.
phalanx._engine.Array.(__(?:lt|le|ne|gt|ge|[ri]?(?:add|sub|mul|mod|pow|lshift|rshift|and|xor|or|floordiv|truediv|matmul))__):
    \from typing import Any, Self, overload
    @overload
    def \1(self, other: Array | complex, /) -> Self: ...
    @overload
    def \1(self, other: Any, /) -> Any: ...

phalanx._engine.Array.(__(?:neg|pos|abs|invert)__):
    def \1(self) -> Self: ...

phalanx._engine.Array.__getitem__:
    def __getitem__(self, key: Any, /) -> Self: ...

phalanx._engine.Array.__setitem__:
    def __setitem__(self, key: Any, value: Any, /) -> None: ...

phalanx._engine.Array.__delitem__:

phalanx._engine.Array.__(init|module|doc|hash|new|prefix|suffix)__:

phalanx._engine.Array.T:
    @property
    def T(self) -> Self: ...

phalanx._engine.Array.shape:
    @property
    def shape(self) -> tuple[int, ...]: ...

phalanx._engine.Array.size:
    @property
    def size(self) -> int: ...
    # Of Python's class of arrays, which the package's annotations call by its base.
    @property
    def dtype(self) -> Any: ...
    @property
    def flags(self) -> Any: ...
    def item(self, *args: Any) -> Any: ...
    def to_device(self, *args: Any, **kwargs: Any) -> Any: ...
    def tolist(self) -> Any: ...
    def _alias(self, memory: DeviceArray, /) -> Any: ...
    def _as_array(self) -> Any: ...
    def _as_number(self) -> Any: ...
    def _assign(self, values: Array, /) -> None: ...
    def _broadcast(self, shape: Sequence[int], /) -> Any: ...
    _comes_in_c_order: bool
    _device: Device
    _dtype: str
    def _evaluate(self, is_for_host: bool = False) -> DeviceArray: ...
    _is_number: bool
    _is_pending: bool
    _is_read_only: bool
    _known_device: Device | None
    def _open(self) -> DeviceArray: ...
    _place: Device | None
    def _ravel(self) -> Any: ...
    def _reshape(self, shape: Any, /) -> Any: ...
    def _set_read_only(self, is_read_only: bool, /) -> None: ...
    def _share(self) -> DeviceArray: ...
    def _transpose(self, axes: Sequence[int], /) -> Any: ...
    def _view(self, shape: Sequence[int], axes: Sequence[_Tuple[int, int, int]], /) -> Any: ...

phalanx._engine.array_(apply|explain|part|ufuncs|cast|copy|empty|gather|matmul|matvec|number|of_memory|of_numpy|positions|rates|reduce|scatter|update_at|vecdot|vecmat|where):
    def array_\1(*args: Any, **kwargs: Any) -> Any: ...

phalanx._engine.ProfileBlock.__exit__:
    def __exit__(self, *error: object) -> None: ...
