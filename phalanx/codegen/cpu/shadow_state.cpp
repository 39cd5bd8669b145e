#include "phalanx/codegen/cpu/shadow_state.h"

#include <cstddef>

#include "phalanx/base/cpu_kernel.h"

namespace phalanx::codegen::cpu {

namespace {

constexpr std::uint64_t interval = std::uint64_t{1} << shadow::interval_shift;

class StateWriter {
 public:
  StateWriter(llvm::IRBuilder<>& builder, const LaunchState& launch)
      : builder_(builder), launch_(launch) {}

  llvm::Value* at(std::size_t offset) {
    return builder_.CreateConstGEP1_64(builder_.getInt8Ty(), launch_.shadow, offset);
  }
  llvm::Value* shared() { return at(offsetof(ShadowState, shared)); }
  llvm::Value* shared_start() { return at(offsetof(ShadowState, shared_start)); }
  llvm::Value* global() { return at(offsetof(ShadowState, global)); }

  // All words of shared memory are of no interval.
  void clear() {
    llvm::Value* half =
        builder_.CreatePtrDiff(builder_.getInt8Ty(), launch_.shared_reads, launch_.shared_writes);
    builder_.CreateMemSet(
        launch_.shared_writes,
        builder_.getInt8(0),
        builder_.CreateMul(half, builder_.getInt64(2)),
        llvm::MaybeAlign(64));
  }

  // The next interval of shared memory's words; when there are no numbers left, all begins anew.
  // Then `lost` is what is taken for the block's first interval, or null: the new one.
  void advance_shared(llvm::Value* lost) {
    llvm::LLVMContext& context = builder_.getContext();
    llvm::Function* function = builder_.GetInsertBlock()->getParent();
    auto* renew = llvm::BasicBlock::Create(context, "renew", function);
    auto* done = llvm::BasicBlock::Create(context, "renewed", function);
    llvm::Value* one = builder_.getInt32(static_cast<std::uint32_t>(interval));
    llvm::Value* next =
        builder_.CreateAdd(builder_.CreateLoad(builder_.getInt32Ty(), shared()), one);
    llvm::Value* is_over = builder_.CreateICmpEQ(next, builder_.getInt32(0));
    builder_.CreateStore(builder_.CreateSelect(is_over, one, next), shared());
    builder_.CreateCondBr(is_over, renew, done);
    builder_.SetInsertPoint(renew);
    clear();
    if (lost != nullptr)
      builder_.CreateStore(lost, shared_start());
    builder_.CreateBr(done);
    builder_.SetInsertPoint(done);
  }

  // After the last interval of a block, nothing more is kept.
  void advance_global() {
    llvm::Type* i64 = builder_.getInt64Ty();
    llvm::Value* now = builder_.CreateLoad(i64, global());
    llvm::Value* next = builder_.CreateAdd(now, builder_.getInt64(interval));
    constexpr std::uint64_t mask = ((std::uint64_t{1} << shadow::global_interval_bits) - 1)
                                   << shadow::interval_shift;
    llvm::Value* zero = builder_.getInt64(0);
    llvm::Value* is_over = builder_.CreateOr(
        builder_.CreateICmpEQ(now, zero),
        builder_.CreateICmpEQ(builder_.CreateAnd(next, builder_.getInt64(mask)), zero));
    builder_.CreateStore(builder_.CreateSelect(is_over, zero, next), global());
  }

 private:
  llvm::IRBuilder<>& builder_;
  const LaunchState& launch_;
};

}  // namespace

void emit_shadow_start(
    llvm::IRBuilder<>& builder, const Compilation& compilation, const LaunchState& launch) {
  if (!compilation.shadow.has_shadow)
    return;
  StateWriter state(builder, launch);
  builder.CreateStore(builder.getInt32(0), state.shared());
  state.clear();
}

void emit_shadow_block(
    llvm::IRBuilder<>& builder,
    const Compilation& compilation,
    const LaunchState& launch,
    llvm::Value* number) {
  if (!compilation.shadow.has_shadow)
    return;
  StateWriter state(builder, launch);
  state.advance_shared(nullptr);
  builder.CreateStore(
      builder.CreateLoad(builder.getInt32Ty(), state.shared()), state.shared_start());
  builder.CreateStore(builder.getInt32(0), state.at(offsetof(ShadowState, barriers)));
  builder.CreateStore(builder.getInt32(0), state.at(offsetof(ShadowState, barrier_site)));
  llvm::Value* first = builder.CreateLoad(
      builder.getInt64Ty(),
      builder.CreateConstGEP1_64(
          builder.getInt8Ty(), launch.launch, offsetof(CpuLaunch, first_epoch)));
  llvm::Value* epoch = builder.CreateShl(builder.CreateAdd(first, number), shadow::epoch_shift);
  builder.CreateStore(builder.CreateOr(epoch, builder.getInt64(interval)), state.global());
}

void emit_shadow_barrier(
    llvm::IRBuilder<>& builder, const Compilation& compilation, const LaunchState& launch) {
  if (!compilation.shadow.has_shadow)
    return;
  StateWriter state(builder, launch);
  state.advance_shared(builder.getInt32(0));
  state.advance_global();
  llvm::Value* barriers = state.at(offsetof(ShadowState, barriers));
  llvm::Value* passed = builder.CreateLoad(builder.getInt32Ty(), barriers);
  builder.CreateStore(builder.CreateAdd(passed, builder.getInt32(1)), barriers);
  builder.CreateStore(builder.getInt32(0), state.at(offsetof(ShadowState, barrier_site)));
}

}  // namespace phalanx::codegen::cpu
