// The barrier of the blocks of a cooperative launch, by the driver's own workspace for it.
#include <llvm/IR/Constants.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

#include "phalanx/codegen/nvptx/emit_parts.h"
#include "phalanx/codegen/nvptx/function_emitter.h"

namespace phalanx::codegen::nvptx {

namespace {

constexpr unsigned flipped_bit = 0x80000000U;  // changes when the last block has come
constexpr unsigned counter_offset = 4;         // in the workspace, after its size

// The address of the counter: the driver leaves its workspace's in two registers of each launch.
llvm::Value* grid_counter(FunctionEmitter& emitter) {
  llvm::IRBuilder<>& builder = emitter.builder();
  const auto half = [&](llvm::Intrinsic::ID id) {
    return builder.CreateZExt(builder.CreateIntrinsic(id, {}, {}), builder.getInt64Ty());
  };
  llvm::Value* high = half(llvm::Intrinsic::nvvm_read_ptx_sreg_envreg1);
  llvm::Value* low = half(llvm::Intrinsic::nvvm_read_ptx_sreg_envreg2);
  llvm::Value* workspace = builder.CreateOr(builder.CreateShl(high, 32), low);
  return builder.CreateAdd(workspace, builder.getInt64(counter_offset));
}

}  // namespace

// A thread of each block counts up by one, the first block's by what makes the sum flip the highest
// bit.
void emit_grid_barrier(FunctionEmitter& emitter) {
  llvm::IRBuilder<>& builder = emitter.builder();
  llvm::Type* i32 = builder.getInt32Ty();
  llvm::Type* i64 = builder.getInt64Ty();
  const auto reg = [&](llvm::Intrinsic::ID id) { return builder.CreateIntrinsic(id, {}, {}); };
  llvm::Value* blocks = builder.CreateMul(
      builder.CreateMul(
          reg(llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_x),
          reg(llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_y)),
      reg(llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_z));
  llvm::Value* block = builder.CreateOr(
      builder.CreateOr(
          reg(llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_x),
          reg(llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_y)),
      reg(llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_z));
  llvm::Value* step = builder.CreateSelect(
      builder.CreateIsNull(block),
      builder.CreateSub(builder.getInt32(flipped_bit + 1), blocks),
      builder.getInt32(1));
  llvm::Value* counter = grid_counter(emitter);
  auto* add = llvm::FunctionType::get(i32, {i64, i32}, false);
  llvm::Value* before = builder.CreateCall(
      llvm::InlineAsm::get(add, "atom.add.release.gpu.u32 $0, [$1], $2;", "=r,l,r,~{memory}", true),
      {counter, step});

  llvm::BasicBlock* wait = emitter.new_block("grid.wait");
  llvm::BasicBlock* done = emitter.new_block("grid.done");
  builder.CreateBr(wait);
  builder.SetInsertPoint(wait);
  auto* read = llvm::FunctionType::get(i32, {i64}, false);
  llvm::Value* now = builder.CreateCall(
      llvm::InlineAsm::get(read, "ld.acquire.gpu.u32 $0, [$1];", "=r,l,~{memory}", true),
      {counter});
  llvm::Value* changed =
      builder.CreateAnd(builder.CreateXor(before, now), builder.getInt32(flipped_bit));
  builder.CreateCondBr(builder.CreateIsNull(changed), wait, done);
  builder.SetInsertPoint(done);
}

}  // namespace phalanx::codegen::nvptx
