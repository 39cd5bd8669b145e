#include "phalanx/passes/range_walk.h"

#include <array>

namespace phalanx::passes {

using ir::Op;
using ir::Operation;
using ir::Region;

namespace {

// Lower bounds that a variable is tried with, best first: lengths and counts, indices, and the
// "nothing yet" of stacks. After the last, nothing is known.
constexpr std::array<std::int64_t, 4> tried = {1, 0, -1, Interval::none_low};

}  // namespace

// Every variable starts with the best bound. Each walk takes bounds away that a `set` breaks,
// until none does: then they hold by induction over the sets that were run.
RangeWalk::RangeWalk(ir::Function& function)
    : function_(function),
      level_(function.variables.size(), 0),
      variables_(function.variables.size(), Interval{.low = tried[0]}),
      ranges_(variables_) {
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    if (!is_linear_type(function.variables[i].type)) {
      level_[i] = tried.size() - 1;
      variables_[i] = {};
    }
  }
}

void RangeWalk::run() {
  do {
    has_converged_ = true;
    walk(function_.body);
  } while (!has_converged_);
  is_visiting_ = true;
  walk(function_.body);
}

void RangeWalk::check_set(const Operation& set) {
  std::size_t& level = level_[set.variable];
  if (level + 1 == tried.size())
    return;
  const Interval value = ranges_.of(set.operands[0]);
  while (value.low < tried.at(level)) {
    ++level;
    has_converged_ = false;
  }
  variables_[set.variable].low = tried.at(level);
}

void RangeWalk::walk_if(Operation& operation) {
  const Operation* condition = operation.operands[0];
  for (std::size_t i = 0; i < 2; ++i) {
    const std::size_t before = ranges_.facts();
    ranges_.assume(condition, i == 0);
    walk(operation.regions[i]);
    ranges_.cut_back(before);
  }
  // After the `if`, the condition holds where its other branch leaves, and the reverse.
  if (ir::ends_flow(operation.regions[1]))
    ranges_.assume(condition, true);
  if (ir::ends_flow(operation.regions[0]))
    ranges_.assume(condition, false);
}

void RangeWalk::walk_operation(Operation& operation) {
  if (operation.op == Op::set) {
    check_set(operation);
  } else if (operation.op == Op::if_) {
    walk_if(operation);
  } else {
    for (Region& nested : operation.regions) walk(nested);
  }
}

void RangeWalk::walk(Region& region) {
  const std::size_t before = ranges_.facts();
  if (!is_visiting_) {
    for (auto& operation : region) walk_operation(*operation);
  } else {
    Region result;
    result.reserve(region.size());
    for (auto& operation : region) {
      visit(*operation, result);
      walk_operation(*operation);
      result.push_back(std::move(operation));
      leave(*result.back(), result);
    }
    region = std::move(result);
  }
  ranges_.cut_back(before);
}

}  // namespace phalanx::passes
