#include "phalanx/codegen/nvptx/masks_of_votes.h"

#include <vector>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/PatternMatch.h>

namespace phalanx::codegen::nvptx {
namespace {

// A sign extension of what a vote asks, or of its opposite.
struct Mask {
  llvm::SExtInst* extended;
  bool is_opposite;
};

std::vector<Mask> masks_of(llvm::Instruction& asked) {
  std::vector<Mask> found;
  const auto add_users = [&](llvm::Value& condition, bool is_opposite) {
    for (llvm::User* user : condition.users()) {
      auto* extended = llvm::dyn_cast<llvm::SExtInst>(user);
      if (extended != nullptr && extended->getType()->isIntegerTy(32))
        found.push_back({extended, is_opposite});
    }
  };
  add_users(asked, false);
  for (llvm::User* user : asked.users()) {
    if (llvm::PatternMatch::match(user, llvm::PatternMatch::m_Not(llvm::PatternMatch::m_Value())))
      add_users(*user, true);
  }
  return found;
}

// A selection that LLVM cannot look through.
llvm::Value* selected(llvm::IRBuilder<>& builder, llvm::Value* asked, bool is_opposite) {
  auto* type = llvm::FunctionType::get(builder.getInt32Ty(), {builder.getInt1Ty()}, false);
  auto* select = llvm::InlineAsm::get(
      type,
      is_opposite ? "selp.b32 $0, 0, -1, $1;" : "selp.b32 $0, -1, 0, $1;",
      "=r,b",
      /*hasSideEffects=*/false);
  return builder.CreateCall(select, {asked});
}

void select_by(llvm::IntrinsicInst& vote) {
  auto* asked = llvm::dyn_cast<llvm::ICmpInst>(vote.getArgOperand(1));
  if (asked == nullptr)
    return;
  for (const Mask& mask : masks_of(*asked)) {
    llvm::IRBuilder<> builder(mask.extended);
    mask.extended->replaceAllUsesWith(selected(builder, asked, mask.is_opposite));
    mask.extended->eraseFromParent();
  }
}

}  // namespace

void select_by_votes(llvm::Module& module) {
  for (llvm::Function& function : module) {
    std::vector<llvm::IntrinsicInst*> votes;
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
      if (call != nullptr && call->getIntrinsicID() == llvm::Intrinsic::nvvm_vote_ballot_sync)
        votes.push_back(call);
    }
    for (llvm::IntrinsicInst* vote : votes) select_by(*vote);
  }
}

}  // namespace phalanx::codegen::nvptx
