// Loop unrolling (LLVM's LoopUnroll): how far LLVM and ptxas go.
#pragma once

#include <llvm/IR/Module.h>
#include <llvm/Passes/PassBuilder.h>

namespace phalanx::codegen::nvptx {

// Tells LLVM's unroller, which spares code size, what a GPU gains by: short nests of loops with
// known trip counts become straight code, and the innermost loops of others are repeated, so that
// several loads are in flight and a counter costs less.
void plan_unrolling(llvm::PassBuilder& passes);

// Run after the optimiser. ptxas would unroll again what LLVM has unrolled, and the outer loop of a
// tiled matrix product: the code runs no faster, and the driver takes three times as long.
void limit_unrolling(llvm::Module& module);

}  // namespace phalanx::codegen::nvptx
