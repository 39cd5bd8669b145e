// Loops and blocks, whose lanes may leave one after another.
#include <cstddef>

#include <llvm/IR/Constants.h>

#include "phalanx/base/cpu_kernel.h"
#include "phalanx/codegen/cpu/emitter.h"
#include "phalanx/ir/idioms.h"

namespace phalanx::codegen::cpu {

using ir::Op;
using ir::Operation;

// `rejoin` is only needed where not all lanes come out at the end: else the mask before is the mask
// after.
void ControlEmitter::open_frame(Frame& frame, const Operation& operation) {
  frame.control = &operation;
  frame.exit = emitter_.new_block("exit");
  const auto make_mask = [&](const char* name, llvm::Value* initial) {
    llvm::AllocaInst* slot = emitter_.make_slot(emitter_.all_lanes()->getType(), name);
    builder_.CreateStore(initial, slot);
    return slot;
  };
  if (shapes_.kills_lanes(operation))
    frame.rejoin = make_mask("rejoin", emitter_.no_lanes());
  if (operation.op != Op::loop)
    return;
  frame.latch = emitter_.new_block("latch");
  if (shapes_.is_divergent(operation))
    frame.live = make_mask("live", emitter_.mask_or_all());
  if (shapes_.continue_divergence(operation) == Divergence::lane)
    frame.resume = make_mask("resume", emitter_.no_lanes());
}

void ControlEmitter::emit_block(const Operation& operation) {
  llvm::Value* before = emitter_.mask();
  Frame& frame = frames_.emplace_back();
  open_frame(frame, operation);
  emitter_.emit_body(operation.regions[0]);
  if (emitter_.is_open() && frame.rejoin != nullptr)
    emitter_.add_lanes(frame.rejoin, emitter_.mask_or_all());
  emitter_.branch_to(frame.exit);
  emitter_.run_lanes(
      frame.rejoin == nullptr
          ? before
          : builder_.CreateLoad(frame.rejoin->getAllocatedType(), frame.rejoin));
  end_if_unreachable(frame.exit);
  frames_.pop_back();
}

// A block that nothing branches to ends the flow there.
void ControlEmitter::end_if_unreachable(llvm::BasicBlock* block) {
  if (!block->hasNPredecessorsOrMore(1))
    builder_.CreateUnreachable();
}

void ControlEmitter::emit_loop(const Operation& operation) {
  llvm::Value* before = emitter_.mask();
  emit_loop_once(operation);
  may_restart_ = false;  // it would take as long again
  if (!shapes_.kills_lanes(operation))
    emitter_.run_lanes(before);
}

void ControlEmitter::emit_loop_once(const Operation& operation) {
  llvm::Value* before = emitter_.mask();
  Frame& frame = frames_.emplace_back();
  open_frame(frame, operation);
  llvm::BasicBlock* header = emitter_.new_block("loop");
  emitter_.branch_to(header);
  const auto load_mask = [&](llvm::AllocaInst* slot) -> llvm::Value* {
    return builder_.CreateLoad(slot->getAllocatedType(), slot);
  };
  emitter_.run_lanes(frame.live == nullptr ? before : load_mask(frame.live));
  if (frame.resume != nullptr)
    builder_.CreateStore(emitter_.no_lanes(), frame.resume);
  emitter_.emit_body(operation.regions[0]);
  if (emitter_.is_open() && frame.live != nullptr) {
    llvm::Value* left = emitter_.mask_or_all();
    if (frame.resume != nullptr)
      left = builder_.CreateOr(left, load_mask(frame.resume));
    builder_.CreateStore(left, frame.live);
  }
  emitter_.branch_to(frame.latch);
  emitter_.run_lanes(before);
  if (frame.live != nullptr) {
    emitter_.run_lanes(load_mask(frame.live));
    llvm::BasicBlock* step = emitter_.new_block("step");
    builder_.CreateCondBr(emitter_.any(emitter_.mask()), step, frame.exit);
    builder_.SetInsertPoint(step);
  }
  if (!frame.latch->hasNPredecessorsOrMore(1))
    builder_.CreateUnreachable();
  else
    emit_step(operation, header, frame);
  builder_.SetInsertPoint(frame.exit);
  emitter_.run_lanes(frame.rejoin == nullptr ? before : load_mask(frame.rejoin));
  end_if_unreachable(frame.exit);
  frames_.pop_back();
}

void ControlEmitter::emit_step(const Operation& operation, llvm::BasicBlock* header, Frame& frame) {
  llvm::Value* at_start = emitter_.mask();
  emitter_.emit_body(operation.regions[1]);
  if (!emitter_.is_open())
    return;
  emit_stop(frame.exit);
  if (frame.live == nullptr || emitter_.mask() == at_start) {
    builder_.CreateBr(header);
    return;
  }
  builder_.CreateStore(emitter_.mask_or_all(), frame.live);
  builder_.CreateCondBr(emitter_.any(emitter_.mask_or_all()), header, frame.exit);
}

// Now and then, a loop asks whether to stop, and is left if so: after Ctrl-C it does not
// matter what the kernel computes.
void ControlEmitter::emit_stop(llvm::BasicBlock* exit) {
  constexpr std::uint32_t rounds = 1U << 14;  // between two questions
  // CPU functions are called, not launched: the caller waits for them.
  const bool is_kernel = compilation_.variant.shape != BlockShape::single &&
                         &compilation_.kernel == &compilation_.source.kernel();
  if (!compilation_.options.reports() || !is_kernel)
    return;
  if (stop_counter_ == nullptr) {
    stop_counter_ = emitter_.make_slot(builder_.getInt32Ty(), "stop");
    llvm::BasicBlock& entry = builder_.GetInsertBlock()->getParent()->getEntryBlock();
    llvm::IRBuilder<> at_entry(&entry, std::next(stop_counter_->getIterator()));
    at_entry.CreateStore(at_entry.getInt32(rounds), stop_counter_);
  }
  llvm::Type* i32 = builder_.getInt32Ty();
  llvm::Value* left =
      builder_.CreateSub(builder_.CreateLoad(i32, stop_counter_), builder_.getInt32(1));
  builder_.CreateStore(left, stop_counter_);
  llvm::BasicBlock* ask = emitter_.new_block("stop.ask");
  llvm::BasicBlock* go = emitter_.new_block("stop.not");
  builder_.CreateCondBr(builder_.CreateICmpEQ(left, builder_.getInt32(0)), ask, go);
  builder_.SetInsertPoint(ask);
  builder_.CreateStore(builder_.getInt32(rounds), stop_counter_);
  llvm::Value* question = builder_.CreateLoad(
      builder_.getPtrTy(),
      builder_.CreateConstGEP1_64(
          builder_.getInt8Ty(), emitter_.launch.launch, offsetof(CpuLaunch, is_stopped)));
  auto* type = llvm::FunctionType::get(builder_.getInt8Ty(), {builder_.getPtrTy()}, false);
  llvm::Value* answer = builder_.CreateCall(type, question, {emitter_.launch.launch});
  builder_.CreateCondBr(builder_.CreateICmpNE(answer, builder_.getInt8(0)), exit, go);
  builder_.SetInsertPoint(go);
}

// `lane == 0`: the lanes never agree.
bool ControlEmitter::is_of_one_lane(const Operation& condition) {
  if (!ir::is_test_of_one(condition))
    return false;
  const Uniformity a = emitter_.value_of(*condition.operands[0])[0].shape.uniformity;
  const Uniformity b = emitter_.value_of(*condition.operands[1])[0].shape.uniformity;
  return (a == Uniformity::affine && b <= Uniformity::warp) ||
         (b == Uniformity::affine && a <= Uniformity::warp);
}

bool ControlEmitter::try_emit_guard(const Operation& operation) {
  if (emitter_.mask() != nullptr || !may_restart_ || !emitter_.surroundings().has_masked_code() ||
      !frames_.empty())
    return false;
  const Operation* condition = ir::condition_of_guard(operation);
  // A warp that starts again, with masks, has done the work up to here for nothing.
  if (condition == nullptr || is_of_one_lane(*condition))
    return false;
  llvm::BasicBlock* full = emitter_.new_block("guard.all");
  llvm::BasicBlock* mixed = emitter_.new_block("guard.mixed");
  builder_.CreateCondBr(emitter_.conditions().all_of(*condition), full, mixed);
  builder_.SetInsertPoint(mixed);
  emitter_.surroundings().restart_masked();
  builder_.CreateBr(emitter_.function_exit);
  builder_.SetInsertPoint(full);
  emitter_.emit_body(operation.regions[0]);
  return true;
}

}  // namespace phalanx::codegen::cpu
