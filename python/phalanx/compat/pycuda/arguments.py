"""What kernels of `pycuda.driver` take for the parameters that they declare."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from phalanx import ndarray

from ... import _engine
from ..._arrays.cupy_methods import MemoryPointer
from .. import cupy_raw_arguments
from ..cupy_raw_arguments import NUMBERS, check_number, dtype_of, holds_one_number
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
        (_pointers if declared.kind == "pointer" else _values)(convert, declared)
        for convert, declared in zip(plain, types, strict=True)
    ]


def _pointers(plain: Callable[[Any], Any], declared: _engine.Type) -> Converter:
    text = type_text(declared)

    def converted(given: Any, number: int) -> Any:
        if isinstance(given, ArgumentHandler):
            return given.get_device_alloc().memory
        owner = getattr(given, "gpudata", given)
        if isinstance(owner, DeviceAllocation):
            return owner.memory  # which knows where it ends
        if given is None:
            return 0
        if isinstance(given, (ndarray, MemoryPointer)):
            return plain(given)
        if isinstance(given, np.ndarray):
            return _of_host(given, number)
        if isinstance(given, np.integer) and given.dtype.itemsize != 8:
            raise _of_other_size(given, number, text, 8)
        try:
            return address_of(given)
        except TypeError:
            raise _wrong(given, number, text) from None

    return converted


def _of_host(given: np.ndarray[Any, Any], number: int) -> int:
    """The address of page-locked or managed memory."""
    if pointer_of(given) is not None:
        return int(given.ctypes.data)
    raise TypeError(
        f"invalid type on parameter #{number} (0-based): an array of the host for a pointer; "
        "pass drv.In(a), drv.Out(a) or drv.InOut(a), or drv.to_device(a)"
    )


def _wrong(given: Any, number: int, text: str) -> TypeError:
    return TypeError(
        f"invalid type on parameter #{number} (0-based): {type(given).__name__} for {text}"
    )


def _of_other_size(given: np.generic, number: int, text: str, size: int) -> LogicError:
    return LogicError(
        f"cuLaunchKernel failed: invalid value - parameter #{number} (0-based) is {text}, of "
        f"{size} bytes; numpy.{given.dtype} has {given.dtype.itemsize}"
    )


def _values(plain: Callable[[Any], Any], declared: _engine.Type) -> Converter:
    """Of a parameter that is passed by value, a number or a struct."""
    text = type_text(declared)
    dtype = dtype_of(declared)
    takes_number = holds_one_number(declared)

    def converted(given: Any, number: int) -> Any:
        if isinstance(given, (PointerHolderBase, ArgumentHandler)):
            raise TypeError(
                f"invalid type on parameter #{number} (0-based): memory for {text}, which is "
                "passed by value"
            )
        if isinstance(given, np.ndarray):
            given = _only_element(given, number, text)
        if dtype is None:
            is_number = takes_number and isinstance(given, NUMBERS)
            return plain(given if is_number else _of_struct(given, number, text))
        return plain(_number(given, dtype, number, text))

    return converted


def _only_element(given: np.ndarray[Any, Any], number: int, text: str) -> Any:
    if given.size != 1:
        raise TypeError(
            f"invalid type on parameter #{number} (0-based): an array of shape {given.shape} for "
            f"{text}, which is passed by value: pass a number, or an array of one element"
        )
    return given.reshape(-1)[0]


def _of_struct(given: Any, number: int, text: str) -> Any:
    if isinstance(given, (np.void, tuple, complex, np.complexfloating)):
        return given
    raise _wrong(given, number, text)


def _number(given: Any, dtype: np.dtype[Any], number: int, text: str) -> Any:
    """A number that the parameter can hold; memory that is passed as its address."""
    if isinstance(given, np.generic) and given.dtype.itemsize != dtype.itemsize:
        raise _of_other_size(given, number, text, dtype.itemsize)
    check_number(given, dtype, f"parameter #{number} (0-based), {text}")
    if isinstance(given, int) and dtype.kind == "f" and abs(given) >= 1 << 63:
        return float(given)
    if isinstance(given, (int, float, np.bool_, np.integer, np.floating, np.void)):
        return given
    if isinstance(given, (ndarray, MemoryPointer)) and dtype.itemsize == 8:
        return given
    raise _wrong(given, number, text)


def type_text(declared: _engine.Type) -> str:
    """A parameter's type as errors say it."""
    if declared.kind == "pointer":
        return f"{type_text(declared.element)}*"
    if declared.kind == "scalar":
        return "bool" if declared.dtype == "boolean" else str(declared.dtype)
    return "a struct" if declared.kind == "tuple" else str(declared)


_LETTER = re.compile(r"(\d*)([A-Za-z?])")


def check_format(types: Any, declared: Sequence[_engine.Type], name: str) -> None:
    """Raises `LogicError` where the types that a kernel is prepared for are not its own.

    A text has a letter for each, as the `struct` module and NumPy have them, ``P`` for pointers;
    a sequence has letters, dtypes and classes of NumPy and Python; other classes are pointers.
    Raises `TypeError` for what names no type.
    """
    given = list(_kinds(types))
    if len(given) != len(declared):
        raise LogicError(
            f"{name} takes {len(declared)} arguments, prepare() is told of {len(given)}"
        )
    for number, ((text, kind, size), each) in enumerate(zip(given, declared, strict=True)):
        dtype = dtype_of(each)
        wanted = 8 if each.kind == "pointer" else 0 if dtype is None else dtype.itemsize
        is_float = dtype is not None and dtype.kind == "f"
        if (wanted and size != wanted) or (dtype is not None and is_float != (kind == "f")):
            raise LogicError(
                f"parameter #{number} (0-based) of {name} is {type_text(each)}, of {wanted} bytes; "
                f"prepare() is told {text!r}, of {size}"
            )


Kind = tuple[str, str, int]  # an argument's type as text, NumPy's kind of it, its bytes


def _kinds(types: Any) -> Iterator[Kind]:
    if isinstance(types, bytes):
        types = types.decode()
    for each in [types] if isinstance(types, str) else types:
        if isinstance(each, str):
            yield from _of_text(each)
            continue
        if not isinstance(each, (np.dtype, type)):
            raise TypeError(f"{each!r} names no type of an argument")
        dtype = np.dtype(each)
        yield ("P", "u", 8) if dtype.hasobject else (str(dtype), dtype.kind, dtype.itemsize)


def _of_text(types: str) -> Iterator[Kind]:
    if "".join(match[0] for match in _LETTER.finditer(types)) != types:
        raise TypeError(f"{types!r} are no letters of types")
    for count, letter in _LETTER.findall(types):
        if letter == "s":
            yield f"{count}s", "V", int(count or 1)
        else:
            yield from [_of_letter(letter)] * int(count or 1)


def _of_letter(letter: str) -> Kind:
    if letter in "PNn":
        return letter, "u", 8
    try:
        dtype = np.dtype(letter)
    except TypeError:
        raise TypeError(f"{letter!r} names no type of an argument") from None
    return letter, dtype.kind, dtype.itemsize
