#include "phalanx/runtime/cpu/random_state.h"

#include <array>
#include <random>

namespace phalanx::runtime::cpu {

namespace {

constexpr std::size_t count = 624;
constexpr std::size_t middle = 397;

std::uint32_t twisted(std::uint32_t high, std::uint32_t low, std::uint32_t far) {
  constexpr std::uint32_t upper_bit = 0x80000000U;
  constexpr std::uint32_t matrix = 0x9908b0dfU;
  const std::uint32_t mixed = (high & upper_bit) | (low & ~upper_bit);
  return far ^ (mixed >> 1) ^ (-(mixed & 1U) & matrix);
}

void seed_from_system(RandomState& state) {
  std::random_device device;
  for (std::uint32_t& word : state.words) word = device();
  state.words[0] |= 0x80000000U;  // never all zero
  state.is_seeded = 1;
}

}  // namespace

RandomState* thread_random_state() {
  thread_local std::array<RandomState, 2> states;
  return states.data();
}

void refill_random_state(RandomState* state) {
  if (state->is_seeded == 0)
    seed_from_system(*state);
  std::uint32_t* words = state->words;
  // Three loops without a remainder, of which the compiler makes vector code.
  constexpr std::size_t wrapped = count - middle;
  for (std::size_t i = 0; i < wrapped; ++i)
    words[i] = twisted(words[i], words[i + 1], words[i + middle]);
  for (std::size_t i = wrapped; i < count - 1; ++i)
    words[i] = twisted(words[i], words[i + 1], words[i - wrapped]);
  words[count - 1] = twisted(words[count - 1], words[0], words[middle - 1]);
  state->next = 0;
}

}  // namespace phalanx::runtime::cpu
