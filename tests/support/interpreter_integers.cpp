// The interpreter's integers, on native types.
#include <algorithm>
#include <bit>
#include <type_traits>

#include "interpreter_arithmetic.h"

namespace phalanx::test {

using ir::Op;

namespace {

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
bool is_minus_one(T value) {
  return std::is_signed_v<T> && value == static_cast<T>(-1);
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
    case Op::trunc_divide:
      return b == 0 ? T{0} : is_minus_one(b) ? static_cast<T>(0 - x) : static_cast<T>(a / b);
    case Op::trunc_remainder:
      return b == 0 || is_minus_one(b) ? T{0} : static_cast<T>(a % b);
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
  if (const auto test = comparison(op, a, b))
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

}  // namespace

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

}  // namespace phalanx::test
