// Masks of a lane's own vote come from the vote's predicate.
#pragma once

#include <llvm/IR/Module.h>

namespace phalanx::codegen::nvptx {

// Who looks for the lanes that have voted as a lane has, as radix sort does for each bit of a
// digit, takes the ballot or what is not in it. LLVM makes that choice a mask by a shift and a sign
// extension where the vote is about a bit; from the predicate, which the vote needs anyway, it is
// one selection. Run after the optimiser, which would undo it.
void select_by_votes(llvm::Module& module);

}  // namespace phalanx::codegen::nvptx
