// Instruction scheduling: loads stay before branches, and go before divisions and roots, that they
// do not need, so that they are in flight together.
#pragma once

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/PassManager.h>

namespace phalanx::codegen::nvptx {

// Holds the loads so far before what is emitted next. Many of libdevice's functions have branches,
// and LLVM moves a load behind them, to the block of its first use, where the kernel waits for
// memory once more. It moves none past an operation that may write somewhere, as this mark may by
// its form. The mark is no code.
void hold_loads(llvm::IRBuilderBase& builder);

// ptxas makes a division or a square root a branch, for the numbers that its short way does not
// serve, and moves no load across it: what is loaded after it waits for it. Within a block, loads
// go before the first of these.
struct HoistLoads : llvm::PassInfoMixin<HoistLoads> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

// Last of the passes over LLVM's IR: what held loads until here becomes what holds them in the
// passes over machine code, too.
struct PinLoads : llvm::PassInfoMixin<PinLoads> {
  static llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager&);
};

}  // namespace phalanx::codegen::nvptx
