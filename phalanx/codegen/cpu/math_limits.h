// Functions of SLEEF that end before their results do: near overflow other formulas take over.
#pragma once

#include <llvm/ADT/STLFunctionalExtras.h>
#include <llvm/IR/IRBuilder.h>

#include "phalanx/codegen/llvm/emit_op.h"

namespace phalanx::codegen::cpu {

bool is_limited(ir::Op op);

// The function of the vector x; `known` is SLEEF's result, good where |x| is not large. Goes on in
// another basic block.
llvm::Value* emit_beyond_limit(
    llvm::IRBuilderBase& builder, MathLibrary& math, ir::Op op, llvm::Value* x, llvm::Value* known);

// `known`, but what `make` emits in the lanes of `is_rare`, in a branch for where there is any.
// Goes on in another basic block.
llvm::Value* replace_rare_lanes(
    llvm::IRBuilderBase& builder,
    llvm::Value* is_rare,
    llvm::Value* known,
    llvm::function_ref<llvm::Value*()> make);

}  // namespace phalanx::codegen::cpu
