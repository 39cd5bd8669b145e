// Loops and blocks, whose lanes may leave one after another.
#include <cstddef>

#include <llvm/IR/Constants.h>

#include "phalanx/base/cpu_kernel.h"
#include "phalanx/codegen/cpu/emitter.h"

namespace phalanx::codegen::cpu {

using ir::Op;
using ir::Operation;

// `rejoin` is only needed where not all lanes come out at the end: else the mask before is the mask
// after.
void Emitter::open_frame(Frame& frame, const Operation& operation) {
  frame.control = &operation;
  frame.exit = new_block("exit");
  const auto make_mask = [&](const char* name, llvm::Value* initial) {
    llvm::AllocaInst* slot = make_slot(all_lanes()->getType(), name);
    builder_.CreateStore(initial, slot);
    return slot;
  };
  if (shapes_.kills_lanes(operation))
    frame.rejoin = make_mask("rejoin", no_lanes());
  if (operation.op != Op::loop)
    return;
  frame.latch = new_block("latch");
  if (shapes_.is_divergent(operation))
    frame.live = make_mask("live", mask_or_all());
  if (shapes_.continue_divergence(operation) == Divergence::lane)
    frame.resume = make_mask("resume", no_lanes());
}

void Emitter::emit_block(const Operation& operation) {
  llvm::Value* before = mask_;
  Frame& frame = frames_.emplace_back();
  open_frame(frame, operation);
  emit_body(operation.regions[0]);
  if (is_open() && frame.rejoin != nullptr)
    add_lanes(frame.rejoin, mask_or_all());
  branch_to(frame.exit);
  mask_ = frame.rejoin == nullptr
              ? before
              : builder_.CreateLoad(frame.rejoin->getAllocatedType(), frame.rejoin);
  end_if_unreachable(frame.exit);
  frames_.pop_back();
}

// A block that nothing branches to ends the flow there.
void Emitter::end_if_unreachable(llvm::BasicBlock* block) {
  if (!block->hasNPredecessorsOrMore(1))
    builder_.CreateUnreachable();
}

void Emitter::emit_loop(const Operation& operation) {
  llvm::Value* before = mask_;
  emit_loop_once(operation);
  if (!shapes_.kills_lanes(operation))
    mask_ = before;
}

void Emitter::emit_loop_once(const Operation& operation) {
  llvm::Value* before = mask_;
  Frame& frame = frames_.emplace_back();
  open_frame(frame, operation);
  llvm::BasicBlock* header = new_block("loop");
  branch_to(header);
  const auto load_mask = [&](llvm::AllocaInst* slot) -> llvm::Value* {
    return builder_.CreateLoad(slot->getAllocatedType(), slot);
  };
  mask_ = frame.live == nullptr ? before : load_mask(frame.live);
  if (frame.resume != nullptr)
    builder_.CreateStore(no_lanes(), frame.resume);
  emit_body(operation.regions[0]);
  if (is_open() && frame.live != nullptr) {
    llvm::Value* left = mask_or_all();
    if (frame.resume != nullptr)
      left = builder_.CreateOr(left, load_mask(frame.resume));
    builder_.CreateStore(left, frame.live);
  }
  branch_to(frame.latch);
  mask_ = before;
  if (frame.live != nullptr) {
    mask_ = load_mask(frame.live);
    llvm::BasicBlock* step = new_block("step");
    builder_.CreateCondBr(any(mask_), step, frame.exit);
    builder_.SetInsertPoint(step);
  }
  if (!frame.latch->hasNPredecessorsOrMore(1))
    builder_.CreateUnreachable();
  else
    emit_step(operation, header, frame);
  builder_.SetInsertPoint(frame.exit);
  mask_ = frame.rejoin == nullptr ? before : load_mask(frame.rejoin);
  end_if_unreachable(frame.exit);
  frames_.pop_back();
}

void Emitter::emit_step(const Operation& operation, llvm::BasicBlock* header, Frame& frame) {
  llvm::Value* at_start = mask_;
  emit_body(operation.regions[1]);
  if (!is_open())
    return;
  emit_stop(frame.exit);
  if (frame.live == nullptr || mask_ == at_start) {
    builder_.CreateBr(header);
    return;
  }
  builder_.CreateStore(mask_or_all(), frame.live);
  builder_.CreateCondBr(any(mask_or_all()), header, frame.exit);
}

// Now and then, a loop asks whether to stop, and is left if so: after Ctrl-C it does not
// matter what the kernel computes.
void Emitter::emit_stop(llvm::BasicBlock* exit) {
  constexpr std::uint32_t rounds = 1U << 14;  // between two questions
  // CPU functions are called, not launched: the caller waits for them.
  const bool is_kernel = compilation_.variant.shape != BlockShape::single &&
                         &compilation_.kernel == &compilation_.source.kernel();
  if (!compilation_.options.reports() || !is_kernel)
    return;
  if (stop_counter_ == nullptr) {
    stop_counter_ = make_slot(builder_.getInt32Ty(), "stop");
    llvm::BasicBlock& entry = builder_.GetInsertBlock()->getParent()->getEntryBlock();
    llvm::IRBuilder<> at_entry(&entry, std::next(stop_counter_->getIterator()));
    at_entry.CreateStore(at_entry.getInt32(rounds), stop_counter_);
  }
  llvm::Type* i32 = builder_.getInt32Ty();
  llvm::Value* left =
      builder_.CreateSub(builder_.CreateLoad(i32, stop_counter_), builder_.getInt32(1));
  builder_.CreateStore(left, stop_counter_);
  llvm::BasicBlock* ask = new_block("stop.ask");
  llvm::BasicBlock* go = new_block("stop.not");
  builder_.CreateCondBr(builder_.CreateICmpEQ(left, builder_.getInt32(0)), ask, go);
  builder_.SetInsertPoint(ask);
  builder_.CreateStore(builder_.getInt32(rounds), stop_counter_);
  llvm::Value* question = builder_.CreateLoad(
      builder_.getPtrTy(),
      builder_.CreateConstGEP1_64(
          builder_.getInt8Ty(), launch.launch, offsetof(CpuLaunch, is_stopped)));
  auto* type = llvm::FunctionType::get(builder_.getInt8Ty(), {builder_.getPtrTy()}, false);
  llvm::Value* answer = builder_.CreateCall(type, question, {launch.launch});
  builder_.CreateCondBr(builder_.CreateICmpNE(answer, builder_.getInt8(0)), exit, go);
  builder_.SetInsertPoint(go);
}

// `lane == 0`: the lanes never agree.
bool Emitter::is_of_one_lane(const Operation& condition) {
  if (condition.op != Op::equal || !condition.operands[0]->type.is_scalar())
    return false;
  const Uniformity a = value_of(*condition.operands[0])[0].shape.uniformity;
  const Uniformity b = value_of(*condition.operands[1])[0].shape.uniformity;
  return (a == Uniformity::affine && b <= Uniformity::warp) ||
         (b == Uniformity::affine && a <= Uniformity::warp);
}

bool Emitter::try_emit_guard(const Operation& operation) {
  if (mask_ != nullptr || has_effects_before_ || !surroundings_.has_masked_code() ||
      !frames_.empty())
    return false;
  // A warp that starts again, with masks, has done the work up to here for nothing.
  if (is_of_one_lane(*operation.operands[0]))
    return false;
  if (!operation.regions[1].empty())
    return false;
  llvm::BasicBlock* full = new_block("guard.all");
  llvm::BasicBlock* mixed = new_block("guard.mixed");
  builder_.CreateCondBr(all_of_condition(*operation.operands[0]), full, mixed);
  builder_.SetInsertPoint(mixed);
  surroundings_.restart_masked();
  builder_.CreateBr(function_exit);
  builder_.SetInsertPoint(full);
  emit_body(operation.regions[0]);
  return true;
}

}  // namespace phalanx::codegen::cpu
