// CuPy's complex numbers: those of thrust/complex.h without a namespace, and a few functions more.
#pragma once
#include <thrust/complex.h>

using thrust::complex;
using thrust::conj;
using thrust::real;
using thrust::imag;
using thrust::arg;
using thrust::norm;
using thrust::abs;
using thrust::exp;
using thrust::log;
using thrust::log10;
using thrust::pow;
using thrust::sqrt;
using thrust::sin;
using thrust::cos;
using thrust::tan;
using thrust::sinh;
using thrust::cosh;
using thrust::tanh;
using thrust::asin;
using thrust::acos;
using thrust::atan;
using thrust::asinh;
using thrust::acosh;
using thrust::atanh;

#define PHX_OF_COMPLEX(result) template <typename T> PHX_DEVICE result
PHX_OF_COMPLEX(bool) isnan(complex<T> z) { return isnan(z.real()) || isnan(z.imag()); }
PHX_OF_COMPLEX(bool) isinf(complex<T> z) { return isinf(z.real()) || isinf(z.imag()); }
PHX_OF_COMPLEX(bool) isfinite(complex<T> z) { return isfinite(z.real()) && isfinite(z.imag()); }
PHX_OF_COMPLEX(complex<T>) log1p(complex<T> z) {
  const T x = z.real(), y = z.imag();
  const bool is_small = fabs(x) < (T)0.5 && fabs(y) < (T)0.5;
  return is_small ? complex<T>(log1p(x * (2 + x) + y * y) / 2, atan2(y, 1 + x)) : log(z + (T)1);
}
PHX_OF_COMPLEX(complex<T>) log2(complex<T> z) { return log(z) / (T)0.69314718055994530942; }
PHX_OF_COMPLEX(complex<T>) expm1(complex<T> z) {
  const T half = sin(z.imag() / 2);
  return complex<T>(
      expm1(z.real()) * cos(z.imag()) - 2 * half * half, exp(z.real()) * sin(z.imag()));
}
PHX_OF_COMPLEX(complex<T>) rint(complex<T> z) {
  return complex<T>(rint(z.real()), rint(z.imag()));
}
// In the order of the real parts, then of the imaginary ones; a NaN is left out.
PHX_OF_COMPLEX(bool) __phx_is_before(complex<T> x, complex<T> y) {
  return x.real() < y.real() || (x.real() == y.real() && x.imag() < y.imag());
}
PHX_OF_COMPLEX(complex<T>) min(complex<T> x, complex<T> y) {
  return isnan(x) ? y : isnan(y) || __phx_is_before(x, y) ? x : y;
}
PHX_OF_COMPLEX(complex<T>) max(complex<T> x, complex<T> y) {
  return isnan(x) ? y : isnan(y) || __phx_is_before(y, x) ? x : y;
}
#undef PHX_OF_COMPLEX
