#include "phalanx/codegen/cpu/control_emitter.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/MDBuilder.h>

#include "phalanx/base/errors.h"
#include "phalanx/codegen/cpu/emitter.h"

namespace phalanx::codegen::cpu {

using ir::Op;
using ir::Operation;

namespace {

// Nothing in it may go wrong or cost much when no lane runs: no branch around it is needed.
bool is_cheap(const ir::Region& region) {
  constexpr std::size_t few = 8;
  if (region.size() > few)
    return false;
  for (const auto& operation : region) {
    const Op op = operation->op;
    const bool is_plain = ir::is_elementwise(op) || op == Op::constant || op == Op::cast ||
                          op == Op::get || op == Op::set || op == Op::tuple_get ||
                          op == Op::break_ || op == Op::continue_ || op == Op::return_;
    const bool is_slow = ir::is_elementwise(op) &&
                         (ir::info(op).sleef != "" || ir::info(op).rule == ir::Rule::floor_divide);
    if (!is_plain || is_slow)
      return false;
  }
  return true;
}

}  // namespace

void ControlEmitter::emit(const Operation& operation) {
  switch (operation.op) {
    case Op::if_:
      return emit_if(operation);
    case Op::loop:
      return emit_loop(operation);
    case Op::block:
      return emit_block(operation);
    case Op::return_:
      return emit_return(operation);
    default:
      return emit_jump(operation);
  }
}

void ControlEmitter::emit_if(const Operation& operation) {
  if (emitter_.surroundings().is_held(operation))
    return emitter_.emit_body(operation.regions[0]);
  const Component condition = emitter_.value_of(*operation.operands[0])[0];
  if (condition.shape.is_uniform())
    emit_uniform_if(operation);
  else if (!try_emit_guard(operation) && !try_emit_grid_guard(operation))
    emit_varying_if(operation);
}

// In nearly every pass of a grid-stride loop, all threads have an element left: code without masks.
bool ControlEmitter::try_emit_grid_guard(const Operation& operation) {
  if (emitter_.mask() != nullptr || !compilation_.grid_guards.contains(&operation))
    return false;
  llvm::BasicBlock* full = emitter_.new_block("guard.all");
  llvm::BasicBlock* mixed = emitter_.new_block("guard.mixed");
  llvm::BasicBlock* end = emitter_.new_block("guard.end");
  builder_.CreateCondBr(emitter_.conditions().all_of(*operation.operands[0]), full, mixed);
  builder_.SetInsertPoint(mixed);
  emit_varying_if(operation);
  builder_.CreateBr(end);
  builder_.SetInsertPoint(full);
  emitter_.emit_body(operation.regions[0]);
  builder_.CreateBr(end);
  builder_.SetInsertPoint(end);
  return true;
}

void ControlEmitter::emit_uniform_if(const Operation& operation) {
  llvm::Value* condition = emitter_.scalar(*operation.operands[0]);
  llvm::Value* before = emitter_.mask();
  const ir::Region& otherwise = operation.regions[1];
  llvm::BasicBlock* then_block = emitter_.new_block("then");
  llvm::BasicBlock* end = emitter_.new_block("if.end");
  llvm::BasicBlock* else_block = otherwise.empty() ? end : emitter_.new_block("else");
  struct Arrival {
    llvm::BasicBlock* block;
    llvm::Value* mask;
  };
  llvm::SmallVector<Arrival, 2> arrivals;
  if (otherwise.empty())
    arrivals.push_back({builder_.GetInsertBlock(), before});
  builder_.CreateCondBr(condition, then_block, else_block);
  const auto emit_part = [&](const ir::Region& region, llvm::BasicBlock* block) {
    builder_.SetInsertPoint(block);
    emitter_.run_lanes(before);
    emitter_.emit_body(region);
    if (!emitter_.is_open())
      return;
    arrivals.push_back({builder_.GetInsertBlock(), emitter_.mask()});
    builder_.CreateBr(end);
  };
  emit_part(operation.regions[0], then_block);
  if (!otherwise.empty())
    emit_part(otherwise, else_block);
  builder_.SetInsertPoint(end);
  if (arrivals.empty()) {
    builder_.CreateUnreachable();
    return;
  }
  emitter_.run_lanes(arrivals[0].mask);
  if (arrivals.size() == 1 || arrivals[0].mask == arrivals[1].mask)
    return;
  llvm::PHINode* merged = builder_.CreatePHI(emitter_.all_lanes()->getType(), 2, "mask");
  for (const Arrival& arrival : arrivals)
    merged->addIncoming(
        arrival.mask == nullptr ? emitter_.all_lanes() : arrival.mask, arrival.block);
  emitter_.run_lanes(merged);
}

// Runs the region for the lanes of `part_mask`; yields those that come out at its end. No lane runs
// where `may_run`, if not null, is false: a branch on it is not as late as one on the mask.
llvm::Value* ControlEmitter::emit_masked_part(
    const ir::Region& region, llvm::Value* part_mask, llvm::Value* may_run) {
  if (region.empty())
    return part_mask;
  if (is_cheap(region)) {
    emitter_.run_lanes(part_mask);
    emitter_.emit_body(region);
    return emitter_.mask();
  }
  llvm::BasicBlock* part = emitter_.new_block("part");
  llvm::BasicBlock* end = emitter_.new_block("part.end");
  llvm::BasicBlock* passed = may_run == nullptr ? nullptr : builder_.GetInsertBlock();
  if (may_run != nullptr) {
    llvm::BasicBlock* look = emitter_.new_block("look");
    builder_.CreateCondBr(may_run, look, end);
    builder_.SetInsertPoint(look);
  }
  builder_.CreateCondBr(emitter_.any(part_mask), part, end);
  llvm::BasicBlock* before = builder_.GetInsertBlock();
  builder_.SetInsertPoint(part);
  emitter_.run_lanes(part_mask);
  emitter_.emit_body(region);
  const bool comes_out = emitter_.is_open();
  llvm::BasicBlock* part_end = builder_.GetInsertBlock();
  llvm::Value* out = emitter_.mask();
  emitter_.branch_to(end);
  if (comes_out && out == part_mask && passed == nullptr)
    return out;  // empty where the part was passed over
  llvm::PHINode* left = builder_.CreatePHI(emitter_.all_lanes()->getType(), 2, "out");
  left->addIncoming(emitter_.no_lanes(), before);
  if (passed != nullptr)
    left->addIncoming(emitter_.no_lanes(), passed);
  if (comes_out)
    left->addIncoming(out, part_end);
  return left;
}

void ControlEmitter::emit_varying_if(const Operation& operation) {
  llvm::Value* condition = emitter_.vector(*operation.operands[0]);
  llvm::Value* before = emitter_.mask();
  llvm::Value* then_mask = emitter_.merged(before, condition);
  // How often a loop goes round is hardly foreseen: its end should be known early.
  const ir::Region& otherwise = operation.regions[1];
  const bool ends_loop = otherwise.size() == 1 && otherwise[0]->op == Op::break_;
  llvm::Value* may_run =
      ends_loop ? emitter_.conditions().may_hold(*operation.operands[0]) : nullptr;
  llvm::Value* then_out = emit_masked_part(operation.regions[0], then_mask, may_run);
  llvm::Value* else_mask = emitter_.merged(before, builder_.CreateNot(condition));
  llvm::Value* else_out = emit_masked_part(operation.regions[1], else_mask);
  if (!shapes_.kills_lanes(operation))
    emitter_.run_lanes(before);
  else
    emitter_.run_lanes(builder_.CreateOr(then_out, else_out, "mask"));
}

ControlEmitter::Frame& ControlEmitter::frame_of(const Operation& control) {
  for (auto frame = frames_.rbegin(); frame != frames_.rend(); ++frame) {
    if (frame->control == &control)
      return *frame;
  }
  PHX_ASSERT(false && "a jump out of nothing");
  return frames_.back();
}

// All lanes that are still in the target leave together: a branch. Else they wait in its mask.
void ControlEmitter::emit_jump(const Operation& operation) {
  Frame& frame = frame_of(*shapes_.nesting().at(operation).target);
  const bool is_break = operation.op == Op::break_;
  const Divergence divergence = is_break ? shapes_.break_divergence(*frame.control)
                                         : shapes_.continue_divergence(*frame.control);
  llvm::AllocaInst* slot = is_break ? frame.rejoin : frame.resume;
  if (divergence == Divergence::lane) {
    if (slot != nullptr)
      emitter_.add_lanes(slot, emitter_.mask_or_all());
    emitter_.run_lanes(emitter_.no_lanes());
    return;
  }
  if (is_break && slot != nullptr)
    emitter_.add_lanes(slot, emitter_.mask_or_all());
  if (!is_break && frame.live != nullptr)
    builder_.CreateStore(emitter_.mask_or_all(), frame.live);
  builder_.CreateBr(is_break ? frame.exit : frame.latch);
}

void ControlEmitter::store_result(const Operation& operation) {
  if (operation.operands.empty())
    return;
  const Value value = emitter_.value_of(*operation.operands[0]);
  for (unsigned i = 0; i < value.size(); ++i) {
    const bool is_scalar = emitter_.lanes() == 1;
    llvm::Value* result = is_scalar ? value[i].value : emitter_.vector_of(value[i]);
    if (emitter_.mask() != nullptr) {
      llvm::Value* old = emitter_.read(result->getType(), emitter_.result_slots.at(i));
      result = emitter_.select_running(result, old);
    }
    emitter_.write(result, emitter_.result_slots.at(i));
  }
}

void ControlEmitter::emit_return(const Operation& operation) {
  store_result(operation);
  if (shapes_.divergence(operation) == Divergence::lane)
    emitter_.checks().end_lanes();
  else
    builder_.CreateBr(emitter_.function_exit);
}

}  // namespace phalanx::codegen::cpu
