// Memory of one thread that kernels use during a call, kept from launch to launch.
#pragma once

#include <cstddef>

namespace phalanx::runtime::cpu {

// At least `bytes`, aligned to 64, of the calling thread; valid until its next call.
std::byte* thread_scratch(std::size_t bytes);

}  // namespace phalanx::runtime::cpu
