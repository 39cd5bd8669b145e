// A workaround for ptxas: votes of a warp whose results are not used get a use.
#pragma once

#include <llvm/IR/Module.h>

namespace phalanx::codegen::nvptx {

// For sm_90 and above ptxas drops such a vote and leaves the instruction before it that splits a
// warp by the masks of its lanes, but not the one that joins it again (decision 0027).
// Run after the optimiser, which takes dead uses away; without it ptxas does not optimise, either.
void keep_votes(llvm::Module& module);

}  // namespace phalanx::codegen::nvptx
