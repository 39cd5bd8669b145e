"""CUDA C that user kernels are compiled with: CuPy's names for arrays, indices and numbers.

The text is taken by phalanx's own front end and by NVRTC. A part comes into a kernel's text only
where the kernel mentions it.
"""

from __future__ import annotations

import re

from . import cupy_atomic_text, cupy_number_text

_HEAD = r"""
#if defined(__CUDACC_RTC__)
#pragma nv_diag_suppress 177  // what is declared and not used
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

// What goes over dimensions is unrolled here, so that objects are in registers.
template <typename T, int _ndim, bool _c_contiguous = false, bool _use_32bit_indexing = false>
class CArray {
 public:
  static const int ndim = _ndim;
  static const bool c_contiguous = _c_contiguous;
  typedef typename _phx_index<_use_32bit_indexing>::type index_t;

  __device__ CArray(T* data, const ptrdiff_t* shape, const ptrdiff_t* strides)
      : data_(data), size_(1) {
    set<0>(shape, strides);
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
  template <int k> __device__ void set(const ptrdiff_t* shape, const ptrdiff_t* strides) {
    if constexpr (k < _ndim) {
      size_ *= shape[k];
      shape_[k] = shape[k];
      strides_[k] = strides[k];
      set<k + 1>(shape, strides);
    }
  }

  __device__ T* at(ptrdiff_t i) const {
    if constexpr (_ndim == 0) return data_;
    else if constexpr (_c_contiguous) return data_ + i;
    else return (T*)((char*)data_ + offset<_ndim - 1>((index_t)i));
  }
  template <int k> __device__ index_t offset(index_t i) const {
    if constexpr (k == 0) {
      return (index_t)strides_[0] * i;
    } else {
      const index_t above = i / (index_t)shape_[k];
      return offset<k - 1>(above) + (index_t)strides_[k] * (i - above * (index_t)shape_[k]);
    }
  }

  template <typename Int> __device__ T* at(const Int (&index)[_ndim > 0 ? _ndim : 1]) const {
    return (T*)((char*)data_ + offset_of<0>(index));
  }
  template <int k, typename Int> __device__ index_t offset_of(const Int* index) const {
    if constexpr (k < _ndim)
      return (index_t)strides_[k] * (index_t)index[k] + offset_of<k + 1>(index);
    else
      return 0;
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
    start<0>(shape);
  }

  __device__ ptrdiff_t size() const { return size_; }
  __device__ const index_t& get() const { return index_; }
  __device__ void set(ptrdiff_t i) { _set<0, _ndim>(i); }

  // Sets the dimensions from `first` on and before `last`, by an index into these alone.
  template <int first, int last> __device__ void _set(ptrdiff_t i) {
    typedef typename _phx_index<_use_32bit_indexing>::type narrow_t;
    if constexpr (first + 1 < last) {
      const narrow_t above = (narrow_t)i / (narrow_t)shape_[last - 1];
      index_[last - 1] = (narrow_t)i - above * (narrow_t)shape_[last - 1];
      _set<first, last - 1>(above);
    } else if constexpr (first < last) {
      index_[first] = i;
    }
  }

 private:
  template <int k> __device__ void start(const ptrdiff_t* shape) {
    if constexpr (k < _ndim) {
      size_ *= shape[k];
      shape_[k] = shape[k];
      index_[k] = 0;
      start<k + 1>(shape);
    }
  }

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
    parts = [_HEAD, _names(text, words)]
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
    has_complex = any("thrust" in line for line in lines)
    fixed = [
        f"typedef {C_TYPES[name.removesuffix('_t')]} {name};\n"
        for name in sorted(words)
        if name.removesuffix("_t") in C_TYPES and re.fullmatch(r"u?int\d+_t", name)
    ]
    if fixed and "#include" not in text:  # a header has them
        own = "#if defined(__CUDACC_RTC__)\n", *fixed, "#else\n#include <stdint.h>\n#endif\n"
        lines += own
    if has_complex:
        lines.insert(0, "namespace thrust { template <typename T> class complex; }\n")
    return "".join(lines)


def _defines(text: str, name: str) -> bool:
    pattern = rf"(typedef[^;]*\b{name}\s*;|using\s+{name}\b|#\s*define\s+{name}\b)"
    return re.search(pattern, text) is not None
