// Control: branches, jumps, variables.
#include <llvm/IR/Constants.h>
#include <llvm/IR/MDBuilder.h>

#include "phalanx/base/errors.h"
#include "phalanx/codegen/cpu/emitter.h"

namespace phalanx::codegen::cpu {

using ir::Op;
using ir::Operation;

Emitter::VariableSlot& Emitter::slot_of(ir::VariableId variable) {
  VariableSlot& slot = variables_[variable];
  if (!slot.components.empty())
    return slot;
  const ir::Variable& declared = shapes_.nesting().function().variables.at(variable);
  const Shapes& shapes = shapes_.of_variable(variable);
  for (unsigned i = 0; i < shapes.size(); ++i)
    slot.components.push_back(
        make_slot(component_type(declared.type, i, shapes[i]), declared.name));
  return slot;
}

namespace {

// select() on each part of a struct or array of vectors.
llvm::Value* select_parts(
    llvm::IRBuilderBase& builder, llvm::Value* mask, llvm::Value* a, llvm::Value* b) {
  llvm::Type* type = a->getType();
  if (type->isVectorTy())
    return builder.CreateSelect(mask, a, b);
  const unsigned parts = type->isStructTy() ? type->getStructNumElements()
                                            : static_cast<unsigned>(type->getArrayNumElements());
  llvm::Value* result = llvm::PoisonValue::get(type);
  for (unsigned i = 0; i < parts; ++i)
    result = builder.CreateInsertValue(
        result,
        select_parts(
            builder, mask, builder.CreateExtractValue(a, i), builder.CreateExtractValue(b, i)),
        i);
  return result;
}

}  // namespace

// Lanes that are elsewhere and may read the variable later keep what they have.
void Emitter::emit_set(const Operation& operation) {
  const Shapes& shapes = shapes_.of_variable(operation.variable);
  const Value value = value_of(*operation.operands[0]);
  const VariableSlot& slot = slot_of(operation.variable);
  const bool keeps_others = mask_ != nullptr && shapes_.divergence(operation) == Divergence::lane;
  for (unsigned i = 0; i < shapes.size(); ++i) {
    llvm::Value* next = converted(value[i], shapes[i]);
    if (keeps_others) {
      llvm::Value* old = read(next->getType(), slot.components[i]);
      next = select_parts(builder_, mask_, next, old);
    }
    write(next, slot.components[i]);
  }
}

// Nothing in it may go wrong or cost much when no lane runs: no branch around it is needed.
bool Emitter::is_cheap(const ir::Region& region) const {
  constexpr std::size_t few = 8;
  if (region.size() > few)
    return false;
  for (const auto& operation : region) {
    const Op op = operation->op;
    const bool is_plain = ir::is_elementwise(op) || op == Op::constant || op == Op::cast ||
                          op == Op::get || op == Op::set || op == Op::tuple_get ||
                          op == Op::break_ || op == Op::continue_ || op == Op::return_;
    const bool is_slow = ir::is_elementwise(op) && (ir::info(op).sleef != "" ||
                                                    op == Op::floor_divide || op == Op::remainder);
    if (!is_plain || is_slow)
      return false;
  }
  return true;
}

void Emitter::emit_if(const Operation& operation) {
  if (surroundings_.is_held(operation))
    return emit_body(operation.regions[0]);
  const Component condition = value_of(*operation.operands[0])[0];
  if (condition.shape.is_uniform())
    emit_uniform_if(operation);
  else if (!try_emit_guard(operation) && !try_emit_grid_guard(operation))
    emit_varying_if(operation);
}

// In nearly every pass of a grid-stride loop, all threads have an element left: code without masks.
bool Emitter::try_emit_grid_guard(const Operation& operation) {
  if (mask_ != nullptr || !compilation_.grid_guards.contains(&operation))
    return false;
  llvm::BasicBlock* full = new_block("guard.all");
  llvm::BasicBlock* mixed = new_block("guard.mixed");
  llvm::BasicBlock* end = new_block("guard.end");
  builder_.CreateCondBr(all_of_condition(*operation.operands[0]), full, mixed);
  builder_.SetInsertPoint(mixed);
  emit_varying_if(operation);
  builder_.CreateBr(end);
  builder_.SetInsertPoint(full);
  emit_body(operation.regions[0]);
  builder_.CreateBr(end);
  builder_.SetInsertPoint(end);
  return true;
}

void Emitter::emit_uniform_if(const Operation& operation) {
  llvm::Value* condition = scalar(*operation.operands[0]);
  llvm::Value* before = mask_;
  const ir::Region& otherwise = operation.regions[1];
  llvm::BasicBlock* then_block = new_block("then");
  llvm::BasicBlock* end = new_block("if.end");
  llvm::BasicBlock* else_block = otherwise.empty() ? end : new_block("else");
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
    mask_ = before;
    emit_body(region);
    if (!is_open())
      return;
    arrivals.push_back({builder_.GetInsertBlock(), mask_});
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
  mask_ = arrivals[0].mask;
  if (arrivals.size() == 1 || arrivals[0].mask == arrivals[1].mask)
    return;
  llvm::PHINode* merged = builder_.CreatePHI(all_lanes()->getType(), 2, "mask");
  for (const Arrival& arrival : arrivals)
    merged->addIncoming(arrival.mask == nullptr ? all_lanes() : arrival.mask, arrival.block);
  mask_ = merged;
}

// Runs the region for the lanes of `part_mask`; yields those that come out at its end. No lane runs
// where `may_run`, if not null, is false: a branch on it is not as late as one on the mask.
llvm::Value* Emitter::emit_masked_part(
    const ir::Region& region, llvm::Value* part_mask, llvm::Value* may_run) {
  if (region.empty())
    return part_mask;
  if (is_cheap(region)) {
    mask_ = part_mask;
    emit_body(region);
    return mask_;
  }
  llvm::BasicBlock* part = new_block("part");
  llvm::BasicBlock* end = new_block("part.end");
  llvm::BasicBlock* passed = may_run == nullptr ? nullptr : builder_.GetInsertBlock();
  if (may_run != nullptr) {
    llvm::BasicBlock* look = new_block("look");
    builder_.CreateCondBr(may_run, look, end);
    builder_.SetInsertPoint(look);
  }
  builder_.CreateCondBr(any(part_mask), part, end);
  llvm::BasicBlock* before = builder_.GetInsertBlock();
  builder_.SetInsertPoint(part);
  mask_ = part_mask;
  emit_body(region);
  const bool comes_out = is_open();
  llvm::BasicBlock* part_end = builder_.GetInsertBlock();
  llvm::Value* out = mask_;
  branch_to(end);
  if (comes_out && out == part_mask && passed == nullptr)
    return out;  // empty where the part was passed over
  llvm::PHINode* left = builder_.CreatePHI(all_lanes()->getType(), 2, "out");
  left->addIncoming(no_lanes(), before);
  if (passed != nullptr)
    left->addIncoming(no_lanes(), passed);
  if (comes_out)
    left->addIncoming(out, part_end);
  return left;
}

void Emitter::emit_varying_if(const Operation& operation) {
  llvm::Value* condition = vector(*operation.operands[0]);
  llvm::Value* before = mask_;
  llvm::Value* then_mask = merged(before, condition);
  // How often a loop goes round is hardly foreseen: its end should be known early.
  const ir::Region& otherwise = operation.regions[1];
  const bool ends_loop = otherwise.size() == 1 && otherwise[0]->op == Op::break_;
  const auto may_hold = may_hold_.find(operation.operands[0]);
  llvm::Value* may_run = ends_loop && may_hold != may_hold_.end() ? may_hold->second : nullptr;
  llvm::Value* then_out = emit_masked_part(operation.regions[0], then_mask, may_run);
  llvm::Value* else_mask = merged(before, builder_.CreateNot(condition));
  llvm::Value* else_out = emit_masked_part(operation.regions[1], else_mask);
  if (!shapes_.kills_lanes(operation))
    mask_ = before;
  else
    mask_ = builder_.CreateOr(then_out, else_out, "mask");
}

Emitter::Frame& Emitter::frame_of(const Operation& control) {
  for (auto frame = frames_.rbegin(); frame != frames_.rend(); ++frame) {
    if (frame->control == &control)
      return *frame;
  }
  PHX_ASSERT(false && "a jump out of nothing");
  return frames_.back();
}

// All lanes that are still in the target leave together: a branch. Else they wait in its mask.
void Emitter::emit_jump(const Operation& operation) {
  Frame& frame = frame_of(*shapes_.nesting().at(operation).target);
  const bool is_break = operation.op == Op::break_;
  const Divergence divergence = is_break ? shapes_.break_divergence(*frame.control)
                                         : shapes_.continue_divergence(*frame.control);
  llvm::AllocaInst* slot = is_break ? frame.rejoin : frame.resume;
  if (divergence == Divergence::lane) {
    if (slot != nullptr)
      add_lanes(slot, mask_or_all());
    mask_ = no_lanes();
    return;
  }
  if (is_break && slot != nullptr)
    add_lanes(slot, mask_or_all());
  if (!is_break && frame.live != nullptr)
    builder_.CreateStore(mask_or_all(), frame.live);
  builder_.CreateBr(is_break ? frame.exit : frame.latch);
}

void Emitter::store_result(const Operation& operation) {
  if (operation.operands.empty())
    return;
  const Value value = value_of(*operation.operands[0]);
  for (unsigned i = 0; i < value.size(); ++i) {
    const bool is_scalar = lanes() == 1;
    llvm::Value* result = is_scalar ? value[i].value : vector_of(value[i]);
    if (mask_ != nullptr) {
      llvm::Value* old = read(result->getType(), result_slots.at(i));
      result = select_parts(builder_, mask_, result, old);
    }
    write(result, result_slots.at(i));
  }
}

void Emitter::emit_return(const Operation& operation) {
  store_result(operation);
  if (shapes_.divergence(operation) == Divergence::lane)
    end_lanes();
  else
    builder_.CreateBr(function_exit);
}

}  // namespace phalanx::codegen::cpu
