// The barrier of the blocks of a cooperative launch, by the driver's own workspace for it.
#include <llvm/IR/Constants.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

#include "phalanx/codegen/nvptx/function_emitter.h"

namespace phalanx::codegen::nvptx {

namespace {

constexpr unsigned flipped_bit = 0x80000000U;  // changes when the last block has come
constexpr unsigned counter_offset = 4;         // in the workspace, after its size

}  // namespace

// The address of the counter: the driver leaves its workspace's in two registers of each launch.
llvm::Value* FunctionEmitter::grid_counter() {
  const auto half = [&](llvm::Intrinsic::ID id) {
    return builder_.CreateZExt(builder_.CreateIntrinsic(id, {}, {}), builder_.getInt64Ty());
  };
  llvm::Value* high = half(llvm::Intrinsic::nvvm_read_ptx_sreg_envreg1);
  llvm::Value* low = half(llvm::Intrinsic::nvvm_read_ptx_sreg_envreg2);
  llvm::Value* workspace = builder_.CreateOr(builder_.CreateShl(high, 32), low);
  return builder_.CreateAdd(workspace, builder_.getInt64(counter_offset));
}

// A thread of each block counts up by one, the first block's by what makes the sum flip the highest
// bit.
void FunctionEmitter::emit_grid_barrier() {
  llvm::Type* i32 = builder_.getInt32Ty();
  llvm::Type* i64 = builder_.getInt64Ty();
  const auto reg = [&](llvm::Intrinsic::ID id) { return builder_.CreateIntrinsic(id, {}, {}); };
  llvm::Value* blocks = builder_.CreateMul(
      builder_.CreateMul(
          reg(llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_x),
          reg(llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_y)),
      reg(llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_z));
  llvm::Value* block = builder_.CreateOr(
      builder_.CreateOr(
          reg(llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_x),
          reg(llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_y)),
      reg(llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_z));
  llvm::Value* step = builder_.CreateSelect(
      builder_.CreateIsNull(block),
      builder_.CreateSub(builder_.getInt32(flipped_bit + 1), blocks),
      builder_.getInt32(1));
  llvm::Value* counter = grid_counter();
  auto* add = llvm::FunctionType::get(i32, {i64, i32}, false);
  llvm::Value* before = builder_.CreateCall(
      llvm::InlineAsm::get(add, "atom.add.release.gpu.u32 $0, [$1], $2;", "=r,l,r,~{memory}", true),
      {counter, step});

  llvm::BasicBlock* wait = new_block("grid.wait");
  llvm::BasicBlock* done = new_block("grid.done");
  builder_.CreateBr(wait);
  builder_.SetInsertPoint(wait);
  auto* read = llvm::FunctionType::get(i32, {i64}, false);
  llvm::Value* now = builder_.CreateCall(
      llvm::InlineAsm::get(read, "ld.acquire.gpu.u32 $0, [$1];", "=r,l,~{memory}", true),
      {counter});
  llvm::Value* changed =
      builder_.CreateAnd(builder_.CreateXor(before, now), builder_.getInt32(flipped_bit));
  builder_.CreateCondBr(builder_.CreateIsNull(changed), wait, done);
  builder_.SetInsertPoint(done);
}

}  // namespace phalanx::codegen::nvptx
