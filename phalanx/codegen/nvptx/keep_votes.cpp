#include "phalanx/codegen/nvptx/keep_votes.h"

#include <array>

#include <llvm/IR/IRBuilder.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/InstIterator.h>
#include <llvm/IR/IntrinsicInst.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

namespace phalanx::codegen::nvptx {
namespace {

// What ptxas puts between BSSY and BSYNC: whatever combines the values of a mask's lanes.
constexpr std::array votes = {
    llvm::Intrinsic::nvvm_vote_all_sync,
    llvm::Intrinsic::nvvm_vote_any_sync,
    llvm::Intrinsic::nvvm_vote_uni_sync,
    llvm::Intrinsic::nvvm_vote_ballot_sync,
    llvm::Intrinsic::nvvm_match_any_sync_i32,
    llvm::Intrinsic::nvvm_match_any_sync_i64,
    llvm::Intrinsic::nvvm_match_all_sync_i32p,
    llvm::Intrinsic::nvvm_match_all_sync_i64p,
    llvm::Intrinsic::nvvm_redux_sync_add,
    llvm::Intrinsic::nvvm_redux_sync_and,
    llvm::Intrinsic::nvvm_redux_sync_or,
    llvm::Intrinsic::nvvm_redux_sync_xor,
    llvm::Intrinsic::nvvm_redux_sync_min,
    llvm::Intrinsic::nvvm_redux_sync_max,
    llvm::Intrinsic::nvvm_redux_sync_umin,
    llvm::Intrinsic::nvvm_redux_sync_umax,
};

bool is_vote(const llvm::Instruction& instruction) {
  const auto* call = llvm::dyn_cast<llvm::IntrinsicInst>(&instruction);
  return call != nullptr && llvm::is_contained(votes, call->getIntrinsicID());
}

// A trap if a bit is greater than the lane's own bit in a mask. That is never, as the latter is
// not 0, but ptxas does not know: a comparison with a constant it would fold.
void use(llvm::Instruction& vote) {
  llvm::IRBuilder<> builder(vote.getNextNode());
  builder.SetCurrentDebugLocation(vote.getDebugLoc());
  llvm::Type* i32 = builder.getInt32Ty();
  llvm::Value* value = vote.getType()->isStructTy() ? builder.CreateExtractValue(&vote, 0) : &vote;
  llvm::Value* bit = builder.CreateAnd(builder.CreateZExt(value, i32), 1);
  llvm::Value* lane =
      builder.CreateIntrinsic(llvm::Intrinsic::nvvm_read_ptx_sreg_lanemask_eq, {}, {});
  auto* type = llvm::FunctionType::get(builder.getVoidTy(), {i32, i32}, false);
  auto* compare = llvm::InlineAsm::get(
      type,
      "{ .reg .pred never; setp.gt.u32 never, $0, $1; @never trap; }",
      "r,r",
      /*hasSideEffects=*/true);
  builder.CreateCall(compare, {bit, lane})->setConvergent();
}

}  // namespace

void keep_votes(llvm::Module& module) {
  for (llvm::Function& function : module) {
    for (llvm::Instruction& instruction : llvm::instructions(function)) {
      if (is_vote(instruction) && instruction.use_empty())
        use(instruction);
    }
  }
}

}  // namespace phalanx::codegen::nvptx
