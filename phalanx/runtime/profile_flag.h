// True if a profile is taken: all that a launch asks.
#pragma once

#include <atomic>

namespace phalanx::runtime {

// One for the process: every launch asks, and must find nothing but this load where there is no
// profile.
// NOLINTNEXTLINE(cppcoreguidelines-avoid-non-const-global-variables)
inline std::atomic<bool> profiling_flag = false;
inline bool is_profiling() { return profiling_flag.load(std::memory_order_relaxed); }

}  // namespace phalanx::runtime
