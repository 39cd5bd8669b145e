// Keeps ptxas from unrolling loops that LLVM has unrolled, or that are long already.
#pragma once

#include <llvm/IR/Module.h>

namespace phalanx::codegen::nvptx {

// Run after the optimiser. ptxas would unroll the outer loop of a tiled matrix product four times:
// the code runs no faster, and the driver takes three times as long to compile it.
void limit_unrolling(llvm::Module& module);

}  // namespace phalanx::codegen::nvptx
