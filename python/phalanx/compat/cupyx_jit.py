"""``cupyx.jit``: kernels in Python, which are kernels of `phalanx.cuda`.

Their numbers are typed as `phalanx.cuda` types them: integers of Python's are of 64 bits in both of
CuPy's modes.
"""

from __future__ import annotations

import builtins
from collections.abc import Callable
from typing import Any

from .. import cuda
from ..errors import DeviceFunctionError
from ..extending import overload

threadIdx, blockIdx, blockDim, gridDim = cuda.threadIdx, cuda.blockIdx, cuda.blockDim, cuda.gridDim
grid, gridsize, warpsize = cuda.grid, cuda.gridsize, cuda.warpsize
syncthreads, cg = cuda.syncthreads, cuda.cg


class RawKernel:
    """A kernel: ``f(grid, block, args, shared_mem, stream)`` or ``f[grid, block](*args)``.

    It is compiled for the types of arguments that it meets. Raises the errors of `phalanx.cuda.jit`
    for what does not compile, and `phalanx.errors.DeviceFunctionError` for the launch of a device
    function.
    """

    def __init__(self, function: Callable[..., Any], device: bool) -> None:
        self.py_func = function  # by which other kernels know it
        self._dispatcher: Any = cuda.jit(function, device=device)
        self._is_device = device
        self.__name__, self.__doc__ = function.__name__, function.__doc__

    def __call__(
        self, grid: Any, block: Any, args: Any, shared_mem: int = 0, stream: Any = None
    ) -> None:
        """Launches blocks of threads; `grid` and `block` are tuples of up to three extents."""
        if self._is_device:
            raise DeviceFunctionError(f"{self.__name__} is a device function: kernels call it")
        queue = 0 if stream is None else getattr(stream, "_own", stream)
        self._dispatcher[grid, block, queue, shared_mem](*args)

    def __getitem__(self, configuration: tuple[Any, ...]) -> Callable[..., None]:
        grid, block, *others = configuration

        def launch(*args: Any, shared_mem: int = 0, stream: Any = None) -> None:
            self(grid, block, args, *(others or (shared_mem, stream)))

        return launch

    def __repr__(self) -> str:
        return f"<cupyx.jit kernel {self.__name__}>"


def rawkernel(*, mode: str = "cuda", device: bool = False) -> Callable[..., RawKernel]:
    """The decorator that makes a kernel of a function; with `device`, what kernels call."""
    if mode not in ("cuda", "numpy"):
        raise ValueError(f"the mode is 'cuda' or 'numpy', not {mode!r}")
    return lambda function: RawKernel(function, device)


def _kernels_only(name: str) -> RuntimeError:
    return RuntimeError(f"cupyx.jit.{name} can be used only inside a kernel or a device function")


def range(*args: Any, unroll: Any = None) -> Any:
    """As the built-in `range`; how far loops are unrolled is the compiler's to say."""
    raise _kernels_only("range")


def shared_memory(dtype: Any, size: int | None, alignment: int | None = None) -> Any:
    """A block's array of that many elements; None: the dynamic memory of the launch."""
    raise _kernels_only("shared_memory")


def syncwarp(*, mask: int = 0xFFFFFFFF) -> None:
    """The warp's threads of the mask wait here."""
    raise _kernels_only("syncwarp")


def laneid() -> int:
    """The index of the thread in its warp."""
    raise _kernels_only("laneid")


def shfl_sync(mask: int, var: Any, val_id: int, *, width: int = 32) -> Any:
    """The value of a lane of the warp, or of the part of `width` lanes that the thread is in."""
    raise _kernels_only("shfl_sync")


def shfl_up_sync(mask: int, var: Any, val_id: int, *, width: int = 32) -> Any:
    """The value of the lane that many below, in the part of `width` lanes."""
    raise _kernels_only("shfl_up_sync")


def shfl_down_sync(mask: int, var: Any, val_id: int, *, width: int = 32) -> Any:
    """The value of the lane that many above, in the part of `width` lanes."""
    raise _kernels_only("shfl_down_sync")


def shfl_xor_sync(mask: int, var: Any, val_id: int, *, width: int = 32) -> Any:
    """The value of the lane whose index differs in those bits, in the part of `width` lanes."""
    raise _kernels_only("shfl_xor_sync")


@overload(range, target="cuda")
def _range(*args: Any, unroll: Any = None) -> Any:
    if len(args) == 1:
        return lambda stop, unroll=None: builtins.range(0, stop, 1)
    if len(args) == 2:
        return lambda start, stop, unroll=None: builtins.range(start, stop, 1)
    return lambda start, stop, step, unroll=None: builtins.range(start, stop, step)


@overload(shared_memory, target="cuda", prefer_literal=True, inline="always")
def _shared_memory(dtype: Any, size: Any, alignment: Any = None) -> Any:
    count, element = getattr(size, "literal_value", 0), getattr(dtype, "dtype", dtype)
    return lambda dtype, size, alignment=None: cuda.shared.array(count, element)


@overload(syncwarp, target="cuda")
def _syncwarp(mask: Any = 0xFFFFFFFF) -> Any:
    return lambda mask=0xFFFFFFFF: cuda.syncwarp(mask)


@overload(laneid, target="cuda")
def _laneid() -> Any:
    return lambda: cuda.laneid


@overload(shfl_sync, target="cuda")
def _shfl_sync(mask: Any, var: Any, val_id: Any, width: Any = 32) -> Any:
    def implementation(mask: Any, var: Any, val_id: Any, width: Any = 32) -> Any:
        first = cuda.laneid & ~(width - 1)
        return cuda.shfl_sync(mask, var, first | (val_id & (width - 1)))

    return implementation


@overload(shfl_up_sync, target="cuda")
def _shfl_up_sync(mask: Any, var: Any, val_id: Any, width: Any = 32) -> Any:
    def implementation(mask: Any, var: Any, val_id: Any, width: Any = 32) -> Any:
        lane = cuda.laneid
        is_inside = (lane & (width - 1)) >= val_id
        return cuda.shfl_sync(mask, var, lane - val_id if is_inside else lane)

    return implementation


@overload(shfl_down_sync, target="cuda")
def _shfl_down_sync(mask: Any, var: Any, val_id: Any, width: Any = 32) -> Any:
    def implementation(mask: Any, var: Any, val_id: Any, width: Any = 32) -> Any:
        lane = cuda.laneid
        is_inside = (lane & (width - 1)) + val_id < width
        return cuda.shfl_sync(mask, var, lane + val_id if is_inside else lane)

    return implementation


@overload(shfl_xor_sync, target="cuda")
def _shfl_xor_sync(mask: Any, var: Any, val_id: Any, width: Any = 32) -> Any:
    def implementation(mask: Any, var: Any, val_id: Any, width: Any = 32) -> Any:
        lane = cuda.laneid
        is_inside = ((lane ^ val_id) & ~(width - 1)) <= (lane & ~(width - 1))
        return cuda.shfl_sync(mask, var, lane ^ val_id if is_inside else lane)

    return implementation


def _atomic(name: str) -> Any:
    """The function of CuPy's for an atomic operation, and its meaning in kernels."""
    operation = getattr(cuda.atomic, {"and": "and_", "or": "or_"}.get(name, name))

    def function(array: Any, index: Any, value: Any, alt_value: Any = None) -> Any:
        raise _kernels_only(f"atomic_{name}")

    function.__name__ = function.__qualname__ = f"atomic_{name}"
    function.__doc__ = f"`phalanx.cuda.atomic.{name}` of an element; gives what was there."

    def make(array: Any, index: Any, value: Any, alt_value: Any = None) -> Any:
        if name == "cas":
            return lambda array, index, old, new: operation(array, index, old, new)
        return lambda array, index, value: operation(array, index, value)

    overload(function, target="cuda")(make)
    return function


atomic_add, atomic_sub, atomic_exch, atomic_cas = map(_atomic, ("add", "sub", "exch", "cas"))
atomic_min, atomic_max, atomic_inc, atomic_dec = map(_atomic, ("min", "max", "inc", "dec"))
atomic_and, atomic_or, atomic_xor = map(_atomic, ("and", "or", "xor"))
