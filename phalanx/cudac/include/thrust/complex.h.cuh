// Complex numbers as a class: thrust::complex<T>, which CuPy's complex<T> is too.
#pragma once
namespace thrust {

template <typename T, typename U> struct __phx_wider {
  typedef decltype(T() + U()) type;
};

// A product that is no part of a fused operation.
PHX_DEVICE float __phx_product(float x, float y) { return __fmul_rn(x, y); }
PHX_DEVICE double __phx_product(double x, double y) { return __dmul_rn(x, y); }

template <typename T> class __align__(2 * sizeof(T)) complex {
 public:
  typedef T value_type;

  complex() = default;
  PHX_MEMBER complex(const T& re) : re_(re), im_(0) {}
  PHX_MEMBER complex(const T& re, const T& im) : re_(re), im_(im) {}
  template <typename U>
  PHX_MEMBER complex(const complex<U>& z) : re_((T)z.real()), im_((T)z.imag()) {}

  PHX_MEMBER complex& operator=(const T& re) { return *this = complex(re); }
  template <typename U> PHX_MEMBER complex& operator=(const complex<U>& z) {
    return *this = complex(z);
  }
  complex(const complex&) = default;
  complex& operator=(const complex&) = default;

  PHX_MEMBER T real() const { return re_; }
  PHX_MEMBER T imag() const { return im_; }
  PHX_MEMBER T real() const volatile { return re_; }
  PHX_MEMBER T imag() const volatile { return im_; }
  PHX_MEMBER void real(T re) { re_ = re; }
  PHX_MEMBER void imag(T im) { im_ = im; }
  PHX_MEMBER void real(T re) volatile { re_ = re; }
  PHX_MEMBER void imag(T im) volatile { im_ = im; }

  PHX_MEMBER complex& operator+=(const complex& z) { return *this = *this + z; }
  PHX_MEMBER complex& operator-=(const complex& z) { return *this = *this - z; }
  PHX_MEMBER complex& operator*=(const complex& z) { return *this = *this * z; }
  PHX_MEMBER complex& operator/=(const complex& z) { return *this = *this / z; }
  PHX_MEMBER complex& operator+=(const T& x) { return *this = *this + x; }
  PHX_MEMBER complex& operator-=(const T& x) { return *this = *this - x; }
  PHX_MEMBER complex& operator*=(const T& x) { return *this = *this * x; }
  PHX_MEMBER complex& operator/=(const T& x) { return *this = *this / x; }

  friend PHX_MEMBER complex operator+(const complex& a) { return a; }
  friend PHX_MEMBER complex operator-(const complex& a) { return complex(-a.re_, -a.im_); }
  friend PHX_MEMBER complex operator+(const complex& a, const complex& b) {
    return complex(a.re_ + b.re_, a.im_ + b.im_);
  }
  friend PHX_MEMBER complex operator+(const complex& a, const T& b) {
    return complex(a.re_ + b, a.im_);
  }
  friend PHX_MEMBER complex operator+(const T& a, const complex& b) {
    return complex(a + b.re_, b.im_);
  }
  friend PHX_MEMBER complex operator-(const complex& a, const complex& b) {
    return complex(a.re_ - b.re_, a.im_ - b.im_);
  }
  friend PHX_MEMBER complex operator-(const complex& a, const T& b) {
    return complex(a.re_ - b, a.im_);
  }
  friend PHX_MEMBER complex operator-(const T& a, const complex& b) {
    return complex(a - b.re_, -b.im_);
  }
  friend PHX_MEMBER complex operator*(const complex& a, const complex& b) {
    return complex(a.re_ * b.re_ - a.im_ * b.im_, a.re_ * b.im_ + a.im_ * b.re_);
  }
  friend PHX_MEMBER complex operator*(const complex& a, const T& b) {
    return complex(a.re_ * b, a.im_ * b);
  }
  friend PHX_MEMBER complex operator*(const T& a, const complex& b) {
    return complex(a * b.re_, a * b.im_);
  }
  // By the larger part of the divisor, so that squares do not overflow (Smith's algorithm). Rounded
  // step by step, so that the quotients are those of arrays.
  friend PHX_MEMBER complex operator/(const complex& a, const complex& b) {
    const T x = b.re_ < 0 ? -b.re_ : b.re_, y = b.im_ < 0 ? -b.im_ : b.im_;
    if (x == 0 && y == 0) return complex(a.re_ / x, a.im_ / x);
    if (x >= y) {
      const T ratio = b.im_ / b.re_, scale = 1 / (b.re_ + __phx_product(b.im_, ratio));
      return complex(
          (a.re_ + __phx_product(a.im_, ratio)) * scale,
          (a.im_ - __phx_product(a.re_, ratio)) * scale);
    }
    const T ratio = b.re_ / b.im_, scale = 1 / (b.im_ + __phx_product(b.re_, ratio));
    return complex(
        (a.im_ + __phx_product(a.re_, ratio)) * scale,
        -((a.re_ - __phx_product(a.im_, ratio)) * scale));
  }
  friend PHX_MEMBER complex operator/(const complex& a, const T& b) {
    return complex(a.re_ / b, a.im_ / b);
  }
  friend PHX_MEMBER complex operator/(const T& a, const complex& b) { return complex(a) / b; }

  friend PHX_MEMBER bool operator==(const complex& a, const complex& b) {
    return a.re_ == b.re_ && a.im_ == b.im_;
  }
  friend PHX_MEMBER bool operator==(const complex& a, const T& b) {
    return a.re_ == b && a.im_ == 0;
  }
  friend PHX_MEMBER bool operator==(const T& a, const complex& b) { return b == a; }
  friend PHX_MEMBER bool operator!=(const complex& a, const complex& b) { return !(a == b); }
  friend PHX_MEMBER bool operator!=(const complex& a, const T& b) { return !(a == b); }
  friend PHX_MEMBER bool operator!=(const T& a, const complex& b) { return !(b == a); }

 private:
  T re_;
  T im_;
};

// Numbers of two types: the wider one's.
#define PHX_MIXED(op)                                                             \
  template <typename T, typename U>                                               \
  PHX_ANYWHERE complex<typename __phx_wider<T, U>::type> operator op(             \
      const complex<T>& a, const complex<U>& b) {                                 \
    typedef complex<typename __phx_wider<T, U>::type> wider;                      \
    return wider(a) op wider(b);                                                  \
  }
PHX_MIXED(+)
PHX_MIXED(-)
PHX_MIXED(*)
PHX_MIXED(/)
#undef PHX_MIXED

#define PHX_OF_COMPLEX(result) template <typename T> PHX_DEVICE result
PHX_OF_COMPLEX(T) real(const complex<T>& z) { return z.real(); }
PHX_OF_COMPLEX(T) imag(const complex<T>& z) { return z.imag(); }
PHX_OF_COMPLEX(T) abs(const complex<T>& z) { return ::hypot(z.real(), z.imag()); }
PHX_OF_COMPLEX(T) arg(const complex<T>& z) { return ::atan2(z.imag(), z.real()); }
PHX_OF_COMPLEX(T) norm(const complex<T>& z) {
  return z.real() * z.real() + z.imag() * z.imag();
}
PHX_OF_COMPLEX(complex<T>) conj(const complex<T>& z) { return complex<T>(z.real(), -z.imag()); }
PHX_OF_COMPLEX(complex<T>) proj(const complex<T>& z) {
  if (!::isinf(z.real()) && !::isinf(z.imag())) return z;
  return complex<T>((T)__int_as_float(0x7f800000), ::copysign((T)0, z.imag()));
}
PHX_OF_COMPLEX(complex<T>) polar(const T& size, const T& angle = 0) {
  return complex<T>(size * ::cos(angle), size * ::sin(angle));
}

PHX_OF_COMPLEX(complex<T>) exp(const complex<T>& z) {
  const T size = ::exp(z.real());
  if (z.imag() == 0) return complex<T>(size, z.imag());
  if (size == 0) return complex<T>(0, 0);
  return complex<T>(size * ::cos(z.imag()), size * ::sin(z.imag()));
}
// Near the unit circle the logarithm of the size loses its digits, that of 1 + (size**2 - 1) none.
PHX_OF_COMPLEX(complex<T>) log(const complex<T>& z) {
  const T x = ::fabs(z.real()), y = ::fabs(z.imag());
  const T more = ::fmax(x, y), less = ::fmin(x, y), size = abs(z);
  const bool is_near = size > (T)0.5 && size < (T)2;
  const T far = (more - 1) * (more + 1) + less * less;
  return complex<T>(is_near ? ::log1p(far) / 2 : ::log(size), arg(z));
}
PHX_OF_COMPLEX(complex<T>) log10(const complex<T>& z) {
  return log(z) / (T)2.302585092994045684;
}
PHX_OF_COMPLEX(complex<T>) sqrt(const complex<T>& z) {
  if (z.real() == 0 && z.imag() == 0) return complex<T>(0, z.imag());
  const T half = ::sqrt(::fabs(z.real()) / 2 + abs(z) / 2);
  const T other = ::fabs(z.imag()) / half / 2;
  if (z.real() >= 0) return complex<T>(half, ::copysign(other, z.imag()));
  return complex<T>(other, ::copysign(half, z.imag()));
}
PHX_OF_COMPLEX(complex<T>) pow(const complex<T>& x, const complex<T>& y) {
  if (x.real() == 0 && x.imag() == 0)
    return y.real() == 0 && y.imag() == 0 ? complex<T>(1) : complex<T>(0);
  return exp(y * log(x));
}
PHX_OF_COMPLEX(complex<T>) pow(const complex<T>& x, const T& y) { return pow(x, complex<T>(y)); }
PHX_OF_COMPLEX(complex<T>) pow(const T& x, const complex<T>& y) { return pow(complex<T>(x), y); }
template <typename T, typename U>
PHX_DEVICE complex<typename __phx_wider<T, U>::type> pow(
    const complex<T>& x, const complex<U>& y) {
  typedef complex<typename __phx_wider<T, U>::type> wider;
  return pow(wider(x), wider(y));
}
template <typename T, typename U>
PHX_DEVICE complex<typename __phx_wider<T, U>::type> pow(const complex<T>& x, const U& y) {
  typedef typename __phx_wider<T, U>::type wider;
  return pow(complex<wider>(x), complex<wider>((wider)y));
}
template <typename T, typename U>
PHX_DEVICE complex<typename __phx_wider<T, U>::type> pow(const T& x, const complex<U>& y) {
  typedef typename __phx_wider<T, U>::type wider;
  return pow(complex<wider>((wider)x), complex<wider>(y));
}

PHX_OF_COMPLEX(complex<T>) sinh(const complex<T>& z) {
  if (z.imag() == 0) return complex<T>(::sinh(z.real()), z.imag());
  return complex<T>(::sinh(z.real()) * ::cos(z.imag()), ::cosh(z.real()) * ::sin(z.imag()));
}
PHX_OF_COMPLEX(complex<T>) cosh(const complex<T>& z) {
  if (z.imag() == 0) return complex<T>(::cosh(z.real()), z.real() * z.imag());
  return complex<T>(::cosh(z.real()) * ::cos(z.imag()), ::sinh(z.real()) * ::sin(z.imag()));
}
// This one and the inverse functions are as in Kahan, Branch cuts for complex elementary functions.
PHX_OF_COMPLEX(complex<T>) tanh(const complex<T>& z) {
  if (::fabs(z.real()) > 40) {
    const T rest = 4 * ::exp(-2 * ::fabs(z.real()));
    return complex<T>(
        ::copysign((T)1, z.real()),
        ::isinf(z.imag()) ? ::copysign((T)0, z.imag()) : rest * ::sin(z.imag()) * ::cos(z.imag()));
  }
  const T t = ::tan(z.imag()), beta = 1 + t * t, s = ::sinh(z.real());
  const T below = 1 + beta * s * s;
  return complex<T>(beta * ::sqrt(1 + s * s) * s / below, t / below);
}
// i z and -i z, by which circular functions come of hyperbolic ones.
PHX_OF_COMPLEX(complex<T>) __phx_turned(const complex<T>& z) {
  return complex<T>(-z.imag(), z.real());
}
PHX_OF_COMPLEX(complex<T>) __phx_back(const complex<T>& z) {
  return complex<T>(z.imag(), -z.real());
}
PHX_OF_COMPLEX(complex<T>) sin(const complex<T>& z) { return __phx_back(sinh(__phx_turned(z))); }
PHX_OF_COMPLEX(complex<T>) cos(const complex<T>& z) { return cosh(__phx_turned(z)); }
PHX_OF_COMPLEX(complex<T>) tan(const complex<T>& z) { return __phx_back(tanh(__phx_turned(z))); }

PHX_OF_COMPLEX(complex<T>) asin(const complex<T>& z) {
  const complex<T> below = sqrt((T)1 - z), above = sqrt((T)1 + z);
  return complex<T>(
      ::atan2(z.real(), below.real() * above.real() - below.imag() * above.imag()),
      ::asinh(below.real() * above.imag() - below.imag() * above.real()));
}
PHX_OF_COMPLEX(complex<T>) acos(const complex<T>& z) {
  const complex<T> below = sqrt((T)1 - z), above = sqrt((T)1 + z);
  return complex<T>(
      2 * ::atan2(below.real(), above.real()),
      ::asinh(above.real() * below.imag() - above.imag() * below.real()));
}
PHX_OF_COMPLEX(complex<T>) acosh(const complex<T>& z) {
  const complex<T> below = sqrt(z - (T)1), above = sqrt(z + (T)1);
  return complex<T>(
      ::asinh(below.real() * above.real() + below.imag() * above.imag()),
      2 * ::atan2(below.imag(), above.real()));
}
PHX_OF_COMPLEX(complex<T>) atanh(const complex<T>& z) {
  const T x = z.real(), y = z.imag();
  return complex<T>(
      ::copysign(::log1p(4 * ::fabs(x) / ((1 - ::fabs(x)) * (1 - ::fabs(x)) + y * y)) / 4, x),
      ::atan2(2 * y, (1 - x) * (1 + x) - y * y) / 2);
}
PHX_OF_COMPLEX(complex<T>) asinh(const complex<T>& z) { return __phx_back(asin(__phx_turned(z))); }
PHX_OF_COMPLEX(complex<T>) atan(const complex<T>& z) { return __phx_back(atanh(__phx_turned(z))); }
#undef PHX_OF_COMPLEX

}  // namespace thrust
