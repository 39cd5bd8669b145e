// Whole numbers of 128 bits with a sign: how they lie in memory, powers of ten, divisions.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <cstring>

#include "phalanx/frames/decimals.h"

namespace phalanx::frames::decimals {

__extension__ using Int128 = __int128;
__extension__ using UInt128 = unsigned __int128;

// Arrow's buffers are aligned to 8 bytes, and not always to 16.
inline Int128 load(const std::int64_t* words, std::int64_t row) {
  Int128 value = 0;
  std::memcpy(&value, words + 2 * row, sizeof value);
  return value;
}
inline void store(std::int64_t* words, std::int64_t row, Int128 value) {
  std::memcpy(words + 2 * row, &value, sizeof value);
}

inline constexpr auto powers_of_ten = [] {
  std::array<Int128, most_digits + 1> powers = {1};
  for (std::size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
  return powers;
}();

// Throws ValueError for what is no number of digits that a decimal can have.
Int128 power_of_ten(int power);

// True for numbers of at most so many digits.
inline bool fits(Int128 value, int precision) {
  const Int128 bound = powers_of_ten[static_cast<std::size_t>(precision)];
  return value < bound && value > -bound;
}

inline UInt128 magnitude(Int128 value) {
  return value < 0 ? -static_cast<UInt128>(value) : static_cast<UInt128>(value);
}

// The nearest quotient, the one further from zero of two. The divisor is positive.
inline Int128 divide_half_away(Int128 value, Int128 divisor) {
  const Int128 quotient = value / divisor;
  const UInt128 rest = magnitude(value % divisor);
  if (rest < static_cast<UInt128>(divisor) - rest)
    return quotient;
  return value < 0 ? quotient - 1 : quotient + 1;
}

inline bool is_there(const Decimals& decimals, std::int64_t row) {
  return decimals.valid == nullptr || decimals.valid[row] != 0;
}

// A row that failed, whichever thread meets one.
class Failure {
 public:
  void add(std::int64_t row) { row_.store(row, std::memory_order_relaxed); }
  std::int64_t row() const { return row_.load(); }

 private:
  std::atomic<std::int64_t> row_ = -1;
};

}  // namespace phalanx::frames::decimals
