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
  const ir::Operation* pointed = parameter_of_pointer(*store.operands[0]);
  const ir::Operation* written = pointed == nullptr ? store.operands[0] : pointed;
  const auto found = std::ranges::find_if(
      kernel.parameters, [&](const auto& parameter) { return parameter.get() == written; });
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

// As far as the launch's threads reach: i64.
llvm::Value* KernelBuilder::written_bytes(const ir::Operation& store) {
  llvm::Type* i64 = builder_.getInt64Ty();
  const auto threads = [&](unsigned d) {
    return builder_.CreateMul(
        builder_.CreateZExt(launch_.grid.at(d), i64),
        builder_.CreateZExt(launch_.block.at(d), i64));
  };
  llvm::Value* bytes = builder_.CreateMul(threads(0), builder_.getInt64(item_bytes(store)));
  const ir::Type& array = store.operands[0]->type;
  if (array.is_pointer())
    return builder_.CreateMul(bytes, builder_.CreateMul(threads(1), threads(2)));
  const std::size_t own = parameter_of(compilation_.kernel, store);
  for (unsigned d = 0; d < array.ndim(); ++d) {
    if (d != contiguous_dimension(array))
      bytes = builder_.CreateMul(bytes, launch_.parameters[own][1 + d]);
  }
  return bytes;
}

// Then the threads before the first whole cache line are as many in each row. Rows that only the
// kernel's arithmetic knows are looked at where they are stored (MemoryEmitter::emit_effect): i1.
llvm::Value* KernelBuilder::has_rows_of_lines(const ir::Operation& store) {
  const ir::Type& array = store.operands[0]->type;
  if (array.is_pointer() || array.ndim() == 1)
    return builder_.getTrue();
  const std::size_t own = parameter_of(compilation_.kernel, store);
  llvm::Value* extent = launch_.parameters[own][1 + contiguous_dimension(array)];
  llvm::Value* row = builder_.CreateMul(extent, builder_.getInt64(item_bytes(store)));
  llvm::Value* rest = builder_.CreateAnd(row, builder_.getInt64(cache_line - 1));
  return builder_.CreateICmpEQ(rest, builder_.getInt64(0));
}

// No other argument begins there: i1.
llvm::Value* KernelBuilder::is_written_only(const ir::Operation& store) {
  const auto& parameters = compilation_.kernel.parameters;
  const std::size_t own = parameter_of(compilation_.kernel, store);
  llvm::Value* holds = builder_.getTrue();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (i != own && (parameters[i]->type.is_array() || parameters[i]->type.is_pointer()))
      holds = builder_.CreateAnd(
          holds, builder_.CreateICmpNE(launch_.parameters[i][0], launch_.parameters[own][0]));
  }
  return holds;
}

// A cache keeps nothing of an array larger than itself: written past it, an array costs its own
// traffic only, without reading each cache line first. Where the array is read too, its lines are
// in the cache.
void KernelBuilder::find_non_temporal() {
  llvm::Type* i64 = builder_.getInt64Ty();
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
    llvm::Value* kib = builder_.CreateLShr(written_bytes(*store), 10);
    llvm::Value* non_temporal = builder_.CreateAnd(can_bypass, has_rows_of_lines(*store));
    non_temporal = builder_.CreateAnd(non_temporal, builder_.CreateICmpUGE(kib, least));
    non_temporal = builder_.CreateAnd(non_temporal, is_written_only(*store));
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
