// Copies of memory for CPU functions.
#include <array>
#include <cstdint>
#include <cstring>

#include "phalanx/runtime/cpu/routine_table.h"

namespace phalanx::runtime::cpu {

namespace {

// move(to, to_offset, from, from_offset, count): they may overlap; 0
std::int64_t move(
    std::uint8_t* to,
    std::int64_t to_offset,
    const std::uint8_t* from,
    std::int64_t from_offset,
    std::int64_t count) {
  if (count > 0)
    std::memmove(to + to_offset, from + from_offset, static_cast<std::size_t>(count));
  return 0;
}

}  // namespace

std::span<const Routine> memory_routines() {
  static const std::array rows = {Routine{"move", "uint8", address_of_routine(move)}};
  return rows;
}

}  // namespace phalanx::runtime::cpu
