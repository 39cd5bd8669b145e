// An operation's name or `none`: the column `op` of functions.def and ufuncs.def.
#pragma once

#include <optional>

#include "phalanx/ir/op.h"

namespace phalanx::infer::op_column {

#define OP(name, ...) inline constexpr std::optional<ir::Op> name = ir::Op::name;
#include "phalanx/ir/ops.def"
#undef OP
inline constexpr std::optional<ir::Op> none;

}  // namespace phalanx::infer::op_column
