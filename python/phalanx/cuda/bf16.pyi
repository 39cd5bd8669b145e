"""Made by tools/make_stubs.py: what type checkers and editors see of phalanx.cuda.bf16."""

from typing import Any as _Any
from ..types import bfloat16 as bfloat16

__all__: list[str]
def bfloat16_as_int16(a: _Any) -> _Any:
    """``bfloat16_as_int16(bfloat16)`` -> int16: its bits."""
def bfloat16_as_uint16(a: _Any) -> _Any:
    """``bfloat16_as_uint16(bfloat16)`` -> uint16: its bits."""
def bfloat16_to_float32(a: _Any) -> _Any:
    """``bfloat16_to_float32(bfloat16)`` -> float32: exact."""
def bfloat16_to_int16_rd(x: _Any) -> _Any:
    """``bfloat16_to_int16_rd(bfloat16)`` -> int16: rounded down."""
def bfloat16_to_int16_rn(x: _Any) -> _Any:
    """``bfloat16_to_int16_rn(bfloat16)`` -> int16: rounded to nearest even."""
def bfloat16_to_int16_ru(x: _Any) -> _Any:
    """``bfloat16_to_int16_ru(bfloat16)`` -> int16: rounded up."""
def bfloat16_to_int16_rz(x: _Any) -> _Any:
    """``bfloat16_to_int16_rz(bfloat16)`` -> int16: rounded towards zero."""
def bfloat16_to_int32_rd(x: _Any) -> _Any:
    """``bfloat16_to_int32_rd(bfloat16)`` -> int32: rounded down."""
def bfloat16_to_int32_rn(x: _Any) -> _Any:
    """``bfloat16_to_int32_rn(bfloat16)`` -> int32: rounded to nearest even."""
def bfloat16_to_int32_ru(x: _Any) -> _Any:
    """``bfloat16_to_int32_ru(bfloat16)`` -> int32: rounded up."""
def bfloat16_to_int32_rz(x: _Any) -> _Any:
    """``bfloat16_to_int32_rz(bfloat16)`` -> int32: rounded towards zero."""
def bfloat16_to_int64_rd(x: _Any) -> _Any:
    """``bfloat16_to_int64_rd(bfloat16)`` -> int64: rounded down."""
def bfloat16_to_int64_rn(x: _Any) -> _Any:
    """``bfloat16_to_int64_rn(bfloat16)`` -> int64: rounded to nearest even."""
def bfloat16_to_int64_ru(x: _Any) -> _Any:
    """``bfloat16_to_int64_ru(bfloat16)`` -> int64: rounded up."""
def bfloat16_to_int64_rz(x: _Any) -> _Any:
    """``bfloat16_to_int64_rz(bfloat16)`` -> int64: rounded towards zero."""
def bfloat16_to_int8_rz(x: _Any) -> _Any:
    """``bfloat16_to_int8_rz(bfloat16)`` -> int8: rounded towards zero."""
def bfloat16_to_uint16_rd(x: _Any) -> _Any:
    """``bfloat16_to_uint16_rd(bfloat16)`` -> uint16: rounded down."""
def bfloat16_to_uint16_rn(x: _Any) -> _Any:
    """``bfloat16_to_uint16_rn(bfloat16)`` -> uint16: rounded to nearest even."""
def bfloat16_to_uint16_ru(x: _Any) -> _Any:
    """``bfloat16_to_uint16_ru(bfloat16)`` -> uint16: rounded up."""
def bfloat16_to_uint16_rz(x: _Any) -> _Any:
    """``bfloat16_to_uint16_rz(bfloat16)`` -> uint16: rounded towards zero."""
def bfloat16_to_uint32_rd(x: _Any) -> _Any:
    """``bfloat16_to_uint32_rd(bfloat16)`` -> uint32: rounded down."""
def bfloat16_to_uint32_rn(x: _Any) -> _Any:
    """``bfloat16_to_uint32_rn(bfloat16)`` -> uint32: rounded to nearest even."""
def bfloat16_to_uint32_ru(x: _Any) -> _Any:
    """``bfloat16_to_uint32_ru(bfloat16)`` -> uint32: rounded up."""
def bfloat16_to_uint32_rz(x: _Any) -> _Any:
    """``bfloat16_to_uint32_rz(bfloat16)`` -> uint32: rounded towards zero."""
def bfloat16_to_uint64_rd(x: _Any) -> _Any:
    """``bfloat16_to_uint64_rd(bfloat16)`` -> uint64: rounded down."""
def bfloat16_to_uint64_rn(x: _Any) -> _Any:
    """``bfloat16_to_uint64_rn(bfloat16)`` -> uint64: rounded to nearest even."""
def bfloat16_to_uint64_ru(x: _Any) -> _Any:
    """``bfloat16_to_uint64_ru(bfloat16)`` -> uint64: rounded up."""
def bfloat16_to_uint64_rz(x: _Any) -> _Any:
    """``bfloat16_to_uint64_rz(bfloat16)`` -> uint64: rounded towards zero."""
def bfloat16_to_uint8_rz(x: _Any) -> _Any:
    """``bfloat16_to_uint8_rz(bfloat16)`` -> uint8: rounded towards zero."""
def float32_to_bfloat16(x: _Any) -> _Any:
    """``float32_to_bfloat16(float32)`` -> bfloat16: rounded to nearest even."""
def float32_to_bfloat16_rd(x: _Any) -> _Any:
    """``float32_to_bfloat16_rd(float32)`` -> bfloat16: rounded down."""
def float32_to_bfloat16_rn(x: _Any) -> _Any:
    """``float32_to_bfloat16_rn(float32)`` -> bfloat16: rounded to nearest even."""
def float32_to_bfloat16_ru(x: _Any) -> _Any:
    """``float32_to_bfloat16_ru(float32)`` -> bfloat16: rounded up."""
def float32_to_bfloat16_rz(x: _Any) -> _Any:
    """``float32_to_bfloat16_rz(float32)`` -> bfloat16: rounded towards zero."""
def float64_to_bfloat16(x: _Any) -> _Any:
    """``float64_to_bfloat16(float64)`` -> bfloat16: rounded to nearest even, once."""
def habs(a: _Any) -> _Any:
    """``habs(bfloat16)`` -> bfloat16: the absolute value."""
def hadd(a: _Any, b: _Any) -> _Any:
    """``hadd(bfloat16, bfloat16)`` -> bfloat16: a + b."""
def hadd_rn(a: _Any, b: _Any) -> _Any:
    """``hadd_rn(bfloat16, bfloat16)`` -> bfloat16: a + b, never fused with a product."""
def hadd_sat(a: _Any, b: _Any) -> _Any:
    """``hadd_sat(bfloat16, bfloat16)`` -> bfloat16: a + b in [0, 1]."""
def hceil(a: _Any) -> _Any:
    """``hceil(bfloat16)`` -> bfloat16: the least whole number that is not less."""
def hcos(a: _Any) -> _Any:
    """``hcos(bfloat16)`` -> bfloat16: cosine, a in radians."""
def hdiv(a: _Any, b: _Any) -> _Any:
    """``hdiv(bfloat16, bfloat16)`` -> bfloat16: a / b."""
def heq(a: _Any, b: _Any) -> _Any:
    """``heq(bfloat16, bfloat16)`` -> bool: a == b; False for NaN."""
def hequ(a: _Any, b: _Any) -> _Any:
    """``hequ(bfloat16, bfloat16)`` -> bool: a == b; True for NaN."""
def hexp(a: _Any) -> _Any:
    """``hexp(bfloat16)`` -> bfloat16: e**a."""
def hexp10(a: _Any) -> _Any:
    """``hexp10(bfloat16)`` -> bfloat16: 10**a."""
def hexp2(a: _Any) -> _Any:
    """``hexp2(bfloat16)`` -> bfloat16: 2**a."""
def hfloor(a: _Any) -> _Any:
    """``hfloor(bfloat16)`` -> bfloat16: the greatest whole number not above."""
def hfma(a: _Any, b: _Any, c: _Any) -> _Any:
    """``hfma(bfloat16, bfloat16, bfloat16)`` -> bfloat16: a * b + c."""
def hfma_relu(a: _Any, b: _Any, c: _Any) -> _Any:
    """``hfma_relu(bfloat16, bfloat16, bfloat16)`` -> bfloat16: a * b + c, 0 if negative."""
def hfma_sat(a: _Any, b: _Any, c: _Any) -> _Any:
    """``hfma_sat(bfloat16, bfloat16, bfloat16)`` -> bfloat16: a * b + c in [0, 1]."""
def hge(a: _Any, b: _Any) -> _Any:
    """``hge(bfloat16, bfloat16)`` -> bool: a >= b; False for NaN."""
def hgeu(a: _Any, b: _Any) -> _Any:
    """``hgeu(bfloat16, bfloat16)`` -> bool: a >= b; True for NaN."""
def hgt(a: _Any, b: _Any) -> _Any:
    """``hgt(bfloat16, bfloat16)`` -> bool: a > b; False for NaN."""
def hgtu(a: _Any, b: _Any) -> _Any:
    """``hgtu(bfloat16, bfloat16)`` -> bool: a > b; True for NaN."""
def hisinf(a: _Any) -> _Any:
    """``hisinf(bfloat16)`` -> int32: 1 for infinity, -1 for minus infinity, else 0."""
def hisnan(a: _Any) -> _Any:
    """``hisnan(bfloat16)`` -> bool: whether it is NaN."""
def hle(a: _Any, b: _Any) -> _Any:
    """``hle(bfloat16, bfloat16)`` -> bool: a <= b; False for NaN."""
def hleu(a: _Any, b: _Any) -> _Any:
    """``hleu(bfloat16, bfloat16)`` -> bool: a <= b; True for NaN."""
def hlog(a: _Any) -> _Any:
    """``hlog(bfloat16)`` -> bfloat16: natural logarithm."""
def hlog10(a: _Any) -> _Any:
    """``hlog10(bfloat16)`` -> bfloat16: logarithm to base 10."""
def hlog2(a: _Any) -> _Any:
    """``hlog2(bfloat16)`` -> bfloat16: logarithm to base 2."""
def hlt(a: _Any, b: _Any) -> _Any:
    """``hlt(bfloat16, bfloat16)`` -> bool: a < b; False for NaN."""
def hltu(a: _Any, b: _Any) -> _Any:
    """``hltu(bfloat16, bfloat16)`` -> bool: a < b; True for NaN."""
def hmax(a: _Any, b: _Any) -> _Any:
    """``hmax(bfloat16, bfloat16)`` -> bfloat16: the greater; a NaN gives way."""
def hmax_nan(a: _Any, b: _Any) -> _Any:
    """``hmax_nan(bfloat16, bfloat16)`` -> bfloat16: the greater, or NaN if one is."""
def hmin(a: _Any, b: _Any) -> _Any:
    """``hmin(bfloat16, bfloat16)`` -> bfloat16: the lesser; a NaN gives way."""
def hmin_nan(a: _Any, b: _Any) -> _Any:
    """``hmin_nan(bfloat16, bfloat16)`` -> bfloat16: the lesser, or NaN if one is."""
def hmul(a: _Any, b: _Any) -> _Any:
    """``hmul(bfloat16, bfloat16)`` -> bfloat16: a * b."""
def hmul_rn(a: _Any, b: _Any) -> _Any:
    """``hmul_rn(bfloat16, bfloat16)`` -> bfloat16: a * b, never fused with a sum."""
def hmul_sat(a: _Any, b: _Any) -> _Any:
    """``hmul_sat(bfloat16, bfloat16)`` -> bfloat16: a * b in [0, 1]."""
def hne(a: _Any, b: _Any) -> _Any:
    """``hne(bfloat16, bfloat16)`` -> bool: a != b; False for NaN."""
def hneg(a: _Any) -> _Any:
    """``hneg(bfloat16)`` -> bfloat16: -a."""
def hneu(a: _Any, b: _Any) -> _Any:
    """``hneu(bfloat16, bfloat16)`` -> bool: a != b; True for NaN."""
def hrcp(a: _Any) -> _Any:
    """``hrcp(bfloat16)`` -> bfloat16: 1 / a."""
def hrint(a: _Any) -> _Any:
    """``hrint(bfloat16)`` -> bfloat16: the nearest whole number, ties even."""
def hrsqrt(a: _Any) -> _Any:
    """``hrsqrt(bfloat16)`` -> bfloat16: 1 / square root."""
def hsin(a: _Any) -> _Any:
    """``hsin(bfloat16)`` -> bfloat16: sine, a in radians."""
def hsqrt(a: _Any) -> _Any:
    """``hsqrt(bfloat16)`` -> bfloat16: square root."""
def hsub(a: _Any, b: _Any) -> _Any:
    """``hsub(bfloat16, bfloat16)`` -> bfloat16: a - b."""
def hsub_rn(a: _Any, b: _Any) -> _Any:
    """``hsub_rn(bfloat16, bfloat16)`` -> bfloat16: a - b, never fused with a product."""
def hsub_sat(a: _Any, b: _Any) -> _Any:
    """``hsub_sat(bfloat16, bfloat16)`` -> bfloat16: a - b in [0, 1]."""
def htanh(a: _Any) -> _Any:
    """``htanh(bfloat16)`` -> bfloat16: hyperbolic tangent."""
def htanh_approx(a: _Any) -> _Any:
    """``htanh_approx(bfloat16)`` -> bfloat16: hyperbolic tangent; as exact as htanh."""
def htrunc(a: _Any) -> _Any:
    """``htrunc(bfloat16)`` -> bfloat16: without its fraction."""
def int16_as_bfloat16(bits: _Any) -> _Any:
    """``int16_as_bfloat16(int16)`` -> bfloat16: the number of the bits."""
def int16_to_bfloat16_rd(x: _Any) -> _Any:
    """``int16_to_bfloat16_rd(int16)`` -> bfloat16: rounded down."""
def int16_to_bfloat16_rn(x: _Any) -> _Any:
    """``int16_to_bfloat16_rn(int16)`` -> bfloat16: rounded to nearest even."""
def int16_to_bfloat16_ru(x: _Any) -> _Any:
    """``int16_to_bfloat16_ru(int16)`` -> bfloat16: rounded up."""
def int16_to_bfloat16_rz(x: _Any) -> _Any:
    """``int16_to_bfloat16_rz(int16)`` -> bfloat16: rounded towards zero."""
def int32_to_bfloat16_rd(x: _Any) -> _Any:
    """``int32_to_bfloat16_rd(int32)`` -> bfloat16: rounded down."""
def int32_to_bfloat16_rn(x: _Any) -> _Any:
    """``int32_to_bfloat16_rn(int32)`` -> bfloat16: rounded to nearest even."""
def int32_to_bfloat16_ru(x: _Any) -> _Any:
    """``int32_to_bfloat16_ru(int32)`` -> bfloat16: rounded up."""
def int32_to_bfloat16_rz(x: _Any) -> _Any:
    """``int32_to_bfloat16_rz(int32)`` -> bfloat16: rounded towards zero."""
def int64_to_bfloat16_rd(x: _Any) -> _Any:
    """``int64_to_bfloat16_rd(int64)`` -> bfloat16: rounded down."""
def int64_to_bfloat16_rn(x: _Any) -> _Any:
    """``int64_to_bfloat16_rn(int64)`` -> bfloat16: rounded to nearest even."""
def int64_to_bfloat16_ru(x: _Any) -> _Any:
    """``int64_to_bfloat16_ru(int64)`` -> bfloat16: rounded up."""
def int64_to_bfloat16_rz(x: _Any) -> _Any:
    """``int64_to_bfloat16_rz(int64)`` -> bfloat16: rounded towards zero."""
def uint16_as_bfloat16(bits: _Any) -> _Any:
    """``uint16_as_bfloat16(uint16)`` -> bfloat16: the number of the bits."""
def uint16_to_bfloat16_rd(x: _Any) -> _Any:
    """``uint16_to_bfloat16_rd(uint16)`` -> bfloat16: rounded down."""
def uint16_to_bfloat16_rn(x: _Any) -> _Any:
    """``uint16_to_bfloat16_rn(uint16)`` -> bfloat16: rounded to nearest even."""
def uint16_to_bfloat16_ru(x: _Any) -> _Any:
    """``uint16_to_bfloat16_ru(uint16)`` -> bfloat16: rounded up."""
def uint16_to_bfloat16_rz(x: _Any) -> _Any:
    """``uint16_to_bfloat16_rz(uint16)`` -> bfloat16: rounded towards zero."""
def uint32_to_bfloat16_rd(x: _Any) -> _Any:
    """``uint32_to_bfloat16_rd(uint32)`` -> bfloat16: rounded down."""
def uint32_to_bfloat16_rn(x: _Any) -> _Any:
    """``uint32_to_bfloat16_rn(uint32)`` -> bfloat16: rounded to nearest even."""
def uint32_to_bfloat16_ru(x: _Any) -> _Any:
    """``uint32_to_bfloat16_ru(uint32)`` -> bfloat16: rounded up."""
def uint32_to_bfloat16_rz(x: _Any) -> _Any:
    """``uint32_to_bfloat16_rz(uint32)`` -> bfloat16: rounded towards zero."""
def uint64_to_bfloat16_rd(x: _Any) -> _Any:
    """``uint64_to_bfloat16_rd(uint64)`` -> bfloat16: rounded down."""
def uint64_to_bfloat16_rn(x: _Any) -> _Any:
    """``uint64_to_bfloat16_rn(uint64)`` -> bfloat16: rounded to nearest even."""
def uint64_to_bfloat16_ru(x: _Any) -> _Any:
    """``uint64_to_bfloat16_ru(uint64)`` -> bfloat16: rounded up."""
def uint64_to_bfloat16_rz(x: _Any) -> _Any:
    """``uint64_to_bfloat16_rz(uint64)`` -> bfloat16: rounded towards zero."""
