#include "phalanx/codegen/nvptx/expand_atomics.h"

#include <vector>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/Transforms/Utils/BasicBlockUtils.h>
#include <llvm/Transforms/Utils/LowerAtomic.h>

namespace phalanx::codegen::nvptx {
namespace {

constexpr unsigned generic_space = 0;
constexpr unsigned global_space = 1;
constexpr unsigned shared_space = 3;

bool is_in_hardware(const llvm::AtomicRMWInst& update, unsigned space) {
  const unsigned bits = update.getType()->getScalarSizeInBits();
  if (update.getOperation() == llvm::AtomicRMWInst::Xchg)
    return bits >= 32;
  if (bits < 32)
    return false;
  if (update.isFloatingPointOperation())
    return update.getOperation() == llvm::AtomicRMWInst::FAdd && space == global_space;
  return bits == 32 || space == global_space;
}

// The memory is read again at each attempt, as in ptxas's own loops.
void make_loop(llvm::AtomicRMWInst& update) {
  llvm::Value* address = update.getPointerOperand();
  llvm::Type* type = update.getType();
  llvm::BasicBlock* before = update.getParent();
  llvm::BasicBlock* after = before->splitBasicBlock(update.getIterator(), "updated");
  llvm::BasicBlock* attempt =
      llvm::BasicBlock::Create(update.getContext(), "attempt", before->getParent(), after);
  before->getTerminator()->setSuccessor(0, attempt);
  llvm::IRBuilder<> builder(attempt);
  builder.SetCurrentDebugLocation(update.getDebugLoc());
  llvm::Type* word = builder.getIntNTy(type->getScalarSizeInBits());
  llvm::Value* old =
      builder.CreateAlignedLoad(type, address, update.getAlign(), /*isVolatile=*/true);
  llvm::Value* wanted =
      llvm::buildAtomicRMWValue(update.getOperation(), builder, old, update.getValOperand());
  llvm::Value* pair = builder.CreateAtomicCmpXchg(
      address,
      builder.CreateBitCast(old, word),
      builder.CreateBitCast(wanted, word),
      update.getAlign(),
      update.getOrdering(),
      llvm::AtomicCmpXchgInst::getStrongestFailureOrdering(update.getOrdering()),
      update.getSyncScopeID());
  builder.CreateCondBr(builder.CreateExtractValue(pair, 1), after, attempt);
  update.replaceAllUsesWith(old);
  update.eraseFromParent();
}

llvm::AtomicRMWInst* copy_in_space(
    llvm::AtomicRMWInst& update, unsigned space, llvm::Instruction* before) {
  llvm::IRBuilder<> builder(before);
  builder.SetCurrentDebugLocation(update.getDebugLoc());
  llvm::Value* address = builder.CreateAddrSpaceCast(
      update.getPointerOperand(), llvm::PointerType::get(builder.getContext(), space));
  auto* copy = llvm::cast<llvm::AtomicRMWInst>(builder.Insert(update.clone()));
  copy->setOperand(llvm::AtomicRMWInst::getPointerOperandIndex(), address);
  return copy;
}

// For an unknown space: a loop if it is shared memory, else the hardware's.
void split_by_space(llvm::AtomicRMWInst& update) {
  llvm::IRBuilder<> builder(&update);
  llvm::Value* is_shared = builder.CreateIntrinsic(
      llvm::Intrinsic::nvvm_isspacep_shared, {}, {update.getPointerOperand()});
  llvm::Instruction* shared_end = nullptr;
  llvm::Instruction* global_end = nullptr;
  llvm::SplitBlockAndInsertIfThenElse(is_shared, &update, &shared_end, &global_end);
  llvm::AtomicRMWInst* shared = copy_in_space(update, shared_space, shared_end);
  llvm::AtomicRMWInst* global = copy_in_space(update, global_space, global_end);
  builder.SetInsertPoint(&update);
  llvm::PHINode* old = builder.CreatePHI(update.getType(), 2);
  old->addIncoming(shared, shared_end->getParent());
  old->addIncoming(global, global_end->getParent());
  update.replaceAllUsesWith(old);
  update.eraseFromParent();
  make_loop(*shared);  // the phi's block of origin becomes the one after the loop
}

void expand(llvm::AtomicRMWInst& update) {
  const unsigned space = update.getPointerAddressSpace();
  if (is_in_hardware(update, space))
    return;
  if (space == generic_space && is_in_hardware(update, global_space))
    split_by_space(update);
  else
    make_loop(update);
}

}  // namespace

void expand_atomics(llvm::Module& module) {
  std::vector<llvm::AtomicRMWInst*> updates;
  for (llvm::Function& function : module) {
    for (llvm::BasicBlock& block : function) {
      for (llvm::Instruction& instruction : block) {
        if (auto* update = llvm::dyn_cast<llvm::AtomicRMWInst>(&instruction))
          updates.push_back(update);
      }
    }
  }
  for (llvm::AtomicRMWInst* update : updates) expand(*update);
}

}  // namespace phalanx::codegen::nvptx
