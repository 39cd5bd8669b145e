// Which of two kinds of kernels a device gets.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "phalanx/runtime/device.h"

namespace phalanx::arrays {

// True for the kernels of GPUs: many threads, loads under way together, tiles in shared memory.
// With PHALANX_ARRAY_KERNELS=gpu the CPU device gets them too, so that tests run them without a
// GPU.
inline bool has_gpu_kernels(const runtime::Device& device) {
  static const char* const chosen = std::getenv("PHALANX_ARRAY_KERNELS");
  static const bool is_forced = chosen != nullptr && std::string_view(chosen) == "gpu";
  return is_forced || !device.is_host();
}

// How many blocks run at once, at the least. Where the CPU device runs a GPU's kernels it is taken
// for an H100, so that code is shipped for what GPUs will launch.
inline std::int64_t parallel_units(runtime::Device& device) {
  constexpr std::int64_t of_a_gpu = 132;
  const bool is_stand_in = device.is_host() && has_gpu_kernels(device);
  return is_stand_in ? of_a_gpu : device.limits().multiprocessors;
}

}  // namespace phalanx::arrays
