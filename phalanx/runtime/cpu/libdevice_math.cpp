// libdevice's mathematical functions that are not operations of the IR. Most are computed in long
// double and rounded once.
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>

#include "phalanx/runtime/cpu/libdevice_table.h"

namespace phalanx::runtime::cpu {

namespace {

using i32 = std::int32_t;
using i64 = std::int64_t;
using Long = long double;

constexpr Long pi = std::numbers::pi_v<Long>;
constexpr Long root_2 = std::numbers::sqrt2_v<Long>;
constexpr Long infinity = std::numeric_limits<Long>::infinity();

// Exact where the angle is a multiple of a quarter turn.
Long sin_pi(Long x) {
  const Long turn = std::remainder(x, Long{2});
  if (turn == 0 || turn == 1 || turn == -1)
    return std::copysign(Long{0}, x);
  return std::sin(pi * turn);
}

Long cos_pi(Long x) {
  const Long turn = std::fabs(std::remainder(x, Long{2}));
  return turn == Long{0.5} ? Long{0} : std::cos(pi * turn);
}

// A rational estimate, then Halley's steps, each of which triples the digits.
Long inverse_erfc(Long x) {
  if (std::isnan(x) || x < 0 || x > 2)
    return std::numeric_limits<Long>::quiet_NaN();
  if (x == 0 || x == 2)
    return x == 0 ? infinity : -infinity;
  if (x > 1)
    return -inverse_erfc(2 - x);
  const Long t = std::sqrt(-2 * std::log(x / 2));
  Long y = (t - (2.30753L + t * 0.27061L) / (1 + t * (0.99229L + t * 0.04481L))) / root_2;
  for (int step = 0; step < 4; ++step) {
    const Long error = std::erfc(y) - x;
    y += error / (2 * std::numbers::inv_sqrtpi_v<Long> * std::exp(-y * y) - y * error);
  }
  return y;
}

Long inverse_erf(Long x) {
  if (std::fabs(x) >= 0.5L || std::isnan(x))
    return std::copysign(inverse_erfc(1 - std::fabs(x)), x);
  Long y = x / (2 * std::numbers::inv_sqrtpi_v<Long>);
  for (int step = 0; step < 4; ++step) {
    const Long error = std::erf(y) - x;
    y -= error / (2 * std::numbers::inv_sqrtpi_v<Long> * std::exp(-y * y) + y * error);
  }
  return y;
}

Long scaled_erfc(Long x) {
  constexpr Long far = 100;  // erfc is not 0 before it
  if (x < far)
    return std::exp(x * x) * std::erfc(x);
  return std::numbers::inv_sqrtpi_v<Long> / x * (1 - 1 / (2 * x * x));
}

Long normal_cdf(Long x) { return std::erfc(-x / root_2) / 2; }
Long inverse_normal_cdf(Long p) { return -root_2 * inverse_erfc(2 * p); }

Long bessel_i(Long order, Long x) {
  const Long value = std::isinf(x) ? infinity : std::cyl_bessel_i(order, std::fabs(x));
  return order == 1 && x < 0 ? -value : value;
}

Long norm(Long a, Long b, Long c, Long d = 0) {
  return std::hypot(std::hypot(a, b), std::hypot(c, d));
}

// An estimate of 1 / x in the upper half of the number.
double upper_reciprocal(double x) {
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(1 / x);
  return std::bit_cast<double>(bits >> 32 << 32);
}

float saturate(float x) { return x > 0 ? (x < 1 ? x : 1) : 0; }

#define ROW(name, ...) \
  LibdeviceFunction { #name, address_of(__VA_ARGS__) }
// The float64 function and its float32 form.
#define UNARY(name, value)                 \
  ROW(name,                                \
      [](double given) {                   \
        const Long x = given;              \
        return static_cast<double>(value); \
      }),                                  \
      ROW(name##f, [](float given) {       \
        const Long x = given;              \
        return static_cast<float>(value);  \
      })
#define BINARY(name, value)                                                 \
  ROW(name, [](double x, double y) { return static_cast<double>(value); }), \
      ROW(name##f, [](float x, float y) { return static_cast<float>(value); })
#define OF_INDEX(name)                                     \
  ROW(name, [](i32 n, double x) { return ::name(n, x); }), \
      ROW(name##f, [](i32 n, float x) { return static_cast<float>(::name(n, double{x})); })
#define FORMS(T, suffix)                                                                        \
  ROW(frexp##suffix, [](T x, i32* exponent) { return std::frexp(x, exponent); }),               \
      ROW(modf##suffix, [](T x, T* whole) { return std::modf(x, whole); }),                     \
      ROW(remquo##suffix, [](T x, T y, i32* bits) { return std::remquo(x, y, bits); }),         \
      ROW(sincos##suffix,                                                                       \
          [](T x, T* sine, T* cosine) {                                                         \
            *sine = std::sin(x);                                                                \
            *cosine = std::cos(x);                                                              \
          }),                                                                                   \
      ROW(sincospi##suffix,                                                                     \
          [](T x, T* sine, T* cosine) {                                                         \
            *sine = static_cast<T>(sin_pi(x));                                                  \
            *cosine = static_cast<T>(cos_pi(x));                                                \
          }),                                                                                   \
      ROW(norm3d##suffix, [](T a, T b, T c) { return static_cast<T>(norm(a, b, c)); }),         \
      ROW(rnorm3d##suffix, [](T a, T b, T c) { return static_cast<T>(1 / norm(a, b, c)); }),    \
      ROW(norm4d##suffix, [](T a, T b, T c, T d) { return static_cast<T>(norm(a, b, c, d)); }), \
      ROW(rnorm4d##suffix,                                                                      \
          [](T a, T b, T c, T d) { return static_cast<T>(1 / norm(a, b, c, d)); }),             \
      ROW(ilogb##suffix, [](T x) -> i32 { return std::ilogb(x); }),                             \
      ROW(llrint##suffix, [](T x) -> i64 { return std::llrint(x); }),                           \
      ROW(llround##suffix, [](T x) -> i64 { return std::llround(x); }),                         \
      ROW(powi##suffix, [](T x, i32 n) { return static_cast<T>(std::pow(x, n)); })

const auto& table() {
  static const std::array rows = {
      UNARY(sinpi, sin_pi(x)),
      UNARY(cospi, cos_pi(x)),
      UNARY(cyl_bessel_i0, bessel_i(0, x)),
      UNARY(cyl_bessel_i1, bessel_i(1, x)),
      UNARY(erfinv, inverse_erf(x)),
      UNARY(erfcinv, inverse_erfc(x)),
      UNARY(erfcx, scaled_erfc(x)),
      UNARY(normcdf, normal_cdf(x)),
      UNARY(normcdfinv, inverse_normal_cdf(x)),
      UNARY(exp10, std::pow(Long{10}, x)),
      UNARY(j0, ::j0(static_cast<double>(x))),
      UNARY(j1, ::j1(static_cast<double>(x))),
      UNARY(y0, ::y0(static_cast<double>(x))),
      UNARY(y1, ::y1(static_cast<double>(x))),
      UNARY(logb, std::logb(x)),
      UNARY(rcbrt, 1 / std::cbrt(x)),
      UNARY(round, std::round(x)),
      BINARY(fdim, std::fdim(x, y)),
      BINARY(rhypot, 1 / std::hypot(Long{x}, Long{y})),
      OF_INDEX(jn),
      OF_INDEX(yn),
      FORMS(double, ),
      FORMS(float, f),
      ROW(fast_exp10f, [](float x) { return static_cast<float>(std::pow(10.0, double{x})); }),
      ROW(fast_sincosf,
          [](float x, float* sine, float* cosine) {
            *sine = std::sin(x);
            *cosine = std::cos(x);
          }),
      ROW(saturatef, [](float x) { return saturate(x); }),
      ROW(rcp64h, [](double x) { return upper_reciprocal(x); }),
  };
  return rows;
}

#undef ROW
#undef UNARY
#undef BINARY
#undef OF_INDEX
#undef FORMS

}  // namespace

std::span<const LibdeviceFunction> libdevice_math() { return table(); }

}  // namespace phalanx::runtime::cpu
