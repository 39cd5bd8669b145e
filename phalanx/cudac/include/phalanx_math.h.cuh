// Functions of C++ that are not the C library's: overloads by type. The C library's own, such as
// sinf and pow, are declared from the table of libdevice's functions.
template <typename T> struct __phx_integer {};
template <> struct __phx_integer<bool> { typedef double type; };
template <> struct __phx_integer<char> { typedef double type; };
template <> struct __phx_integer<signed char> { typedef double type; };
template <> struct __phx_integer<unsigned char> { typedef double type; };
template <> struct __phx_integer<short> { typedef double type; };
template <> struct __phx_integer<unsigned short> { typedef double type; };
template <> struct __phx_integer<int> { typedef double type; };
template <> struct __phx_integer<unsigned> { typedef double type; };
template <> struct __phx_integer<long> { typedef double type; };
template <> struct __phx_integer<unsigned long> { typedef double type; };
template <> struct __phx_integer<long long> { typedef double type; };
template <> struct __phx_integer<unsigned long long> { typedef double type; };

#define PHX_UNARY(name)                                                              \
  extern "C" __device__ float name##f(float x);                                      \
  extern "C" __device__ double name(double x);                                       \
  PHX_DEVICE float name(float x) { return name##f(x); }                              \
  template <typename T> PHX_DEVICE typename __phx_integer<T>::type name(T x) {       \
    return name((double)x);                                                          \
  }
PHX_UNARY(acos) PHX_UNARY(acosh) PHX_UNARY(asin) PHX_UNARY(asinh) PHX_UNARY(atan)
PHX_UNARY(atanh) PHX_UNARY(cbrt) PHX_UNARY(ceil) PHX_UNARY(cos) PHX_UNARY(cosh) PHX_UNARY(erf)
PHX_UNARY(erfc) PHX_UNARY(erfcinv) PHX_UNARY(erfcx) PHX_UNARY(erfinv) PHX_UNARY(exp)
PHX_UNARY(exp10) PHX_UNARY(exp2) PHX_UNARY(expm1) PHX_UNARY(fabs) PHX_UNARY(floor) PHX_UNARY(j0)
PHX_UNARY(j1) PHX_UNARY(lgamma) PHX_UNARY(log) PHX_UNARY(log10) PHX_UNARY(log1p) PHX_UNARY(log2)
PHX_UNARY(logb) PHX_UNARY(nearbyint) PHX_UNARY(normcdf) PHX_UNARY(normcdfinv) PHX_UNARY(rcbrt)
PHX_UNARY(rint) PHX_UNARY(round) PHX_UNARY(rsqrt) PHX_UNARY(sin) PHX_UNARY(sinh) PHX_UNARY(sinpi)
PHX_UNARY(cospi) PHX_UNARY(sqrt) PHX_UNARY(tan) PHX_UNARY(tanh) PHX_UNARY(tgamma)
PHX_UNARY(trunc) PHX_UNARY(y0) PHX_UNARY(y1)
#undef PHX_UNARY

#define PHX_BINARY(name)                                                             \
  extern "C" __device__ float name##f(float x, float y);                             \
  extern "C" __device__ double name(double x, double y);                             \
  PHX_DEVICE float name(float x, float y) { return name##f(x, y); }                  \
  PHX_DEVICE double name(float x, double y) { return name((double)x, y); }           \
  PHX_DEVICE double name(double x, float y) { return name(x, (double)y); }           \
  template <typename T> PHX_DEVICE typename __phx_integer<T>::type name(T x, double y) { \
    return name((double)x, y);                                                       \
  }                                                                                  \
  template <typename T> PHX_DEVICE typename __phx_integer<T>::type name(T x, float y) {  \
    return name((double)x, (double)y);                                               \
  }                                                                                  \
  template <typename T> PHX_DEVICE typename __phx_integer<T>::type name(double x, T y) { \
    return name(x, (double)y);                                                       \
  }                                                                                  \
  template <typename T> PHX_DEVICE typename __phx_integer<T>::type name(float x, T y) {  \
    return name((double)x, (double)y);                                               \
  }                                                                                  \
  template <typename T, typename U, typename = typename __phx_integer<U>::type>      \
  PHX_DEVICE typename __phx_integer<T>::type name(T x, U y) {                        \
    return name((double)x, (double)y);                                               \
  }
PHX_BINARY(atan2) PHX_BINARY(copysign) PHX_BINARY(fdim) PHX_BINARY(fmax) PHX_BINARY(fmin)
PHX_BINARY(fmod) PHX_BINARY(hypot) PHX_BINARY(nextafter) PHX_BINARY(remainder)
#undef PHX_BINARY

extern "C" {
__device__ float powf(float x, float y);
__device__ double pow(double x, double y);
__device__ float powif(float x, int y);
__device__ double powi(double x, int y);
__device__ float fmaf(float x, float y, float z);
__device__ double fma(double x, double y, double z);
__device__ float ldexpf(float x, int y);
__device__ double ldexp(double x, int y);
__device__ float scalbnf(float x, int y);
__device__ double scalbn(double x, int y);
__device__ float frexpf(float x, int* exponent);
__device__ double frexp(double x, int* exponent);
__device__ float modff(float x, float* whole);
__device__ double modf(double x, double* whole);
__device__ int ilogbf(float x);
__device__ int ilogb(double x);
__device__ void sincosf(float x, float* sine, float* cosine);
__device__ void sincos(double x, double* sine, double* cosine);
__device__ void sincospif(float x, float* sine, float* cosine);
__device__ void sincospi(double x, double* sine, double* cosine);
__device__ int __phx_isnan(double x);
__device__ int __phx_isinf(double x);
__device__ int __phx_isfinite(double x);
__device__ int __phx_isnanf(float x);
__device__ int __phx_isinff(float x);
__device__ int __phx_isfinitef(float x);
__device__ int abs(int x);
}
PHX_DEVICE float pow(float x, float y) { return powf(x, y); }
PHX_DEVICE float pow(float x, int y) { return powf(x, (float)y); }
PHX_DEVICE double pow(double x, int y) { return pow(x, (double)y); }
PHX_DEVICE double pow(float x, double y) { return pow((double)x, y); }
PHX_DEVICE double pow(double x, float y) { return pow(x, (double)y); }
template <typename T> PHX_DEVICE typename __phx_integer<T>::type pow(T x, double y) {
  return pow((double)x, y);
}
template <typename T> PHX_DEVICE typename __phx_integer<T>::type pow(T x, float y) {
  return pow((double)x, (double)y);
}
template <typename T> PHX_DEVICE typename __phx_integer<T>::type pow(T x, int y) {
  return pow((double)x, (double)y);
}
PHX_DEVICE float fma(float x, float y, float z) { return fmaf(x, y, z); }
PHX_DEVICE float fdividef(float x, float y) { return x / y; }
PHX_DEVICE float ldexp(float x, int y) { return ldexpf(x, y); }
PHX_DEVICE float scalbn(float x, int y) { return scalbnf(x, y); }
PHX_DEVICE float frexp(float x, int* exponent) { return frexpf(x, exponent); }
PHX_DEVICE float modf(float x, float* whole) { return modff(x, whole); }
PHX_DEVICE int ilogb(float x) { return ilogbf(x); }
PHX_DEVICE void sincos(float x, float* sine, float* cosine) { sincosf(x, sine, cosine); }

PHX_DEVICE bool isnan(float x) { return __phx_isnanf(x); }
PHX_DEVICE bool isnan(double x) { return __phx_isnan(x); }
PHX_DEVICE bool isinf(float x) { return __phx_isinff(x); }
PHX_DEVICE bool isinf(double x) { return __phx_isinf(x); }
PHX_DEVICE bool isfinite(float x) { return __phx_isfinitef(x); }
PHX_DEVICE bool isfinite(double x) { return __phx_isfinite(x); }
PHX_DEVICE int __isnanf(float x) { return isnan(x); }
PHX_DEVICE int __isinff(float x) { return isinf(x); }
PHX_DEVICE int __float_as_int(float x) { return __builtin_bit_cast(int, x); }
PHX_DEVICE unsigned __float_as_uint(float x) { return __builtin_bit_cast(unsigned, x); }
PHX_DEVICE float __int_as_float(int x) { return __builtin_bit_cast(float, x); }
PHX_DEVICE float __uint_as_float(unsigned x) { return __builtin_bit_cast(float, x); }
PHX_DEVICE long long __double_as_longlong(double x) { return __builtin_bit_cast(long long, x); }
PHX_DEVICE double __longlong_as_double(long long x) { return __builtin_bit_cast(double, x); }
PHX_DEVICE float nanf(const char* text) { return __builtin_nanf(""); }
PHX_DEVICE double nan(const char* text) { return __builtin_nan(""); }
PHX_DEVICE bool signbit(float x) { return __float_as_int(x) < 0; }
PHX_DEVICE bool signbit(double x) { return __double_as_longlong(x) < 0; }

PHX_ANYWHERE long labs(long x) { return x < 0 ? -x : x; }
PHX_ANYWHERE long long llabs(long long x) { return x < 0 ? -x : x; }
PHX_ANYWHERE long abs(long x) { return x < 0 ? -x : x; }
PHX_ANYWHERE long long abs(long long x) { return x < 0 ? -x : x; }
PHX_DEVICE float abs(float x) { return fabsf(x); }
PHX_DEVICE double abs(double x) { return fabs(x); }

#define PHX_EXTREMA(type)                                                   \
  PHX_ANYWHERE type min(type a, type b) { return b < a ? b : a; }           \
  PHX_ANYWHERE type max(type a, type b) { return a < b ? b : a; }
PHX_EXTREMA(int)
PHX_EXTREMA(unsigned)
PHX_EXTREMA(long)
PHX_EXTREMA(unsigned long)
PHX_EXTREMA(long long)
PHX_EXTREMA(unsigned long long)
#undef PHX_EXTREMA
PHX_ANYWHERE unsigned min(int a, unsigned b) { return min((unsigned)a, b); }
PHX_ANYWHERE unsigned min(unsigned a, int b) { return min(a, (unsigned)b); }
PHX_ANYWHERE unsigned max(int a, unsigned b) { return max((unsigned)a, b); }
PHX_ANYWHERE unsigned max(unsigned a, int b) { return max(a, (unsigned)b); }
PHX_ANYWHERE long long min(int a, long long b) { return min((long long)a, b); }
PHX_ANYWHERE long long min(long long a, int b) { return min(a, (long long)b); }
PHX_ANYWHERE long long max(int a, long long b) { return max((long long)a, b); }
PHX_ANYWHERE long long max(long long a, int b) { return max(a, (long long)b); }
PHX_DEVICE float min(float a, float b) { return fminf(a, b); }
PHX_DEVICE float max(float a, float b) { return fmaxf(a, b); }
PHX_DEVICE double min(double a, double b) { return fmin(a, b); }
PHX_DEVICE double max(double a, double b) { return fmax(a, b); }
PHX_DEVICE double min(float a, double b) { return fmin((double)a, b); }
PHX_DEVICE double min(double a, float b) { return fmin(a, (double)b); }
PHX_DEVICE double max(float a, double b) { return fmax((double)a, b); }
PHX_DEVICE double max(double a, float b) { return fmax(a, (double)b); }
PHX_DEVICE float min(float a, int b) { return fminf(a, (float)b); }
PHX_DEVICE float min(int a, float b) { return fminf((float)a, b); }
PHX_DEVICE float max(float a, int b) { return fmaxf(a, (float)b); }
PHX_DEVICE float max(int a, float b) { return fmaxf((float)a, b); }
PHX_DEVICE double min(double a, int b) { return fmin(a, (double)b); }
PHX_DEVICE double min(int a, double b) { return fmin((double)a, b); }
PHX_DEVICE double max(double a, int b) { return fmax(a, (double)b); }
PHX_DEVICE double max(int a, double b) { return fmax((double)a, b); }
#define INFINITY __builtin_huge_valf()
#define HUGE_VAL __builtin_huge_val()
#define HUGE_VALF __builtin_huge_valf()
#define NAN __builtin_nanf("")
#define M_E 2.7182818284590452354
#define M_LOG2E 1.4426950408889634074
#define M_LOG10E 0.43429448190325182765
#define M_LN2 0.69314718055994530942
#define M_LN10 2.30258509299404568402
#define M_PI 3.14159265358979323846
#define M_PI_2 1.57079632679489661923
#define M_PI_4 0.78539816339744830962
#define M_1_PI 0.31830988618379067154
#define M_2_PI 0.63661977236758134308
#define M_2_SQRTPI 1.12837916709551257390
#define M_SQRT2 1.41421356237309504880
#define M_SQRT1_2 0.70710678118654752440
// Numbers of C, that halves are made of.
template <typename T> struct __phx_number : __phx_integer<T> {};
template <> struct __phx_number<float> { typedef float type; };
template <> struct __phx_number<double> { typedef double type; };

// A number as a float or a double that holds it. Of integers of 64 bits, whose lowest bits a double
// has no room for, one bit says that there are some: rounded to fewer bits once more, the result is
// that of the whole number.
PHX_ANYWHERE float __phx_exact(float v) { return v; }
PHX_ANYWHERE float __phx_exact(short v) { return v; }
PHX_ANYWHERE float __phx_exact(unsigned short v) { return v; }
PHX_ANYWHERE double __phx_exact(int v) { return v; }
PHX_ANYWHERE double __phx_exact(unsigned v) { return v; }
PHX_ANYWHERE double __phx_exact(long long v) {
  const bool is_wide = v >> 53 != 0 && v >> 53 != -1;
  return (double)(is_wide ? (v >> 12 << 12) | ((v & 4095) != 0 ? 2048 : 0) : v);
}
PHX_ANYWHERE double __phx_exact(unsigned long long v) {
  return (double)(v >> 53 != 0 ? (v >> 12 << 12) | ((v & 4095) != 0 ? 2048 : 0) : v);
}
