"""CUDA C that user kernels are compiled with: CuPy's names for arrays, indices and numbers.

The text is plain C++14 without includes: NVRTC takes it for GPUs, and the C++ compiler of the
system for the CPU device. A part comes into a kernel's text only where the kernel mentions it.
"""

from __future__ import annotations

import re

from . import cupy_atomic_text, cupy_number_text

# C++ without CUDA is told from CUDA C by `__CUDACC__`. What CUDA C has of itself is made here of
# the compiler's own functions, as far as one thread by itself can have it.
_HOST = r"""
#if defined(__CUDACC_RTC__)
#pragma nv_diag_suppress 177  // what is declared and not used
#endif
#if !defined(__CUDACC__)
template <typename To, typename From> static inline To _phx_bits(From value) {
  To made;
  __builtin_memcpy(&made, &value, sizeof(To));
  return made;
}
static inline float __int_as_float(int x) { return _phx_bits<float>(x); }
static inline float __uint_as_float(unsigned x) { return _phx_bits<float>(x); }
static inline int __float_as_int(float x) { return _phx_bits<int>(x); }
static inline unsigned __float_as_uint(float x) { return _phx_bits<unsigned>(x); }
static inline double __longlong_as_double(long long x) { return _phx_bits<double>(x); }
static inline long long __double_as_longlong(double x) { return _phx_bits<long long>(x); }
static inline int __popc(unsigned x) { return __builtin_popcount(x); }
static inline int __popcll(unsigned long long x) { return __builtin_popcountll(x); }
static inline int __clz(int x) { return x == 0 ? 32 : __builtin_clz((unsigned)x); }
static inline int __clzll(long long x) { return x == 0 ? 64 : __builtin_clzll(x); }
static inline int __ffs(int x) { return __builtin_ffs(x); }
static inline int __ffsll(long long x) { return __builtin_ffsll(x); }
static inline float rsqrtf(float x) { return 1.0f / sqrtf(x); }
static inline float rsqrt(float x) { return 1.0f / sqrtf(x); }
static inline double rsqrt(double x) { return 1.0 / ::sqrt(x); }
// Macros, as the C library has functions of these names, and does not export them.
#define __expf expf
#define __logf logf
#define __powf powf
#define __sinf sinf
#define __cosf cosf
#define __tanf tanf
#define __log2f log2f
#define __log10f log10f
static inline float __fdividef(float x, float y) { return x / y; }
static inline float __saturatef(float x) { return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f; }
template <typename T> static inline T __ldg(const T* x) { return *x; }
static inline double rcbrt(double x) { return 1.0 / ::cbrt(x); }
static inline double sinpi(double x) { return ::sin(M_PI * ::remainder(x, 2.0)); }
static inline double cospi(double x) { return ::cos(M_PI * ::remainder(x, 2.0)); }
static inline double normcdf(double x) { return 0.5 * ::erfc(-x * M_SQRT1_2); }
// The power series: as all its terms are positive, nothing cancels.
static inline double _phx_bessel_i(int order, double x) {
  double term = order == 0 ? 1.0 : 0.5 * x, sum = 0.0;
  for (int k = 1; sum + term != sum && k < 2000; ++k) {
    sum += term;
    term *= 0.25 * x * x / ((double)k * (k + order));
  }
  return sum;
}
static inline double cyl_bessel_i0(double x) { return _phx_bessel_i(0, x); }
static inline double cyl_bessel_i1(double x) { return _phx_bessel_i(1, x); }
// Operands of two types meet in the type of their sum.
template <typename A, typename B> static inline auto min(A a, B b) -> decltype(a + b) {
  typedef decltype(a + b) Common;
  return (Common)b < (Common)a ? (Common)b : (Common)a;
}
template <typename A, typename B> static inline auto max(A a, B b) -> decltype(a + b) {
  typedef decltype(a + b) Common;
  return (Common)a < (Common)b ? (Common)b : (Common)a;
}
// Of floats a NaN is left out, as CUDA's functions do.
static inline float min(float a, float b) { return fminf(a, b); }
static inline double min(double a, double b) { return ::fmin(a, b); }
static inline float max(float a, float b) { return fmaxf(a, b); }
static inline double max(double a, double b) { return ::fmax(a, b); }
#endif
#ifndef M_PI
#define M_PI 3.1415926535897932384626433832795
#endif
#ifndef INFINITY
#define INFINITY __int_as_float(0x7f800000)
#endif
#ifndef NAN
#define NAN __int_as_float(0x7fffffff)
#endif
#define CUDART_INF_F __int_as_float(0x7f800000)
#define CUDART_NAN_F __int_as_float(0x7fffffff)
#define CUDART_INF __longlong_as_double(0x7ff0000000000000LL)
#define CUDART_NAN __longlong_as_double(0x7ff8000000000000LL)
"""

# Indices that are known to fit are of 32 bits: GPUs divide 64 bits slowly.
_ARRAYS = r"""
template <bool is_narrow> struct _phx_index { typedef ptrdiff_t type; };
template <> struct _phx_index<true> { typedef int type; };

template <typename T, int _ndim, bool _c_contiguous = false, bool _use_32bit_indexing = false>
class CArray {
 public:
  static const int ndim = _ndim;
  static const bool c_contiguous = _c_contiguous;
  typedef typename _phx_index<_use_32bit_indexing>::type index_t;

  __device__ CArray(T* data, const ptrdiff_t* shape, const ptrdiff_t* strides)
      : data_(data), size_(1) {
    for (int k = 0; k < _ndim; ++k) {
      size_ *= shape[k];
      shape_[k] = shape[k];
      strides_[k] = strides[k];
    }
  }

  __device__ ptrdiff_t size() const { return size_; }
  __device__ const ptrdiff_t* shape() const { return shape_; }
  __device__ const ptrdiff_t* strides() const { return strides_; }

  __device__ T& operator[](ptrdiff_t i) { return *at(i); }
  __device__ const T& operator[](ptrdiff_t i) const { return *at(i); }
  template <typename Int> __device__ T& operator[](const Int (&index)[_ndim > 0 ? _ndim : 1]) {
    return *at(index);
  }
  template <typename Int>
  __device__ const T& operator[](const Int (&index)[_ndim > 0 ? _ndim : 1]) const {
    return *at(index);
  }

 private:
  __device__ T* at(ptrdiff_t i) const {
    if (_ndim == 0) return data_;
    if (_c_contiguous) return data_ + i;
    index_t rest = (index_t)i;
    index_t offset = 0;
    for (int k = _ndim - 1; k > 0; --k) {
      const index_t extent = (index_t)shape_[k];
      offset += (index_t)strides_[k] * (rest % extent);
      rest /= extent;
    }
    offset += (index_t)strides_[0] * rest;
    return (T*)((char*)data_ + offset);
  }

  template <typename Int> __device__ T* at(const Int (&index)[_ndim > 0 ? _ndim : 1]) const {
    index_t offset = 0;
    for (int k = 0; k < _ndim; ++k) offset += (index_t)strides_[k] * (index_t)index[k];
    return (T*)((char*)data_ + offset);
  }

  T* data_;
  ptrdiff_t size_;
  ptrdiff_t shape_[_ndim > 0 ? _ndim : 1];
  ptrdiff_t strides_[_ndim > 0 ? _ndim : 1];
};

template <int _ndim, bool _use_32bit_indexing = false>
class CIndexer {
 public:
  static const int ndim = _ndim;
  typedef ptrdiff_t index_t[_ndim > 0 ? _ndim : 1];

  __device__ explicit CIndexer(const ptrdiff_t* shape) : size_(1) {
    index_[0] = 0;
    for (int k = 0; k < _ndim; ++k) {
      size_ *= shape[k];
      shape_[k] = shape[k];
      index_[k] = 0;
    }
  }

  __device__ ptrdiff_t size() const { return size_; }
  __device__ const index_t& get() const { return index_; }
  __device__ void set(ptrdiff_t i) { _set<0, _ndim>(i); }

  // Sets the dimensions from `first` on and before `last`, by an index into these alone.
  template <int first, int last> __device__ void _set(ptrdiff_t i) {
    typedef typename _phx_index<_use_32bit_indexing>::type narrow_t;
    narrow_t rest = (narrow_t)i;
    for (int k = last - 1; k > first; --k) {
      const narrow_t extent = (narrow_t)shape_[k];
      index_[k] = rest % extent;
      rest /= extent;
    }
    if (first < last) index_[first] = rest;
  }

  // The elements up to the end of the row, and the step to the next of them.
  __device__ ptrdiff_t _left() const { return shape_[_ndim - 1] - index_[_ndim - 1]; }
  __device__ void _next() { ++index_[_ndim - 1]; }

 private:
  ptrdiff_t size_;
  ptrdiff_t shape_[_ndim > 0 ? _ndim : 1];
  index_t index_;
};
"""

_FLOOR_DIVIDE = r"""
template <typename T> static __device__ inline T _phx_floor_divide(T x, T y) {
  if (y == 0) return 0;
  const T quotient = x / y;
  return quotient - (T)(((x < 0) != (y < 0)) && quotient * y != x);
}
static __device__ inline int _floor_divide(int x, int y) { return _phx_floor_divide(x, y); }
static __device__ inline long long _floor_divide(long long x, long long y) {
  return _phx_floor_divide(x, y);
}
static __device__ inline unsigned _floor_divide(unsigned x, unsigned y) {
  return y == 0 ? 0 : x / y;
}
static __device__ inline unsigned long long _floor_divide(
    unsigned long long x, unsigned long long y) {
  return y == 0 ? 0 : x / y;
}
static __device__ inline float _floor_divide(float x, float y) { return floor(x / y); }
static __device__ inline double _floor_divide(double x, double y) { return floor(x / y); }
"""

# NumPy's names, for those who write them in CUDA C.
C_TYPES = {
    "bool": "bool", "int8": "signed char", "int16": "short", "int32": "int", "int64": "long long",
    "uint8": "unsigned char", "uint16": "unsigned short", "uint32": "unsigned int",
    "uint64": "unsigned long long", "float16": "float16", "float32": "float", "float64": "double",
    "complex64": "complex<float>", "complex128": "complex<double>",
}  # fmt: skip
_HEADERS = re.compile(r'^([ \t]*#[ \t]*include[ \t]*[<"]cupy/[^\n]*)$', re.MULTILINE)


def without_own_headers(text: str) -> str:
    """The text with CuPy's own headers made comments: what they have is there anyway."""
    return _HEADERS.sub(r"// \1", text)


def support(text: str) -> str:
    """The CUDA C that comes before a kernel's own `text`: what that mentions, and arrays."""
    words = set(re.findall(r"[A-Za-z_]\w*", text))
    parts = [_HOST, _names(text, words)]
    has_complex = bool(words & {"complex", "complex64", "complex128"})
    if has_complex:
        parts.append(cupy_number_text.COMPLEX)
    if "float16" in words:
        parts.append(cupy_number_text.FLOAT16)
    parts.append(_ARRAYS)
    if any(word.startswith("atomic") for word in words):
        parts.append(cupy_atomic_text.ATOMICS)
        if "float16" in words:
            parts.append(cupy_atomic_text.OF_FLOAT16)
    if "_floor_divide" in words:
        parts.append(_FLOOR_DIVIDE)
    return "".join(parts)


def _names(text: str, words: set[str]) -> str:
    """The names of types that the text uses and does not define by itself."""
    lines = []
    for name, c_type in C_TYPES.items():
        if name in words and name != c_type and not _defines(text, name):
            made = f"thrust::{c_type}" if "<" in c_type else c_type
            lines.append(f"typedef {made} {name};\n")
    own = [line for line in lines if "thrust" in line]
    fixed = [
        f"typedef {C_TYPES[name.removesuffix('_t')]} {name};\n"
        for name in sorted(words)
        if name.removesuffix("_t") in C_TYPES and re.fullmatch(r"u?int\d+_t", name)
    ]
    if fixed and "#include" not in text:  # a header has them
        lines += ["#if defined(__CUDACC_RTC__)\n", *fixed, "#endif\n"]
    if own:
        lines.insert(0, "namespace thrust { template <typename T> class complex; }\n")
    return "".join(lines)


def _defines(text: str, name: str) -> bool:
    pattern = rf"(typedef[^;]*\b{name}\s*;|using\s+{name}\b|#\s*define\s+{name}\b)"
    return re.search(pattern, text) is not None
