// The kernel that was split at its barriers, around its blocks: whole ones in one function, those
// with a ragged last warp in another.
#include <algorithm>

#include <llvm/IR/Constants.h>

#include "phalanx/base/cpu_kernel.h"
#include "phalanx/codegen/cpu/fission_kernel.h"
#include "phalanx/codegen/cpu/kernel_builder.h"

namespace phalanx::codegen::cpu {

using ir::Op;
using ir::Operation;

namespace {

std::uint32_t threads_of(const CpuVariant& variant) {
  return variant.block[0] * variant.block[1] * variant.block[2];
}

std::size_t operations_in(const std::vector<Step>& steps) {
  std::size_t count = 0;
  for (const Step& step : steps) {
    if (step.kind == Step::Kind::warps)
      for_each_operation(step, [&](const Operation&) { ++count; });
    for (const auto& region : step.regions) count += operations_in(region);
  }
  return count;
}

}  // namespace

// Kernels that go over tiles in shared memory gain by code for the size of the block, where what
// the warps keep has room in registers. All others have one code for any.
std::optional<FissionPlan> KernelBuilder::plan_segments() {
  const bool is_block_known = compilation_.variant.block[0] != 0;
  if (is_block_known && can_interleave()) {
    if (auto plan = plan_grid_fission(compilation_.kernel, shapes_, compilation_.grid_loops)) {
      compilation_.is_for_block = true;
      return plan;
    }
  }
  if (is_block_known && !compilation_.options.debug && !compilation_.shadow.has_shadow) {
    std::optional<FissionPlan> plan = plan_fission(compilation_.kernel, shapes_, true);
    if (plan && !plan->interchanged.empty()) {
      compilation_.is_for_block = true;
      unrolled_warps_ = unrolled_warps(*plan);
      if (unrolled_warps_ != 0)
        return plan;
    }
  }
  return plan_fission(compilation_.kernel, shapes_, false);
}

// Blocks of whole warps whose memory the compiler knows, in kernels with grid-stride loops.
bool KernelBuilder::can_interleave() const {
  const CpuVariant& variant = compilation_.variant;
  return !compilation_.grid_loops.empty() && !compilation_.options.reports() &&
         !compilation_.shadow.has_shadow && !compilation_.plan.has_dynamic_shared &&
         variant.lanes > 1 && threads_of(variant) % variant.lanes == 0;
}

// As many blocks as find room in a core's cache with what they keep from pass to pass.
void KernelBuilder::plan_interleaved_blocks() {
  constexpr std::uint64_t most_bytes = std::uint64_t{512} << 10;
  constexpr std::uint64_t most_blocks = 1024;
  const std::uint64_t warps = threads_of(compilation_.variant) / compilation_.variant.lanes;
  const std::uint64_t shared = rounded_in_scratch(compilation_.plan.shared_bytes);
  interleaved_block_bytes_ = shared + warps * compilation_.plan.warp_bytes;
  interleaved_blocks_ = std::clamp<std::uint64_t>(
      most_bytes / std::max<std::uint64_t>(interleaved_block_bytes_, 1), 1, most_blocks);
  compilation_.interleaved_warp_bytes =
      (interleaved_blocks_ * interleaved_block_bytes_ + warps - 1) / warps;
}

// How many warps the block has, where the code of each can be separate; else 0.
unsigned KernelBuilder::unrolled_warps(const FissionPlan& plan) const {
  constexpr unsigned most_warps = 16;
  constexpr std::size_t most_operations = 4096;
  const CpuVariant& variant = compilation_.variant;
  const unsigned vector_bits = compilation_.target.vector_bits;
  const unsigned registers = vector_bits == 512 ? 32 : 16;
  // Two for what the warps have in common and for what they work on.
  const std::uint64_t most_bytes = std::uint64_t{registers - 2} * vector_bits / 8;
  const std::uint64_t local_bytes = compilation_.plan.warp_bytes;
  const std::uint64_t spill_bytes = SpillSlots(compilation_, shapes_, plan, 0).bytes();
  const std::uint32_t threads = threads_of(variant);
  const std::uint32_t warps = threads / variant.lanes;
  const bool fits = variant.lanes > 1 && threads % variant.lanes == 0 && warps >= 1 &&
                    warps <= most_warps && local_bytes == 0 && warps * spill_bytes <= most_bytes &&
                    warps * operations_in(plan.steps) <= most_operations;
  return fits ? warps : 0;
}

bool KernelBuilder::try_build_fission() {
  compilation_.plan = plan_memory(compilation_.source, compilation_.variant, true);
  const std::optional<FissionPlan> plan = plan_segments();
  if (!plan)
    return false;
  constexpr std::uint64_t cache_line = 64;
  constexpr std::uint64_t page = 4096;
  const CpuVariant& variant = compilation_.variant;
  const SpillSlots slots(compilation_, shapes_, *plan, compilation_.plan.warp_bytes);
  std::uint64_t bytes = (slots.end() + cache_line - 1) / cache_line * cache_line;
  if (bytes != 0 && bytes % page == 0)
    bytes += cache_line;  // warps a page apart would fight for one set of the cache
  compilation_.plan.warp_bytes = bytes;
  if (plan->is_of_grid)
    plan_interleaved_blocks();
  const std::function<void(Emitter&)> define = [&](Emitter& emitter) {
    define_parameters(emitter);
  };
  const SplitKernel kernel = {shapes_, *plan, slots};
  open_entry();
  emit_block_loop([&] {
    FissionEmitter emitter(compilation_, builder_, kernel, launch_, define);
    llvm::Value* threads = block_threads();
    llvm::Value* width = builder_.getInt32(variant.lanes);
    llvm::Value* whole = builder_.CreateUDiv(threads, width, "warps");
    if (unrolled_warps_ != 0)
      return emitter.emit_unrolled(unrolled_warps_);
    if (plan->is_of_grid)
      emitter.join(interleaved_count_, interleaved_block_bytes_);
    if (!may_be_ragged(variant) || plan->is_of_grid)
      return emitter.emit(whole, nullptr);
    auto* ragged = llvm::BasicBlock::Create(builder_.getContext(), "ragged", function_);
    auto* full = llvm::BasicBlock::Create(builder_.getContext(), "full", function_);
    auto* done = llvm::BasicBlock::Create(builder_.getContext(), "block.done", function_);
    llvm::Value* rest = builder_.CreateURem(threads, width);
    builder_.CreateCondBr(builder_.CreateICmpEQ(rest, builder_.getInt32(0)), full, ragged);
    builder_.SetInsertPoint(ragged);
    emit_masked_call(
        builder_.CreateAdd(whole, builder_.getInt32(1)),
        llvm::Constant::getAllOnesValue(builder_.getIntNTy(variant.lanes)));
    builder_.CreateBr(done);
    builder_.SetInsertPoint(full);
    emitter.emit(whole, nullptr);
    builder_.CreateBr(done);
    builder_.SetInsertPoint(done);
  });
  builder_.CreateRetVoid();
  if (masked_ == nullptr)
    return true;
  builder_.SetInsertPoint(llvm::BasicBlock::Create(builder_.getContext(), "entry", masked_));
  function_ = masked_;
  WarpContext caller(builder_, masked_->getArg(0));
  launch_ = caller.load(compilation_.shared_layout(), compilation_.kernel);
  FissionEmitter(compilation_, builder_, kernel, launch_, define)
      .emit(caller.load_warp_index(), block_threads());
  builder_.CreateRetVoid();
  return true;
}

}  // namespace phalanx::codegen::cpu
