// Frame layout (as LLVM's PrologEpilogInserter does for stacks): the offsets of a kernel's shared
// and local arrays in scratch memory.
#pragma once

#include <cstdint>
#include <unordered_map>

#include "phalanx/codegen/codegen.h"
#include "phalanx/ir/ir.h"

namespace phalanx::codegen::cpu {

struct MemoryPlan {
  std::unordered_map<const ir::Operation*, std::uint64_t> shared_offsets;
  std::uint64_t shared_bytes = 0;  // to the end of the last: dynamic memory starts 64 bytes aligned
  bool has_dynamic_shared = false;
  // The offsets in the warp's scratch of local arrays too large for the stack.
  std::unordered_map<const ir::Operation*, std::uint64_t> local_offsets;
  std::uint64_t warp_bytes = 0;
};

// `keeps_locals`: local arrays outlive the code of one warp (barriers), so that all go to scratch.
// Local arrays of device functions lie on the stack, their shared arrays beside the kernel's.
MemoryPlan plan_memory(const ir::Module& module, const CpuVariant& variant, bool keeps_locals);

// The bytes of a local array for all lanes, and from one lane's first element to the next lane's.
std::uint64_t local_bytes(const ir::Operation& local_array, unsigned lanes);
std::int64_t local_lane_stride(const ir::Operation& local_array);

}  // namespace phalanx::codegen::cpu
