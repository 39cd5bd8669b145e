"""CUDA C for numbers that C++ lacks without headers: float16, and complex numbers."""

from __future__ import annotations

# Arithmetic is that of float, as CuPy's; the result is rounded where it is stored.
FLOAT16 = r"""
class float16 {
 public:
  float16() = default;
  __device__ float16(float value) : bits_(rounded(value)) {}
  __device__ explicit float16(double value) : bits_(rounded(to_odd(value))) {}
  template <typename U> __device__ explicit float16(const U& value)
      : bits_(rounded((float)value)) {}
  template <typename U> __device__ float16& operator=(const U& value) {
    bits_ = float16(value).bits_;
    return *this;
  }

  __device__ operator float() const {
    const unsigned sign = (unsigned)(bits_ & 0x8000u) << 16;
    const unsigned rest = bits_ & 0x7fffu;
    if (rest >= 0x7c00u) return __uint_as_float(sign | 0x7f800000u | (rest & 0x3ffu) << 13);
    // What the exponent lacks comes by a product, which also is right for denormal numbers.
    const float value = __uint_as_float(rest << 13) * 5.192296858534828e+33f;
    return __uint_as_float(sign | __float_as_uint(value));
  }

  template <typename U> __device__ float16& operator+=(const U& other) {
    return *this = (float)*this + other;
  }
  template <typename U> __device__ float16& operator-=(const U& other) {
    return *this = (float)*this - other;
  }
  template <typename U> __device__ float16& operator*=(const U& other) {
    return *this = (float)*this * other;
  }
  template <typename U> __device__ float16& operator/=(const U& other) {
    return *this = (float)*this / other;
  }

  __device__ unsigned short to_bits() const { return bits_; }
  static __device__ float16 from_bits(unsigned short bits) {
    float16 made;
    made.bits_ = bits;
    return made;
  }
  __device__ int iszero() const { return (bits_ & 0x7fffu) == 0; }
  __device__ int isnan() const { return (bits_ & 0x7fffu) > 0x7c00u; }
  __device__ int isinf() const { return (bits_ & 0x7fffu) == 0x7c00u; }
  __device__ int isfinite() const { return (bits_ & 0x7fffu) < 0x7c00u; }
  __device__ int signbit() const { return (bits_ & 0x8000u) != 0; }

 private:
  // To the nearest, ties to even.
  static __device__ unsigned short rounded(float value) {
    const unsigned bits = __float_as_uint(value);
    const unsigned sign = bits >> 16 & 0x8000u;
    const unsigned rest = bits & 0x7fffffffu;
    if (rest > 0x7f800000u) return (unsigned short)(sign | 0x7e00u);
    if (rest >= 0x47800000u) return (unsigned short)(sign | 0x7c00u);
    if (rest < 0x38800000u) {  // a denormal number: the sum with one half leaves its bits below
      const float sum = __uint_as_float(rest) + 0.5f;
      return (unsigned short)(sign | (__float_as_uint(sum) - 0x3f000000u));
    }
    const unsigned tie = rest >> 13 & 1u;
    return (unsigned short)(sign | (rest - 0x38000000u + 0xfffu + tie) >> 13);
  }

  // To a float whose last bit says if something was cut off, so that the next rounding is right.
  static __device__ float to_odd(double value) {
    const float near = (float)value;
    const double back = (double)near;
    if (back == value || !(near - near == 0.0f)) return near;
    unsigned bits = __float_as_uint(near);
    if (value < 0 ? back < value : back > value) --bits;
    return __uint_as_float(bits | 1u);
  }

  unsigned short bits_;
};

static __device__ inline float16 min(float16 x, float16 y) {
  return float16(fminf((float)x, (float)y));
}
static __device__ inline float16 max(float16 x, float16 y) {
  return float16(fmaxf((float)x, (float)y));
}
static __device__ inline float16 fmin(float16 x, float16 y) { return min(x, y); }
static __device__ inline float16 fmax(float16 x, float16 y) { return max(x, y); }
static __device__ inline int iszero(float16 x) { return x.iszero(); }
static __device__ inline int isnan(float16 x) { return x.isnan(); }
static __device__ inline int isinf(float16 x) { return x.isinf(); }
static __device__ inline int isfinite(float16 x) { return x.isfinite(); }
static __device__ inline int signbit(float16 x) { return x.signbit(); }
static __device__ inline float16 copysign(float16 x, float16 y) {
  return float16::from_bits((unsigned short)((x.to_bits() & 0x7fffu) | (y.to_bits() & 0x8000u)));
}
"""

# The names are in `thrust`, as CuPy's are, and outside too.
COMPLEX = r"""
namespace thrust {
template <typename T> class complex {
 public:
  typedef T value_type;
  complex() = default;
  __device__ complex(const T& re) : re_(re), im_(0) {}
  __device__ complex(const T& re, const T& im) : re_(re), im_(im) {}
  template <typename U> __device__ complex(const complex<U>& z)
      : re_((T)z.real()), im_((T)z.imag()) {}

  __device__ T real() const { return re_; }
  __device__ T imag() const { return im_; }
  __device__ void real(T re) { re_ = re; }
  __device__ void imag(T im) { im_ = im; }

  __device__ complex& operator+=(const complex& z) { return *this = *this + z; }
  __device__ complex& operator-=(const complex& z) { return *this = *this - z; }
  __device__ complex& operator*=(const complex& z) { return *this = *this * z; }
  __device__ complex& operator/=(const complex& z) { return *this = *this / z; }

  friend __device__ complex operator+(const complex& a) { return a; }
  friend __device__ complex operator-(const complex& a) { return complex(-a.re_, -a.im_); }
  friend __device__ complex operator+(const complex& a, const complex& b) {
    return complex(a.re_ + b.re_, a.im_ + b.im_);
  }
  friend __device__ complex operator+(const complex& a, const T& b) {
    return complex(a.re_ + b, a.im_);
  }
  friend __device__ complex operator+(const T& a, const complex& b) {
    return complex(a + b.re_, b.im_);
  }
  friend __device__ complex operator-(const complex& a, const complex& b) {
    return complex(a.re_ - b.re_, a.im_ - b.im_);
  }
  friend __device__ complex operator-(const complex& a, const T& b) {
    return complex(a.re_ - b, a.im_);
  }
  friend __device__ complex operator-(const T& a, const complex& b) {
    return complex(a - b.re_, -b.im_);
  }
  friend __device__ complex operator*(const complex& a, const complex& b) {
    return complex(a.re_ * b.re_ - a.im_ * b.im_, a.re_ * b.im_ + a.im_ * b.re_);
  }
  friend __device__ complex operator*(const complex& a, const T& b) {
    return complex(a.re_ * b, a.im_ * b);
  }
  friend __device__ complex operator*(const T& a, const complex& b) {
    return complex(a * b.re_, a * b.im_);
  }
  // By the larger part of the divisor, so that squares do not overflow (Smith's algorithm).
  friend __device__ complex operator/(const complex& a, const complex& b) {
    if (b.re_ == 0 && b.im_ == 0) return complex(a.re_ / fabs(b.re_), a.im_ / fabs(b.re_));
    if (fabs(b.re_) >= fabs(b.im_)) {
      const T ratio = b.im_ / b.re_, below = b.re_ + b.im_ * ratio;
      return complex((a.re_ + a.im_ * ratio) / below, (a.im_ - a.re_ * ratio) / below);
    }
    const T ratio = b.re_ / b.im_, below = b.re_ * ratio + b.im_;
    return complex((a.re_ * ratio + a.im_) / below, (a.im_ * ratio - a.re_) / below);
  }
  friend __device__ complex operator/(const complex& a, const T& b) {
    return complex(a.re_ / b, a.im_ / b);
  }
  friend __device__ complex operator/(const T& a, const complex& b) { return complex(a) / b; }

  friend __device__ bool operator==(const complex& a, const complex& b) {
    return a.re_ == b.re_ && a.im_ == b.im_;
  }
  friend __device__ bool operator==(const complex& a, const T& b) {
    return a.re_ == b && a.im_ == 0;
  }
  friend __device__ bool operator==(const T& a, const complex& b) { return b == a; }
  friend __device__ bool operator!=(const complex& a, const complex& b) { return !(a == b); }
  friend __device__ bool operator!=(const complex& a, const T& b) { return !(a == b); }
  friend __device__ bool operator!=(const T& a, const complex& b) { return !(b == a); }

 private:
  T re_;
  T im_;
};

#define _PHX_COMPLEX(result) template <typename T> static __device__ inline result
_PHX_COMPLEX(T) real(const complex<T>& z) { return z.real(); }
_PHX_COMPLEX(T) imag(const complex<T>& z) { return z.imag(); }
_PHX_COMPLEX(T) abs(const complex<T>& z) { return ::hypot(z.real(), z.imag()); }
_PHX_COMPLEX(T) arg(const complex<T>& z) { return ::atan2(z.imag(), z.real()); }
_PHX_COMPLEX(T) norm(const complex<T>& z) {
  return z.real() * z.real() + z.imag() * z.imag();
}
_PHX_COMPLEX(complex<T>) conj(const complex<T>& z) { return complex<T>(z.real(), -z.imag()); }
_PHX_COMPLEX(complex<T>) proj(const complex<T>& z) {
  const T size = ::fabs(z.real()) + ::fabs(z.imag());
  return size == size + size && size != 0 ? complex<T>(size, ::copysign((T)0, z.imag())) : z;
}
_PHX_COMPLEX(complex<T>) polar(const T& size, const T& angle = 0) {
  return complex<T>(size * ::cos(angle), size * ::sin(angle));
}
_PHX_COMPLEX(complex<T>) exp(const complex<T>& z) {
  const T size = ::exp(z.real());
  if (z.imag() == 0) return complex<T>(size, z.imag());
  return complex<T>(size * ::cos(z.imag()), size * ::sin(z.imag()));
}
_PHX_COMPLEX(complex<T>) log(const complex<T>& z) {
  return complex<T>(::log(abs(z)), arg(z));
}
_PHX_COMPLEX(complex<T>) log10(const complex<T>& z) {
  return log(z) / (T)2.302585092994045684;
}
_PHX_COMPLEX(complex<T>) sqrt(const complex<T>& z) {
  if (z.real() == 0 && z.imag() == 0) return complex<T>(0, z.imag());
  const T half = ::sqrt((::fabs(z.real()) + abs(z)) / 2);
  const T other = ::fabs(z.imag()) / (2 * half);
  if (z.real() >= 0) return complex<T>(half, ::copysign(other, z.imag()));
  return complex<T>(other, ::copysign(half, z.imag()));
}
_PHX_COMPLEX(complex<T>) pow(const complex<T>& x, const complex<T>& y) {
  if (x.real() == 0 && x.imag() == 0)
    return y.real() == 0 && y.imag() == 0 ? complex<T>(1) : complex<T>(0);
  return exp(y * log(x));
}
_PHX_COMPLEX(complex<T>) pow(const complex<T>& x, const T& y) { return pow(x, complex<T>(y)); }
_PHX_COMPLEX(complex<T>) pow(const T& x, const complex<T>& y) { return pow(complex<T>(x), y); }
template <typename T, typename U>
static __device__ inline complex<T> pow(const complex<T>& x, U y) {
  return pow(x, complex<T>((T)y));
}
_PHX_COMPLEX(complex<T>) sinh(const complex<T>& z) {
  return complex<T>(
      ::sinh(z.real()) * ::cos(z.imag()), ::cosh(z.real()) * ::sin(z.imag()));
}
_PHX_COMPLEX(complex<T>) cosh(const complex<T>& z) {
  return complex<T>(
      ::cosh(z.real()) * ::cos(z.imag()), ::sinh(z.real()) * ::sin(z.imag()));
}
_PHX_COMPLEX(complex<T>) tanh(const complex<T>& z) {
  const T x = 2 * z.real(), y = 2 * z.imag();
  if (::fabs(x) > 40) return complex<T>(::copysign((T)1, x), ::copysign((T)0, y));
  const T below = ::cosh(x) + ::cos(y);
  return complex<T>(::sinh(x) / below, ::sin(y) / below);
}
// i z, and -i z: how circular functions come of hyperbolic ones.
_PHX_COMPLEX(complex<T>) _phx_turned(const complex<T>& z) {
  return complex<T>(-z.imag(), z.real());
}
_PHX_COMPLEX(complex<T>) _phx_back(const complex<T>& z) { return complex<T>(z.imag(), -z.real()); }
_PHX_COMPLEX(complex<T>) sin(const complex<T>& z) { return _phx_back(sinh(_phx_turned(z))); }
_PHX_COMPLEX(complex<T>) cos(const complex<T>& z) { return cosh(_phx_turned(z)); }
_PHX_COMPLEX(complex<T>) tan(const complex<T>& z) { return _phx_back(tanh(_phx_turned(z))); }
_PHX_COMPLEX(complex<T>) asinh(const complex<T>& z) {
  const complex<T> near = log(z + sqrt(z * z + (T)1));
  return z.real() < 0 ? -log(-z + sqrt(z * z + (T)1)) : near;
}
_PHX_COMPLEX(complex<T>) acosh(const complex<T>& z) {
  return log(z + sqrt(z + (T)1) * sqrt(z - (T)1));
}
_PHX_COMPLEX(complex<T>) atanh(const complex<T>& z) {
  return (log((T)1 + z) - log((T)1 - z)) / (T)2;
}
_PHX_COMPLEX(complex<T>) asin(const complex<T>& z) { return _phx_back(asinh(_phx_turned(z))); }
_PHX_COMPLEX(complex<T>) acos(const complex<T>& z) { return (T)1.5707963267948966192 - asin(z); }
_PHX_COMPLEX(complex<T>) atan(const complex<T>& z) { return _phx_back(atanh(_phx_turned(z))); }
}  // namespace thrust

using thrust::complex;
using thrust::real;
using thrust::imag;
using thrust::arg;
using thrust::norm;
using thrust::conj;
using thrust::polar;
_PHX_COMPLEX(bool) isnan(complex<T> z) { return isnan(z.real()) || isnan(z.imag()); }
_PHX_COMPLEX(bool) isinf(complex<T> z) { return isinf(z.real()) || isinf(z.imag()); }
_PHX_COMPLEX(bool) isfinite(complex<T> z) { return isfinite(z.real()) && isfinite(z.imag()); }
_PHX_COMPLEX(complex<T>) log1p(complex<T> z) { return log(z + (T)1); }
_PHX_COMPLEX(complex<T>) log2(complex<T> z) { return log(z) / (T)0.69314718055994530942; }
_PHX_COMPLEX(complex<T>) expm1(complex<T> z) { return exp(z) - (T)1; }
_PHX_COMPLEX(complex<T>) rint(complex<T> z) {
  return complex<T>(rint(z.real()), rint(z.imag()));
}
// In the order of the real parts, then of the imaginary ones; a NaN is left out.
_PHX_COMPLEX(bool) _phx_is_before(complex<T> x, complex<T> y) {
  return x.real() < y.real() || (x.real() == y.real() && x.imag() < y.imag());
}
_PHX_COMPLEX(complex<T>) min(complex<T> x, complex<T> y) {
  return isnan(x) ? y : isnan(y) || _phx_is_before(x, y) ? x : y;
}
_PHX_COMPLEX(complex<T>) max(complex<T> x, complex<T> y) {
  return isnan(x) ? y : isnan(y) || _phx_is_before(y, x) ? x : y;
}
"""
