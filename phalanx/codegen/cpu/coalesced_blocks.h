// Thread coarsening over blocks (Magni, Dubach and O'Boyle, 2013): where threads know their
// position in the grid but not in their block, all blocks of a row can run as one long block.
#pragma once

#include <vector>

#include "phalanx/codegen/codegen.h"
#include "phalanx/ir/ir.h"

namespace phalanx::codegen::cpu {

struct CoalescedBlocks {
  bool can_coalesce = false;
  // Stores of element after element to arrays, or to where a parameter points, that the kernel does
  // nothing else with, where memory and not arithmetic is what the kernel waits for: large arrays
  // are better written past the caches.
  std::vector<const ir::Operation*> non_temporal;
};

// The dimension of a contiguous array whose elements follow each other.
unsigned contiguous_dimension(const ir::Type& array);

// The parameter that a pointer is made of by offsets alone, or that it is; else null.
const ir::Operation* parameter_of_pointer(const ir::Operation& pointer);

CoalescedBlocks coalesce_blocks(const ir::Module& source, const CpuVariant& variant);

}  // namespace phalanx::codegen::cpu
