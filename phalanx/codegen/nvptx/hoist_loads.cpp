#include "phalanx/codegen/nvptx/hoist_loads.h"

#include <llvm/ADT/SetVector.h>
#include <llvm/ADT/SmallPtrSet.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/Instructions.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

namespace phalanx::codegen::nvptx {
namespace {

constexpr unsigned most_loads = 8;  // of a block: each holds a register from then on

bool has_slow_way(const llvm::Instruction& instruction) {
  switch (instruction.getOpcode()) {
    case llvm::Instruction::FDiv:
      return !instruction.hasApproxFunc();
    case llvm::Instruction::FRem:
      return true;
    case llvm::Instruction::SDiv:
    case llvm::Instruction::UDiv:
    case llvm::Instruction::SRem:
    case llvm::Instruction::URem:
      return instruction.getType()->isIntegerTy(64);
    default:
      break;
  }
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  if (call == nullptr)
    return false;
  switch (call->getIntrinsicID()) {
    case llvm::Intrinsic::sqrt:
    case llvm::Intrinsic::nvvm_sqrt_f:
    case llvm::Intrinsic::nvvm_sqrt_rn_f:
    case llvm::Intrinsic::nvvm_sqrt_rn_d:
    case llvm::Intrinsic::nvvm_div_rn_f:
    case llvm::Intrinsic::nvvm_div_rn_d:
    case llvm::Intrinsic::nvvm_rcp_rn_f:
    case llvm::Intrinsic::nvvm_rcp_rn_d:
      return true;
    default:
      return false;
  }
}

// What loads are held by.
bool is_mark(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return call != nullptr && call->getIntrinsicID() == llvm::Intrinsic::sideeffect;
}

// One block, from its start to its end. What follows the first slow operation since memory was
// written stays after it, until a load needs it.
class Mover {
 public:
  bool run(llvm::BasicBlock& block);

 private:
  using Chain = llvm::SetVector<llvm::Instruction*>;

  bool collect(llvm::Instruction& instruction, Chain& chain) const;
  bool move(llvm::LoadInst& load);

  llvm::Instruction* slow_ = nullptr;
  llvm::SmallPtrSet<const llvm::Instruction*, 32> after_;
  unsigned moved_ = 0;
};

// What has to go with `instruction`, operands first; false if something of it is slow itself.
bool Mover::collect(llvm::Instruction& instruction, Chain& chain) const {
  if (has_slow_way(instruction))
    return false;
  for (llvm::Value* operand : instruction.operands()) {
    auto* made = llvm::dyn_cast<llvm::Instruction>(operand);
    if (made != nullptr && after_.contains(made) && !collect(*made, chain))
      return false;
  }
  chain.insert(&instruction);
  return true;
}

bool Mover::move(llvm::LoadInst& load) {
  Chain chain;
  if (moved_ == most_loads || !collect(load, chain))
    return false;
  for (llvm::Instruction* each : chain) {
    each->moveBefore(slow_);
    after_.erase(each);
  }
  ++moved_;
  return true;
}

bool Mover::run(llvm::BasicBlock& block) {
  for (llvm::Instruction& instruction : llvm::make_early_inc_range(block)) {
    if (instruction.mayHaveSideEffects() && !is_mark(instruction)) {
      slow_ = nullptr;
      after_.clear();
    } else if (slow_ == nullptr) {
      if (has_slow_way(instruction)) {
        slow_ = &instruction;
        after_.insert(&instruction);
      }
    } else {
      auto* load = llvm::dyn_cast<llvm::LoadInst>(&instruction);
      if (load == nullptr || !move(*load))
        after_.insert(&instruction);
    }
  }
  return moved_ != 0;
}

}  // namespace

void hold_loads(llvm::IRBuilderBase& builder) {
  builder.CreateIntrinsic(llvm::Intrinsic::sideeffect, {}, {});
}

llvm::PreservedAnalyses HoistLoads::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  bool is_changed = false;
  for (llvm::BasicBlock& block : function) is_changed |= Mover().run(block);
  if (!is_changed)
    return llvm::PreservedAnalyses::all();
  llvm::PreservedAnalyses kept;
  kept.preserveSet<llvm::CFGAnalyses>();
  return kept;
}

llvm::PreservedAnalyses PinLoads::run(llvm::Function& function, llvm::FunctionAnalysisManager&) {
  auto* type = llvm::FunctionType::get(llvm::Type::getVoidTy(function.getContext()), false);
  auto* barrier = llvm::InlineAsm::get(type, "", "~{memory}", /*hasSideEffects=*/true);
  for (llvm::BasicBlock& block : function) {
    bool has_loads = false;
    for (llvm::Instruction& instruction : llvm::make_early_inc_range(block)) {
      has_loads |= llvm::isa<llvm::LoadInst>(instruction);
      if (!is_mark(instruction))
        continue;
      if (has_loads)
        llvm::CallInst::Create(barrier, {}, "", &instruction);
      has_loads = false;
      instruction.eraseFromParent();
    }
  }
  return llvm::PreservedAnalyses::all();
}

}  // namespace phalanx::codegen::nvptx
