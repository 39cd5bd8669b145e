// Code sinking (LLVM's Sink): moves values to where they are used, over any number of branches.
#pragma once

#include <llvm/IR/PassManager.h>
#include <llvm/Passes/PassBuilder.h>

namespace phalanx::codegen {

// LLVM's InstCombine does the same from one block to the next only, and looks at a value anew after
// each move: a sum that goes on over 400 checks, each a branch to an error, took it 4 s of 5.
// Only for functions with enough blocks for this to count.
class SinkValues : public llvm::PassInfoMixin<SinkValues> {
 public:
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

// Adds it before the first InstCombine.
void sink_values_first(llvm::PassBuilder& passes);

}  // namespace phalanx::codegen
