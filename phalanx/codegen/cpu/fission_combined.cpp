// Aggregated atomics (Adinetz, 2014): many blocks add to the same elements at their end, as those
// of a histogram: each warp's values are summed over the blocks that run together, and memory sees
// one atomic of them all.
#include <algorithm>

#include "phalanx/codegen/cpu/atomics.h"
#include "phalanx/codegen/cpu/fission_kernel.h"

namespace phalanx::codegen::cpu {

using ir::Op;
using ir::Operation;

namespace {

using AtomicSums = std::unordered_map<const Operation*, llvm::AllocaInst*>;

// True if a thread of each block has the same value: made of its position in the block, the
// launch's arguments and constants.
bool is_same_in_blocks(const Operation& operation) {
  if (operation.op == Op::parameter || operation.op == Op::thread_index)
    return true;
  return is_repeatable(operation.op) && operation.op != Op::block_index &&
         operation.op != Op::shared_array && operation.op != Op::local_array &&
         std::ranges::all_of(operation.operands, [](const Operation* operand) {
           return is_same_in_blocks(*operand);
         });
}

// Reads nothing that the step's atomics change, and writes nothing.
bool leaves_memory(const Operation& operation) {
  return is_repeatable(operation.op) || (operation.op == Op::array_load &&
                                         operation.operands[0]->type.space() == ir::Space::shared);
}

}  // namespace

bool FissionEmitter::can_combine(const Step& step) const {
  const auto is_shared_atomic = [&](const Operation* operation) {
    return cpu::can_combine(block_, *operation) &&
           operation->operands[0]->type.space() == ir::Space::global &&
           is_same_in_blocks(*operation->operands[0]);
  };
  return std::ranges::any_of(step.operations, is_shared_atomic) &&
         std::ranges::all_of(step.operations, [&](const Operation* operation) {
           return leaves_memory(*operation) || is_shared_atomic(operation);
         });
}

// Adds what the segment's atomics would write to sums.
class FissionEmitter::SummedSegment final : public Segment {
 public:
  SummedSegment(FissionEmitter& block, const AtomicSums& sums) : Segment(block), sums_(sums) {}

  bool defer_atomic(Emitter& emitter, const Operation& atomic) const override {
    llvm::AllocaInst* sum = sums_.at(&atomic);
    llvm::Value* before = emitter.read(sum->getAllocatedType(), sum);
    llvm::Value* own = emitter.vector(*atomic.operands[1]);
    emitter.write(combined_values(emitter, atomic, before, own), sum);
    return true;
  }

 private:
  const AtomicSums& sums_;
};

// For each warp: its values from all blocks, then the atomics with what they come to.
void FissionEmitter::emit_combined(const Step& step) {
  WarpLoop warps(builder_, launch_, compilation_.variant, warps_, compilation_.plan.warp_bytes);
  const Segment outside(*this);
  Emitter last(compilation_, builder_, shapes_, outside);
  start_warp(last, launch_, warps.position());
  AtomicSums sums;
  for (const Operation* operation : step.operations) {
    if (operation->op != Op::atomic)
      continue;
    llvm::Constant* start = neutral_values(last, *operation);
    sums[operation] = last.make_slot(start->getType(), "of.blocks");
    last.write(start, sums[operation]);
  }
  emit_block_loop([&](const LaunchState& launch) {
    WarpPosition position = warps.position();
    llvm::Value* offset =
        builder_.CreatePtrDiff(builder_.getInt8Ty(), position.scratch, launch_.warps);
    position.scratch = builder_.CreateGEP(builder_.getInt8Ty(), launch.warps, offset);
    const SummedSegment segment(*this, sums);
    Emitter emitter(compilation_, builder_, shapes_, segment);
    start_warp(emitter, launch, position);
    open_segment(emitter, step);
    for (const Operation* operation : step.operations) emitter.emit_operation(*operation);
    close_segment(emitter, step);
  });
  for (const Operation* operation : step.operations) {
    if (is_same_in_blocks(*operation))
      last.emit_operation(*operation);
  }
  // Where all go, before any value gives way to its sum.
  for (const auto& [operation, sum] : sums) last.value_of(*operation->operands[0]);
  for (const Operation* operation : step.operations) {
    const auto sum = sums.find(operation);
    if (sum == sums.end())
      continue;
    llvm::Value* all = last.read(sum->second->getAllocatedType(), sum->second);
    last.define(*operation->operands[1], {{Shape::of(Uniformity::varying), all}});
    last.emit_operation(*operation);
  }
  warps.close();
}

}  // namespace phalanx::codegen::cpu
