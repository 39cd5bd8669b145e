// Check mode: which memory of a kernel is watched, and in what detail.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "phalanx/base/binary.h"
#include "phalanx/ir/ir.h"

namespace phalanx::codegen::cpu {

struct WatchPlan {
  bool is_watched = false;
  unsigned shared_granule = 0;  // log2 of bytes: the smallest access
  unsigned global_granule = 0;
  std::vector<WatchedParameter> arrays;  // all arrays among the kernel's parameters
  // Threads of a warp, or blocks, order their accesses themselves in ways that words do not tell:
  // then only what is left is looked at.
  bool has_warp_barriers = false;
  bool has_fences = false;
};

WatchPlan plan_watch(const ir::Module& module);

// The number in WatchPlan::arrays of the array that a pointer leads into; nothing if it cannot be
// told before the launch.
std::optional<std::size_t> watched_array(
    const WatchPlan& plan, const ir::Function& kernel, const ir::Operation& pointer);

}  // namespace phalanx::codegen::cpu
