// Elision of staging copies (Grover: Fang, Sips, Jaaskelainen and Varbanescu, 2014): tiles in
// shared memory whose readers can read the rows of the matrix itself.
#pragma once

#include <unordered_set>
#include <vector>

#include "phalanx/codegen/cpu/fission_plan.h"

namespace phalanx::codegen::cpu {

// tile[threadIdx.y, threadIdx.x] = matrix[threadIdx.y + r, threadIdx.x + c], by all threads of a
// block that is as large as the tile, and then loops that read its rows.
struct ForwardedTile {
  const ir::Operation* tile = nullptr;              // the shared array
  const Step* step = nullptr;                       // the segment that fills it
  const ir::Operation* load = nullptr;              // of the matrix
  std::vector<const ir::Operation*> guards;         // `if`s around the copy
  std::unordered_set<const ir::Operation*> stores;  // the copy, and what it overwrites
};

// For kernels whose code is for blocks of the variant's extents.
std::vector<ForwardedTile> find_forwarded_tiles(
    const FissionPlan& plan, const FunctionShapes& shapes, const CpuVariant& variant);

}  // namespace phalanx::codegen::cpu
