// The interpreter's elementwise operations, on native types, by the words of ops.def.
#include <algorithm>
#include <bit>
#include <cmath>
#include <complex>
#include <limits>
#include <stdexcept>
#include <type_traits>

#include "interpreter_values.h"
#include "phalanx/ir/constants.h"

namespace phalanx::testing {

using ir::Op;

namespace {

using Operands = std::vector<const Words*>;

[[noreturn]] void fail(Op op, DType dtype) {
  throw std::logic_error(
      "interpreter: no " + std::string(ir::name_of(op)) + " of " + std::string(info(dtype).text));
}

template <typename T>
T divided(T a, T b) {
  if (b == 0)
    return 0;
  if constexpr (std::is_signed_v<T>) {
    if (b == -1)
      return static_cast<T>(-static_cast<std::make_unsigned_t<T>>(a));
    const T quotient = static_cast<T>(a / b);
    return static_cast<T>(quotient - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0));
  }
  return static_cast<T>(a / b);
}

template <typename T>
T raised_to(T base, T exponent) {
  if constexpr (std::is_signed_v<T>) {
    if (exponent < 0) {
      if (base == 1)
        return 1;
      return base == -1 ? static_cast<T>(exponent % 2 == 0 ? 1 : -1) : static_cast<T>(0);
    }
  }
  std::uint64_t result = 1;
  std::uint64_t square = static_cast<std::uint64_t>(base);
  for (auto left = static_cast<std::uint64_t>(exponent); left != 0; left /= 2, square *= square) {
    if (left % 2 == 1)
      result *= square;
  }
  return static_cast<T>(result);
}

template <typename T>
T shifted_left(T a, T by) {
  using Bits = std::make_unsigned_t<T>;
  return static_cast<Bits>(by) >= 8 * sizeof(T)
             ? T{0}
             : static_cast<T>(static_cast<std::uint64_t>(a) << static_cast<Bits>(by));
}

template <typename T>
T shifted_right(T a, T by) {
  using Bits = std::make_unsigned_t<T>;
  if (static_cast<Bits>(by) < 8 * sizeof(T))
    return static_cast<T>(a >> static_cast<Bits>(by));
  return static_cast<T>(a < 0 ? -1 : 0);
}

template <typename T>
T bits_reversed(T a) {
  T result = 0;
  for (std::size_t i = 0; i < 8 * sizeof(T); ++i) {
    const auto bit = (static_cast<std::uint64_t>(a) >> i) & 1U;
    result = static_cast<T>(static_cast<std::uint64_t>(result) | bit << (8 * sizeof(T) - 1 - i));
  }
  return result;
}

template <typename T>
std::optional<bool> integer_test(Op op, T a, T b) {
  switch (op) {
    case Op::equal:
      return a == b;
    case Op::not_equal:
      return a != b;
    case Op::less:
      return a < b;
    case Op::less_equal:
      return a <= b;
    case Op::greater:
      return a > b;
    case Op::greater_equal:
      return a >= b;
    default:
      return std::nullopt;
  }
}

template <typename T>
std::optional<std::uint64_t> bit_count(Op op, T value) {
  const auto bits = static_cast<std::make_unsigned_t<T>>(value);
  switch (op) {
    case Op::popcount:
      return static_cast<std::uint64_t>(std::popcount(bits));
    case Op::leading_zeros:
      return static_cast<std::uint64_t>(std::countl_zero(bits));
    case Op::trailing_zeros:
      return static_cast<std::uint64_t>(std::countr_zero(bits));
    default:
      return std::nullopt;
  }
}

template <typename T>
T integer_value(Op op, DType dtype, T a, T b) {
  const auto x = static_cast<std::uint64_t>(a);
  const auto y = static_cast<std::uint64_t>(b);
  switch (op) {
    case Op::add:
      return static_cast<T>(x + y);
    case Op::subtract:
      return static_cast<T>(x - y);
    case Op::multiply:
      return static_cast<T>(x * y);
    case Op::floor_divide:
      return divided(a, b);
    case Op::remainder:
      return b == 0 ? T{0} : static_cast<T>(x - static_cast<std::uint64_t>(divided(a, b)) * y);
    case Op::power:
      return raised_to(a, b);
    case Op::negative:
      return static_cast<T>(0 - x);
    case Op::absolute:
      return a < 0 ? static_cast<T>(0 - x) : a;
    case Op::bitwise_and:
      return static_cast<T>(a & b);
    case Op::bitwise_or:
      return static_cast<T>(a | b);
    case Op::bitwise_xor:
      return static_cast<T>(a ^ b);
    case Op::invert:
      return static_cast<T>(~a);
    case Op::left_shift:
      return shifted_left(a, b);
    case Op::right_shift:
      return shifted_right(a, b);
    case Op::minimum:
    case Op::fmin:
      return std::min(a, b);
    case Op::maximum:
    case Op::fmax:
      return std::max(a, b);
    case Op::reverse_bits:
      return bits_reversed(a);
    default:
      fail(op, dtype);
  }
}

// bool for a comparison, int32 for a count, else T: extended to a word.
template <typename T>
std::uint64_t integer_result(Op op, DType dtype, T a, T b) {
  if (const auto test = integer_test(op, a, b))
    return *test ? 1 : 0;
  if (const auto count = bit_count(op, a))
    return *count;
  return static_cast<std::uint64_t>(static_cast<std::int64_t>(integer_value(op, dtype, a, b)));
}

std::uint64_t bool_result(Op op, bool a, bool b) {
  switch (op) {
    case Op::bitwise_and:
    case Op::minimum:
    case Op::fmin:
      return a && b ? 1 : 0;
    case Op::bitwise_or:
    case Op::maximum:
    case Op::fmax:
      return a || b ? 1 : 0;
    case Op::bitwise_xor:
    case Op::not_equal:
      return a != b ? 1 : 0;
    case Op::equal:
      return a == b ? 1 : 0;
    case Op::invert:
    case Op::logical_not:
      return a ? 0 : 1;
    case Op::less:
      return !a && b ? 1 : 0;
    case Op::less_equal:
      return !a || b ? 1 : 0;
    case Op::greater:
      return a && !b ? 1 : 0;
    case Op::greater_equal:
      return a || !b ? 1 : 0;
    default:
      fail(op, DType::boolean);
  }
}

std::uint64_t integer(Op op, DType dtype, std::uint64_t a, std::uint64_t b) {
  switch (dtype) {
    case DType::boolean:
      return bool_result(op, a != 0, b != 0);
    case DType::int8:
      return integer_result(op, dtype, static_cast<std::int8_t>(a), static_cast<std::int8_t>(b));
    case DType::int16:
      return integer_result(op, dtype, static_cast<std::int16_t>(a), static_cast<std::int16_t>(b));
    case DType::int32:
      return integer_result(op, dtype, static_cast<std::int32_t>(a), static_cast<std::int32_t>(b));
    case DType::int64:
      return integer_result(op, dtype, static_cast<std::int64_t>(a), static_cast<std::int64_t>(b));
    case DType::uint8:
      return integer_result(op, dtype, static_cast<std::uint8_t>(a), static_cast<std::uint8_t>(b));
    case DType::uint16:
      return integer_result(
          op, dtype, static_cast<std::uint16_t>(a), static_cast<std::uint16_t>(b));
    case DType::uint32:
      return integer_result(
          op, dtype, static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b));
    case DType::uint64:
      return integer_result(op, dtype, a, b);
    default:
      fail(op, dtype);
  }
}

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
    case Op::equal:
      return a == b;
    case Op::not_equal:
      return a != b;
    case Op::less:
      return a < b;
    case Op::less_equal:
      return a <= b;
    case Op::greater:
      return a > b;
    case Op::greater_equal:
      return a >= b;
    case Op::isnan:
      return std::isnan(a);
    case Op::isinf:
      return std::isinf(a);
    case Op::isfinite:
      return std::isfinite(a);
    default:
      return std::nullopt;
  }
}

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

Words complex_result(Op op, DType dtype, const Operands& x) {
  const auto at = [&](std::size_t i) {
    return std::complex<double>(as_double((*x[i])[0]), as_double((*x[i])[1]));
  };
  std::complex<double> result;
  switch (op) {
    case Op::add:
      result = at(0) + at(1);
      break;
    case Op::subtract:
      result = at(0) - at(1);
      break;
    case Op::multiply:
      result = at(0) * at(1);
      break;
    case Op::true_divide:
      result = at(0) / at(1);
      break;
    case Op::negative:
      result = -at(0);
      break;
    case Op::power:
      result = std::pow(at(0), at(1));
      break;
    case Op::sqrt:
      result = std::sqrt(at(0));
      break;
    case Op::exp:
      result = std::exp(at(0));
      break;
    case Op::log:
      result = std::log(at(0));
      break;
    case Op::sin:
      result = std::sin(at(0));
      break;
    case Op::cos:
      result = std::cos(at(0));
      break;
    case Op::equal:
      return {at(0) == at(1) ? 1U : 0U};
    case Op::not_equal:
      return {at(0) != at(1) ? 1U : 0U};
    default:
      fail(op, dtype);
  }
  return constant(ir::normalized(result, dtype));
}

}  // namespace

Words elementwise(const ir::Operation& operation, const Operands& x) {
  if (operation.op == Op::select)
    return *x[(*x[0])[0] != 0 ? 1 : 2];
  const DType dtype = operation.operands[0]->type.dtype();
  if (is_complex(dtype))
    return complex_result(operation.op, dtype, x);
  const auto word = [&](std::size_t i) { return i < x.size() ? (*x[i])[0] : 0; };
  if (operation.op == Op::ldexp) {
    const int exponent = static_cast<int>(static_cast<std::int64_t>(word(1)));
    return {as_word(rounded(std::ldexp(as_double(word(0)), exponent), dtype))};
  }
  if (is_floating(dtype)) {
    return {
        floating(operation.op, dtype, as_double(word(0)), as_double(word(1)), as_double(word(2)))};
  }
  return {integer(operation.op, dtype, word(0), word(1))};
}

namespace {

std::uint64_t to_integer(double value, DType to) {
  const double whole = std::trunc(value);
  if (is_unsigned(to) && whole >= 0 && whole < 0x1p64)
    return integer(Op::add, to, static_cast<std::uint64_t>(whole), 0);
  if (whole >= -0x1p63 && whole < 0x1p63)
    return integer(Op::add, to, static_cast<std::uint64_t>(static_cast<std::int64_t>(whole)), 0);
  return integer(Op::add, to, std::uint64_t{1} << 63U, 0);  // the device's affair
}

double to_real(DType from, std::uint64_t word, DType to) {
  if (is_floating(from) || is_complex(from))
    return rounded(as_double(word), to);
  const bool is_single = to == DType::float32;
  if (is_unsigned(from))
    return is_single ? double{static_cast<float>(word)} : rounded(static_cast<double>(word), to);
  const auto number = static_cast<std::int64_t>(word);
  return is_single ? double{static_cast<float>(number)} : rounded(static_cast<double>(number), to);
}

}  // namespace

Words cast(DType from, DType to, const Words& value) {
  const bool is_whole = is_integer(from) || is_boolean(from);
  if (is_boolean(to)) {
    if (is_whole)
      return {value[0] != 0 ? 1U : 0U};
    const bool has_imaginary = is_complex(from) && as_double(value[1]) != 0;
    return {as_double(value[0]) != 0 || has_imaginary ? 1U : 0U};
  }
  if (is_integer(to))
    return {is_whole ? integer(Op::add, to, value[0], 0) : to_integer(as_double(value[0]), to)};
  const DType part = real_part_of(to);
  Words result = {as_word(to_real(from, value[0], part))};
  if (is_complex(to))
    result.push_back(is_complex(from) ? as_word(to_real(from, value[1], part)) : as_word(0.0));
  return result;
}

std::uint64_t atomic_result(
    std::string_view kind, DType dtype, std::uint64_t old, std::uint64_t value) {
  const auto apply = [&](Op op) {
    if (is_floating(dtype))
      return floating(op, dtype, as_double(old), as_double(value), 0);
    return integer(op, dtype, old, value);
  };
  if (kind == "add")
    return apply(Op::add);
  if (kind == "sub")
    return apply(Op::subtract);
  if (kind == "max")
    return apply(Op::maximum);
  if (kind == "min")
    return apply(Op::minimum);
  if (kind == "nanmax")
    return apply(Op::fmax);
  if (kind == "nanmin")
    return apply(Op::fmin);
  if (kind == "and")
    return apply(Op::bitwise_and);
  if (kind == "or")
    return apply(Op::bitwise_or);
  if (kind == "xor")
    return apply(Op::bitwise_xor);
  if (kind == "exch")
    return value;
  if (kind == "inc")
    return old >= value ? 0 : old + 1;
  if (kind == "dec")
    return old == 0 || old > value ? value : old - 1;
  throw std::logic_error("interpreter: unknown atomic " + std::string(kind));
}

}  // namespace phalanx::testing
