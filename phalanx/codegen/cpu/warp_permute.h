// Moves the elements of a warp's vector by indices that are known when the kernel runs.
#pragma once

#include <functional>

#include <llvm/IR/IRBuilder.h>

namespace phalanx::codegen::cpu {

// result[i] = values[indices[i]]; the indices are i32 from 0 to 31, the elements have 32 or 64
// bits.
struct WarpPermute {
  llvm::IRBuilder<>& builder;
  unsigned vector_bits;  // of the target
  std::function<llvm::Value*(llvm::Type*)> make_slot;

  llvm::Value* operator()(llvm::Value* values, llvm::Value* indices) const;

 private:
  llvm::Value* through_registers(llvm::Value* words, llvm::Value* indices) const;
  llvm::Value* through_memory(llvm::Value* values, llvm::Value* indices) const;
};

}  // namespace phalanx::codegen::cpu
