#include "phalanx/codegen/nvptx/limit_unrolling.h"

#include <algorithm>

#include <llvm/Analysis/LoopInfo.h>
#include <llvm/IR/Dominators.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

namespace phalanx::codegen::nvptx {
namespace {

constexpr std::size_t long_loop = 16;  // instructions; LLVM unrolls countable loops to more

bool is_barrier(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::CallInst>(&instruction);
  return call != nullptr && call->getIntrinsicID() == llvm::Intrinsic::nvvm_barrier0;
}

bool is_long(const llvm::Loop& loop) {
  std::size_t count = 0;
  for (const llvm::BasicBlock* block : loop.blocks()) {
    count += block->size();
    if (count > long_loop || std::any_of(block->begin(), block->end(), is_barrier))
      return true;
  }
  return false;
}

}  // namespace

void limit_unrolling(llvm::Module& module) {
  for (llvm::Function& function : module) {
    if (function.isDeclaration())
      continue;
    const llvm::DominatorTree dominators(function);
    const llvm::LoopInfo loops(dominators);
    for (llvm::Loop* loop : loops.getLoopsInPreorder()) {
      if (is_long(*loop))
        loop->setLoopAlreadyUnrolled();  // becomes .pragma "nounroll"
    }
  }
}

}  // namespace phalanx::codegen::nvptx
