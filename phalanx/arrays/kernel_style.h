// Which of two kinds of kernels a device gets.
#pragma once

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

}  // namespace phalanx::arrays
