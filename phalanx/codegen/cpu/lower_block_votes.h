// Expansion of votes of a block into counts in shared memory, between barriers.
#pragma once

#include <optional>

#include "phalanx/ir/ir.h"

namespace phalanx::codegen::cpu {

// A copy of the module without votes; nothing where it has none.
std::optional<ir::Module> lower_block_votes(const ir::Module& source);

}  // namespace phalanx::codegen::cpu
