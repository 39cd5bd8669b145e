"""What kernels of `pycuda.driver` take for the parameters that they declare."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from ... import _engine
from .. import cupy_raw_arguments
from .addresses import DeviceAllocation, PointerHolderBase, address_of
from .context import Stream
from .errors import LogicError
from .host_memory import pointer_of
from .memory import mem_alloc_like, memcpy_dtoh, memcpy_htod

__all__ = ["ArgumentHandler", "In", "InOut", "Out"]


class ArgumentHandler:
    """An array of the host that a kernel gets a copy of in the device's memory."""

    def __init__(self, ary: Any) -> None:
        self.array = ary
        self.dev_alloc: DeviceAllocation | None = None

    def get_device_alloc(self) -> DeviceAllocation:
        """The memory, made when it is first asked for."""
        if self.dev_alloc is None:
            if not hasattr(self.array, "nbytes"):
                raise TypeError(
                    f"could not determine array length of '{type(self.array)}': "
                    "unsupported array type or not an array"
                )
            self.dev_alloc = mem_alloc_like(self.array)
        return self.dev_alloc

    def pre_call(self, stream: Stream | None) -> None:
        """What is to be done before the launch."""


class In(ArgumentHandler):
    """Is copied to the device before the launch."""

    def pre_call(self, stream: Stream | None) -> None:
        """Copies the elements to the device."""
        memcpy_htod(self.get_device_alloc(), self.array)


class Out(ArgumentHandler):
    """Is filled from the device after the launch."""

    def post_call(self, stream: Stream | None) -> None:
        """Waits for the launch, and copies the elements."""
        if stream is not None:
            stream.synchronize()
        memcpy_dtoh(self.array, self.get_device_alloc())


class InOut(In, Out):
    """Both."""


Converter = Callable[[Any, int], Any]


def converters(types: Sequence[_engine.Type]) -> list[Converter]:
    """For each parameter the function that converts what is passed for it, at that number."""
    plain = cupy_raw_arguments.converters(types)
    return [
        _pointer if declared.kind == "pointer" else _value(convert, declared)
        for convert, declared in zip(plain, types, strict=True)
    ]


def _pointer(given: Any, number: int) -> Any:
    if isinstance(given, ArgumentHandler):
        return given.get_device_alloc().memory
    owner = getattr(given, "gpudata", given)
    if isinstance(owner, DeviceAllocation):
        return owner.memory  # which knows where it ends
    if given is None:
        return 0
    if isinstance(given, np.ndarray):
        if pointer_of(given) is not None:
            return int(given.ctypes.data)
        raise TypeError(
            f"invalid type on parameter #{number} (0-based): an array of the host for a pointer; "
            "pass drv.In(a), drv.Out(a) or drv.InOut(a), or drv.to_device(a)"
        )
    if isinstance(given, (float, np.floating, np.complexfloating, np.void, str, bytes)):
        raise _wrong(given, number)
    try:
        return address_of(given)
    except TypeError:
        raise _wrong(given, number) from None


def _wrong(given: Any, number: int) -> TypeError:
    return TypeError(
        f"invalid type on parameter #{number} (0-based): {type(given).__name__} for a pointer"
    )


def _value(convert: Callable[[Any], Any], declared: _engine.Type) -> Converter:
    size = np.dtype(declared.dtype).itemsize if declared.kind == "scalar" else None

    def converted(given: Any, number: int) -> Any:
        if isinstance(given, (PointerHolderBase, ArgumentHandler)):
            raise TypeError(
                f"invalid type on parameter #{number} (0-based): memory for {declared}, which is "
                "passed by value"
            )
        if size is not None and isinstance(given, np.generic) and given.dtype.itemsize != size:
            raise LogicError(
                f"cuLaunchKernel failed: invalid value - parameter #{number} (0-based) is "
                f"{declared}, of {size} bytes; numpy.{given.dtype} has {given.dtype.itemsize}"
            )
        return convert(given)

    return converted


_LETTER = re.compile(r"(\d*)([A-Za-z?])")


def sizes_of_format(types: Any) -> Iterator[tuple[str, int]]:
    """What `Function.prepare` is told: each argument's type as text, and its bytes.

    A text has a letter for each, as the `struct` module and NumPy have them, ``P`` for pointers;
    a sequence has letters, dtypes and classes of NumPy; other classes are pointers.
    """
    for each in _LETTER.findall(types) if isinstance(types, str) else types:
        if isinstance(each, tuple):
            count, letter = each
            if letter == "s":
                yield f"{count}s", int(count or 1)
            else:
                yield from [_of_letter(letter)] * int(count or 1)
        elif isinstance(each, str) and len(each) > 1:
            yield from sizes_of_format(each)
        elif isinstance(each, str):
            yield _of_letter(each)
        elif isinstance(each, np.dtype) or (
            isinstance(each, type) and issubclass(each, np.generic)
        ):
            yield str(np.dtype(each)), np.dtype(each).itemsize
        else:
            yield "P", 8


def _of_letter(letter: str) -> tuple[str, int]:
    if letter in "PNn":
        return letter, 8
    try:
        return letter, np.dtype(letter).itemsize
    except TypeError:
        raise TypeError(f"{letter!r} names no type of an argument") from None


def size_of(declared: _engine.Type) -> int:
    """The bytes of a parameter; of a struct 0: its padding is the compiler's."""
    if declared.kind == "pointer":
        return 8
    return np.dtype(declared.dtype).itemsize if declared.kind == "scalar" else 0
