// Functions of SLEEF that end before their results do: near overflow other formulas take over.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include "phalanx/codegen/llvm/emit_op.h"

namespace phalanx::codegen::cpu {

bool is_limited(ir::Op op);

// The function of the vector x; `known` is SLEEF's result, good where |x| is not large. Goes on in
// another basic block.
llvm::Value* emit_beyond_limit(
    llvm::IRBuilderBase& builder, MathLibrary& math, ir::Op op, llvm::Value* x, llvm::Value* known);

}  // namespace phalanx::codegen::cpu
