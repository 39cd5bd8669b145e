#include "phalanx/ir/constants.h"

#include <bit>
#include <cmath>

#include "phalanx/base/errors.h"
#include "phalanx/base/integers.h"

namespace phalanx::ir {

namespace {

// Rounds to a format of `digits` significant bits whose least exponent (of a normal number, as
// frexp counts) is `least`, and whose greatest finite value is `greatest`.
double rounded(double value, int digits, int least, double greatest) {
  if (!std::isfinite(value) || value == 0)
    return value;
  int exponent = 0;
  std::frexp(value, &exponent);
  const int unit = std::max(exponent, least) - digits;
  const double result = std::ldexp(std::nearbyint(std::ldexp(value, -unit)), unit);
  return std::fabs(result) > greatest ? std::copysign(HUGE_VAL, value) : result;
}

double round_to(double value, DType dtype) {
  switch (dtype) {
    case DType::float16:
      return rounded(value, 11, -13, 65504.0);
    case DType::bfloat16:
      return rounded(value, 8, -125, 0x1.fep127);
    case DType::float32:
    case DType::complex64:
      return static_cast<float>(value);
    default:
      return value;
  }
}

}  // namespace

Constant normalized(const Constant& value, DType dtype) {
  switch (kind_of(dtype)) {
    case DTypeKind::boolean:
      return std::get<bool>(value);
    case DTypeKind::signed_integer:
    case DTypeKind::unsigned_integer:
      return wrapped(std::get<std::int64_t>(value), dtype);
    case DTypeKind::floating:
      return round_to(std::get<double>(value), dtype);
    case DTypeKind::complex_floating: {
      const auto number = std::get<std::complex<double>>(value);
      return std::complex<double>(round_to(number.real(), dtype), round_to(number.imag(), dtype));
    }
  }
  return value;
}

bool is_normalized(const Constant& value, DType dtype) {
  constexpr std::size_t alternatives[] = {0, 1, 1, 2, 3};  // by DTypeKind
  return value.index() == alternatives[static_cast<std::size_t>(kind_of(dtype))] &&
         is_identical(value, normalized(value, dtype));
}

bool is_identical(const Constant& a, const Constant& b) {
  const auto same = [](double x, double y) {
    return std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(y);
  };
  if (a.index() != b.index())
    return false;
  if (const auto* x = std::get_if<double>(&a))
    return same(*x, std::get<double>(b));
  if (const auto* x = std::get_if<std::complex<double>>(&a)) {
    const auto y = std::get<std::complex<double>>(b);
    return same(x->real(), y.real()) && same(x->imag(), y.imag());
  }
  return a == b;
}

namespace {

std::complex<double> as_complex(const Constant& value, DType from) {
  if (const auto* truth = std::get_if<bool>(&value))
    return *truth ? 1.0 : 0.0;
  if (const auto* number = std::get_if<double>(&value))
    return *number;
  if (const auto* number = std::get_if<std::complex<double>>(&value))
    return *number;
  const auto bits = std::get<std::int64_t>(value);
  return is_unsigned(from) ? static_cast<double>(static_cast<std::uint64_t>(bits))
                           : static_cast<double>(bits);
}

// Straight from the integer: by way of double, a float32 would be rounded twice.
float integer_as_float(std::int64_t bits, DType from) {
  return is_unsigned(from) ? static_cast<float>(static_cast<std::uint64_t>(bits))
                           : static_cast<float>(bits);
}

std::optional<Constant> float_to_integer(double value, DType to) {
  const double whole = std::trunc(value);
  const int digits = static_cast<int>(bits_of(to)) - (is_signed(to) ? 1 : 0);
  const double above = std::ldexp(1.0, digits);
  const double least = is_signed(to) ? -above : 0.0;
  if (!(whole >= least && whole < above))
    return std::nullopt;
  return normalized(
      is_signed(to) ? static_cast<std::int64_t>(whole)
                    : std::bit_cast<std::int64_t>(static_cast<std::uint64_t>(whole)),
      to);
}

}  // namespace

std::optional<Constant> cast_constant(const Constant& value, DType from, DType to) {
  const auto* integer = std::get_if<std::int64_t>(&value);
  switch (kind_of(to)) {
    case DTypeKind::boolean:
      return integer != nullptr ? *integer != 0 : as_complex(value, from) != 0.0;
    case DTypeKind::signed_integer:
    case DTypeKind::unsigned_integer:
      if (integer != nullptr)
        return normalized(*integer, to);
      return float_to_integer(as_complex(value, from).real(), to);
    case DTypeKind::floating:
      if (integer != nullptr && to == DType::float32)
        return static_cast<double>(integer_as_float(*integer, from));
      return normalized(as_complex(value, from).real(), to);
    case DTypeKind::complex_floating:
      if (integer != nullptr && to == DType::complex64)
        return std::complex<double>(integer_as_float(*integer, from));
      return normalized(as_complex(value, from), to);
  }
  return std::nullopt;
}

}  // namespace phalanx::ir
