// Accesses whose address is affine where a test at run time says so: both forms, and the branch.
#include <llvm/IR/Constants.h>
#include <llvm/IR/MDBuilder.h>

#include "phalanx/codegen/cpu/emitter.h"

namespace phalanx::codegen::cpu {

namespace {

Address speculative_address_of(const Address& address) {
  Address result = {address.speculative->value, address.space, std::nullopt};
  result.is_alternative = true;
  return result;
}

}  // namespace

Value MemoryEmitter::emit_speculative_load(const Address& address, const ir::Type& type) {
  llvm::BasicBlock* fast = emitter_.new_block("affine");
  llvm::BasicBlock* slow = emitter_.new_block("scattered");
  llvm::BasicBlock* end = emitter_.new_block("loaded");
  builder_.CreateCondBr(
      address.speculative->holds,
      fast,
      slow,
      llvm::MDBuilder(emitter_.context()).createLikelyBranchWeights());
  builder_.SetInsertPoint(fast);
  const Value speculated = emit_load(speculative_address_of(address), type);
  llvm::BasicBlock* fast_end = builder_.GetInsertBlock();
  builder_.CreateBr(end);
  builder_.SetInsertPoint(slow);
  const Value scattered = emit_load({address.pointer, address.space, std::nullopt}, type);
  llvm::BasicBlock* slow_end = builder_.GetInsertBlock();
  emitter_.branch_to(end);
  Value value;
  for (std::size_t i = 0; i < scattered.size(); ++i) {
    llvm::PHINode* merged = builder_.CreatePHI(scattered[i].value->getType(), 2);
    merged->addIncoming(speculated[i].value, fast_end);
    merged->addIncoming(scattered[i].value, slow_end);
    value.push_back({scattered[i].shape, merged});
  }
  return value;
}

void MemoryEmitter::emit_speculative_store(
    const Address& address, const ir::Type& type, const Value& value) {
  llvm::BasicBlock* fast = emitter_.new_block("affine");
  llvm::BasicBlock* slow = emitter_.new_block("scattered");
  llvm::BasicBlock* end = emitter_.new_block("stored");
  builder_.CreateCondBr(
      address.speculative->holds,
      fast,
      slow,
      llvm::MDBuilder(emitter_.context()).createLikelyBranchWeights());
  builder_.SetInsertPoint(fast);
  emit_store(speculative_address_of(address), type, value);
  builder_.CreateBr(end);
  builder_.SetInsertPoint(slow);
  emit_store({address.pointer, address.space, std::nullopt}, type, value);
  emitter_.branch_to(end);
}

}  // namespace phalanx::codegen::cpu
