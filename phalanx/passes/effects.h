// Side effects of operations (as LLVM's ValueTracking): which operations passes may drop, merge,
// move or speculate.
#pragma once

#include "phalanx/ir/ir.h"

namespace phalanx::passes {

// Nothing is lost when the operation goes and its value is not used.
bool is_removable(ir::Op op);

// Pure, on scalars, and about as cheap as a branch: no division, no math function.
bool is_cheap(const ir::Operation& operation);

}  // namespace phalanx::passes
