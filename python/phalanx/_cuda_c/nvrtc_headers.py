"""The headers of C and C++ that NVRTC does not have, as sources for nvcc include them.

NVRTC declares the C library's functions by itself, and the toolkit's ``cuda/std`` has what device
code uses of C++'s library. CuPy's headers are there too: sources for CuPy include them.
"""

from __future__ import annotations

# Their functions are there without an include.
_WITHOUT_TEXT = (
    "assert.h", "cassert", "cstdio", "ctime", "device_functions.h", "iostream", "memory.h",
    "stdio.h", "string", "string.h", "time.h", "vector",
)  # fmt: skip

# Of the toolkit's namespace, in C++'s.
_OF_TOOLKIT = (
    "array", "complex", "cstddef", "cstdint", "cstdlib", "cstring", "functional",
    "limits", "tuple", "type_traits", "utility",
)  # fmt: skip

_MATHEMATICS = (
    "abs", "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "ceil", "copysign",
    "cos", "cosh", "erf", "erfc", "exp", "exp2", "expm1", "fabs", "fdim", "floor", "fma", "fmax",
    "fmin", "fmod", "frexp", "hypot", "isfinite", "isinf", "isnan", "ldexp", "lgamma", "log",
    "log10", "log1p", "log2", "modf", "nearbyint", "pow", "remainder", "rint", "round", "signbit",
    "sin", "sinh", "sqrt", "tan", "tanh", "tgamma", "trunc",
)  # fmt: skip
_CONSTANTS = {
    "M_E": "2.7182818284590452354", "M_LOG2E": "1.4426950408889634074",
    "M_LN2": "0.69314718055994530942", "M_LN10": "2.30258509299404568402",
    "M_PI": "3.14159265358979323846", "M_PI_2": "1.57079632679489661923",
    "M_PI_4": "0.78539816339744830962", "M_1_PI": "0.31830988618379067154",
    "M_2_PI": "0.63661977236758134308", "M_SQRT2": "1.41421356237309504880",
    "M_SQRT1_2": "0.70710678118654752440",
}  # fmt: skip
_EXTREMES = {
    "FLT_MIN": "1.17549435e-38F", "FLT_MAX": "3.402823466e+38F",
    "FLT_EPSILON": "1.1920928955078125e-7F", "FLT_DIG": "6", "FLT_MANT_DIG": "24",
    "DBL_MIN": "2.2250738585072014e-308", "DBL_MAX": "1.7976931348623158e+308",
    "DBL_EPSILON": "2.2204460492503131e-16", "DBL_DIG": "15", "DBL_MANT_DIG": "53",
    "FLT_MIN_EXP": "(-125)", "FLT_MAX_EXP": "128", "DBL_MIN_EXP": "(-1021)", "DBL_MAX_EXP": "1024",
}  # fmt: skip
_LIMITS = {
    "CHAR_BIT": "8", "SCHAR_MIN": "(-128)", "SCHAR_MAX": "127", "UCHAR_MAX": "255",
    "CHAR_MIN": "(-128)", "CHAR_MAX": "127", "SHRT_MIN": "(-32768)", "SHRT_MAX": "32767",
    "USHRT_MAX": "65535", "INT_MIN": "(-2147483647 - 1)", "INT_MAX": "2147483647",
    "UINT_MAX": "4294967295u", "LONG_MIN": "(-9223372036854775807l - 1)",
    "LONG_MAX": "9223372036854775807l", "ULONG_MAX": "18446744073709551615ul",
    "LLONG_MIN": "(-9223372036854775807ll - 1)", "LLONG_MAX": "9223372036854775807ll",
    "ULLONG_MAX": "18446744073709551615ull",
}  # fmt: skip


def _macros(values: dict[str, str]) -> str:
    return "".join(f"#ifndef {name}\n#define {name} {values[name]}\n#endif\n" for name in values)


def _names_of_cucomplex(suffix: str, name: str, of: str) -> str:
    """Macros that make the names of ``cuComplex.h`` those of a class."""
    parts = {"Creal": "real", "Cimag": "imag", "Conj": "conj", "Cabs": "abs"}
    operators = {"Cadd": "+", "Csub": "-", "Cmul": "*", "Cdiv": "/"}
    lines = [f"#define {name} {of}", f"#define make_{name}(x, y) {of}(x, y)"]
    lines += [f"#define cu{each}{suffix} {parts[each]}" for each in parts]
    lines += [f"#define cu{each}{suffix}(a, b) ((a) {operators[each]} (b))" for each in operators]
    lines += [f"#define cuCfma{suffix}(a, b, c) ((a) * (b) + (c))"]
    return "\n".join(lines) + "\n"


_INTEGERS = [f"{sign}int{bits}_t" for bits in (8, 16, 32, 64) for sign in ("", "u")]

_OTHERS = {
    "algorithm": """
#include <cuda/std/utility>
namespace std {
template <class T> __device__ constexpr const T& min(const T& a, const T& b) {
  return b < a ? b : a;
}
template <class T> __device__ constexpr const T& max(const T& a, const T& b) {
  return a < b ? b : a;
}
}
""",
    "cfloat": "#include <float.h>\n",
    "cmath": "#include <math.h>\nnamespace std {\n"
    + "".join(f"using ::{each};\n" for each in _MATHEMATICS)
    + "}\n",
    "float.h": _macros(_EXTREMES),
    "math.h": _macros(_CONSTANTS),
    # What the system's header brings along.
    "stdlib.h": "typedef unsigned uint;\ntypedef unsigned short ushort;\n"
    "typedef unsigned long ulong;\n",
    # Of streams only the names: thrust's complex numbers declare how they are written.
    "sstream": "namespace std {\ntemplate <class, class> class basic_istream;\n"
    "template <class, class> class basic_ostream;\n}\n",
    "climits": "#include <limits.h>\n",
    "limits.h": _macros(_LIMITS),
    "stddef.h": "#include <cuda/std/cstddef>\n",
    "stdint.h": "#include <cuda/std/cstdint>\n"
    + "".join(f"using cuda::std::{each};\n" for each in [*_INTEGERS, "intptr_t", "uintptr_t"]),
    # NVRTC refuses functions of the host alone: thrust's, which write to streams, become both's.
    "cupy/complex.cuh": """
#undef __host__
#define __host__
#include <thrust/complex.h>
#undef __host__
#define __host__ __attribute__((host))
template <class T> __device__ T real(thrust::complex<T> z) { return z.real(); }
template <class T> __device__ T imag(thrust::complex<T> z) { return z.imag(); }
using thrust::complex; using thrust::conj; using thrust::arg; using thrust::norm;
using thrust::abs; using thrust::exp; using thrust::log; using thrust::log10; using thrust::pow;
using thrust::sqrt; using thrust::sin; using thrust::cos; using thrust::tan; using thrust::sinh;
using thrust::cosh; using thrust::tanh; using thrust::asin; using thrust::acos;
using thrust::atan; using thrust::asinh; using thrust::acosh; using thrust::atanh;
""",
    "cupy/cuComplex_bridge.h": "#include <cupy/complex.cuh>\n"
    + _names_of_cucomplex("f", "cuFloatComplex", "complex<float>")
    + _names_of_cucomplex("", "cuDoubleComplex", "complex<double>")
    + "#define cuComplex complex<float>\n#define make_cuComplex(x, y) complex<float>(x, y)\n"
    "#define cuComplexDoubleToFloat complex<float>\n"
    "#define cuComplexFloatToDouble complex<double>\n",
    "cupy/float16.cuh": "#include <cuda_fp16.h>\n",
    "cupy/math_constants.h": "#include <math_constants.h>\n",
    "pycuda-complex.hpp": "#include <cupy/complex.cuh>\n"
    "namespace pycuda {\nusing namespace thrust;\nusing ::real;\nusing ::imag;\n}\n",
}  # fmt: skip


def _texts() -> dict[str, str]:
    made = dict.fromkeys(_WITHOUT_TEXT, "")
    for name in _OF_TOOLKIT:
        made[name] = f"#include <cuda/std/{name}>\nnamespace std {{ using namespace cuda::std; }}\n"
    return {**made, **_OTHERS}


# Name and text of each, which NVRTC takes where no folder has a file of that name.
HEADERS: list[tuple[str, str]] = sorted(
    (name, f"#pragma once\n{text}") for name, text in _texts().items()
)
