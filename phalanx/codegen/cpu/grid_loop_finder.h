// Finds grid-stride loops: grid_loops.h says what becomes of them.
#pragma once

#include <vector>

#include "phalanx/ir/ir.h"

namespace phalanx::codegen::cpu {

// loop { ... if i < n { ... } else { break } } step { ... }, with i the thread's position in the
// grid at first and a grid farther on in each pass. The index is an i64, u64 or u32: of 32 bits,
// what C wraps around; signed ones are widened (passes/widen_indices.cpp).
struct GridLoop {
  const ir::Operation* loop = nullptr;
  const ir::Operation* guard = nullptr;
  const ir::Operation* start = nullptr;    // the thread's position in the grid
  const ir::Operation* end = nullptr;      // n
  const ir::Operation* advance = nullptr;  // the only set of i in the loop
  const ir::Operation* stride = nullptr;   // what it adds: the threads of the grid
};

struct FoundLoops {
  std::vector<GridLoop> loops;
  bool has_barrier = false;
};

// None where a block may wait for what another one writes.
FoundLoops find_loops(const ir::Function& kernel);

}  // namespace phalanx::codegen::cpu
