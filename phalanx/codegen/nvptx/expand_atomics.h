// Expansion of atomics (LLVM's AtomicExpand): those that the hardware lacks become loops of
// compare-and-swap.
#pragma once

#include <llvm/IR/Module.h>

namespace phalanx::codegen::nvptx {

// Shared memory has no 64-bit arithmetic and no floating-point addition, and no memory has a 16-bit
// addition. ptxas makes loops of these too late: where such a loop becomes one with a loop of the
// program, threads of a warp stay apart and count a uniform counter several times (decision 0027).
// Run after the optimiser, which finds out where generic pointers point.
void expand_atomics(llvm::Module& module);

}  // namespace phalanx::codegen::nvptx
