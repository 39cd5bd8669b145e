// Optimisation remarks (as LLVM's): what a correct kernel could do faster, with the line.
#pragma once

#include <optional>

#include "phalanx/base/warning.h"
#include "phalanx/ir/ir.h"

namespace phalanx::passes {

// float64 arithmetic in a kernel whose arrays of floating numbers are all narrower, and what makes
// it so. On the module as the front end made it.
std::optional<Warning> advise_on_float64(const ir::Module& module);

// Accesses of global memory in which neighbouring threads are far apart. On the module after the
// standard passes; looks at the kernel's own lines.
std::optional<Warning> advise_on_strides(const ir::Module& module);

}  // namespace phalanx::passes
