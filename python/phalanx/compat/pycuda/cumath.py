"""`pycuda.cumath`: mathematical functions of GPUArrays, elementwise."""

from __future__ import annotations

import warnings
from typing import Any, Protocol

import phalanx as px

from .context import Stream
from .gpuarray_array import GPUArray
from .gpuarray_operators import cast, made_of

# PyCUDA's names, and those of phalanx's functions.
_UFUNCS = {
    "fabs": "fabs", "ceil": "ceil", "floor": "floor", "exp": "exp", "log": "log", "log10": "log10",
    "sqrt": "sqrt", "sin": "sin", "cos": "cos", "tan": "tan", "asin": "arcsin", "acos": "arccos",
    "atan": "arctan", "sinh": "sinh", "cosh": "cosh", "tanh": "tanh",
}  # fmt: skip

__all__ = [*_UFUNCS, "fmod", "frexp", "ldexp", "modf"]


class _Unary(Protocol):
    def __call__(
        self, array: GPUArray, stream_or_out: Any = None, *, out: Any = None, stream: Any = None
    ) -> GPUArray: ...


def _unary(name: str) -> _Unary:
    ufunc = getattr(px, _UFUNCS[name])

    # The stream makes no difference: arrays are computed in order with the work of all streams.
    def function(
        array: GPUArray, stream_or_out: Any = None, *, out: Any = None, stream: Any = None
    ) -> GPUArray:
        if stream_or_out is not None:
            warnings.warn(
                "please use 'out' or 'stream' keyword arguments", DeprecationWarning, stacklevel=2
            )
            if not isinstance(stream_or_out, Stream):
                out = stream_or_out
        value = cast(ufunc(array._array), array.dtype)
        if out is None:
            return made_of(value, array.dtype, (array,), array.allocator)
        if out.dtype != array.dtype or out.shape != array.shape:
            raise ValueError(
                f"out has dtype {out.dtype} and shape {out.shape}, the array {array.dtype} and "
                f"{array.shape}"
            )
        result: GPUArray = out._assign(value, array)
        return result

    function.__name__ = function.__qualname__ = name
    function.__doc__ = (
        f"``{name}`` of each element, in the array's dtype, in `out` or a new array.\n\n"
        "    Raises `ValueError` for an `out` of another dtype or shape."
    )
    return function


fabs, ceil, floor = _unary("fabs"), _unary("ceil"), _unary("floor")
exp, log, log10, sqrt = _unary("exp"), _unary("log"), _unary("log10"), _unary("sqrt")
sin, cos, tan = _unary("sin"), _unary("cos"), _unary("tan")
asin, acos, atan = _unary("asin"), _unary("acos"), _unary("atan")
sinh, cosh, tanh = _unary("sinh"), _unary("cosh"), _unary("tanh")


def fmod(arg: GPUArray, mod: GPUArray, stream: Any = None) -> GPUArray:
    """The remainder of each two elements' division, with the sign of the first."""
    return _of(px.fmod(arg._array, mod._array), arg, mod)


def frexp(arg: GPUArray, stream: Any = None) -> tuple[GPUArray, GPUArray]:
    """Significands from 0.5 to 1 and exponents of 2, as floats, whose products are the elements."""
    significand, exponent = px.frexp(arg._array)
    return _of(significand, arg), _of(exponent, arg)


def ldexp(significand: GPUArray, exponent: GPUArray, stream: Any = None) -> GPUArray:
    """``significand * 2**exponent``; exponents are cut off to integers."""
    return _of(px.ldexp(significand._array, cast(exponent._array, "int32")), significand, exponent)


def modf(arg: GPUArray, stream: Any = None) -> tuple[GPUArray, GPUArray]:
    """The parts after and before the point, both with the element's sign."""
    fraction, whole = px.modf(arg._array)
    return _of(fraction, arg), _of(whole, arg)


def _of(value: Any, first: GPUArray, *others: Any) -> GPUArray:
    return made_of(value, first.dtype, (first, *others), first.allocator)
