// Vectorisation of interleaved accesses (Nuzman, Rosen and Zaks, 2006; LLVM's InterleavedAccess):
// gathers and scatters of shared memory whose lanes lie at known distances become whole vectors and
// shuffles, as tile[k, 4 * tx + i] or keys[t ^ 4].
//
// A gather takes 1.5 cycles a lane on AMD's cores (Zen 4) whatever its addresses are. Where LLVM
// has made them one scalar and a constant for each lane, the vectors that hold all lanes, the
// window, begin at multiples of a vector from that scalar, so that accesses of neighbours share
// them.
#pragma once

#include <cstddef>

#include <llvm/IR/PassManager.h>
#include <llvm/Passes/PassBuilder.h>

namespace phalanx::codegen::cpu {

// A scatter stores the whole window, with what it found between the lanes' elements: a block runs
// on one core, so no other thread can have written there. Nothing may lie in the window that
// another core writes: shared memory is in a thread's own scratch memory, with margins
// (runtime/cpu/scratch.h).
class SharedWindows : public llvm::PassInfoMixin<SharedWindows> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

// Adds it after the loops are unrolled, and the constants found.
void add_shared_windows(llvm::PassBuilder& passes);

}  // namespace phalanx::codegen::cpu
