"""bfloat16 in kernels: the type, arithmetic, mathematics and conversions by the names of CUDA.

Operators and the functions of :mod:`math` take bfloat16 as well (``a + b``, ``math.exp(a)``). The
functions here are device functions over bfloat16: results are computed in float32 and rounded to
nearest even, unless the name says otherwise. ``_rn``, ``_rz``, ``_rd`` and ``_ru`` round to nearest
even, towards zero, down and up; ``_sat`` clamps to [0, 1], NaN to 0. Conversions to integers clamp
to the integer's range, NaN gives 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from .. import types
from .._core import bf16_examples as _examples
from .._kernels.decorators import jit
from ..types import bfloat16, float32, float64, int32, int64
from . import libdevice

_BF16 = types.bfloat16


def _declare(
    name: str, doc: str, result: Any, arguments: tuple[Any, ...], function: Callable[..., Any]
) -> None:
    """Makes a device function of that signature a public name of this module."""
    function.__name__ = function.__qualname__ = name
    taken = ", ".join(str(each) for each in arguments)
    said = f"``{name}({taken})`` -> {result}: {doc}"
    function.__doc__ = f"{said}\n\n{_examples.example(name, str(result))}"
    globals()[name] = jit(result(*arguments), device=True)(function)
    __all__.append(name)


__all__ = ["bfloat16"]


# ---- Arithmetic, comparisons, mathematics ----


def _saturated(x):
    if x != x:
        return float32(0)
    return min(max(x, float32(0)), float32(1))


def _hmax_nan(a, b):
    if a != a:
        return a
    if b != b:
        return b
    return max(a, b)


def _hmin_nan(a, b):
    if a != a:
        return a
    if b != b:
        return b
    return min(a, b)


def _hisinf(a):
    if math.isinf(a):
        return 1 if a > 0 else -1
    return 0


def _relu(x):
    # NaN stays: no comparison with it is true.
    return float32(0) if x < float32(0) else x


_saturate, _rectify = jit(device=True)(_saturated), jit(device=True)(_relu)


def _is_unordered(a, b):
    return a != a or b != b


_unordered = jit(device=True)(_is_unordered)

_UNARY = {
    "habs": ("the absolute value.", lambda a: abs(a)),
    "hneg": ("-a.", lambda a: -a),
    "hceil": ("the least whole number that is not less.", lambda a: libdevice.ceilf(float32(a))),
    "hfloor": ("the greatest whole number not above.", lambda a: libdevice.floorf(float32(a))),
    "hrint": ("the nearest whole number, ties even.", lambda a: libdevice.rintf(float32(a))),
    "htrunc": ("without its fraction.", lambda a: libdevice.truncf(float32(a))),
    "hcos": ("cosine, a in radians.", lambda a: math.cos(float32(a))),
    "hsin": ("sine, a in radians.", lambda a: math.sin(float32(a))),
    "hexp": ("e**a.", lambda a: math.exp(float32(a))),
    "hexp2": ("2**a.", lambda a: libdevice.exp2f(float32(a))),
    "hexp10": ("10**a.", lambda a: libdevice.exp10f(float32(a))),
    "hlog": ("natural logarithm.", lambda a: math.log(float32(a))),
    "hlog2": ("logarithm to base 2.", lambda a: math.log2(float32(a))),
    "hlog10": ("logarithm to base 10.", lambda a: math.log10(float32(a))),
    "hsqrt": ("square root.", lambda a: math.sqrt(float32(a))),
    "hrsqrt": ("1 / square root.", lambda a: libdevice.rsqrtf(float32(a))),
    "hrcp": ("1 / a.", lambda a: float32(1) / float32(a)),
    "htanh": ("hyperbolic tangent.", lambda a: math.tanh(float32(a))),
    "htanh_approx": ("hyperbolic tangent; as exact as htanh.", lambda a: math.tanh(float32(a))),
}  # fmt: skip

_BINARY = {
    "hadd": ("a + b.", lambda a, b: float32(a) + float32(b)),
    "hsub": ("a - b.", lambda a, b: float32(a) - float32(b)),
    "hmul": ("a * b.", lambda a, b: float32(a) * float32(b)),
    "hdiv": ("a / b.", lambda a, b: float32(a) / float32(b)),
    "hadd_rn": ("a + b, never fused with a product.", lambda a, b: float32(a) + float32(b)),
    "hsub_rn": ("a - b, never fused with a product.", lambda a, b: float32(a) - float32(b)),
    "hmul_rn": ("a * b, never fused with a sum.", lambda a, b: float32(a) * float32(b)),
    "hadd_sat": ("a + b in [0, 1].", lambda a, b: _saturate(float32(a) + float32(b))),
    "hsub_sat": ("a - b in [0, 1].", lambda a, b: _saturate(float32(a) - float32(b))),
    "hmul_sat": ("a * b in [0, 1].", lambda a, b: _saturate(float32(a) * float32(b))),
    "hmax": ("the greater; a NaN gives way.", lambda a, b: libdevice.fmaxf(float32(a), float32(b))),
    "hmin": ("the lesser; a NaN gives way.", lambda a, b: libdevice.fminf(float32(a), float32(b))),
    "hmax_nan": ("the greater, or NaN if one is.", _hmax_nan),
    "hmin_nan": ("the lesser, or NaN if one is.", _hmin_nan),
}  # fmt: skip

# A product of two bfloat16 is exact in float32.
_TERNARY = {
    "hfma": ("a * b + c.", lambda a, b, c: libdevice.fmaf(a, b, c)),
    "hfma_sat": ("a * b + c in [0, 1].", lambda a, b, c: _saturate(libdevice.fmaf(a, b, c))),
    "hfma_relu": ("a * b + c, 0 if negative.", lambda a, b, c: _rectify(libdevice.fmaf(a, b, c))),
}  # fmt: skip

_COMPARISONS = {
    "heq": ("a == b", lambda a, b: a == b, lambda a, b: a == b or _unordered(a, b)),
    "hne": (
        "a != b",
        lambda a, b: a != b and not _unordered(a, b),
        lambda a, b: a != b or _unordered(a, b),
    ),
    "hlt": ("a < b", lambda a, b: a < b, lambda a, b: a < b or _unordered(a, b)),
    "hle": ("a <= b", lambda a, b: a <= b, lambda a, b: a <= b or _unordered(a, b)),
    "hgt": ("a > b", lambda a, b: a > b, lambda a, b: a > b or _unordered(a, b)),
    "hge": ("a >= b", lambda a, b: a >= b, lambda a, b: a >= b or _unordered(a, b)),
}

_BY_COUNT: list[dict[str, tuple[str, Callable[..., Any]]]] = [_UNARY, _BINARY, _TERNARY]
for _count, _table in enumerate(_BY_COUNT, start=1):
    for _name, (_doc, _function) in _table.items():
        _declare(_name, _doc, _BF16, (_BF16,) * _count, _function)
for _name, (_doc, _ordered, _any) in _COMPARISONS.items():
    _declare(_name, f"{_doc}; False for NaN.", types.boolean, (_BF16, _BF16), _ordered)
    _declare(f"{_name}u", f"{_doc}; True for NaN.", types.boolean, (_BF16, _BF16), _any)
_declare("hisnan", "whether it is NaN.", types.boolean, (_BF16,), lambda a: a != a)
_declare("hisinf", "1 for infinity, -1 for minus infinity, else 0.", int32, (_BF16,), _hisinf)


# ---- Conversions ----


def _nearest(x):
    return bfloat16(x)


def _towards_zero(x):
    if x != x:
        return bfloat16(x)
    return bfloat16(libdevice.int_as_float(libdevice.float_as_int(x) & int32(-0x10000)))


def _away_from_zero(x):
    bits = libdevice.float_as_int(x)
    if x != x or bits & int32(0xFFFF) == 0:
        return bfloat16(x)
    return bfloat16(libdevice.int_as_float((bits & int32(-0x10000)) + int32(0x10000)))


_zero, _away = jit(device=True)(_towards_zero), jit(device=True)(_away_from_zero)


def _down(x):
    return _away(x) if x < float32(0) else _zero(x)


def _up(x):
    return _zero(x) if x < float32(0) else _away(x)


_ROUND = {
    "rn": ("to nearest even", jit(device=True)(_nearest)),
    "rz": ("towards zero", _zero),
    "rd": ("down", jit(device=True)(_down)),
    "ru": ("up", jit(device=True)(_up)),
}
_WHOLE = {
    "rn": libdevice.rintf,
    "rz": libdevice.truncf,
    "rd": libdevice.floorf,
    "ru": libdevice.ceilf,
}


def _odd_of_float64(x):
    """`x` in float32, rounded to odd: what is rounded again loses nothing (Boldo, Melquiond)."""
    near = float32(x)
    back = float64(near)
    bits = libdevice.float_as_int(near)
    if back == x or x != x or bits & int32(1) == 1:
        return near
    step = int32(-1) if abs(back) > abs(x) else int32(1)
    return libdevice.int_as_float(bits + step)


_odd = jit(device=True)(_odd_of_float64)


def _to_integer(integer: Any, bits: int, is_signed: bool, whole: Any) -> Callable[..., Any]:
    lowest = -(2 ** (bits - 1)) if is_signed else 0
    highest = 2 ** (bits - 1) - 1 if is_signed else 2**bits - 1
    limit = float(highest + 1)  # a power of two: exact

    def convert(x):
        value = whole(float32(x))
        if value != value:
            return integer(0)
        if value >= float32(limit):
            return integer(highest)
        if value < float32(lowest):
            return integer(lowest)
        return integer(value)

    return convert


def _from_integer(bits: int, is_signed: bool, rounded: Any) -> Callable[..., Any]:
    """The number's first 24 bits and whether others are set decide, as they do for all bits."""

    def convert_small(x):
        return rounded(float32(x))  # exact

    def convert_signed(x):
        wide = types.uint64(-int64(x)) if x < 0 else types.uint64(x)
        shift = max(int64(40) - int64(libdevice.clzll(int64(wide))), int64(0))
        kept = wide >> types.uint64(shift)
        sticky = types.uint64(1) if (kept << types.uint64(shift)) != wide else types.uint64(0)
        size = float32(kept | sticky) * float32(int64(1) << shift)
        return rounded(-size if x < 0 else size)

    def convert_unsigned(x):
        wide = types.uint64(x)
        shift = max(int64(40) - int64(libdevice.clzll(int64(wide))), int64(0))
        kept = wide >> types.uint64(shift)
        sticky = types.uint64(1) if (kept << types.uint64(shift)) != wide else types.uint64(0)
        return rounded(float32(kept | sticky) * float32(int64(1) << shift))

    if bits < 24:
        return convert_small
    return convert_signed if is_signed else convert_unsigned


def _rounding_float32(rounded: Any) -> Callable[..., Any]:
    def convert(x):
        return rounded(x)

    return convert


def _bits_of(integer: Any) -> Callable[..., Any]:
    def convert(a):
        return integer(libdevice.float_as_int(float32(a)) >> int32(16))

    return convert


def _of_bits(bits):
    return bfloat16(libdevice.int_as_float(int32(bits) << int32(16)))


for _mode, (_how, _rounded) in _ROUND.items():
    _declare(
        f"float32_to_bfloat16_{_mode}",
        f"rounded {_how}.",
        _BF16,
        (float32,),
        _rounding_float32(_rounded),
    )
    for _bits in (16, 32, 64):
        for _is_signed in (True, False):
            _integer = getattr(types, f"int{_bits}" if _is_signed else f"uint{_bits}")
            _declare(
                f"{_integer}_to_bfloat16_{_mode}",
                f"rounded {_how}.",
                _BF16,
                (_integer,),
                _from_integer(_bits, _is_signed, _rounded),
            )
            _declare(
                f"bfloat16_to_{_integer}_{_mode}",
                f"rounded {_how}.",
                _integer,
                (_BF16,),
                _to_integer(_integer, _bits, _is_signed, _WHOLE[_mode]),
            )
for _integer, _is_signed in ((types.int8, True), (types.uint8, False)):
    _declare(
        f"bfloat16_to_{_integer}_rz",
        "rounded towards zero.",
        _integer,
        (_BF16,),
        _to_integer(_integer, 8, _is_signed, libdevice.truncf),
    )
for _integer in (types.int16, types.uint16):
    _declare(f"bfloat16_as_{_integer}", "its bits.", _integer, (_BF16,), _bits_of(_integer))
    _declare(f"{_integer}_as_bfloat16", "the number of the bits.", _BF16, (_integer,), _of_bits)
_declare("bfloat16_to_float32", "exact.", float32, (_BF16,), lambda a: float32(a))
_declare("float32_to_bfloat16", "rounded to nearest even.", _BF16, (float32,), _nearest)
_declare(
    "float64_to_bfloat16",
    "rounded to nearest even, once.",
    _BF16,
    (float64,),
    lambda x: bfloat16(_odd(x)),
)
