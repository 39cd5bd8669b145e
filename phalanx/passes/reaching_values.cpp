#include "phalanx/passes/reaching_values.h"

#include <algorithm>
#include <vector>

#include "phalanx/passes/rewrite.h"

namespace phalanx::passes {

using ir::Op;
using ir::Operation;
using ir::Region;
using ir::VariableId;

namespace {

bool has_jump(const Region& region) {
  bool found = false;
  ir::for_each(region, [&](const Operation& operation) {
    found |= operation.op == Op::break_ || operation.op == Op::continue_;
  });
  return found;
}

}  // namespace

ReachingValues::ReachingValues(const ir::Function& function)
    : variables_(function.variables.size()) {
  note(function.body, nullptr);
}

void ReachingValues::note(const Region& region, const Operation* owner) {
  owners_[&region] = owner;
  for (std::size_t i = 0; i < region.size(); ++i) {
    points_[region[i].get()] = {&region, i};
    for (const Region& nested : region[i]->regions) note(nested, region[i].get());
  }
}

ReachingValues::Point ReachingValues::before(const Operation& operation) const {
  return points_.at(&operation);
}

// After an `if` that sets the variable.
std::optional<ReachingValues::Choice> ReachingValues::through(
    const Operation& branch, VariableId variable) const {
  const Region& then = branch.regions[0];
  const Region& otherwise = branch.regions[1];
  if (has_jump(then) || has_jump(otherwise))
    return std::nullopt;
  const Point then_end = {&then, then.size()};
  const Point otherwise_end = {&otherwise, otherwise.size()};
  if (ir::ends_flow(then))
    return at(otherwise_end, variable);
  if (ir::ends_flow(otherwise))
    return at(then_end, variable);
  return Choice{.condition = branch.operands[0], .then = then_end, .otherwise = otherwise_end};
}

std::optional<ReachingValues::Choice> ReachingValues::at(Point point, VariableId variable) const {
  const auto sets = [&](const Operation& operation) -> bool {
    std::vector<bool> is_set(variables_);
    for (const Region& nested : operation.regions) mark_set(nested, is_set);
    return is_set.at(variable);
  };
  for (;;) {
    for (std::size_t i = point.position; i > 0; --i) {
      const Operation& operation = *(*point.region)[i - 1];
      if (operation.op == Op::set && operation.variable == variable)
        return Choice{.value = operation.operands[0]};
      if (operation.regions.empty() || !sets(operation))
        continue;
      if (operation.op == Op::if_)
        return through(operation, variable);
      return std::nullopt;
    }
    const Operation* owner = owners_.at(point.region);
    if (owner == nullptr || (owner->op == Op::loop && sets(*owner)))
      return std::nullopt;
    point = before(*owner);
  }
}

}  // namespace phalanx::passes
