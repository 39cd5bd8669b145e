// Images of numbers: unsigned ones of 64 bits that compare as the numbers do, and are missing ones.
#pragma once

#include <bit>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "phalanx/frames/column.h"

namespace phalanx::frames {

// -0.0 is 0.0; NaN is not asked for.
template <typename T>
std::uint64_t image_of(T value) {
  constexpr std::uint64_t sign = std::uint64_t{1} << 63U;
  if constexpr (std::is_floating_point_v<T>) {
    const auto bits = std::bit_cast<std::uint64_t>(static_cast<double>(value) + 0.0);
    return bits & sign ? ~bits : bits | sign;
  } else if constexpr (std::is_signed_v<T>) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(value)) ^ sign;
  } else {
    return value;
  }
}

// True for rows without a value.
template <typename T>
class Missing {
 public:
  explicit Missing(const Column& column, bool is_codes = false)
      : values_(static_cast<const T*>(column.values)),
        valid_(column.valid),
        no_code_(is_codes ? T(-1) : std::numeric_limits<T>::min()),
        has_no_code_(is_codes || (std::is_same_v<T, std::int64_t> && column.has_nat)) {}

  // False where no row can be missing.
  bool can_be() const { return valid_ != nullptr || has_no_code_ || std::is_floating_point_v<T>; }
  bool operator()(std::int64_t row) const {
    if (valid_ != nullptr && valid_[row] == 0)
      return true;
    if constexpr (std::is_floating_point_v<T>)
      return values_[row] != values_[row];
    else
      return has_no_code_ && values_[row] == no_code_;
  }

 private:
  const T* values_;
  const std::uint8_t* valid_;
  T no_code_;
  bool has_no_code_;
};

}  // namespace phalanx::frames
