#include "phalanx/ir/idioms.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "phalanx/ir/build_threads.h"

namespace phalanx::ir {

namespace {

constexpr std::int64_t most_bits = 62;  // of a power of two that an int64 holds

Builder::Value as(Builder& builder, DType type, Op op, unsigned dimension) {
  return builder.cast(thread_query(builder, op, dimension), type);
}

void count_up(Builder& builder, VariableId counter, Builder::Value now, Builder::Value by) {
  builder.set(counter, builder.elementwise(Op::add, {now, by}));
}

// A cast of an integer that keeps the order of indices.
bool is_widening(const Operation& operation) {
  if (operation.op != Op::cast || !is_integer(operation.type.dtype()))
    return false;
  const Type& from = operation.operands[0]->type;
  const unsigned bits = bits_of(operation.type.dtype());
  return bits >= 32 && from.is_scalar() && is_integer(from.dtype()) &&
         bits_of(from.dtype()) <= bits;
}

bool sets(const Region& region, VariableId variable) {
  bool found = false;
  for_each(region, [&](const Operation& operation) {
    found |= operation.op == Op::set && operation.variable == variable;
  });
  return found;
}

bool is_constant(const Operation& value, bool truth) {
  const auto* known = std::get_if<bool>(&value.constant);
  return value.op == Op::constant && known != nullptr && *known == truth;
}

}  // namespace

Builder::Value global_index(Builder& builder, unsigned dimension, DType type) {
  Operation* block = as(builder, type, Op::block_index, dimension);
  Operation* extent = as(builder, type, Op::block_extent, dimension);
  Operation* first = builder.elementwise(Op::multiply, {block, extent});
  Operation* thread = as(builder, type, Op::thread_index, dimension);
  return builder.elementwise(Op::add, {first, thread});
}

Builder::Value grid_threads(Builder& builder, unsigned dimension, DType type) {
  Operation* extent = as(builder, type, Op::block_extent, dimension);
  Operation* blocks = as(builder, type, Op::grid_extent, dimension);
  return builder.elementwise(Op::multiply, {extent, blocks});
}

Builder::Value thread_index(Builder& builder, unsigned dimension) {
  return as(builder, DType::int64, Op::thread_index, dimension);
}

Builder::Value index_of_tile(Builder& builder, unsigned dimension, Builder::Value first) {
  return builder.elementwise(Op::add, {first, thread_index(builder, dimension)});
}

bool is_index(const Operation& value) { return value.type == Type(DType::int64); }

bool is_thread_index(const Operation& value, unsigned dimension) {
  if (is_widening(value))
    return is_thread_index(*value.operands[0], dimension);
  return value.op == Op::thread_index && value.index == dimension;
}

bool is_index_of_tile(
    const Operation& value,
    unsigned dimension,
    const std::function<bool(const Operation&)>& is_first) {
  if (is_widening(value))
    return is_index_of_tile(*value.operands[0], dimension, is_first);
  if (value.op != Op::add)
    return is_thread_index(value, dimension);
  const Operation& a = *value.operands[0];
  const Operation& b = *value.operands[1];
  return (is_first(a) && is_index_of_tile(b, dimension, is_first)) ||
         (is_first(b) && is_index_of_tile(a, dimension, is_first));
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
    case Op::cast:  // to fewer bits too, where it is marked as the same number
      return is_widening(operation) || operation.no_wrap ? of(*operation.operands[0]) : Position{};
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

Builder::Value partner_index(Builder& builder, Builder::Value index, Builder::Value stride) {
  return builder.elementwise(Op::bitwise_xor, {index, stride});
}

bool makes_partner(Op op) {
  switch (op) {
    case Op::bitwise_and:
    case Op::bitwise_or:
    case Op::bitwise_xor:
    case Op::remainder:
    case Op::floor_divide:
    case Op::right_shift:
      return true;
    default:
      return false;
  }
}

PowerDivision quotient_by_power(unsigned bits) {
  return {.op = Op::right_shift, .operand = std::int64_t{bits}};
}

PowerDivision remainder_by_power(unsigned bits) {
  return {.op = Op::bitwise_and, .operand = (std::int64_t{1} << bits) - 1};
}

Builder::Value divide(Builder& builder, Builder::Value value, PowerDivision by) {
  return builder.elementwise(by.op, {value, builder.integer(by.operand, value->type.dtype())});
}

std::optional<unsigned> bits_of_quotient(PowerDivision division) {
  if (division.op != Op::right_shift || division.operand < 0 || division.operand > most_bits)
    return std::nullopt;
  return static_cast<unsigned>(division.operand);
}

std::optional<unsigned> bits_of_remainder(PowerDivision division) {
  if (division.op != Op::bitwise_and || division.operand <= 0)
    return std::nullopt;
  const std::uint64_t size = static_cast<std::uint64_t>(division.operand) + 1;
  if (!std::has_single_bit(size) || size > std::uint64_t{1} << most_bits)
    return std::nullopt;
  return static_cast<unsigned>(std::countr_zero(size));
}

Builder::Value both(Builder& builder, Builder::Value a, Builder::Value b) {
  return builder.elementwise(Op::bitwise_and, {a, b});
}

Builder::Value either(Builder& builder, Builder::Value a, Builder::Value b) {
  return builder.elementwise(Op::bitwise_or, {a, b});
}

std::vector<Fact> implied_by(const Operation& condition, bool is_true) {
  const auto& operands = condition.operands;
  switch (condition.op) {
    case Op::logical_not:
      return {{operands[0], !is_true}};
    case Op::bitwise_and:
    case Op::bitwise_or:
      if (is_true != (condition.op == Op::bitwise_and))
        return {};
      return {{operands[0], is_true}, {operands[1], is_true}};
    case Op::select: {
      // What became of `if a { b } else { false }`, or of a choice of a itself.
      const bool is_and = is_constant(*operands[2], false) || operands[2] == operands[0];
      const bool is_or = is_constant(*operands[1], true) || operands[1] == operands[0];
      if (is_true && is_and)
        return {{operands[0], true}, {operands[1], true}};
      if (!is_true && is_or)
        return {{operands[0], false}, {operands[2], false}};
      return {};
    }
    default:
      return {};
  }
}

std::optional<BelowTest> below_test(Op comparison) {
  switch (comparison) {
    case Op::less:
      return BelowTest{.index = 0, .end = 1, .is_below = true};
    case Op::greater:
      return BelowTest{.index = 1, .end = 0, .is_below = true};
    case Op::greater_equal:
      return BelowTest{.index = 0, .end = 1, .is_below = false};
    case Op::less_equal:
      return BelowTest{.index = 1, .end = 0, .is_below = false};
    default:
      return std::nullopt;
  }
}

Region& guard(Builder& builder, Builder::Value index, Builder::Value end) {
  return builder.if_(is_before_end(builder, index, end)).then;
}

Region& guard_of_one(Builder& builder, Builder::Value index, Builder::Value number) {
  return builder.if_(builder.elementwise(Op::equal, {index, number})).then;
}

const Operation* condition_of_guard(const Operation& branch) {
  const bool is_guard = branch.op == Op::if_ && branch.regions[1].empty();
  return is_guard ? branch.operands[0] : nullptr;
}

bool is_test_of_one(const Operation& condition) {
  return condition.op == Op::equal && condition.operands[0]->type.is_scalar();
}

VariableId start_counter(Builder& builder, std::string name, Builder::Value first) {
  const VariableId counter = builder.variable(std::move(name), first->type);
  builder.set(counter, first);
  return counter;
}

Builder::Value is_before_end(Builder& builder, Builder::Value index, Builder::Value end) {
  return builder.elementwise(Op::less, {index, end});
}

Builder::Value is_after_end(Builder& builder, Builder::Value index, Builder::Value end) {
  return builder.elementwise(Op::less, {end, index});
}

StepSign sign_of_step(Builder& builder, Builder::Value step) {
  Operation* zero = builder.integer(0, step->type.dtype());
  Operation* is_up = builder.elementwise(Op::less, {zero, step});
  Operation* is_down = builder.elementwise(Op::less, {step, zero});
  return {.is_up = is_up, .is_down = is_down};
}

Builder::Value has_not_ended(
    Builder& builder, const StepSign& sign, Builder::Value index, Builder::Value end) {
  Operation* after = is_after_end(builder, index, end);
  Operation* down = both(builder, sign.is_down, after);
  Operation* before = is_before_end(builder, index, end);
  return builder.elementwise(Op::select, {sign.is_up, before, down});
}

Region& leave_unless(Builder& builder, Builder::Value condition) {
  const auto branches = builder.if_(condition);
  const auto otherwise = builder.enter(branches.otherwise);
  builder.break_();
  return branches.then;
}

void step_counter(Builder& builder, VariableId counter, Builder::Value by) {
  count_up(builder, counter, builder.get(counter), by);
}

CountedLoop begin_counted_loop(
    Builder& builder, std::string name, Builder::Value first, Builder::Value end) {
  const VariableId counter = start_counter(builder, std::move(name), first);
  const Builder::Loop loop = builder.loop();
  const auto inside = builder.enter(loop.body);
  Operation* index = builder.get(counter);
  leave_unless(builder, is_before_end(builder, index, end));
  return {.counter = counter, .index = index, .body = &loop.body, .step = &loop.step};
}

void step_counted_loop(Builder& builder, const CountedLoop& loop, Builder::Value by) {
  const auto step = builder.enter(*loop.step);
  step_counter(builder, loop.counter, by);
}

void step_counted_loop(Builder& builder, const CountedLoop& loop, std::int64_t by) {
  const auto step = builder.enter(*loop.step);
  Operation* now = builder.get(loop.counter);
  count_up(builder, loop.counter, now, builder.integer(by, now->type.dtype()));
}

std::optional<LoopTest> test_of_loop(const Operation& loop) {
  if (loop.op != Op::loop)
    return std::nullopt;
  const Region& body = loop.regions.at(0);
  if (body.empty() || body.back()->op != Op::if_)
    return std::nullopt;
  Operation& branch = *body.back();
  const Operation& condition = *branch.operands[0];
  const Region& leave = branch.regions[1];
  const auto test = below_test(condition.op);
  if (leave.size() != 1 || leave[0]->op != Op::break_ || leave[0]->index != 0 || !test ||
      !test->is_below)
    return std::nullopt;
  const Operation& counter = *condition.operands[test->index];
  // What the loop does not set is the end of one that goes down: is_after_end is end < index.
  const auto is_set = [&](const Region& region) { return sets(region, counter.variable); };
  if (counter.op != Op::get || std::ranges::none_of(loop.regions, is_set))
    return std::nullopt;
  return LoopTest{&branch, counter.variable, condition.operands[test->end]};
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

bool is_load(Op op) { return op == Op::array_load || op == Op::load || op == Op::hinted_load; }

bool is_over_tile(const Operation& loop) {
  bool has_read = false;
  bool holds = loop.op == Op::loop;
  for (const Region& region : loop.regions) {
    for_each(region, [&](const Operation& operation) {
      holds = holds && operation.op != Op::loop;
      if (!is_load(operation.op))
        return;
      has_read = true;
      holds = holds && operation.operands[0]->type.space() == Space::shared;
    });
  }
  return holds && has_read;
}

}  // namespace phalanx::ir
