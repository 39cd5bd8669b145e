// Runs a cooperative launch on the CPU: each block on a thread of its own, so that blocks can wait
// for each other.
#pragma once

#include <cstdint>
#include <string_view>

#include "phalanx/runtime/cpu/scheduler.h"

namespace phalanx::runtime::cpu {

// Threads that mostly wait are cheap, and a kernel written for a GPU asks for hundreds of blocks.
constexpr std::uint64_t max_cooperative_blocks = 1024;

// Returns when all blocks are done. Throws ValueError for more blocks than max_cooperative_blocks,
// and DeviceError if the system gives too few threads; then no block ran.
void run_cooperative(const Work& work, std::string_view kernel);

}  // namespace phalanx::runtime::cpu
