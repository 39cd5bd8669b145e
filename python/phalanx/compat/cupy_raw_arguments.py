"""What CuPy's kernels in CUDA C take for the parameters that they declare."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np

from phalanx import ndarray

from .. import _engine
from .._arrays.cupy_methods import MemoryPointer
from .cupy_textures import SurfaceObject, TextureObject

Converter = Callable[[Any], Any]


def converters(types: Sequence[_engine.Type]) -> list[Converter]:
    """For each parameter of a kernel the function that converts what is passed for it."""
    made: dict[str, Callable[[_engine.Type], Converter]] = {
        "pointer": _pointer, "tuple": _struct, "scalar": _scalar,
    }  # fmt: skip
    return [made[each.kind](each) if each.kind in made else _same for each in types]


def _same(value: Any) -> Any:
    return value


def _pointer(declared: _engine.Type) -> Converter:
    name = declared.element.dtype
    dtype = np.dtype("bool" if name == "boolean" else name)
    is_any = name == "uint8"  # void*, and pointers to structs

    def convert(value: Any) -> Any:
        if isinstance(value, ndarray):
            return value if is_any or value.dtype == dtype else _in_elements(value, dtype)
        if value is None:
            return 0
        if isinstance(value, MemoryPointer):
            return value._array if is_any else _in_elements(value._array, dtype)
        return _element(value) if isinstance(value, np.ndarray) else value

    return convert


def _in_elements(array: Any, dtype: np.dtype[Any]) -> Any:
    """The same memory in other elements, else its address: CuPy takes any array for a pointer."""
    count = array.nbytes // dtype.itemsize
    if not count or not array.flags.c_contiguous:
        return array.data.ptr
    return array.reshape(-1).view("uint8")[: count * dtype.itemsize].view(dtype)


_NAMED_OTHERWISE = {"boolean": "bool", "bfloat16": "float16"}


def dtype_of(declared: _engine.Type) -> np.dtype[Any] | None:
    """NumPy's dtype of a parameter that is a number, or of its size; None for others."""
    if declared.kind != "scalar":
        return None
    return np.dtype(_NAMED_OTHERWISE.get(declared.dtype, declared.dtype))


def _scalar(declared: _engine.Type) -> Converter:
    is_address = declared.dtype in ("int64", "uint64")
    dtype = dtype_of(declared)
    assert dtype is not None

    def convert(value: Any) -> Any:
        if is_address and isinstance(value, ndarray):
            return value.data.ptr
        if is_address and isinstance(value, (MemoryPointer, TextureObject, SurfaceObject)):
            return value.ptr
        if isinstance(value, np.ndarray):
            value = _element(value)
        if isinstance(value, np.void):
            value = _only_leaf(value)
        check_number(value, dtype, dtype.name)
        return value

    return convert


def check_number(value: Any, dtype: np.dtype[Any], name: str) -> None:
    """Raises for a number of which the parameter that is named would keep a part.

    A float for an integer is a `TypeError`, an integer out of range an `OverflowError`. Integers
    may be in the range of either sign, as C's conversions keep the bits: -1 is the largest unsigned
    number. Floats are rounded to the width of the parameter.
    """
    if isinstance(value, (float, np.floating)) and dtype.kind != "f":
        raise TypeError(
            f"the float {value!r} for {name}: convert it before, int(x), or declare a float"
        )
    if isinstance(value, (int, np.integer)) and dtype.kind in "iu":
        bits = 8 * dtype.itemsize
        if -1 << (bits - 1) <= int(value) < 1 << bits:
            return
        raise OverflowError(f"{value} does not fit into {name}: declare a wider parameter")


def _only_leaf(value: np.void) -> Any:
    numbers = list(_numbers(value))
    return numbers[0] if len(numbers) == 1 else value


def _struct(declared: _engine.Type) -> Converter:
    """Members have the order and the number of the struct's; how they are nested is its own.

    A struct of one number, as `__half` is, takes a number.
    """
    wanted = _count(declared)
    is_number = holds_one_number(declared)

    def convert(value: Any) -> Any:
        if isinstance(value, np.ndarray):
            value = _element(value)
        if is_number and isinstance(value, NUMBERS):
            return _nested(declared, iter([value]))
        if not isinstance(value, (np.void, tuple, complex, np.complexfloating)):
            return value
        numbers = list(_numbers(value))
        if len(numbers) != wanted:
            raise TypeError(
                f"a struct of {wanted} numbers, {declared}, takes a record of as many members, "
                f"not of {len(numbers)}"
            )
        return _nested(declared, iter(numbers))

    return convert


NUMBERS = (int, float, np.integer, np.floating, np.bool_)


def holds_one_number(declared: _engine.Type) -> bool:
    """Returns whether a parameter is a struct of one number, as `__half` is."""
    return declared.kind == "tuple" and _count(declared) == 1


def _count(declared: _engine.Type) -> int:
    if declared.kind != "tuple":
        return 1
    return sum(_count(field[1]) for field in declared.fields)


def _nested(declared: _engine.Type, numbers: Iterator[Any]) -> Any:
    if declared.kind != "tuple":
        number = next(numbers)
        dtype = dtype_of(declared)
        if dtype is not None:
            check_number(number, dtype, f"a member of {dtype.name}")
        return number
    return tuple(_nested(field[1], numbers) for field in declared.fields)


def _numbers(value: Any) -> Iterator[Any]:
    """The numbers of a record, an array or a tuple, in the order of memory."""
    if isinstance(value, np.void):
        fields = value.dtype.fields
        if fields is None:
            raise TypeError("a struct takes a record with named fields, not bare bytes")
        for name in sorted(fields, key=lambda each: fields[each][1]):
            yield from _numbers(value[name])
    elif isinstance(value, (np.ndarray, tuple)):
        for each in value.flat if isinstance(value, np.ndarray) else value:
            yield from _numbers(each)
    elif isinstance(value, (complex, np.complexfloating)):
        yield from (value.real, value.imag)
    else:
        yield value


def _element(value: np.ndarray[Any, Any]) -> Any:
    """The element of a NumPy array of one, which is passed by value."""
    if value.size != 1:
        raise TypeError(
            f"a numpy.ndarray of shape {value.shape} is passed to a kernel: only arrays of one "
            "element are passed, by value; for a pointer pass a cupy.ndarray, cupy.asarray(x)"
        )
    return value.reshape(-1)[0]
