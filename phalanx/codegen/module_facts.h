// A summary of a kernel's IR: what a launch must know of its code.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "phalanx/ir/ir.h"

namespace phalanx::codegen {

// True if the kernel uses warp-level operations or lane_index, so that CpuVariant::lanes must
// be 32.
bool needs_full_warp(const ir::Module& module);
bool uses_print(const ir::Module& module);
bool can_raise(const ir::Module& module);
bool is_cooperative(const ir::Module& module);         // all blocks have to run at once
LaunchMemory launch_memory(const ir::Module& module);  // of the arrays that launches size
bool stages_tiles(const ir::Module& module);           // the kernel has a barrier in a loop

// The size of all arrays of a "block" or of a "warp", as a launch keeps it. Throws CompileError
// where it has no room.
std::uint32_t memory_bytes(std::uint64_t bytes, std::string_view owner);

}  // namespace phalanx::codegen
