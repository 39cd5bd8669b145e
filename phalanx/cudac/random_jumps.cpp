#include "phalanx/cudac/random_jumps.h"

#include <array>
#include <cstdint>
#include <cstring>

namespace phalanx::cudac {

namespace {

constexpr std::size_t words = 5;
constexpr std::size_t state_bits = 32 * words;
constexpr std::size_t maps = 64;
constexpr std::size_t sequence_bits = 67;  // subsequences are 2^67 numbers apart

using State = std::array<std::uint32_t, words>;
using Map = std::array<State, state_bits>;  // what each bit becomes

State after_one(State v) {
  const std::uint32_t t = v[0] ^ (v[0] >> 2U);
  return {v[1], v[2], v[3], v[4], (v[4] ^ (v[4] << 4U)) ^ (t ^ (t << 1U))};
}

State applied(const Map& map, const State& state) {
  State result = {};
  for (std::size_t bit = 0; bit < state_bits; ++bit) {
    if ((state[bit / 32] >> (bit % 32) & 1U) == 0)
      continue;
    for (std::size_t i = 0; i < words; ++i) result[i] ^= map[bit][i];
  }
  return result;
}

Map one_step() {
  Map map = {};
  for (std::size_t bit = 0; bit < state_bits; ++bit) {
    State state = {};
    state[bit / 32] = std::uint32_t{1} << (bit % 32);
    map[bit] = after_one(state);
  }
  return map;
}

Map twice(const Map& map) {
  Map result = {};
  for (std::size_t bit = 0; bit < state_bits; ++bit) result[bit] = applied(map, map[bit]);
  return result;
}

// The maps of 2^first, 2^(first + 1), ... steps.
std::vector<std::byte> table_from(std::size_t first) {
  Map map = one_step();
  for (std::size_t i = 0; i < first; ++i) map = twice(map);
  std::vector<std::byte> bytes(maps * sizeof(Map));
  for (std::size_t i = 0; i < maps; ++i) {
    std::memcpy(&bytes[i * sizeof(Map)], map.data(), sizeof(Map));
    map = twice(map);
  }
  return bytes;
}

}  // namespace

std::optional<std::vector<std::byte>> random_table(std::string_view name) {
  if (name == "__phx_xorwow_steps") {
    static const std::vector<std::byte> steps = table_from(0);
    return steps;
  }
  if (name == "__phx_xorwow_sequences") {
    static const std::vector<std::byte> sequences = table_from(sequence_bits);
    return sequences;
  }
  return std::nullopt;
}

}  // namespace phalanx::cudac
