// Sine and cosine of float32: evaluated in float64 and rounded once, so that nearly all results are
// the correctly rounded ones. SLEEF's and glibc's vector forms of float32 err by up to 1.8 ulp.
#pragma once

#include <llvm/IR/IRBuilder.h>

#include "phalanx/codegen/llvm/emit_op.h"

namespace phalanx::codegen::cpu {

bool is_float32_sine(ir::Op op, DType dtype);

// `x` is a float or a vector of them, with the same operations for both. `fuses`: the CPU has fused
// multiply-add; without it SLEEF's functions of float64 do. The builder carries no fast-math
// flags: they would undo the reduction. Goes on in another basic block.
llvm::Value* emit_float32_sine(
    llvm::IRBuilderBase& builder, MathLibrary& math, ir::Op op, llvm::Value* x, bool fuses);

}  // namespace phalanx::codegen::cpu
