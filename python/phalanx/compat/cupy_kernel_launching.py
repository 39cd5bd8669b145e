"""Functions in CUDA C that go over elements, and the kernels in Python that call them.

A function takes ``(first, step, last)``, pointers and numbers, and has the loop in it, so that a
compiler of C sees it whole. On a GPU each thread goes over every n-th element; on the CPU device
each block has one thread, which goes over a chunk of neighbours, so that loops become vectors.
"""

from __future__ import annotations

import functools
import hashlib
import linecache
from collections.abc import Sequence
from typing import Any

from .. import cuda
from .._arrays import launching
from .._core import threads
from ..errors import CompileError
from ..types import CPointer, float64, int64, uint8, void
from .cupy_compiler import CompileException

# Kernels know it by name and module: its `from_buffer` is the pointer to an array's elements. With
# `_fingerprint_` kernels that use it are kept in the disk cache.
_ffi = type("FFI", (), {"__module__": "cffi.api", "_fingerprint_": lambda self: ("ffi",)})()

CHUNKS = 4  # for each thread of the CPU device, so that slow chunks do not hold up the others
_LINE = 64  # elements of a chunk come in multiples of it: no two threads write to one cache line
_WAVES = 2  # of blocks on a GPU: enough to fill it, few enough that each thread has a loop
_THREADS_OF_MULTIPROCESSOR = 2048

_HOST_KERNEL = """def {name}(count, chunk, {params}):
    first = cuda.blockIdx.x * chunk
    last = min(first + chunk, count)
    function(first, 1, last, {arguments})
"""
_GPU_KERNEL = """def {name}(count, chunk, {params}):
    function(cuda.grid(1), cuda.gridsize(1), count, {arguments})
"""


class Function:
    """A function in CUDA C of pointers and numbers, ready to be launched on one kind of device.

    `text` has ``@name@`` where the function's name is to be. `numbers` has a letter for each number
    after the pointers: ``"i"`` for int64, ``"f"`` for float64. The function is compiled by the
    first launch; wrong text raises `CompileException` with the compiler's messages.
    """

    def __init__(self, name: str, text: str, pointers: int, numbers: str, is_host: bool) -> None:
        # Functions of one name may meet where they are linked.
        symbol = f"_phx_{name}_{hashlib.sha256(text.encode()).hexdigest()[:16]}"
        self.text = text.replace("@name@", symbol)
        self._name, self._is_host = name, is_host
        types = [int64, int64, int64, *[CPointer(uint8)] * pointers]
        types += [int64 if letter == "i" else float64 for letter in numbers]
        code = cuda.CUSource(self.text, name=name)
        function = cuda.declare_device(symbol, void(*types), link=code, abi="c")
        self._kernel = _kernel(name, function, pointers, len(numbers), is_host)

    def launch(
        self, device: Any, count: int, pointers: list[Any], numbers: list[Any], block: int = 128
    ) -> None:
        """Goes over `count` elements, in order after what was launched before."""
        if self._is_host:
            chunk = _chunk(count)
            blocks, block = -(-count // chunk), 1
        else:
            chunk = 0
            blocks = -(-min(count, _most_threads(device)) // block)
        try:
            launching.launch(self._kernel, blocks, block, device, count, chunk, *pointers, *numbers)
        except CompileError as error:
            raise CompileException(str(error), self.text, self._name, ()) from None


@functools.cache
def _most_threads(device: Any) -> int:
    return int(device.limits["multiprocessors"]) * _WAVES * _THREADS_OF_MULTIPROCESSOR


def _chunk(count: int) -> int:
    chunk = -(-count // (CHUNKS * threads.get_num_threads()))
    return -(-chunk // _LINE) * _LINE if chunk >= _LINE else chunk


def _kernel(name: str, function: Any, pointers: int, numbers: int, is_host: bool) -> Any:
    """The kernel that calls the function: text, as Python has no way to pass on n parameters."""
    arrays = [f"array_{k}" for k in range(pointers)]
    values = [f"number_{k}" for k in range(numbers)]
    text = (_HOST_KERNEL if is_host else _GPU_KERNEL).format(
        name=name,
        params=", ".join((*arrays, *values)),
        arguments=", ".join((*(f"ffi.from_buffer({each})" for each in arrays), *values)),
    )
    file = f"<kernel {function.name}>"
    # Where the compiler finds the source of a function that no file has.
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    space: dict[str, Any] = {"cuda": cuda, "ffi": _ffi, "function": function, "__name__": __name__}
    exec(compile(text, file, "exec"), space)
    return cuda.jit(space[name])


def number_letters(dtype: Any) -> str:
    """The numbers that one of that dtype is passed as."""
    return {"f": "f", "c": "ff"}.get(dtype.kind, "i")


def numbers_of(value: Any) -> Sequence[Any]:
    """A NumPy number as its letters say; uint64 goes through the bits of int64."""
    kind = value.dtype.kind
    if kind == "c":
        return float(value.real), float(value.imag)
    if kind == "f":
        return (float(value),)
    whole = int(value)
    return (whole - (1 << 64) if whole >= 1 << 63 else whole,)
