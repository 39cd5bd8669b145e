#include "phalanx/codegen/cpu/warp_loop.h"

namespace phalanx::codegen::cpu {

namespace {

bool has_rows(const CpuVariant& variant) {
  return variant.shape == BlockShape::rows || variant.shape == BlockShape::exact_rows;
}

}  // namespace

void forbid_unrolling(llvm::BranchInst& latch) {
  llvm::LLVMContext& context = latch.getContext();
  llvm::MDNode* rule =
      llvm::MDNode::get(context, llvm::MDString::get(context, "llvm.loop.unroll.disable"));
  llvm::MDNode* loop = llvm::MDNode::getDistinct(context, {nullptr, rule});
  loop->replaceOperandWith(0, loop);
  latch.setMetadata(llvm::LLVMContext::MD_loop, loop);
}

WarpLoop::WarpLoop(
    llvm::IRBuilder<>& builder,
    const LaunchState& launch,
    const CpuVariant& variant,
    llvm::Value* count,
    std::uint64_t warp_bytes)
    : builder_(builder), launch_(launch), variant_(variant), count_(count) {
  llvm::BasicBlock* before = builder.GetInsertBlock();
  llvm::Function* function = before->getParent();
  body_ = llvm::BasicBlock::Create(builder.getContext(), "warp", function);
  done_ = llvm::BasicBlock::Create(builder.getContext(), "warps.done", function);
  builder.CreateCondBr(builder.CreateICmpNE(count, builder.getInt32(0)), body_, done_);
  builder.SetInsertPoint(body_);
  index_ = builder.CreatePHI(builder.getInt32Ty(), 2, "warp.index");
  index_->addIncoming(builder.getInt32(0), before);
  if (has_rows(variant))
    open_rows(before);
  llvm::Value* scratch = launch.warps;
  if (warp_bytes != 0) {
    llvm::Value* offset = builder.CreateMul(
        builder.CreateZExt(index_, builder.getInt64Ty()), builder.getInt64(warp_bytes));
    scratch = builder.CreateGEP(builder.getInt8Ty(), launch.warps, offset);
  }
  if (has_rows(variant))
    position_ = {.index = index_, .scratch = scratch, .thread = {rows_[0], rows_[1], rows_[2]}};
  else
    position_ = position_of(builder, launch, variant, index_, scratch);
  if (variant.shape == BlockShape::exact_rows)
    position_.thread[0] = builder.getInt32(0);
}

void WarpLoop::open_rows(llvm::BasicBlock* before) {
  for (llvm::PHINode*& row : rows_) {
    row = builder_.CreatePHI(builder_.getInt32Ty(), 2, "thread");
    row->addIncoming(builder_.getInt32(0), before);
  }
}

void WarpLoop::close_rows(llvm::BasicBlock* latch) {
  llvm::Value* zero = builder_.getInt32(0);
  llvm::Value* x = builder_.CreateAdd(rows_[0], builder_.getInt32(variant_.lanes));
  llvm::Value* row_ends = variant_.shape == BlockShape::exact_rows
                              ? builder_.getTrue()
                              : builder_.CreateICmpEQ(x, launch_.block[0]);
  llvm::Value* y = builder_.CreateAdd(rows_[1], builder_.CreateZExt(row_ends, zero->getType()));
  llvm::Value* plane_ends = builder_.CreateICmpEQ(y, launch_.block[1]);
  llvm::Value* z = builder_.CreateAdd(rows_[2], builder_.CreateZExt(plane_ends, zero->getType()));
  rows_[0]->addIncoming(builder_.CreateSelect(row_ends, zero, x), latch);
  rows_[1]->addIncoming(builder_.CreateSelect(plane_ends, zero, y), latch);
  rows_[2]->addIncoming(z, latch);
}

void WarpLoop::close() {
  llvm::BasicBlock* latch = builder_.GetInsertBlock();
  if (has_rows(variant_))
    close_rows(latch);
  llvm::Value* next = builder_.CreateAdd(index_, builder_.getInt32(1), "", true, true);
  index_->addIncoming(next, latch);
  forbid_unrolling(*builder_.CreateCondBr(builder_.CreateICmpULT(next, count_), body_, done_));
  builder_.SetInsertPoint(done_);
}

}  // namespace phalanx::codegen::cpu
