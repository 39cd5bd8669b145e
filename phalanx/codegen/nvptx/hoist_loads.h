// Instruction scheduling: loads go before the divisions and roots that they do not need.
#pragma once

#include <llvm/IR/PassManager.h>

namespace phalanx::codegen::nvptx {

// ptxas makes a division or a square root a branch, for the numbers that its short way does not
// serve, and moves no load across it: what is loaded after it waits for it. Within a block, loads
// go before the first of these, so that they are in flight together.
struct HoistLoads : llvm::PassInfoMixin<HoistLoads> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace phalanx::codegen::nvptx
