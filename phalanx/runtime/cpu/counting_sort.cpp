// Numbers of 8 bits are sorted by counting them.
#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>

#include "phalanx/runtime/cpu/routine_table.h"

namespace phalanx::runtime::cpu {

namespace {

// sort(T* values, count): in place; 0
template <typename T>
std::int64_t sort(T* values, std::int64_t size) {
  constexpr int least = std::numeric_limits<T>::min();
  std::array<std::size_t, 256> counts = {};
  for (std::int64_t i = 0; i < size; ++i) ++counts[static_cast<std::size_t>(values[i] - least)];
  for (std::size_t i = 0; i < counts.size(); ++i)
    values = std::fill_n(values, counts[i], static_cast<T>(static_cast<int>(i) + least));
  return 0;
}

}  // namespace

std::span<const Routine> counting_routines() {
  static const std::array rows = {
      Routine{"sort", "boolean", address_of_routine(sort<std::uint8_t>)},
      Routine{"sort", "uint8", address_of_routine(sort<std::uint8_t>)},
      Routine{"sort", "int8", address_of_routine(sort<std::int8_t>)},
  };
  return rows;
}

}  // namespace phalanx::runtime::cpu
