// True if somebody looks on: all that a launch asks.
#pragma once

#include <atomic>

namespace phalanx::runtime {

// Bits of the flag.
inline constexpr unsigned profile_records = 1;  // a profile is taken
inline constexpr unsigned profile_ranges = 2;   // another profiler gets ranges (range_sink.h)

// One for the process: every launch asks, and must find nothing but this load where nobody looks
// on.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
inline std::atomic<unsigned> profiling_flag = 0;
inline bool is_profiling() { return profiling_flag.load(std::memory_order_relaxed) != 0; }
inline bool takes_records() {
  return (profiling_flag.load(std::memory_order_relaxed) & profile_records) != 0;
}
inline bool gives_ranges() {
  return (profiling_flag.load(std::memory_order_relaxed) & profile_ranges) != 0;
}

}  // namespace phalanx::runtime
