// Blocks that run as one: how many at a time, where the first vector starts, and which stores go
// past the caches.
#include <algorithm>
#include <cstddef>

#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicsX86.h>

#include "phalanx/base/cpu_kernel.h"
#include "phalanx/codegen/cpu/kernel_builder.h"

namespace phalanx::codegen::cpu {

namespace {

constexpr std::uint64_t cache_line = 64;

// The parameter, counted from 0, that a stream writes.
std::size_t parameter_of(const ir::Function& kernel, const ir::Operation& store) {
  const auto found = std::ranges::find_if(kernel.parameters, [&](const auto& parameter) {
    return parameter.get() == store.operands[0];
  });
  return static_cast<std::size_t>(found - kernel.parameters.begin());
}

std::uint64_t item_bytes(const ir::Operation& store) {
  return ir::size_of(store.operands[0]->type.element());
}

}  // namespace

// The blocks from here to the end of the row or of the work, i32.
llvm::Value* KernelBuilder::coalesced_count(
    llvm::Value* number, llvm::Value* x, std::uint64_t most_blocks) {
  llvm::Value* left = builder_.CreateSub(function_->getArg(2), number);
  llvm::Value* in_row =
      builder_.CreateZExt(builder_.CreateSub(launch_.grid[0], x), builder_.getInt64Ty());
  llvm::Value* count = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, left, in_row);
  count =
      builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, count, builder_.getInt64(most_blocks));
  return builder_.CreateTrunc(count, builder_.getInt32Ty(), "coalesced");
}

// A cache keeps nothing of an array larger than itself: written past it, an array costs its own
// traffic only, without reading each cache line first. Where the array is read too, its lines are
// in the cache.
void KernelBuilder::find_non_temporal() {
  llvm::Type* i64 = builder_.getInt64Ty();
  const auto& parameters = compilation_.kernel.parameters;
  llvm::Value* threads = builder_.CreateMul(
      builder_.CreateZExt(launch_.grid[0], i64), builder_.CreateZExt(launch_.block[0], i64));
  llvm::Value* least = builder_.CreateZExt(
      builder_.CreateLoad(
          builder_.getInt32Ty(),
          builder_.CreateConstGEP1_64(
              builder_.getInt8Ty(), launch_.launch, offsetof(CpuLaunch, non_temporal_kib))),
      i64,
      "stream.kib");
  llvm::Value* can_bypass = builder_.CreateICmpNE(least, builder_.getInt64(0));
  is_non_temporal_ = builder_.getFalse();
  for (const ir::Operation* store : coalesced_.non_temporal) {
    const std::size_t own = parameter_of(compilation_.kernel, *store);
    llvm::Value* bytes = builder_.CreateMul(threads, builder_.getInt64(item_bytes(*store)));
    llvm::Value* non_temporal = can_bypass;
    const ir::Type& array = store->operands[0]->type;
    for (unsigned d = 0; d < array.ndim(); ++d) {
      llvm::Value* extent = launch_.parameters[own][1 + d];
      if (d != contiguous_dimension(array)) {
        bytes = builder_.CreateMul(bytes, extent);
      } else if (array.ndim() > 1) {
        // Then the threads before the first whole cache line are as many in each row.
        llvm::Value* row = builder_.CreateMul(extent, builder_.getInt64(item_bytes(*store)));
        llvm::Value* rest = builder_.CreateAnd(row, builder_.getInt64(cache_line - 1));
        non_temporal =
            builder_.CreateAnd(non_temporal, builder_.CreateICmpEQ(rest, builder_.getInt64(0)));
      }
    }
    llvm::Value* kib = builder_.CreateLShr(bytes, 10);
    non_temporal = builder_.CreateAnd(non_temporal, builder_.CreateICmpUGE(kib, least));
    for (std::size_t i = 0; i < parameters.size(); ++i) {
      if (i != own && parameters[i]->type.is_array())
        non_temporal = builder_.CreateAnd(
            non_temporal,
            builder_.CreateICmpNE(launch_.parameters[i][0], launch_.parameters[own][0]));
    }
    wanted_non_temporal_[store] = non_temporal;
    is_non_temporal_ = builder_.CreateOr(is_non_temporal_, non_temporal, "is.non_temporal");
  }
}

// Where stores go past the caches, the threads before the first whole cache line go ahead by
// themselves: lines must be written whole.
void KernelBuilder::emit_coalesced_start() {
  llvm::IntegerType* i32 = builder_.getInt32Ty();
  llvm::IntegerType* i64 = builder_.getInt64Ty();
  launch_.first_thread = builder_.getInt32(0);
  if (coalesced_.non_temporal.empty())
    return;
  llvm::Value* first = builder_.CreateMul(
      builder_.CreateZExt(launch_.block_index[0], i64), builder_.CreateZExt(launch_.block[0], i64));
  const auto address = [&](const ir::Operation& store, llvm::Value* thread) {
    const std::size_t own = parameter_of(compilation_.kernel, store);
    llvm::Value* data = builder_.CreatePtrToInt(launch_.parameters[own][0], i64);
    llvm::Value* bytes = builder_.CreateMul(thread, builder_.getInt64(item_bytes(store)));
    return builder_.CreateAnd(
        builder_.CreateAdd(data, bytes), builder_.getInt64(cache_line - 1), "in.line");
  };
  const ir::Operation& leader = *coalesced_.non_temporal.front();
  llvm::Value* to_cache_line = builder_.CreateAnd(
      builder_.CreateNeg(address(leader, first)), builder_.getInt64(cache_line - 1));
  llvm::Value* ahead = builder_.CreateTrunc(
      builder_.CreateUDiv(to_cache_line, builder_.getInt64(item_bytes(leader))), i32);
  ahead = builder_.CreateBinaryIntrinsic(llvm::Intrinsic::umin, ahead, block_threads());
  ahead = builder_.CreateSelect(is_non_temporal_, ahead, builder_.getInt32(0), "threads.ahead");
  llvm::Value* start = builder_.CreateAdd(first, builder_.CreateZExt(ahead, i64));
  for (const ir::Operation* store : coalesced_.non_temporal) {
    launch_.non_temporal[store] = builder_.CreateAnd(
        wanted_non_temporal_.at(store),
        builder_.CreateICmpEQ(address(*store, start), builder_.getInt64(0)),
        "non_temporal");
  }
  auto* go_ahead = llvm::BasicBlock::Create(builder_.getContext(), "ahead", function_);
  auto* done = llvm::BasicBlock::Create(builder_.getContext(), "ahead.done", function_);
  builder_.CreateCondBr(builder_.CreateICmpEQ(ahead, builder_.getInt32(0)), done, go_ahead);
  builder_.SetInsertPoint(go_ahead);
  llvm::IntegerType* bits = builder_.getIntNTy(compilation_.variant.lanes);
  llvm::Value* beyond = builder_.CreateShl(
      llvm::Constant::getAllOnesValue(bits), builder_.CreateZExtOrTrunc(ahead, bits));
  emit_masked_call(builder_.getInt32(0), builder_.CreateNot(beyond));
  builder_.CreateBr(done);
  builder_.SetInsertPoint(done);
  launch_.first_thread = ahead;
}

// What went past the caches is in no order with later stores until a fence.
void KernelBuilder::emit_non_temporal_end() {
  if (is_non_temporal_ == nullptr)
    return;
  auto* fence = llvm::BasicBlock::Create(builder_.getContext(), "stream.fence", function_);
  auto* end = llvm::BasicBlock::Create(builder_.getContext(), "end", function_);
  builder_.CreateCondBr(is_non_temporal_, fence, end);
  builder_.SetInsertPoint(fence);
  builder_.CreateIntrinsic(llvm::Intrinsic::x86_sse_sfence, {}, {});
  builder_.CreateBr(end);
  builder_.SetInsertPoint(end);
}

}  // namespace phalanx::codegen::cpu
