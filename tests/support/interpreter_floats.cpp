// The interpreter's floats, on native types.
#include <cmath>
#include <limits>

#include "interpreter_arithmetic.h"
#include "interpreter_values.h"
#include "phalanx/ir/constants.h"

namespace phalanx::testing {

using ir::Op;

namespace {

// As Python's and NumPy's: the sign of the divisor.
template <typename T>
T python_remainder(T a, T b) {
  const T rest = std::fmod(a, b);
  if (rest == 0)
    return std::copysign(T{0}, b);
  return (rest < 0) != (b < 0) ? rest + b : rest;
}

// In the precision of T, as NumPy's divmod.
template <typename T>
T python_floor_divide(T a, T b) {
  if (b == 0)
    return a / b;
  const T rest = std::fmod(a, b);
  T quotient = (a - rest) / b;
  if (rest != 0 && (rest < 0) != (b < 0))
    quotient -= 1;
  if (quotient == 0)
    return std::copysign(T{0}, a / b);
  T floored = std::floor(quotient);
  if (quotient - floored > T(0.5))
    floored += 1;
  return floored;
}

template <typename T>
T least(T a, T b, bool is_greatest, bool ignores_nan) {
  if (std::isnan(a) || std::isnan(b)) {
    if (ignores_nan)
      return std::isnan(a) ? b : a;
    return std::numeric_limits<T>::quiet_NaN();
  }
  if (a == b)  // zeros are ordered by their sign
    return std::signbit(a) != is_greatest ? a : b;
  return (a < b) != is_greatest ? a : b;
}

template <typename T>
std::optional<T> exact_result(Op op, T a, T b, T c) {
  switch (op) {
    case Op::add:
      return a + b;
    case Op::subtract:
      return a - b;
    case Op::multiply:
      return a * b;
    case Op::true_divide:
      return a / b;
    case Op::floor_divide:
      return python_floor_divide(a, b);
    case Op::remainder:
      return python_remainder(a, b);
    case Op::negative:
      return -a;
    case Op::absolute:
      return std::fabs(a);
    case Op::minimum:
      return least(a, b, false, false);
    case Op::maximum:
      return least(a, b, true, false);
    case Op::fmin:
      return least(a, b, false, true);
    case Op::fmax:
      return least(a, b, true, true);
    case Op::fma:
      return std::fma(a, b, c);
    case Op::sqrt:
      return std::sqrt(a);
    case Op::floor:
      return std::floor(a);
    case Op::ceil:
      return std::ceil(a);
    case Op::trunc:
      return std::trunc(a);
    case Op::rint:
      return std::nearbyint(a);
    case Op::fmod:
      return std::fmod(a, b);
    case Op::ieee_remainder:
      return std::remainder(a, b);
    case Op::copysign:
      return std::copysign(a, b);
    case Op::nextafter:
      return std::nextafter(a, b);
    default:
      return std::nullopt;
  }
}

// Computed in double; the devices' results differ in the last digits.
double math_result(Op op, DType dtype, double a) {
  switch (op) {
    case Op::rsqrt:
      return 1 / std::sqrt(a);
    case Op::cbrt:
      return std::cbrt(a);
    case Op::exp:
      return std::exp(a);
    case Op::exp2:
      return std::exp2(a);
    case Op::expm1:
      return std::expm1(a);
    case Op::log:
      return std::log(a);
    case Op::log2:
      return std::log2(a);
    case Op::log10:
      return std::log10(a);
    case Op::log1p:
      return std::log1p(a);
    case Op::sin:
      return std::sin(a);
    case Op::cos:
      return std::cos(a);
    case Op::tan:
      return std::tan(a);
    case Op::arcsin:
      return std::asin(a);
    case Op::arccos:
      return std::acos(a);
    case Op::arctan:
      return std::atan(a);
    case Op::sinh:
      return std::sinh(a);
    case Op::cosh:
      return std::cosh(a);
    case Op::tanh:
      return std::tanh(a);
    case Op::arcsinh:
      return std::asinh(a);
    case Op::arccosh:
      return std::acosh(a);
    case Op::arctanh:
      return std::atanh(a);
    case Op::erf:
      return std::erf(a);
    case Op::erfc:
      return std::erfc(a);
    case Op::gamma:
      return std::tgamma(a);
    case Op::lgamma:
      return std::lgamma(a);
    default:
      fail(op, dtype);
  }
}

double math_result(Op op, DType dtype, double a, double b) {
  switch (op) {
    case Op::power:
      return std::pow(a, b);
    case Op::arctan2:
      return std::atan2(a, b);
    case Op::hypot:
      return std::hypot(a, b);
    default:
      return math_result(op, dtype, a);
  }
}

std::optional<bool> float_test(Op op, double a, double b) {
  switch (op) {
    case Op::isnan:
      return std::isnan(a);
    case Op::isinf:
      return std::isinf(a);
    case Op::isfinite:
      return std::isfinite(a);
    default:
      return comparison(op, a, b);
  }
}

}  // namespace

double rounded(double value, DType dtype) { return std::get<double>(ir::normalized(value, dtype)); }

// float16 and bfloat16 are computed in double and rounded once.
std::uint64_t floating(Op op, DType dtype, double a, double b, double c) {
  if (const auto test = float_test(op, a, b))
    return *test ? 1 : 0;
  if (dtype == DType::float32) {
    const auto result =
        exact_result(op, static_cast<float>(a), static_cast<float>(b), static_cast<float>(c));
    return as_word(result ? double{*result} : rounded(math_result(op, dtype, a, b), dtype));
  }
  const auto result = exact_result(op, a, b, c);
  return as_word(rounded(result ? *result : math_result(op, dtype, a, b), dtype));
}

}  // namespace phalanx::testing
