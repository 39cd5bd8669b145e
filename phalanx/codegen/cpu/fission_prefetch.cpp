// Asks for what a block's next round will load. Threads that fill a tile, wait for each other and
// compute on it leave the memory idle while they compute; on a GPU other blocks fill that time, on
// a CPU a core has one block at a time. A prefetch never faults, so that guards do not matter.
#include "phalanx/codegen/cpu/fission_prefetch.h"

#include <algorithm>

#include <llvm/IR/Constants.h>

#include "phalanx/codegen/cpu/fission_kernel.h"

namespace phalanx::codegen::cpu {

using ir::Op;
using ir::Operation;

namespace {

constexpr std::size_t most_prefetches = 8;  // of a segment: more would crowd out the work itself

// The loads that a thread runs at most once a round: not those in loops of its own.
void collect_loads(const Operation& operation, std::vector<const Operation*>& loads) {
  if (operation.op == Op::loop)
    return;
  const bool is_load = operation.op == Op::array_load;
  const ir::Space space = is_load ? operation.operands[0]->type.space() : ir::Space::local;
  if (space == ir::Space::global || space == ir::Space::generic)
    loads.push_back(&operation);
  for (const ir::Region& region : operation.regions) {
    for (const auto& nested : region) collect_loads(*nested, loads);
  }
}

}  // namespace

std::optional<Induction> induction_of(const Operation& loop) {
  for (const auto& operation : loop.regions[1]) {
    if (operation->op != Op::set || operation->operands[0]->op != Op::add)
      continue;
    const Operation& counter = *operation->operands[0]->operands[0];
    const Operation& step = *operation->operands[0]->operands[1];
    const auto* number = std::get_if<std::int64_t>(&step.constant);
    if (counter.op == Op::get && counter.variable == operation->variable &&
        step.op == Op::constant && number != nullptr)
      return Induction{&loop, operation->variable, *number};
  }
  return std::nullopt;
}

NextRound::NextRound(
    const Induction& induction, const FunctionShapes& shapes, Emitter& block, Emitter& now)
    : induction_(induction), shapes_(shapes), block_(block), now_(now) {}

bool NextRound::is_counter(const Operation& value) const {
  return value.op == Op::get && value.variable == induction_.variable;
}

bool NextRound::stays(const Operation& value) const {
  if (value.op == Op::parameter)
    return true;
  return !shapes_.nesting().is_inside(value, induction_.loop) &&
         (now_.has_value(value) || block_.has_value(value));
}

NextRound::Knowledge NextRound::knowledge_of_operands(const Operation& operation) {
  Knowledge result = Knowledge::same;
  for (const Operation* operand : operation.operands)
    result = std::max(result, knowledge_of(*operand));
  return result;
}

NextRound::Knowledge NextRound::knowledge_of(const Operation& value) {
  const auto found = known_.find(&value);
  if (found != known_.end())
    return found->second;
  Knowledge result = Knowledge::unknown;
  if (is_counter(value))
    result = Knowledge::moves;
  else if (stays(value))
    result = Knowledge::same;
  else if (is_pure(value.op))
    result = knowledge_of_operands(value);
  return known_[&value] = result;
}

std::vector<const Operation*> NextRound::loads_of(const Step& step) {
  std::vector<const Operation*> loads;
  for (const Operation* operation : step.operations) collect_loads(*operation, loads);
  std::erase_if(loads, [&](const Operation* load) {
    return knowledge_of_operands(*load) != Knowledge::moves;
  });
  if (loads.size() > most_prefetches)
    loads.clear();
  return loads;
}

Value NextRound::resolve(Emitter& next, const Operation& value, llvm::IRBuilderBase& builder) {
  if (is_counter(value)) {
    Component counter = block_.emit_value(value)[0];
    llvm::Value* step = llvm::ConstantInt::getSigned(counter.value->getType(), induction_.step);
    counter.value = builder.CreateAdd(counter.value, step);
    return {counter};
  }
  if (!stays(value))
    return next.emit_value(value);
  return now_.has_value(value) ? now_.value_of(value) : block_.value_of(value);
}

// Behind the segment, whose values are known by then.
void FissionEmitter::emit_prefetches(Emitter& now, const Step& step) {
  const auto loop = std::find_if(frames_.rbegin(), frames_.rend(), [](const Frame& frame) {
    return frame.construct->op == Op::loop;
  });
  if (loop == frames_.rend())
    return;
  const std::optional<Induction> induction = induction_of(*loop->construct);
  if (!induction || !plan_.block_variables.contains(induction->variable))
    return;
  NextRound round(*induction, shapes_, block_, now);
  Emitter next(compilation_, builder_, shapes_);
  next.launch = now.launch;
  next.warp = now.warp;
  next.resolve = [&](const Operation& value) { return round.resolve(next, value, builder_); };
  for (const Operation* load : round.loads_of(step)) next.emit_prefetch(*load);
}

}  // namespace phalanx::codegen::cpu
