// Loop interchange (Allen and Kennedy, 1984) of the loop over blocks with grid-stride loops, `for i
// in range(cuda.grid(1), n, cuda.gridsize(1))`.
//
// A thread's elements lie a whole grid apart, so that one block after the other would go over
// memory in strides of megabytes. Made to count passes of the grid, such a loop is the same for all
// blocks: many blocks run it together, pass by pass, and read what they read one element after the
// other.
#pragma once

#include <optional>
#include <unordered_set>

#include "phalanx/ir/ir.h"

namespace phalanx::codegen::cpu {

struct GridLoops {
  ir::Module
      module;  // a copy, in which each of these loops ends for all threads of the grid at once
  // These loops, and the `if`s that choose between one and what it was.
  std::unordered_set<const ir::Operation*> loops;
  std::unordered_set<const ir::Operation*>
      guards;  // the `if` in each: threads with an element left
};

// Nothing where the kernel has no such loop, or where a block may wait for what another one writes.
// Kernels without barriers are rewritten for blocks of whole warps only: others run as they are.
std::optional<GridLoops> find_grid_loops(const ir::Module& source, bool has_whole_warps);

// True if a kernel without barriers has such a loop, which its blocks are to go through as they
// were launched.
bool has_grid_loop_alone(const ir::Module& source);

}  // namespace phalanx::codegen::cpu
