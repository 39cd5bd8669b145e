// Constant folding of the elementwise operations: the `fold` of constants.h.
#include <bit>
#include <cmath>
#include <limits>

#include "phalanx/base/integers.h"
#include "phalanx/ir/constants.h"

namespace phalanx::ir {

namespace {

using Operands = std::span<const Constant>;

// Floats computed in double and rounded once: exact for + - * / sqrt of the narrower formats.
std::optional<double> fold_float(Op op, Operands operands) {
  const auto at = [&](std::size_t i) { return std::get<double>(operands[i]); };
  switch (op) {
    case Op::add:
      return at(0) + at(1);
    case Op::subtract:
      return at(0) - at(1);
    case Op::multiply:
      return at(0) * at(1);
    case Op::true_divide:
      return at(0) / at(1);
    case Op::negative:
      return -at(0);
    case Op::absolute:
      return std::fabs(at(0));
    case Op::sqrt:
      return std::sqrt(at(0));
    case Op::floor:
      return std::floor(at(0));
    case Op::ceil:
      return std::ceil(at(0));
    case Op::trunc:
      return std::trunc(at(0));
    case Op::rint:
      return std::nearbyint(at(0));
    case Op::copysign:
      return std::copysign(at(0), at(1));
    default:
      return std::nullopt;
  }
}

std::optional<bool> fold_float_test(Op op, Operands operands) {
  const auto at = [&](std::size_t i) { return std::get<double>(operands[i]); };
  switch (op) {
    case Op::equal:
      return at(0) == at(1);
    case Op::not_equal:
      return at(0) != at(1);
    case Op::less:
      return at(0) < at(1);
    case Op::less_equal:
      return at(0) <= at(1);
    case Op::greater:
      return at(0) > at(1);
    case Op::greater_equal:
      return at(0) >= at(1);
    case Op::isnan:
      return std::isnan(at(0));
    case Op::isinf:
      return std::isinf(at(0));
    case Op::isfinite:
      return std::isfinite(at(0));
    default:
      return std::nullopt;
  }
}

// T: std::int64_t or std::uint64_t, the operands' value.
template <typename T>
std::optional<bool> fold_integer_test(Op op, T a, T b) {
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

// As C divides; the least number by -1 wraps to itself.
template <typename T>
T trunc_divide(T a, T b) {
  if (b == 0)
    return 0;
  if constexpr (std::is_signed_v<T>) {
    if (b == -1)
      return static_cast<T>(0 - static_cast<std::uint64_t>(a));
  }
  return a / b;
}

template <typename T>
std::optional<T> fold_division(Op op, T a, T b) {
  const bool is_floor = op == Op::floor_divide || op == Op::remainder;
  const T quotient = is_floor ? floor_divide(a, b) : trunc_divide(a, b);
  if (op == Op::floor_divide || op == Op::trunc_divide)
    return quotient;
  if (b == 0)
    return 0;
  using Bits = std::uint64_t;  // wraps
  return static_cast<T>(static_cast<Bits>(a) - static_cast<Bits>(quotient) * static_cast<Bits>(b));
}

std::uint64_t raised(std::uint64_t base, std::uint64_t exponent) {
  std::uint64_t result = 1;
  for (; exponent != 0; exponent >>= 1U, base *= base) {
    if ((exponent & 1U) != 0)
      result *= base;
  }
  return result;
}

template <typename T>
std::optional<std::uint64_t> fold_ordered(Op op, T a, T b) {
  switch (op) {
    case Op::minimum:
    case Op::fmin:
      return static_cast<std::uint64_t>(a < b ? a : b);
    case Op::maximum:
    case Op::fmax:
      return static_cast<std::uint64_t>(a < b ? b : a);
    case Op::floor_divide:
    case Op::remainder:
    case Op::trunc_divide:
    case Op::trunc_remainder:
      return static_cast<std::uint64_t>(*fold_division(op, a, b));
    default:
      return std::nullopt;
  }
}

// In 64 bits; the caller wraps to the type's width.
std::optional<std::uint64_t> fold_integer(Op op, DType dtype, std::uint64_t a, std::uint64_t b) {
  const auto signed_a = static_cast<std::int64_t>(a);
  const auto signed_b = static_cast<std::int64_t>(b);
  switch (op) {
    case Op::add:
      return a + b;
    case Op::subtract:
      return a - b;
    case Op::multiply:
      return a * b;
    case Op::negative:
      return 0 - a;
    case Op::absolute:
      return is_signed(dtype) && signed_a < 0 ? 0 - a : a;
    case Op::bitwise_and:
      return a & b;
    case Op::bitwise_or:
      return a | b;
    case Op::bitwise_xor:
      return a ^ b;
    case Op::invert:
      return ~a;
    case Op::left_shift:
      return left_shifted(signed_a, b, dtype);
    case Op::right_shift:
      return right_shifted(signed_a, b, dtype);
    case Op::power:
      if (is_signed(dtype) && signed_b < 0)
        return std::nullopt;
      return raised(a, b);
    default:
      break;
  }
  return is_signed(dtype) ? fold_ordered(op, signed_a, signed_b) : fold_ordered(op, a, b);
}

std::optional<Constant> fold_bits(Op op, DType dtype, std::int64_t value) {
  const unsigned width = bits_of(dtype);
  const std::uint64_t mask = ~std::uint64_t{0} >> (64 - width);
  const std::uint64_t bits = static_cast<std::uint64_t>(value) & mask;
  switch (op) {
    case Op::popcount:
      return std::int64_t{std::popcount(bits)};
    case Op::leading_zeros:
      return std::int64_t{std::countl_zero(bits)} - (64 - width);
    case Op::trailing_zeros:
      return bits == 0 ? std::int64_t{width} : std::int64_t{std::countr_zero(bits)};
    default:
      return std::nullopt;
  }
}

std::optional<Constant> fold_bool(Op op, Operands operands) {
  const bool a = std::get<bool>(operands[0]);
  const bool b = operands.size() > 1 && std::get<bool>(operands[1]);
  switch (op) {
    case Op::bitwise_and:
    case Op::minimum:
    case Op::fmin:
      return a && b;
    case Op::bitwise_or:
    case Op::maximum:
    case Op::fmax:
      return a || b;
    case Op::bitwise_xor:
    case Op::not_equal:
      return a != b;
    case Op::equal:
      return a == b;
    case Op::invert:
    case Op::logical_not:
      return !a;
    case Op::less:
      return !a && b;
    case Op::less_equal:
      return !a || b;
    case Op::greater:
      return a && !b;
    case Op::greater_equal:
      return a || !b;
    default:
      return std::nullopt;
  }
}

std::optional<Constant> fold_integers(Op op, DType dtype, Operands operands) {
  const auto a = std::get<std::int64_t>(operands[0]);
  const auto b = operands.size() > 1 ? std::get<std::int64_t>(operands[1]) : 0;
  const auto test =
      is_signed(dtype)
          ? fold_integer_test(op, a, b)
          : fold_integer_test(op, static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b));
  if (test)
    return *test;
  if (const auto count = fold_bits(op, dtype, a))
    return count;
  const auto bits =
      fold_integer(op, dtype, static_cast<std::uint64_t>(a), static_cast<std::uint64_t>(b));
  if (!bits)
    return std::nullopt;
  return normalized(static_cast<std::int64_t>(*bits), dtype);
}

std::optional<Constant> fold_complex(Op op, DType dtype, Operands operands) {
  const auto at = [&](std::size_t i) { return std::get<std::complex<double>>(operands[i]); };
  switch (op) {
    case Op::add:
      return normalized(at(0) + at(1), dtype);
    case Op::subtract:
      return normalized(at(0) - at(1), dtype);
    case Op::negative:
      return -at(0);
    case Op::equal:
      return at(0) == at(1);
    case Op::not_equal:
      return at(0) != at(1);
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<Constant> fold(Op op, DType dtype, Operands operands) {
  if (op == Op::select)
    return std::get<bool>(operands[0]) ? operands[1] : operands[2];
  switch (kind_of(dtype)) {
    case DTypeKind::boolean:
      return fold_bool(op, operands);
    case DTypeKind::signed_integer:
    case DTypeKind::unsigned_integer:
      return fold_integers(op, dtype, operands);
    case DTypeKind::floating: {
      if (const auto test = fold_float_test(op, operands))
        return *test;
      const auto value = fold_float(op, operands);
      // The sign and bits of a NaN born here are the device's affair.
      if (!value || std::isnan(*value))
        return std::nullopt;
      return normalized(*value, dtype);
    }
    case DTypeKind::complex_floating:
      return fold_complex(op, dtype, operands);
  }
  return std::nullopt;
}

}  // namespace phalanx::ir
