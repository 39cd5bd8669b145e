// Arithmetic of the integer dtypes as the devices compute it, on values that 64 bits hold.
#pragma once

#include <bit>
#include <cstdint>

#include "phalanx/base/dtype.h"

namespace phalanx {

// The value as `dtype` holds it; of uint64, its bits.
constexpr std::int64_t wrapped(std::int64_t value, DType dtype) {
  switch (dtype) {
    case DType::boolean:
      return value != 0 ? 1 : 0;
    case DType::int8:
      return static_cast<std::int8_t>(value);
    case DType::int16:
      return static_cast<std::int16_t>(value);
    case DType::int32:
      return static_cast<std::int32_t>(value);
    case DType::uint8:
      return static_cast<std::uint8_t>(value);
    case DType::uint16:
      return static_cast<std::uint16_t>(value);
    case DType::uint32:
      return static_cast<std::uint32_t>(value);
    default:
      return value;
  }
}

// Rounded towards minus infinity, and 0 for a division by zero.
constexpr std::int64_t floor_divide(std::int64_t a, std::int64_t b) {
  if (b == 0)
    return 0;
  if (b == -1)
    return std::bit_cast<std::int64_t>(0 - std::bit_cast<std::uint64_t>(a));
  const std::int64_t quotient = a / b;
  return quotient - ((a % b != 0 && (a < 0) != (b < 0)) ? 1 : 0);
}
constexpr std::uint64_t floor_divide(std::uint64_t a, std::uint64_t b) {
  return b == 0 ? 0 : a / b;
}

// The count is an operand's bits as an unsigned number: a negative one is out of range.
constexpr std::uint64_t left_shifted(std::int64_t value, std::uint64_t count, DType dtype) {
  return count >= bits_of(dtype) ? 0 : static_cast<std::uint64_t>(value) << count;
}
constexpr std::uint64_t right_shifted(std::int64_t value, std::uint64_t count, DType dtype) {
  const unsigned bits = bits_of(dtype);
  if (is_unsigned(dtype))
    return count >= bits ? 0 : static_cast<std::uint64_t>(value) >> count;
  return static_cast<std::uint64_t>(value >> (count >= bits ? bits - 1 : count));
}

static_assert(wrapped(255, DType::int8) == -1);
static_assert(floor_divide(std::int64_t{-7}, std::int64_t{2}) == -4);
static_assert(right_shifted(-8, ~std::uint64_t{0}, DType::int32) == ~std::uint64_t{0});

}  // namespace phalanx
