// Check mode: shadow memory (Nethercote and Seward, 2007; LLVM's ThreadSanitizer): which memory of
// a kernel has shadow words, and of what granularity.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "phalanx/base/binary.h"
#include "phalanx/ir/ir.h"

namespace phalanx::codegen::cpu {

struct ShadowPlan {
  bool has_shadow = false;
  unsigned shared_granule = 0;  // log2 of bytes: the smallest access
  unsigned global_granule = 0;
  std::vector<ShadowedParameter> arrays;  // all arrays among the kernel's parameters
  // Threads of a warp, or blocks, order their accesses themselves in ways that words do not tell:
  // then only what is left is looked at.
  bool has_warp_barriers = false;
  bool has_fences = false;
};

ShadowPlan plan_shadow(const ir::Module& module);

// The number in ShadowPlan::arrays of the array that a pointer leads into; nothing if it cannot be
// told before the launch.
std::optional<std::size_t> shadowed_array(
    const ShadowPlan& plan, const ir::Function& kernel, const ir::Operation& pointer);

}  // namespace phalanx::codegen::cpu
