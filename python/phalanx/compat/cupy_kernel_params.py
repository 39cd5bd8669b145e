"""Parameters of CuPy's user kernels: how their text is read, and which types operands give them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

import numpy as np

import phalanx as px

from .cupy_kernel_text import C_TYPES
from .cupy_textures import SurfaceObject, TextureObject

# The dtypes of types that are letters, in the letters' order.
Placeholders: TypeAlias = tuple[tuple[str, Any], ...]

_NAME = re.compile(r"[a-zA-Z_]\w*", re.ASCII)


@dataclass(frozen=True)
class Parameter:
    """An operand or a result, as the text of the kernel declares it."""

    name: str
    dtype: Any  # NumPy's, or None where the type is a placeholder
    ctype: str  # the type in CUDA C; a placeholder's letter
    raw: bool  # the kernel indexes it by itself
    is_const: bool


def check_name(name: str) -> None:
    """Raises `ValueError` for what cannot be the name of a function in C."""
    if _NAME.fullmatch(name) is None:
        raise ValueError(f'Invalid kernel name: "{name}": it is letters, digits and underscores')


@cache
def parameters(text: str, is_const: bool) -> tuple[Parameter, ...]:
    """The parameters of a text such as ``"T x, raw T y, int32 z"``.

    Raises `ValueError` for what is not ``[raw] type name``, `TypeError` for a type that NumPy does
    not know or that arrays do not have.
    """
    return tuple(_parameter(each, is_const) for each in text.split(",")) if text.strip() else ()


def _parameter(text: str, is_const: bool) -> Parameter:
    *words, type_, name = text.split() if len(text.split()) >= 2 else ("", "", "")
    if not name:
        raise ValueError(
            f"Syntax error: {text.strip()!r} is no parameter; write 'T x' or 'raw T x'"
        )
    raw = False
    for word in words:
        if word == "raw":
            raw = True
        elif word == "_non_const":
            is_const = False
        else:
            raise ValueError(f'Unknown keyword "{word}" in {text.strip()!r}; there is only raw')
    if name == "i":
        raise ValueError("Can not use 'i' as a parameter name: it is the index of the loop")
    dtype = None if len(type_) == 1 else np.dtype(type_)
    return Parameter(name, dtype, type_ if dtype is None else c_type(dtype), raw, is_const)


@cache
def c_type(dtype: Any) -> str:
    """The type in CUDA C of a NumPy dtype; raises `TypeError` for dates and the like."""
    found = C_TYPES.get(getattr(dtype, "name", str(dtype)))
    if found is None:
        known = ", ".join(C_TYPES)
        raise TypeError(f"kernels in CUDA C have no elements of dtype {dtype}, only {known}")
    return found


class Number:
    """A number of Python's or NumPy's among the operands; it is of its parameter's type."""

    def __init__(self, value: Any) -> None:
        if not isinstance(value, (bool, int, float, complex, np.bool, np.number)):
            raise TypeError(
                f"Unsupported type {type(value)}: operands are phalanx arrays and numbers; "
                "phalanx.asarray makes an array of others"
            )
        self._value = value

    def of(self, dtype: Any) -> Any:
        """The number as that dtype has it.

        Raises `OverflowError` for a Python integer out of range, `TypeError` for a complex one.
        """
        place: Any = np.empty((), dtype)
        place[()] = self._value
        return place[()]


class Handle(Number):
    """A texture or a surface among the operands: its handle, a number that has a dtype."""

    dtype = np.dtype(np.uint64)

    def __init__(self, given: TextureObject | SurfaceObject) -> None:
        super().__init__(np.uint64(given.ptr))


def operand(value: Any) -> Any:
    """An array of phalanx's, or a `Number`; raises `TypeError` for what is neither."""
    if isinstance(value, (TextureObject, SurfaceObject)):
        return Handle(value)
    if isinstance(value, px.ndarray):
        return value
    if hasattr(value, "__cupy_get_ndarray__"):
        return value.__cupy_get_ndarray__()
    if hasattr(value, "__cuda_array_interface__"):
        return px.asarray(value)
    return Number(value)


def resolve(
    in_params: tuple[Parameter, ...],
    out_params: tuple[Parameter, ...],
    in_args: list[Any],
    out_args: list[Any],
) -> tuple[tuple[Any, ...], tuple[Any, ...], Placeholders]:
    """The dtypes of operands and results, and of the placeholders: numbers decide nothing.

    Raises `TypeError` where a dtype is not the declared one, two arrays of one placeholder differ,
    or a placeholder is of no array.
    """
    found: dict[str, Any] = {}
    for param, each in zip(out_params, out_args, strict=bool(out_args)):
        if not isinstance(each, px.ndarray):
            raise TypeError(_NO_ARRAY.format(param.name))
        _meet(found, param, each)
    for param, each in zip(in_params, in_args, strict=True):
        if isinstance(each, (px.ndarray, Handle)):
            _meet(found, param, each)
    in_types = tuple(_decided(found, param) for param in in_params)
    out_types = tuple(_decided(found, param) for param in out_params)
    return in_types, out_types, tuple(sorted(found.items()))


_NO_ARRAY = "Output arguments must be cupy.ndarray, that is phalanx.ndarray: {} is none"


def _meet(found: dict[str, Any], param: Parameter, given: Any) -> None:
    dtype = given.dtype
    c_type(dtype)  # it has one
    expected = found.setdefault(param.ctype, dtype) if param.dtype is None else param.dtype
    if expected == dtype:
        return
    what = f"{param.ctype} is " if param.dtype is None else "it is declared as "
    if isinstance(given, Handle):
        kind, way = "a texture or a surface, a number", f"declare 'uint64 {param.name}'"
    else:
        kind, way = "an array", f"pass {param.name}.astype('{expected}')"
    raise TypeError(
        f"Type is mismatched. {param.name} is {kind} of {dtype}, and {what}{expected}: {way}"
    )


def _decided(found: dict[str, Any], param: Parameter) -> Any:
    if param.dtype is not None:
        return param.dtype
    if param.ctype not in found:
        raise TypeError(
            f"the type {param.ctype} of {param.name} is of no array among the arguments: pass an "
            "array, the output for example, or declare a dtype such as float32"
        )
    return found[param.ctype]
