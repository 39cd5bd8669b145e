#include "phalanx/runtime/cpu/random_state.h"

#include <array>
#include <memory>
#include <random>

#include "phalanx/base/thread_local.h"

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

// Each thread has its own, which are too large for its block (base/thread_local.h).
struct States {
  std::array<RandomState, 2> values = {};

  States() { here = values.data(); }
  States(const States&) = delete;
  States& operator=(const States&) = delete;
  ~States() { here = nullptr; }

  static PHX_THREAD_LOCAL RandomState* here;  // the thread's; null before they are asked for
};

PHX_THREAD_LOCAL RandomState* States::here = nullptr;

RandomState* made_states() {
  thread_local const auto states = std::make_unique<States>();
  return states->values.data();
}

}  // namespace

RandomState* thread_random_state() {
  RandomState* const here = States::here;
  return here != nullptr ? here : made_states();
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
