#include "phalanx/passes/ranges.h"

#include <algorithm>

#include "phalanx/ir/idioms.h"

namespace phalanx::passes {

using ir::Op;
using ir::Operation;

namespace {

constexpr unsigned deepest_question = 8;
constexpr unsigned most_steps = 1000;
constexpr std::size_t most_facts_tried = 24;  // the innermost ones

// Limits of CUDA, which hold on the CPU device too.
constexpr std::int64_t most_threads = 1024;
constexpr std::int64_t most_blocks = 0x7fffffff;
constexpr std::int64_t most_lanes = 32;

Op negated(Op op) {
  switch (op) {
    case Op::less:
      return Op::greater_equal;
    case Op::less_equal:
      return Op::greater;
    case Op::greater:
      return Op::less_equal;
    case Op::greater_equal:
      return Op::less;
    case Op::equal:
      return Op::not_equal;
    default:
      return Op::equal;
  }
}

bool is_comparison(Op op) { return ir::is_elementwise(op) && info(op).rule == ir::Rule::compare; }

}  // namespace

void Ranges::assume(const Operation* condition, bool is_true) {
  for (const ir::Fact& fact : ir::implied_by(*condition, is_true))
    assume(fact.condition, fact.is_true);
  const auto& operands = condition->operands;
  if (is_comparison(condition->op) && is_linear_type(operands[0]->type))
    assume_order(is_true ? condition->op : negated(condition->op), operands[0], operands[1]);
}

void Ranges::assume_order(Op op, const Operation* a, const Operation* b) {
  switch (op) {
    case Op::less:
      assume_difference(b, a, 1);
      break;
    case Op::less_equal:
      assume_difference(b, a, 0);
      break;
    case Op::greater:
      assume_difference(a, b, 1);
      break;
    case Op::greater_equal:
      assume_difference(a, b, 0);
      break;
    case Op::equal:
      assume_difference(a, b, 0);
      assume_difference(b, a, 0);
      break;
    default:
      assume_different(a, b);
      break;
  }
}

// This helps where one bound is reached only by equality: i != 0 where i is known not to be below
// 0.
void Ranges::assume_different(const Operation* a, const Operation* b) {
  Linear difference = linear_form(a);
  difference.add(linear_form(b), -1);
  steps_left_ = most_steps;
  const Interval range = of_linear(difference, 0);
  if (range.low == 0)
    assume_difference(a, b, 1);
  else if (range.high == 0)
    assume_difference(b, a, 1);
}

void Ranges::assume_difference(const Operation* greater, const Operation* less, std::int64_t by) {
  Linear fact = linear_form(greater);
  fact.add(linear_form(less), -1);
  fact.constant -= by;
  facts_.push_back(std::move(fact));
}

Interval Ranges::of(const Operation* value) {
  steps_left_ = most_steps;
  return of_value(value, 0);
}

Interval Ranges::difference(const Operation* a, const Operation* b) {
  steps_left_ = most_steps;
  Linear form = linear_form(a);
  form.add(linear_form(b), -1);
  return of_linear(form, 0);
}

bool Ranges::is_below(const Operation* a, const Operation* b) {
  return is_linear_type(a->type) && is_linear_type(b->type) && difference(b, a).low > 0;
}

Interval Ranges::of_value(const Operation* value, unsigned depth) {
  if (!value->type.is_scalar())
    return {};
  const Interval typed = range_of(value->type.dtype());
  if (value->op == Op::undefined)
    return {.low = 0, .high = 0};  // any number will do
  if (!is_linear_type(value->type))
    return typed;
  return intersected(typed, of_linear(linear_form(value), depth));
}

// What the result is never greater than, if it is not negative; null where there is nothing such.
const Operation* Ranges::bound_of(const Operation* value, unsigned depth) {
  const auto is_natural = [&](std::size_t i) {
    return is_linear_type(value->operands[i]->type) &&
           of_value(value->operands[i], depth + 1).is_natural();
  };
  switch (value->op) {
    case Op::bitwise_and:
      for (const std::size_t i : {0U, 1U}) {
        if (value->operands[i]->op != Op::constant && is_natural(i))
          return value->operands[i];
      }
      return nullptr;
    case Op::right_shift:
      return is_natural(0) ? value->operands[0] : nullptr;
    case Op::floor_divide:
    case Op::remainder:
    case Op::trunc_divide:
    case Op::trunc_remainder:
      return is_natural(0) && is_natural(1) ? value->operands[0] : nullptr;
    default:
      return nullptr;
  }
}

// With a fact f >= 0: form >= form - f, and form <= form + f.
Interval Ranges::of_linear(const Linear& form, unsigned depth) {
  Interval result = sum_of(form, depth);
  const std::size_t first = facts_.size() - std::min(facts_.size(), most_facts_tried);
  for (std::size_t i = first; i < facts_.size(); ++i) {
    const bool is_related = std::ranges::any_of(
        form.terms, [&](const auto& one) { return facts_[i].terms.contains(one.first); });
    if (!is_related)
      continue;
    Linear less = form;
    less.add(facts_[i], -1);
    result.low = std::max(result.low, sum_of(less, depth + 1).low);
    Linear more = form;
    more.add(facts_[i], 1);
    result.high = std::min(result.high, sum_of(more, depth + 1).high);
  }
  return raised_by_bounds(result, form, depth);
}

// 2 * t - (t & m) is at least t: what is taken away is at most its bound.
Interval Ranges::raised_by_bounds(Interval range, const Linear& form, unsigned depth) {
  if (range.low >= 0 || depth >= deepest_question)
    return range;
  for (const auto& [value, count] : form.terms) {
    const Operation* bound = count < 0 ? bound_of(value, depth) : nullptr;
    if (bound == nullptr)
      continue;
    Linear least = form;
    least.add(linear_form(value), -count);
    least.add(linear_form(bound), count);
    range.low = std::max(range.low, sum_of(least, depth + 1).low);
  }
  return range;
}

Interval Ranges::sum_of(const Linear& form, unsigned depth) {
  Interval sum{.low = form.constant, .high = form.constant};
  for (const auto& [value, count] : form.terms)
    sum = sum + of_term(value, depth) * Interval{.low = count, .high = count};
  return sum;
}

Interval Ranges::of_term(const Operation* value, unsigned depth) {
  const Interval typed = range_of(value->type.dtype());
  if (depth >= deepest_question || steps_left_ == 0)
    return typed;
  --steps_left_;
  switch (value->op) {
    case Op::undefined:
      return {.low = 0, .high = 0};
    case Op::thread_index:
      return {.low = 0, .high = most_threads - 1};
    case Op::block_extent:
      return {.low = 1, .high = most_threads};
    case Op::block_index:
      return {.low = 0, .high = most_blocks - 1};
    case Op::grid_extent:
      return {.low = 1, .high = most_blocks};
    case Op::block_vote:
      return intersected(typed, {.low = 0, .high = most_threads});
    case Op::lane_index:
      return {.low = 0, .high = most_lanes - 1};
    case Op::parallel_lanes:
      return {.low = 1, .high = most_lanes};
    case Op::array_shape:
      return {.low = 0, .high = Interval::none_high};
    case Op::get:
      return intersected(typed, (*variables_)[value->variable]);
    case Op::cast: {
      // A cast that may change the number keeps it if all numbers fit.
      const Interval inner = of_value(value->operands[0], depth + 1);
      const bool fits = is_integer(value->operands[0]->type.dtype()) ||
                        is_boolean(value->operands[0]->type.dtype());
      return fits && typed.low <= inner.low && inner.high <= typed.high ? inner : typed;
    }
    default:
      break;
  }
  return ir::is_elementwise(value->op) ? intersected(typed, of_elementwise(*value, depth)) : typed;
}

Interval Ranges::of_elementwise(const Operation& operation, unsigned depth) {
  const auto operand = [&](std::size_t i) { return of_value(operation.operands[i], depth + 1); };
  switch (operation.op) {
    case Op::multiply:
      return operand(0) * operand(1);
    case Op::select:
      return united(operand(1), operand(2));
    case Op::minimum:
    case Op::fmin: {
      const Interval a = operand(0);
      const Interval b = operand(1);
      return {.low = std::min(a.low, b.low), .high = std::min(a.high, b.high)};
    }
    case Op::maximum:
    case Op::fmax: {
      const Interval a = operand(0);
      const Interval b = operand(1);
      return {.low = std::max(a.low, b.low), .high = std::max(a.high, b.high)};
    }
    case Op::absolute:
      return {.low = 0, .high = Interval::none_high};
    case Op::trunc_divide:
    case Op::floor_divide: {
      const Interval a = operand(0);
      const bool is_natural = a.is_natural() && operand(1).is_natural();
      return is_natural ? Interval{.low = 0, .high = a.high} : Interval{};
    }
    case Op::remainder: {
      // The sign is the divisor's, and x % 0 is 0.
      const Interval divisor = operand(1);
      if (!divisor.is_natural())
        return {};
      const bool is_open = divisor.high == Interval::none_high;
      return {
          .low = 0, .high = is_open ? divisor.high : std::max<std::int64_t>(divisor.high - 1, 0)};
    }
    default:
      return of_bits(operation, depth);
  }
}

Interval Ranges::of_bits(const Operation& operation, unsigned depth) {
  const auto operand = [&](std::size_t i) { return of_value(operation.operands[i], depth + 1); };
  switch (operation.op) {
    case Op::bitwise_and: {
      const Interval a = operand(0);
      const Interval b = operand(1);
      if (a.is_natural() && b.is_natural())
        return {.low = 0, .high = std::min(a.high, b.high)};
      if (a.is_natural() || b.is_natural())
        return {.low = 0, .high = a.is_natural() ? a.high : b.high};
      return {};
    }
    case Op::bitwise_or:
    case Op::bitwise_xor:
      if (operand(0).is_natural() && operand(1).is_natural())
        return {.low = 0, .high = Interval::none_high};
      return {};
    case Op::right_shift: {
      const Interval a = operand(0);
      return a.is_natural() ? Interval{.low = 0, .high = a.high} : Interval{};
    }
    case Op::popcount:
    case Op::leading_zeros:
    case Op::trailing_zeros:
      return {.low = 0, .high = 64};
    default:
      return {};
  }
}

}  // namespace phalanx::passes
