// Narrowing of integers by value ranges (bitwidth analysis: Stephenson, Babb and Amarasinghe,
// 2000): computes in 32 bits what fits them.
#pragma once

#include <llvm/IR/PassManager.h>

namespace phalanx::codegen::nvptx {

// Python's integers have 64 bits, a GPU's registers 32: an addition takes two instructions, a
// comparison two, a product four. Where the range of a value and of what it is made of is known to
// fit, 32 bits do: counters of loops that end at a 32-bit number, indices into shared memory.
struct NarrowIntegers : llvm::PassInfoMixin<NarrowIntegers> {
  llvm::PreservedAnalyses run(llvm::Function& function, llvm::FunctionAnalysisManager& analyses);
};

}  // namespace phalanx::codegen::nvptx
