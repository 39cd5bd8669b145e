// Straight-line strength reduction of addresses (LLVM's SeparateConstOffsetFromGEP, for offsets
// that are uniform): those in global memory that differ by a uniform value become one address and
// steps from it. The neighbours a[i - 1, j] and a[i + 1, j] are a row before and after a[i, j].
#pragma once

#include <llvm/IR/PassManager.h>

namespace phalanx::codegen::nvptx {

// In code outside of loops: in a loop, LLVM has moved out what stays the same from turn to turn,
// and one sum of all would take it in again.
struct JoinAddresses : llvm::PassInfoMixin<JoinAddresses> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace phalanx::codegen::nvptx
