"""Made by tools/make_stubs.py: what type checkers and editors see of phalanx.cuda.libdevice."""

from typing import Any as _Any
__all__: list[str]
def abs(x1: _Any, /) -> int:
    """``abs(int32)`` -> int32: libdevice's ``__nv_abs``."""
def acos(x1: _Any, /) -> float:
    """``acos(float64)`` -> float64: libdevice's ``__nv_acos``."""
def acosf(x1: _Any, /) -> float:
    """``acosf(float32)`` -> float32: libdevice's ``__nv_acosf``."""
def acosh(x1: _Any, /) -> float:
    """``acosh(float64)`` -> float64: libdevice's ``__nv_acosh``."""
def acoshf(x1: _Any, /) -> float:
    """``acoshf(float32)`` -> float32: libdevice's ``__nv_acoshf``."""
def asin(x1: _Any, /) -> float:
    """``asin(float64)`` -> float64: libdevice's ``__nv_asin``."""
def asinf(x1: _Any, /) -> float:
    """``asinf(float32)`` -> float32: libdevice's ``__nv_asinf``."""
def asinh(x1: _Any, /) -> float:
    """``asinh(float64)`` -> float64: libdevice's ``__nv_asinh``."""
def asinhf(x1: _Any, /) -> float:
    """``asinhf(float32)`` -> float32: libdevice's ``__nv_asinhf``."""
def atan(x1: _Any, /) -> float:
    """``atan(float64)`` -> float64: libdevice's ``__nv_atan``."""
def atan2(x1: _Any, x2: _Any, /) -> float:
    """``atan2(float64, float64)`` -> float64: libdevice's ``__nv_atan2``."""
def atan2f(x1: _Any, x2: _Any, /) -> float:
    """``atan2f(float32, float32)`` -> float32: libdevice's ``__nv_atan2f``."""
def atanf(x1: _Any, /) -> float:
    """``atanf(float32)`` -> float32: libdevice's ``__nv_atanf``."""
def atanh(x1: _Any, /) -> float:
    """``atanh(float64)`` -> float64: libdevice's ``__nv_atanh``."""
def atanhf(x1: _Any, /) -> float:
    """``atanhf(float32)`` -> float32: libdevice's ``__nv_atanhf``."""
def brev(x1: _Any, /) -> int:
    """``brev(int32)`` -> int32: libdevice's ``__nv_brev``."""
def brevll(x1: _Any, /) -> int:
    """``brevll(int64)`` -> int64: libdevice's ``__nv_brevll``."""
def byte_perm(x1: _Any, x2: _Any, x3: _Any, /) -> int:
    """``byte_perm(int32, int32, int32)`` -> int32: libdevice's ``__nv_byte_perm``."""
def cbrt(x1: _Any, /) -> float:
    """``cbrt(float64)`` -> float64: libdevice's ``__nv_cbrt``."""
def cbrtf(x1: _Any, /) -> float:
    """``cbrtf(float32)`` -> float32: libdevice's ``__nv_cbrtf``."""
def ceil(x1: _Any, /) -> float:
    """``ceil(float64)`` -> float64: libdevice's ``__nv_ceil``."""
def ceilf(x1: _Any, /) -> float:
    """``ceilf(float32)`` -> float32: libdevice's ``__nv_ceilf``."""
def clz(x1: _Any, /) -> int:
    """``clz(int32)`` -> int32: libdevice's ``__nv_clz``."""
def clzll(x1: _Any, /) -> int:
    """``clzll(int64)`` -> int32: libdevice's ``__nv_clzll``."""
def copysign(x1: _Any, x2: _Any, /) -> float:
    """``copysign(float64, float64)`` -> float64: libdevice's ``__nv_copysign``."""
def copysignf(x1: _Any, x2: _Any, /) -> float:
    """``copysignf(float32, float32)`` -> float32: libdevice's ``__nv_copysignf``."""
def cos(x1: _Any, /) -> float:
    """``cos(float64)`` -> float64: libdevice's ``__nv_cos``."""
def cosf(x1: _Any, /) -> float:
    """``cosf(float32)`` -> float32: libdevice's ``__nv_cosf``."""
def cosh(x1: _Any, /) -> float:
    """``cosh(float64)`` -> float64: libdevice's ``__nv_cosh``."""
def coshf(x1: _Any, /) -> float:
    """``coshf(float32)`` -> float32: libdevice's ``__nv_coshf``."""
def cospi(x1: _Any, /) -> float:
    """``cospi(float64)`` -> float64: libdevice's ``__nv_cospi``."""
def cospif(x1: _Any, /) -> float:
    """``cospif(float32)`` -> float32: libdevice's ``__nv_cospif``."""
def cyl_bessel_i0(x1: _Any, /) -> float:
    """``cyl_bessel_i0(float64)`` -> float64: libdevice's ``__nv_cyl_bessel_i0``."""
def cyl_bessel_i0f(x1: _Any, /) -> float:
    """``cyl_bessel_i0f(float32)`` -> float32: libdevice's ``__nv_cyl_bessel_i0f``."""
def cyl_bessel_i1(x1: _Any, /) -> float:
    """``cyl_bessel_i1(float64)`` -> float64: libdevice's ``__nv_cyl_bessel_i1``."""
def cyl_bessel_i1f(x1: _Any, /) -> float:
    """``cyl_bessel_i1f(float32)`` -> float32: libdevice's ``__nv_cyl_bessel_i1f``."""
def dadd_rd(x1: _Any, x2: _Any, /) -> float:
    """``dadd_rd(float64, float64)`` -> float64: libdevice's ``__nv_dadd_rd``."""
def dadd_rn(x1: _Any, x2: _Any, /) -> float:
    """``dadd_rn(float64, float64)`` -> float64: libdevice's ``__nv_dadd_rn``."""
def dadd_ru(x1: _Any, x2: _Any, /) -> float:
    """``dadd_ru(float64, float64)`` -> float64: libdevice's ``__nv_dadd_ru``."""
def dadd_rz(x1: _Any, x2: _Any, /) -> float:
    """``dadd_rz(float64, float64)`` -> float64: libdevice's ``__nv_dadd_rz``."""
def ddiv_rd(x1: _Any, x2: _Any, /) -> float:
    """``ddiv_rd(float64, float64)`` -> float64: libdevice's ``__nv_ddiv_rd``."""
def ddiv_rn(x1: _Any, x2: _Any, /) -> float:
    """``ddiv_rn(float64, float64)`` -> float64: libdevice's ``__nv_ddiv_rn``."""
def ddiv_ru(x1: _Any, x2: _Any, /) -> float:
    """``ddiv_ru(float64, float64)`` -> float64: libdevice's ``__nv_ddiv_ru``."""
def ddiv_rz(x1: _Any, x2: _Any, /) -> float:
    """``ddiv_rz(float64, float64)`` -> float64: libdevice's ``__nv_ddiv_rz``."""
def dmul_rd(x1: _Any, x2: _Any, /) -> float:
    """``dmul_rd(float64, float64)`` -> float64: libdevice's ``__nv_dmul_rd``."""
def dmul_rn(x1: _Any, x2: _Any, /) -> float:
    """``dmul_rn(float64, float64)`` -> float64: libdevice's ``__nv_dmul_rn``."""
def dmul_ru(x1: _Any, x2: _Any, /) -> float:
    """``dmul_ru(float64, float64)`` -> float64: libdevice's ``__nv_dmul_ru``."""
def dmul_rz(x1: _Any, x2: _Any, /) -> float:
    """``dmul_rz(float64, float64)`` -> float64: libdevice's ``__nv_dmul_rz``."""
def double2float_rd(x1: _Any, /) -> float:
    """``double2float_rd(float64)`` -> float32: libdevice's ``__nv_double2float_rd``."""
def double2float_rn(x1: _Any, /) -> float:
    """``double2float_rn(float64)`` -> float32: libdevice's ``__nv_double2float_rn``."""
def double2float_ru(x1: _Any, /) -> float:
    """``double2float_ru(float64)`` -> float32: libdevice's ``__nv_double2float_ru``."""
def double2float_rz(x1: _Any, /) -> float:
    """``double2float_rz(float64)`` -> float32: libdevice's ``__nv_double2float_rz``."""
def double2hiint(x1: _Any, /) -> int:
    """``double2hiint(float64)`` -> int32: libdevice's ``__nv_double2hiint``."""
def double2int_rd(x1: _Any, /) -> int:
    """``double2int_rd(float64)`` -> int32: libdevice's ``__nv_double2int_rd``."""
def double2int_rn(x1: _Any, /) -> int:
    """``double2int_rn(float64)`` -> int32: libdevice's ``__nv_double2int_rn``."""
def double2int_ru(x1: _Any, /) -> int:
    """``double2int_ru(float64)`` -> int32: libdevice's ``__nv_double2int_ru``."""
def double2int_rz(x1: _Any, /) -> int:
    """``double2int_rz(float64)`` -> int32: libdevice's ``__nv_double2int_rz``."""
def double2ll_rd(x1: _Any, /) -> int:
    """``double2ll_rd(float64)`` -> int64: libdevice's ``__nv_double2ll_rd``."""
def double2ll_rn(x1: _Any, /) -> int:
    """``double2ll_rn(float64)`` -> int64: libdevice's ``__nv_double2ll_rn``."""
def double2ll_ru(x1: _Any, /) -> int:
    """``double2ll_ru(float64)`` -> int64: libdevice's ``__nv_double2ll_ru``."""
def double2ll_rz(x1: _Any, /) -> int:
    """``double2ll_rz(float64)`` -> int64: libdevice's ``__nv_double2ll_rz``."""
def double2loint(x1: _Any, /) -> int:
    """``double2loint(float64)`` -> int32: libdevice's ``__nv_double2loint``."""
def double2uint_rd(x1: _Any, /) -> int:
    """``double2uint_rd(float64)`` -> int32: libdevice's ``__nv_double2uint_rd``."""
def double2uint_rn(x1: _Any, /) -> int:
    """``double2uint_rn(float64)`` -> int32: libdevice's ``__nv_double2uint_rn``."""
def double2uint_ru(x1: _Any, /) -> int:
    """``double2uint_ru(float64)`` -> int32: libdevice's ``__nv_double2uint_ru``."""
def double2uint_rz(x1: _Any, /) -> int:
    """``double2uint_rz(float64)`` -> int32: libdevice's ``__nv_double2uint_rz``."""
def double2ull_rd(x1: _Any, /) -> int:
    """``double2ull_rd(float64)`` -> int64: libdevice's ``__nv_double2ull_rd``."""
def double2ull_rn(x1: _Any, /) -> int:
    """``double2ull_rn(float64)`` -> int64: libdevice's ``__nv_double2ull_rn``."""
def double2ull_ru(x1: _Any, /) -> int:
    """``double2ull_ru(float64)`` -> int64: libdevice's ``__nv_double2ull_ru``."""
def double2ull_rz(x1: _Any, /) -> int:
    """``double2ull_rz(float64)`` -> int64: libdevice's ``__nv_double2ull_rz``."""
def double_as_longlong(x1: _Any, /) -> int:
    """``double_as_longlong(float64)`` -> int64: libdevice's ``__nv_double_as_longlong``."""
def drcp_rd(x1: _Any, /) -> float:
    """``drcp_rd(float64)`` -> float64: libdevice's ``__nv_drcp_rd``."""
def drcp_rn(x1: _Any, /) -> float:
    """``drcp_rn(float64)`` -> float64: libdevice's ``__nv_drcp_rn``."""
def drcp_ru(x1: _Any, /) -> float:
    """``drcp_ru(float64)`` -> float64: libdevice's ``__nv_drcp_ru``."""
def drcp_rz(x1: _Any, /) -> float:
    """``drcp_rz(float64)`` -> float64: libdevice's ``__nv_drcp_rz``."""
def dsqrt_rd(x1: _Any, /) -> float:
    """``dsqrt_rd(float64)`` -> float64: libdevice's ``__nv_dsqrt_rd``."""
def dsqrt_rn(x1: _Any, /) -> float:
    """``dsqrt_rn(float64)`` -> float64: libdevice's ``__nv_dsqrt_rn``."""
def dsqrt_ru(x1: _Any, /) -> float:
    """``dsqrt_ru(float64)`` -> float64: libdevice's ``__nv_dsqrt_ru``."""
def dsqrt_rz(x1: _Any, /) -> float:
    """``dsqrt_rz(float64)`` -> float64: libdevice's ``__nv_dsqrt_rz``."""
def dsub_rd(x1: _Any, x2: _Any, /) -> float:
    """``dsub_rd(float64, float64)`` -> float64: libdevice's ``__nv_dsub_rd``."""
def dsub_rn(x1: _Any, x2: _Any, /) -> float:
    """``dsub_rn(float64, float64)`` -> float64: libdevice's ``__nv_dsub_rn``."""
def dsub_ru(x1: _Any, x2: _Any, /) -> float:
    """``dsub_ru(float64, float64)`` -> float64: libdevice's ``__nv_dsub_ru``."""
def dsub_rz(x1: _Any, x2: _Any, /) -> float:
    """``dsub_rz(float64, float64)`` -> float64: libdevice's ``__nv_dsub_rz``."""
def erf(x1: _Any, /) -> float:
    """``erf(float64)`` -> float64: libdevice's ``__nv_erf``."""
def erfc(x1: _Any, /) -> float:
    """``erfc(float64)`` -> float64: libdevice's ``__nv_erfc``."""
def erfcf(x1: _Any, /) -> float:
    """``erfcf(float32)`` -> float32: libdevice's ``__nv_erfcf``."""
def erfcinv(x1: _Any, /) -> float:
    """``erfcinv(float64)`` -> float64: libdevice's ``__nv_erfcinv``."""
def erfcinvf(x1: _Any, /) -> float:
    """``erfcinvf(float32)`` -> float32: libdevice's ``__nv_erfcinvf``."""
def erfcx(x1: _Any, /) -> float:
    """``erfcx(float64)`` -> float64: libdevice's ``__nv_erfcx``."""
def erfcxf(x1: _Any, /) -> float:
    """``erfcxf(float32)`` -> float32: libdevice's ``__nv_erfcxf``."""
def erff(x1: _Any, /) -> float:
    """``erff(float32)`` -> float32: libdevice's ``__nv_erff``."""
def erfinv(x1: _Any, /) -> float:
    """``erfinv(float64)`` -> float64: libdevice's ``__nv_erfinv``."""
def erfinvf(x1: _Any, /) -> float:
    """``erfinvf(float32)`` -> float32: libdevice's ``__nv_erfinvf``."""
def exp(x1: _Any, /) -> float:
    """``exp(float64)`` -> float64: libdevice's ``__nv_exp``."""
def exp10(x1: _Any, /) -> float:
    """``exp10(float64)`` -> float64: libdevice's ``__nv_exp10``."""
def exp10f(x1: _Any, /) -> float:
    """``exp10f(float32)`` -> float32: libdevice's ``__nv_exp10f``."""
def exp2(x1: _Any, /) -> float:
    """``exp2(float64)`` -> float64: libdevice's ``__nv_exp2``."""
def exp2f(x1: _Any, /) -> float:
    """``exp2f(float32)`` -> float32: libdevice's ``__nv_exp2f``."""
def expf(x1: _Any, /) -> float:
    """``expf(float32)`` -> float32: libdevice's ``__nv_expf``."""
def expm1(x1: _Any, /) -> float:
    """``expm1(float64)`` -> float64: libdevice's ``__nv_expm1``."""
def expm1f(x1: _Any, /) -> float:
    """``expm1f(float32)`` -> float32: libdevice's ``__nv_expm1f``."""
def fabs(x1: _Any, /) -> float:
    """``fabs(float64)`` -> float64: libdevice's ``__nv_fabs``."""
def fabsf(x1: _Any, /) -> float:
    """``fabsf(float32)`` -> float32: libdevice's ``__nv_fabsf``."""
def fadd_rd(x1: _Any, x2: _Any, /) -> float:
    """``fadd_rd(float32, float32)`` -> float32: libdevice's ``__nv_fadd_rd``."""
def fadd_rn(x1: _Any, x2: _Any, /) -> float:
    """``fadd_rn(float32, float32)`` -> float32: libdevice's ``__nv_fadd_rn``."""
def fadd_ru(x1: _Any, x2: _Any, /) -> float:
    """``fadd_ru(float32, float32)`` -> float32: libdevice's ``__nv_fadd_ru``."""
def fadd_rz(x1: _Any, x2: _Any, /) -> float:
    """``fadd_rz(float32, float32)`` -> float32: libdevice's ``__nv_fadd_rz``."""
def fast_cosf(x1: _Any, /) -> float:
    """``fast_cosf(float32)`` -> float32: libdevice's ``__nv_fast_cosf``."""
def fast_exp10f(x1: _Any, /) -> float:
    """``fast_exp10f(float32)`` -> float32: libdevice's ``__nv_fast_exp10f``."""
def fast_expf(x1: _Any, /) -> float:
    """``fast_expf(float32)`` -> float32: libdevice's ``__nv_fast_expf``."""
def fast_fdividef(x1: _Any, x2: _Any, /) -> float:
    """``fast_fdividef(float32, float32)`` -> float32: libdevice's ``__nv_fast_fdividef``."""
def fast_log10f(x1: _Any, /) -> float:
    """``fast_log10f(float32)`` -> float32: libdevice's ``__nv_fast_log10f``."""
def fast_log2f(x1: _Any, /) -> float:
    """``fast_log2f(float32)`` -> float32: libdevice's ``__nv_fast_log2f``."""
def fast_logf(x1: _Any, /) -> float:
    """``fast_logf(float32)`` -> float32: libdevice's ``__nv_fast_logf``."""
def fast_powf(x1: _Any, x2: _Any, /) -> float:
    """``fast_powf(float32, float32)`` -> float32: libdevice's ``__nv_fast_powf``."""
def fast_sincosf(x1: _Any, /) -> tuple[float, float]:
    """``fast_sincosf(float32)`` -> float32, float32: libdevice's ``__nv_fast_sincosf``."""
def fast_sinf(x1: _Any, /) -> float:
    """``fast_sinf(float32)`` -> float32: libdevice's ``__nv_fast_sinf``."""
def fast_tanf(x1: _Any, /) -> float:
    """``fast_tanf(float32)`` -> float32: libdevice's ``__nv_fast_tanf``."""
def fast_tanhf(x1: _Any, /) -> float:
    """``fast_tanhf(float32)`` -> float32: libdevice's ``__nv_fast_tanhf``."""
def fdim(x1: _Any, x2: _Any, /) -> float:
    """``fdim(float64, float64)`` -> float64: libdevice's ``__nv_fdim``."""
def fdimf(x1: _Any, x2: _Any, /) -> float:
    """``fdimf(float32, float32)`` -> float32: libdevice's ``__nv_fdimf``."""
def fdiv_rd(x1: _Any, x2: _Any, /) -> float:
    """``fdiv_rd(float32, float32)`` -> float32: libdevice's ``__nv_fdiv_rd``."""
def fdiv_rn(x1: _Any, x2: _Any, /) -> float:
    """``fdiv_rn(float32, float32)`` -> float32: libdevice's ``__nv_fdiv_rn``."""
def fdiv_ru(x1: _Any, x2: _Any, /) -> float:
    """``fdiv_ru(float32, float32)`` -> float32: libdevice's ``__nv_fdiv_ru``."""
def fdiv_rz(x1: _Any, x2: _Any, /) -> float:
    """``fdiv_rz(float32, float32)`` -> float32: libdevice's ``__nv_fdiv_rz``."""
def ffs(x1: _Any, /) -> int:
    """``ffs(int32)`` -> int32: libdevice's ``__nv_ffs``."""
def ffsll(x1: _Any, /) -> int:
    """``ffsll(int64)`` -> int32: libdevice's ``__nv_ffsll``."""
def finitef(x1: _Any, /) -> int:
    """``finitef(float32)`` -> int32: libdevice's ``__nv_finitef``."""
def float2half_rn(x1: _Any, /) -> int:
    """``float2half_rn(float32)`` -> int16: libdevice's ``__nv_float2half_rn``."""
def float2int_rd(x1: _Any, /) -> int:
    """``float2int_rd(float32)`` -> int32: libdevice's ``__nv_float2int_rd``."""
def float2int_rn(x1: _Any, /) -> int:
    """``float2int_rn(float32)`` -> int32: libdevice's ``__nv_float2int_rn``."""
def float2int_ru(x1: _Any, /) -> int:
    """``float2int_ru(float32)`` -> int32: libdevice's ``__nv_float2int_ru``."""
def float2int_rz(x1: _Any, /) -> int:
    """``float2int_rz(float32)`` -> int32: libdevice's ``__nv_float2int_rz``."""
def float2ll_rd(x1: _Any, /) -> int:
    """``float2ll_rd(float32)`` -> int64: libdevice's ``__nv_float2ll_rd``."""
def float2ll_rn(x1: _Any, /) -> int:
    """``float2ll_rn(float32)`` -> int64: libdevice's ``__nv_float2ll_rn``."""
def float2ll_ru(x1: _Any, /) -> int:
    """``float2ll_ru(float32)`` -> int64: libdevice's ``__nv_float2ll_ru``."""
def float2ll_rz(x1: _Any, /) -> int:
    """``float2ll_rz(float32)`` -> int64: libdevice's ``__nv_float2ll_rz``."""
def float2uint_rd(x1: _Any, /) -> int:
    """``float2uint_rd(float32)`` -> int32: libdevice's ``__nv_float2uint_rd``."""
def float2uint_rn(x1: _Any, /) -> int:
    """``float2uint_rn(float32)`` -> int32: libdevice's ``__nv_float2uint_rn``."""
def float2uint_ru(x1: _Any, /) -> int:
    """``float2uint_ru(float32)`` -> int32: libdevice's ``__nv_float2uint_ru``."""
def float2uint_rz(x1: _Any, /) -> int:
    """``float2uint_rz(float32)`` -> int32: libdevice's ``__nv_float2uint_rz``."""
def float2ull_rd(x1: _Any, /) -> int:
    """``float2ull_rd(float32)`` -> int64: libdevice's ``__nv_float2ull_rd``."""
def float2ull_rn(x1: _Any, /) -> int:
    """``float2ull_rn(float32)`` -> int64: libdevice's ``__nv_float2ull_rn``."""
def float2ull_ru(x1: _Any, /) -> int:
    """``float2ull_ru(float32)`` -> int64: libdevice's ``__nv_float2ull_ru``."""
def float2ull_rz(x1: _Any, /) -> int:
    """``float2ull_rz(float32)`` -> int64: libdevice's ``__nv_float2ull_rz``."""
def float_as_int(x1: _Any, /) -> int:
    """``float_as_int(float32)`` -> int32: libdevice's ``__nv_float_as_int``."""
def float_as_uint(x1: _Any, /) -> int:
    """``float_as_uint(float32)`` -> int32: libdevice's ``__nv_float_as_uint``."""
def floor(x1: _Any, /) -> float:
    """``floor(float64)`` -> float64: libdevice's ``__nv_floor``."""
def floorf(x1: _Any, /) -> float:
    """``floorf(float32)`` -> float32: libdevice's ``__nv_floorf``."""
def fma(x1: _Any, x2: _Any, x3: _Any, /) -> float:
    """``fma(float64, float64, float64)`` -> float64: libdevice's ``__nv_fma``."""
def fma_rd(x1: _Any, x2: _Any, x3: _Any, /) -> float:
    """``fma_rd(float64, float64, float64)`` -> float64: libdevice's ``__nv_fma_rd``."""
def fma_rn(x1: _Any, x2: _Any, x3: _Any, /) -> float:
    """``fma_rn(float64, float64, float64)`` -> float64: libdevice's ``__nv_fma_rn``."""
def fma_ru(x1: _Any, x2: _Any, x3: _Any, /) -> float:
    """``fma_ru(float64, float64, float64)`` -> float64: libdevice's ``__nv_fma_ru``."""
def fma_rz(x1: _Any, x2: _Any, x3: _Any, /) -> float:
    """``fma_rz(float64, float64, float64)`` -> float64: libdevice's ``__nv_fma_rz``."""
def fmaf(x1: _Any, x2: _Any, x3: _Any, /) -> float:
    """``fmaf(float32, float32, float32)`` -> float32: libdevice's ``__nv_fmaf``."""
def fmaf_ieee_rd(x1: _Any, x2: _Any, x3: _Any, /) -> float:
    """``fmaf_ieee_rd(float32, float32, float32)`` -> float32: libdevice's ``__nv_fmaf_ieee_rd``."""
def fmaf_ieee_rn(x1: _Any, x2: _Any, x3: _Any, /) -> float:
    """``fmaf_ieee_rn(float32, float32, float32)`` -> float32: libdevice's ``__nv_fmaf_ieee_rn``."""
def fmaf_ieee_ru(x1: _Any, x2: _Any, x3: _Any, /) -> float:
    """``fmaf_ieee_ru(float32, float32, float32)`` -> float32: libdevice's ``__nv_fmaf_ieee_ru``."""
def fmaf_ieee_rz(x1: _Any, x2: _Any, x3: _Any, /) -> float:
    """``fmaf_ieee_rz(float32, float32, float32)`` -> float32: libdevice's ``__nv_fmaf_ieee_rz``."""
def fmaf_rd(x1: _Any, x2: _Any, x3: _Any, /) -> float:
    """``fmaf_rd(float32, float32, float32)`` -> float32: libdevice's ``__nv_fmaf_rd``."""
def fmaf_rn(x1: _Any, x2: _Any, x3: _Any, /) -> float:
    """``fmaf_rn(float32, float32, float32)`` -> float32: libdevice's ``__nv_fmaf_rn``."""
def fmaf_ru(x1: _Any, x2: _Any, x3: _Any, /) -> float:
    """``fmaf_ru(float32, float32, float32)`` -> float32: libdevice's ``__nv_fmaf_ru``."""
def fmaf_rz(x1: _Any, x2: _Any, x3: _Any, /) -> float:
    """``fmaf_rz(float32, float32, float32)`` -> float32: libdevice's ``__nv_fmaf_rz``."""
def fmax(x1: _Any, x2: _Any, /) -> float:
    """``fmax(float64, float64)`` -> float64: libdevice's ``__nv_fmax``."""
def fmaxf(x1: _Any, x2: _Any, /) -> float:
    """``fmaxf(float32, float32)`` -> float32: libdevice's ``__nv_fmaxf``."""
def fmin(x1: _Any, x2: _Any, /) -> float:
    """``fmin(float64, float64)`` -> float64: libdevice's ``__nv_fmin``."""
def fminf(x1: _Any, x2: _Any, /) -> float:
    """``fminf(float32, float32)`` -> float32: libdevice's ``__nv_fminf``."""
def fmod(x1: _Any, x2: _Any, /) -> float:
    """``fmod(float64, float64)`` -> float64: libdevice's ``__nv_fmod``."""
def fmodf(x1: _Any, x2: _Any, /) -> float:
    """``fmodf(float32, float32)`` -> float32: libdevice's ``__nv_fmodf``."""
def fmul_rd(x1: _Any, x2: _Any, /) -> float:
    """``fmul_rd(float32, float32)`` -> float32: libdevice's ``__nv_fmul_rd``."""
def fmul_rn(x1: _Any, x2: _Any, /) -> float:
    """``fmul_rn(float32, float32)`` -> float32: libdevice's ``__nv_fmul_rn``."""
def fmul_ru(x1: _Any, x2: _Any, /) -> float:
    """``fmul_ru(float32, float32)`` -> float32: libdevice's ``__nv_fmul_ru``."""
def fmul_rz(x1: _Any, x2: _Any, /) -> float:
    """``fmul_rz(float32, float32)`` -> float32: libdevice's ``__nv_fmul_rz``."""
def frcp_rd(x1: _Any, /) -> float:
    """``frcp_rd(float32)`` -> float32: libdevice's ``__nv_frcp_rd``."""
def frcp_rn(x1: _Any, /) -> float:
    """``frcp_rn(float32)`` -> float32: libdevice's ``__nv_frcp_rn``."""
def frcp_ru(x1: _Any, /) -> float:
    """``frcp_ru(float32)`` -> float32: libdevice's ``__nv_frcp_ru``."""
def frcp_rz(x1: _Any, /) -> float:
    """``frcp_rz(float32)`` -> float32: libdevice's ``__nv_frcp_rz``."""
def frexp(x1: _Any, /) -> tuple[float, int]:
    """``frexp(float64)`` -> float64, int32: libdevice's ``__nv_frexp``."""
def frexpf(x1: _Any, /) -> tuple[float, int]:
    """``frexpf(float32)`` -> float32, int32: libdevice's ``__nv_frexpf``."""
def frsqrt_rn(x1: _Any, /) -> float:
    """``frsqrt_rn(float32)`` -> float32: libdevice's ``__nv_frsqrt_rn``."""
def fsqrt_rd(x1: _Any, /) -> float:
    """``fsqrt_rd(float32)`` -> float32: libdevice's ``__nv_fsqrt_rd``."""
def fsqrt_rn(x1: _Any, /) -> float:
    """``fsqrt_rn(float32)`` -> float32: libdevice's ``__nv_fsqrt_rn``."""
def fsqrt_ru(x1: _Any, /) -> float:
    """``fsqrt_ru(float32)`` -> float32: libdevice's ``__nv_fsqrt_ru``."""
def fsqrt_rz(x1: _Any, /) -> float:
    """``fsqrt_rz(float32)`` -> float32: libdevice's ``__nv_fsqrt_rz``."""
def fsub_rd(x1: _Any, x2: _Any, /) -> float:
    """``fsub_rd(float32, float32)`` -> float32: libdevice's ``__nv_fsub_rd``."""
def fsub_rn(x1: _Any, x2: _Any, /) -> float:
    """``fsub_rn(float32, float32)`` -> float32: libdevice's ``__nv_fsub_rn``."""
def fsub_ru(x1: _Any, x2: _Any, /) -> float:
    """``fsub_ru(float32, float32)`` -> float32: libdevice's ``__nv_fsub_ru``."""
def fsub_rz(x1: _Any, x2: _Any, /) -> float:
    """``fsub_rz(float32, float32)`` -> float32: libdevice's ``__nv_fsub_rz``."""
def hadd(x1: _Any, x2: _Any, /) -> int:
    """``hadd(int32, int32)`` -> int32: libdevice's ``__nv_hadd``."""
def half2float(x1: _Any, /) -> float:
    """``half2float(int16)`` -> float32: libdevice's ``__nv_half2float``."""
def hiloint2double(x1: _Any, x2: _Any, /) -> float:
    """``hiloint2double(int32, int32)`` -> float64: libdevice's ``__nv_hiloint2double``."""
def hypot(x1: _Any, x2: _Any, /) -> float:
    """``hypot(float64, float64)`` -> float64: libdevice's ``__nv_hypot``."""
def hypotf(x1: _Any, x2: _Any, /) -> float:
    """``hypotf(float32, float32)`` -> float32: libdevice's ``__nv_hypotf``."""
def ilogb(x1: _Any, /) -> int:
    """``ilogb(float64)`` -> int32: libdevice's ``__nv_ilogb``."""
def ilogbf(x1: _Any, /) -> int:
    """``ilogbf(float32)`` -> int32: libdevice's ``__nv_ilogbf``."""
def int2double_rn(x1: _Any, /) -> float:
    """``int2double_rn(int32)`` -> float64: libdevice's ``__nv_int2double_rn``."""
def int2float_rd(x1: _Any, /) -> float:
    """``int2float_rd(int32)`` -> float32: libdevice's ``__nv_int2float_rd``."""
def int2float_rn(x1: _Any, /) -> float:
    """``int2float_rn(int32)`` -> float32: libdevice's ``__nv_int2float_rn``."""
def int2float_ru(x1: _Any, /) -> float:
    """``int2float_ru(int32)`` -> float32: libdevice's ``__nv_int2float_ru``."""
def int2float_rz(x1: _Any, /) -> float:
    """``int2float_rz(int32)`` -> float32: libdevice's ``__nv_int2float_rz``."""
def int_as_float(x1: _Any, /) -> float:
    """``int_as_float(int32)`` -> float32: libdevice's ``__nv_int_as_float``."""
def isfinited(x1: _Any, /) -> int:
    """``isfinited(float64)`` -> int32: libdevice's ``__nv_isfinited``."""
def isinfd(x1: _Any, /) -> int:
    """``isinfd(float64)`` -> int32: libdevice's ``__nv_isinfd``."""
def isinff(x1: _Any, /) -> int:
    """``isinff(float32)`` -> int32: libdevice's ``__nv_isinff``."""
def isnand(x1: _Any, /) -> int:
    """``isnand(float64)`` -> int32: libdevice's ``__nv_isnand``."""
def isnanf(x1: _Any, /) -> int:
    """``isnanf(float32)`` -> int32: libdevice's ``__nv_isnanf``."""
def j0(x1: _Any, /) -> float:
    """``j0(float64)`` -> float64: libdevice's ``__nv_j0``."""
def j0f(x1: _Any, /) -> float:
    """``j0f(float32)`` -> float32: libdevice's ``__nv_j0f``."""
def j1(x1: _Any, /) -> float:
    """``j1(float64)`` -> float64: libdevice's ``__nv_j1``."""
def j1f(x1: _Any, /) -> float:
    """``j1f(float32)`` -> float32: libdevice's ``__nv_j1f``."""
def jn(x1: _Any, x2: _Any, /) -> float:
    """``jn(int32, float64)`` -> float64: libdevice's ``__nv_jn``."""
def jnf(x1: _Any, x2: _Any, /) -> float:
    """``jnf(int32, float32)`` -> float32: libdevice's ``__nv_jnf``."""
def ldexp(x1: _Any, x2: _Any, /) -> float:
    """``ldexp(float64, int32)`` -> float64: libdevice's ``__nv_ldexp``."""
def ldexpf(x1: _Any, x2: _Any, /) -> float:
    """``ldexpf(float32, int32)`` -> float32: libdevice's ``__nv_ldexpf``."""
def lgamma(x1: _Any, /) -> float:
    """``lgamma(float64)`` -> float64: libdevice's ``__nv_lgamma``."""
def lgammaf(x1: _Any, /) -> float:
    """``lgammaf(float32)`` -> float32: libdevice's ``__nv_lgammaf``."""
def ll2double_rd(x1: _Any, /) -> float:
    """``ll2double_rd(int64)`` -> float64: libdevice's ``__nv_ll2double_rd``."""
def ll2double_rn(x1: _Any, /) -> float:
    """``ll2double_rn(int64)`` -> float64: libdevice's ``__nv_ll2double_rn``."""
def ll2double_ru(x1: _Any, /) -> float:
    """``ll2double_ru(int64)`` -> float64: libdevice's ``__nv_ll2double_ru``."""
def ll2double_rz(x1: _Any, /) -> float:
    """``ll2double_rz(int64)`` -> float64: libdevice's ``__nv_ll2double_rz``."""
def ll2float_rd(x1: _Any, /) -> float:
    """``ll2float_rd(int64)`` -> float32: libdevice's ``__nv_ll2float_rd``."""
def ll2float_rn(x1: _Any, /) -> float:
    """``ll2float_rn(int64)`` -> float32: libdevice's ``__nv_ll2float_rn``."""
def ll2float_ru(x1: _Any, /) -> float:
    """``ll2float_ru(int64)`` -> float32: libdevice's ``__nv_ll2float_ru``."""
def ll2float_rz(x1: _Any, /) -> float:
    """``ll2float_rz(int64)`` -> float32: libdevice's ``__nv_ll2float_rz``."""
def llabs(x1: _Any, /) -> int:
    """``llabs(int64)`` -> int64: libdevice's ``__nv_llabs``."""
def llmax(x1: _Any, x2: _Any, /) -> int:
    """``llmax(int64, int64)`` -> int64: libdevice's ``__nv_llmax``."""
def llmin(x1: _Any, x2: _Any, /) -> int:
    """``llmin(int64, int64)`` -> int64: libdevice's ``__nv_llmin``."""
def llrint(x1: _Any, /) -> int:
    """``llrint(float64)`` -> int64: libdevice's ``__nv_llrint``."""
def llrintf(x1: _Any, /) -> int:
    """``llrintf(float32)`` -> int64: libdevice's ``__nv_llrintf``."""
def llround(x1: _Any, /) -> int:
    """``llround(float64)`` -> int64: libdevice's ``__nv_llround``."""
def llroundf(x1: _Any, /) -> int:
    """``llroundf(float32)`` -> int64: libdevice's ``__nv_llroundf``."""
def log(x1: _Any, /) -> float:
    """``log(float64)`` -> float64: libdevice's ``__nv_log``."""
def log10(x1: _Any, /) -> float:
    """``log10(float64)`` -> float64: libdevice's ``__nv_log10``."""
def log10f(x1: _Any, /) -> float:
    """``log10f(float32)`` -> float32: libdevice's ``__nv_log10f``."""
def log1p(x1: _Any, /) -> float:
    """``log1p(float64)`` -> float64: libdevice's ``__nv_log1p``."""
def log1pf(x1: _Any, /) -> float:
    """``log1pf(float32)`` -> float32: libdevice's ``__nv_log1pf``."""
def log2(x1: _Any, /) -> float:
    """``log2(float64)`` -> float64: libdevice's ``__nv_log2``."""
def log2f(x1: _Any, /) -> float:
    """``log2f(float32)`` -> float32: libdevice's ``__nv_log2f``."""
def logb(x1: _Any, /) -> float:
    """``logb(float64)`` -> float64: libdevice's ``__nv_logb``."""
def logbf(x1: _Any, /) -> float:
    """``logbf(float32)`` -> float32: libdevice's ``__nv_logbf``."""
def logf(x1: _Any, /) -> float:
    """``logf(float32)`` -> float32: libdevice's ``__nv_logf``."""
def longlong_as_double(x1: _Any, /) -> float:
    """``longlong_as_double(int64)`` -> float64: libdevice's ``__nv_longlong_as_double``."""
def max(x1: _Any, x2: _Any, /) -> int:
    """``max(int32, int32)`` -> int32: libdevice's ``__nv_max``."""
def min(x1: _Any, x2: _Any, /) -> int:
    """``min(int32, int32)`` -> int32: libdevice's ``__nv_min``."""
def modf(x1: _Any, /) -> tuple[float, float]:
    """``modf(float64)`` -> float64, float64: libdevice's ``__nv_modf``."""
def modff(x1: _Any, /) -> tuple[float, float]:
    """``modff(float32)`` -> float32, float32: libdevice's ``__nv_modff``."""
def mul24(x1: _Any, x2: _Any, /) -> int:
    """``mul24(int32, int32)`` -> int32: libdevice's ``__nv_mul24``."""
def mul64hi(x1: _Any, x2: _Any, /) -> int:
    """``mul64hi(int64, int64)`` -> int64: libdevice's ``__nv_mul64hi``."""
def mulhi(x1: _Any, x2: _Any, /) -> int:
    """``mulhi(int32, int32)`` -> int32: libdevice's ``__nv_mulhi``."""
def nearbyint(x1: _Any, /) -> float:
    """``nearbyint(float64)`` -> float64: libdevice's ``__nv_nearbyint``."""
def nearbyintf(x1: _Any, /) -> float:
    """``nearbyintf(float32)`` -> float32: libdevice's ``__nv_nearbyintf``."""
def nextafter(x1: _Any, x2: _Any, /) -> float:
    """``nextafter(float64, float64)`` -> float64: libdevice's ``__nv_nextafter``."""
def nextafterf(x1: _Any, x2: _Any, /) -> float:
    """``nextafterf(float32, float32)`` -> float32: libdevice's ``__nv_nextafterf``."""
def norm3d(x1: _Any, x2: _Any, x3: _Any, /) -> float:
    """``norm3d(float64, float64, float64)`` -> float64: libdevice's ``__nv_norm3d``."""
def norm3df(x1: _Any, x2: _Any, x3: _Any, /) -> float:
    """``norm3df(float32, float32, float32)`` -> float32: libdevice's ``__nv_norm3df``."""
def norm4d(x1: _Any, x2: _Any, x3: _Any, x4: _Any, /) -> float:
    """``norm4d(float64, float64, float64, float64)`` -> float64: libdevice's ``__nv_norm4d``."""
def norm4df(x1: _Any, x2: _Any, x3: _Any, x4: _Any, /) -> float:
    """``norm4df(float32, float32, float32, float32)`` -> float32: libdevice's ``__nv_norm4df``."""
def normcdf(x1: _Any, /) -> float:
    """``normcdf(float64)`` -> float64: libdevice's ``__nv_normcdf``."""
def normcdff(x1: _Any, /) -> float:
    """``normcdff(float32)`` -> float32: libdevice's ``__nv_normcdff``."""
def normcdfinv(x1: _Any, /) -> float:
    """``normcdfinv(float64)`` -> float64: libdevice's ``__nv_normcdfinv``."""
def normcdfinvf(x1: _Any, /) -> float:
    """``normcdfinvf(float32)`` -> float32: libdevice's ``__nv_normcdfinvf``."""
def popc(x1: _Any, /) -> int:
    """``popc(int32)`` -> int32: libdevice's ``__nv_popc``."""
def popcll(x1: _Any, /) -> int:
    """``popcll(int64)`` -> int32: libdevice's ``__nv_popcll``."""
def pow(x1: _Any, x2: _Any, /) -> float:
    """``pow(float64, float64)`` -> float64: libdevice's ``__nv_pow``."""
def powf(x1: _Any, x2: _Any, /) -> float:
    """``powf(float32, float32)`` -> float32: libdevice's ``__nv_powf``."""
def powi(x1: _Any, x2: _Any, /) -> float:
    """``powi(float64, int32)`` -> float64: libdevice's ``__nv_powi``."""
def powif(x1: _Any, x2: _Any, /) -> float:
    """``powif(float32, int32)`` -> float32: libdevice's ``__nv_powif``."""
def rcbrt(x1: _Any, /) -> float:
    """``rcbrt(float64)`` -> float64: libdevice's ``__nv_rcbrt``."""
def rcbrtf(x1: _Any, /) -> float:
    """``rcbrtf(float32)`` -> float32: libdevice's ``__nv_rcbrtf``."""
def rcp64h(x1: _Any, /) -> float:
    """``rcp64h(float64)`` -> float64: libdevice's ``__nv_rcp64h``."""
def remainder(x1: _Any, x2: _Any, /) -> float:
    """``remainder(float64, float64)`` -> float64: libdevice's ``__nv_remainder``."""
def remainderf(x1: _Any, x2: _Any, /) -> float:
    """``remainderf(float32, float32)`` -> float32: libdevice's ``__nv_remainderf``."""
def remquo(x1: _Any, x2: _Any, /) -> tuple[float, int]:
    """``remquo(float64, float64)`` -> float64, int32: libdevice's ``__nv_remquo``."""
def remquof(x1: _Any, x2: _Any, /) -> tuple[float, int]:
    """``remquof(float32, float32)`` -> float32, int32: libdevice's ``__nv_remquof``."""
def rhadd(x1: _Any, x2: _Any, /) -> int:
    """``rhadd(int32, int32)`` -> int32: libdevice's ``__nv_rhadd``."""
def rhypot(x1: _Any, x2: _Any, /) -> float:
    """``rhypot(float64, float64)`` -> float64: libdevice's ``__nv_rhypot``."""
def rhypotf(x1: _Any, x2: _Any, /) -> float:
    """``rhypotf(float32, float32)`` -> float32: libdevice's ``__nv_rhypotf``."""
def rint(x1: _Any, /) -> float:
    """``rint(float64)`` -> float64: libdevice's ``__nv_rint``."""
def rintf(x1: _Any, /) -> float:
    """``rintf(float32)`` -> float32: libdevice's ``__nv_rintf``."""
def rnorm3d(x1: _Any, x2: _Any, x3: _Any, /) -> float:
    """``rnorm3d(float64, float64, float64)`` -> float64: libdevice's ``__nv_rnorm3d``."""
def rnorm3df(x1: _Any, x2: _Any, x3: _Any, /) -> float:
    """``rnorm3df(float32, float32, float32)`` -> float32: libdevice's ``__nv_rnorm3df``."""
def rnorm4d(x1: _Any, x2: _Any, x3: _Any, x4: _Any, /) -> float:
    """``rnorm4d(float64, float64, float64, float64)`` -> float64: libdevice's ``__nv_rnorm4d``."""
def rnorm4df(x1: _Any, x2: _Any, x3: _Any, x4: _Any, /) -> float:
    """``rnorm4df(float32, float32, float32, float32)`` -> float32: libdevice's ``__nv_rnorm4df``."""
def round(x1: _Any, /) -> float:
    """``round(float64)`` -> float64: libdevice's ``__nv_round``."""
def roundf(x1: _Any, /) -> float:
    """``roundf(float32)`` -> float32: libdevice's ``__nv_roundf``."""
def rsqrt(x1: _Any, /) -> float:
    """``rsqrt(float64)`` -> float64: libdevice's ``__nv_rsqrt``."""
def rsqrtf(x1: _Any, /) -> float:
    """``rsqrtf(float32)`` -> float32: libdevice's ``__nv_rsqrtf``."""
def sad(x1: _Any, x2: _Any, x3: _Any, /) -> int:
    """``sad(int32, int32, int32)`` -> int32: libdevice's ``__nv_sad``."""
def saturatef(x1: _Any, /) -> float:
    """``saturatef(float32)`` -> float32: libdevice's ``__nv_saturatef``."""
def scalbn(x1: _Any, x2: _Any, /) -> float:
    """``scalbn(float64, int32)`` -> float64: libdevice's ``__nv_scalbn``."""
def scalbnf(x1: _Any, x2: _Any, /) -> float:
    """``scalbnf(float32, int32)`` -> float32: libdevice's ``__nv_scalbnf``."""
def signbitd(x1: _Any, /) -> int:
    """``signbitd(float64)`` -> int32: libdevice's ``__nv_signbitd``."""
def signbitf(x1: _Any, /) -> int:
    """``signbitf(float32)`` -> int32: libdevice's ``__nv_signbitf``."""
def sin(x1: _Any, /) -> float:
    """``sin(float64)`` -> float64: libdevice's ``__nv_sin``."""
def sincos(x1: _Any, /) -> tuple[float, float]:
    """``sincos(float64)`` -> float64, float64: libdevice's ``__nv_sincos``."""
def sincosf(x1: _Any, /) -> tuple[float, float]:
    """``sincosf(float32)`` -> float32, float32: libdevice's ``__nv_sincosf``."""
def sincospi(x1: _Any, /) -> tuple[float, float]:
    """``sincospi(float64)`` -> float64, float64: libdevice's ``__nv_sincospi``."""
def sincospif(x1: _Any, /) -> tuple[float, float]:
    """``sincospif(float32)`` -> float32, float32: libdevice's ``__nv_sincospif``."""
def sinf(x1: _Any, /) -> float:
    """``sinf(float32)`` -> float32: libdevice's ``__nv_sinf``."""
def sinh(x1: _Any, /) -> float:
    """``sinh(float64)`` -> float64: libdevice's ``__nv_sinh``."""
def sinhf(x1: _Any, /) -> float:
    """``sinhf(float32)`` -> float32: libdevice's ``__nv_sinhf``."""
def sinpi(x1: _Any, /) -> float:
    """``sinpi(float64)`` -> float64: libdevice's ``__nv_sinpi``."""
def sinpif(x1: _Any, /) -> float:
    """``sinpif(float32)`` -> float32: libdevice's ``__nv_sinpif``."""
def sqrt(x1: _Any, /) -> float:
    """``sqrt(float64)`` -> float64: libdevice's ``__nv_sqrt``."""
def sqrtf(x1: _Any, /) -> float:
    """``sqrtf(float32)`` -> float32: libdevice's ``__nv_sqrtf``."""
def tan(x1: _Any, /) -> float:
    """``tan(float64)`` -> float64: libdevice's ``__nv_tan``."""
def tanf(x1: _Any, /) -> float:
    """``tanf(float32)`` -> float32: libdevice's ``__nv_tanf``."""
def tanh(x1: _Any, /) -> float:
    """``tanh(float64)`` -> float64: libdevice's ``__nv_tanh``."""
def tanhf(x1: _Any, /) -> float:
    """``tanhf(float32)`` -> float32: libdevice's ``__nv_tanhf``."""
def tgamma(x1: _Any, /) -> float:
    """``tgamma(float64)`` -> float64: libdevice's ``__nv_tgamma``."""
def tgammaf(x1: _Any, /) -> float:
    """``tgammaf(float32)`` -> float32: libdevice's ``__nv_tgammaf``."""
def trunc(x1: _Any, /) -> float:
    """``trunc(float64)`` -> float64: libdevice's ``__nv_trunc``."""
def truncf(x1: _Any, /) -> float:
    """``truncf(float32)`` -> float32: libdevice's ``__nv_truncf``."""
def uhadd(x1: _Any, x2: _Any, /) -> int:
    """``uhadd(int32, int32)`` -> int32: libdevice's ``__nv_uhadd``."""
def uint2double_rn(x1: _Any, /) -> float:
    """``uint2double_rn(int32)`` -> float64: libdevice's ``__nv_uint2double_rn``."""
def uint2float_rd(x1: _Any, /) -> float:
    """``uint2float_rd(int32)`` -> float32: libdevice's ``__nv_uint2float_rd``."""
def uint2float_rn(x1: _Any, /) -> float:
    """``uint2float_rn(int32)`` -> float32: libdevice's ``__nv_uint2float_rn``."""
def uint2float_ru(x1: _Any, /) -> float:
    """``uint2float_ru(int32)`` -> float32: libdevice's ``__nv_uint2float_ru``."""
def uint2float_rz(x1: _Any, /) -> float:
    """``uint2float_rz(int32)`` -> float32: libdevice's ``__nv_uint2float_rz``."""
def uint_as_float(x1: _Any, /) -> float:
    """``uint_as_float(int32)`` -> float32: libdevice's ``__nv_uint_as_float``."""
def ull2double_rd(x1: _Any, /) -> float:
    """``ull2double_rd(int64)`` -> float64: libdevice's ``__nv_ull2double_rd``."""
def ull2double_rn(x1: _Any, /) -> float:
    """``ull2double_rn(int64)`` -> float64: libdevice's ``__nv_ull2double_rn``."""
def ull2double_ru(x1: _Any, /) -> float:
    """``ull2double_ru(int64)`` -> float64: libdevice's ``__nv_ull2double_ru``."""
def ull2double_rz(x1: _Any, /) -> float:
    """``ull2double_rz(int64)`` -> float64: libdevice's ``__nv_ull2double_rz``."""
def ull2float_rd(x1: _Any, /) -> float:
    """``ull2float_rd(int64)`` -> float32: libdevice's ``__nv_ull2float_rd``."""
def ull2float_rn(x1: _Any, /) -> float:
    """``ull2float_rn(int64)`` -> float32: libdevice's ``__nv_ull2float_rn``."""
def ull2float_ru(x1: _Any, /) -> float:
    """``ull2float_ru(int64)`` -> float32: libdevice's ``__nv_ull2float_ru``."""
def ull2float_rz(x1: _Any, /) -> float:
    """``ull2float_rz(int64)`` -> float32: libdevice's ``__nv_ull2float_rz``."""
def ullmax(x1: _Any, x2: _Any, /) -> int:
    """``ullmax(int64, int64)`` -> int64: libdevice's ``__nv_ullmax``."""
def ullmin(x1: _Any, x2: _Any, /) -> int:
    """``ullmin(int64, int64)`` -> int64: libdevice's ``__nv_ullmin``."""
def umax(x1: _Any, x2: _Any, /) -> int:
    """``umax(int32, int32)`` -> int32: libdevice's ``__nv_umax``."""
def umin(x1: _Any, x2: _Any, /) -> int:
    """``umin(int32, int32)`` -> int32: libdevice's ``__nv_umin``."""
def umul24(x1: _Any, x2: _Any, /) -> int:
    """``umul24(int32, int32)`` -> int32: libdevice's ``__nv_umul24``."""
def umul64hi(x1: _Any, x2: _Any, /) -> int:
    """``umul64hi(int64, int64)`` -> int64: libdevice's ``__nv_umul64hi``."""
def umulhi(x1: _Any, x2: _Any, /) -> int:
    """``umulhi(int32, int32)`` -> int32: libdevice's ``__nv_umulhi``."""
def urhadd(x1: _Any, x2: _Any, /) -> int:
    """``urhadd(int32, int32)`` -> int32: libdevice's ``__nv_urhadd``."""
def usad(x1: _Any, x2: _Any, x3: _Any, /) -> int:
    """``usad(int32, int32, int32)`` -> int32: libdevice's ``__nv_usad``."""
def y0(x1: _Any, /) -> float:
    """``y0(float64)`` -> float64: libdevice's ``__nv_y0``."""
def y0f(x1: _Any, /) -> float:
    """``y0f(float32)`` -> float32: libdevice's ``__nv_y0f``."""
def y1(x1: _Any, /) -> float:
    """``y1(float64)`` -> float64: libdevice's ``__nv_y1``."""
def y1f(x1: _Any, /) -> float:
    """``y1f(float32)`` -> float32: libdevice's ``__nv_y1f``."""
def yn(x1: _Any, x2: _Any, /) -> float:
    """``yn(int32, float64)`` -> float64: libdevice's ``__nv_yn``."""
def ynf(x1: _Any, x2: _Any, /) -> float:
    """``ynf(int32, float32)`` -> float32: libdevice's ``__nv_ynf``."""
