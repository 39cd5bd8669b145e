// The passes of passes.def, each the function of one file.
#pragma once

#include <cstdint>

#include "phalanx/base/fault.h"
#include "phalanx/ir/ir.h"

namespace phalanx::passes {

#define PASS(name, when) void name(ir::Module& module);
#define PASS_WITH_CHECKS(name, when) void name(ir::Module& module, Checks checks);
#include "phalanx/passes/passes.def"
#undef PASS
#undef PASS_WITH_CHECKS

inline constexpr std::int64_t end_barrier = 1;  // the index of what insert_end_barriers inserts

}  // namespace phalanx::passes
