#include "phalanx/ir/idioms.h"

#include <utility>

#include "phalanx/ir/build_threads.h"

namespace phalanx::ir {

namespace {

Builder::Value wide(Builder& builder, Op op, unsigned dimension) {
  return builder.cast(thread_query(builder, op, dimension), DType::int64);
}

void count_up(Builder& builder, VariableId counter, Builder::Value now, Builder::Value by) {
  builder.set(counter, builder.elementwise(Op::add, {now, by}));
}

}  // namespace

Builder::Value global_index(Builder& builder, unsigned dimension) {
  Operation* block = wide(builder, Op::block_index, dimension);
  Operation* extent = wide(builder, Op::block_extent, dimension);
  Operation* first = builder.elementwise(Op::multiply, {block, extent});
  Operation* thread = wide(builder, Op::thread_index, dimension);
  return builder.elementwise(Op::add, {first, thread});
}

Builder::Value grid_threads(Builder& builder, unsigned dimension) {
  Operation* extent = wide(builder, Op::block_extent, dimension);
  Operation* blocks = wide(builder, Op::grid_extent, dimension);
  return builder.elementwise(Op::multiply, {extent, blocks});
}

Position Positions::add(const Operation& operation) {
  return known_[&operation] = made_of(operation);
}

Position Positions::of(const Operation& value) const {
  const auto known = known_.find(&value);
  return known == known_.end() ? Position{} : known->second;
}

// One operand is `one`, the other is `other`.
Position Positions::of_both(
    const Operation& operation, PositionPart one, PositionPart other, PositionPart whole) const {
  const Position a = of(*operation.operands[0]);
  const Position b = of(*operation.operands[1]);
  const bool is_pair = (a.part == one && b.part == other) || (a.part == other && b.part == one);
  return is_pair && a.dimension == b.dimension ? Position{whole, a.dimension} : Position{};
}

Position Positions::made_of(const Operation& operation) const {
  const auto index = [&](PositionPart part) {
    return Position{part, static_cast<unsigned>(operation.index)};
  };
  switch (operation.op) {
    case Op::thread_index:
      return index(PositionPart::thread);
    case Op::block_index:
      return index(PositionPart::block);
    case Op::block_extent:
      return index(PositionPart::extent);
    case Op::grid_extent:
      return index(PositionPart::blocks);
    case Op::cast: {
      const DType to = operation.type.dtype();
      return is_integer(to) && bits_of(to) >= 32 ? of(*operation.operands[0]) : Position{};
    }
    case Op::multiply: {
      const Position origin =
          of_both(operation, PositionPart::block, PositionPart::extent, PositionPart::origin);
      return origin.part != PositionPart::none ? origin
                                               : of_both(
                                                     operation,
                                                     PositionPart::blocks,
                                                     PositionPart::extent,
                                                     PositionPart::threads);
    }
    case Op::add:
      return of_both(operation, PositionPart::origin, PositionPart::thread, PositionPart::position);
    default:
      return {};
  }
}

Region& guard(Builder& builder, Builder::Value index, Builder::Value end) {
  return builder.if_(builder.elementwise(Op::less, {index, end})).then;
}

CountedLoop begin_counted_loop(
    Builder& builder, std::string name, Builder::Value first, Builder::Value end) {
  const VariableId counter = builder.variable(std::move(name), first->type);
  builder.set(counter, first);
  const Builder::Loop loop = builder.loop();
  const auto inside = builder.enter(loop.body);
  Operation* index = builder.get(counter);
  const auto branches = builder.if_(builder.elementwise(Op::less, {index, end}));
  const auto otherwise = builder.enter(branches.otherwise);
  builder.break_();
  return {.counter = counter, .index = index, .body = &loop.body, .step = &loop.step};
}

void step_counted_loop(Builder& builder, const CountedLoop& loop, Builder::Value by) {
  const auto step = builder.enter(*loop.step);
  count_up(builder, loop.counter, builder.get(loop.counter), by);
}

void step_counted_loop(Builder& builder, const CountedLoop& loop, std::int64_t by) {
  const auto step = builder.enter(*loop.step);
  Operation* now = builder.get(loop.counter);
  count_up(builder, loop.counter, now, builder.integer(by, now->type.dtype()));
}

std::optional<LoopTest> test_of_loop(const Operation& loop) {
  const Region& body = loop.regions.at(0);
  if (loop.op != Op::loop || body.empty() || body.back()->op != Op::if_)
    return std::nullopt;
  Operation& branch = *body.back();
  const Operation& condition = *branch.operands[0];
  const Region& leave = branch.regions[1];
  if (leave.size() != 1 || leave[0]->op != Op::break_ || leave[0]->index != 0 ||
      (condition.op != Op::less && condition.op != Op::greater))
    return std::nullopt;
  const bool is_less = condition.op == Op::less;
  const Operation& counter = *condition.operands[is_less ? 0 : 1];
  if (counter.op != Op::get)
    return std::nullopt;
  return LoopTest{&branch, counter.variable, condition.operands[is_less ? 1 : 0]};
}

Operation* added_by(const Operation& set) {
  const Operation& sum = *set.operands[0];
  if (sum.op != Op::add)
    return nullptr;
  for (const std::size_t i : {0U, 1U}) {
    const Operation& old = *sum.operands[i];
    if (old.op == Op::get && old.variable == set.variable)
      return sum.operands[1 - i];
  }
  return nullptr;
}

}  // namespace phalanx::ir
