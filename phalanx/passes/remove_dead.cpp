// Dead code elimination (LLVM's DCE): removes values without use, variables without reader and
// branches without content.
#include <memory>
#include <ranges>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "phalanx/passes/effects.h"
#include "phalanx/passes/passes.h"
#include "phalanx/passes/rewrite.h"

namespace phalanx::passes {

using ir::Function;
using ir::Op;
using ir::Operation;
using ir::Region;

namespace {

// Backward, so that every use of a value is seen before the value.
class Sweeper {
 public:
  void sweep(Region& region);

 private:
  bool is_needed(const Operation& operation) const;

  std::unordered_set<const Operation*> used_;
};

bool Sweeper::is_needed(const Operation& operation) const {
  if (operation.op == Op::if_)
    return !operation.regions[0].empty() || !operation.regions[1].empty();
  if (operation.op == Op::block)
    return !operation.regions[0].empty();
  return !is_removable(operation.op) || used_.contains(&operation);
}

void Sweeper::sweep(Region& region) {
  bool found = false;
  for (auto& operation : std::views::reverse(region)) {
    for (Region& nested : std::views::reverse(operation->regions)) sweep(nested);
    if (is_needed(*operation)) {
      used_.insert(operation->operands.begin(), operation->operands.end());
    } else {
      operation.reset();
      found = true;
    }
  }
  if (found)
    std::erase(region, nullptr);
}

// Variables that are read for their own next value only, as the narrow twin of a counter: what sets
// them goes (Cytron, Ferrante, Rosen, Wegman and Zadeck, 1991, of values in cycles).
class DeadCycles {
 public:
  explicit DeadCycles(Function& function) : is_live_(function.variables.size()) {
    ir::for_each(function.body, [&](const Operation& operation) {
      if (operation.op == Op::set)
        sets_[operation.variable].push_back(&operation);
      else if (!is_removable(operation.op) || !operation.regions.empty())
        need(operation);
    });
    while (!waiting_.empty()) {
      const Operation* next = waiting_.back();
      waiting_.pop_back();
      if (next->op == Op::get && !is_live_[next->variable]) {
        is_live_[next->variable] = true;
        for (const Operation* set : sets_[next->variable]) need(*set);
      }
      need(*next);
    }
  }

  void remove_from(Region& region) const {
    for (auto& operation : region) {
      for (Region& nested : operation->regions) remove_from(nested);
    }
    std::erase_if(region, [&](const auto& operation) {
      return operation->op == Op::set && !is_live_[operation->variable];
    });
  }

 private:
  void need(const Operation& operation) {
    for (const Operation* operand : operation.operands) {
      if (seen_.insert(operand).second)
        waiting_.push_back(operand);
    }
  }

  std::vector<bool> is_live_;
  std::unordered_map<ir::VariableId, std::vector<const Operation*>> sets_;
  std::unordered_set<const Operation*> seen_;
  std::vector<const Operation*> waiting_;
};

void remove_unreachable(Region& region) {
  for (std::size_t i = 0; i < region.size(); ++i) {
    for (Region& nested : region[i]->regions) remove_unreachable(nested);
    if (ir::ends_flow(*region[i]))
      truncate_after(region, i);
  }
}

// Variables that no operation names go, and the others move up.
void remove_variables(Function& function) {
  std::vector<bool> is_named(function.variables.size());
  const auto names_variable = [](const Operation& operation) {
    return operation.op == Op::get || operation.op == Op::set;
  };
  ir::for_each(function.body, [&](const Operation& operation) {
    if (names_variable(operation))
      is_named[operation.variable] = true;
  });
  std::vector<ir::VariableId> moved(function.variables.size());
  std::vector<ir::Variable> kept;
  for (std::size_t i = 0; i < moved.size(); ++i) {
    moved[i] = static_cast<ir::VariableId>(kept.size());
    if (is_named[i])
      kept.push_back(std::move(function.variables[i]));
  }
  function.variables = std::move(kept);
  ir::for_each(function.body, [&](Operation& operation) {
    if (names_variable(operation))
      operation.variable = moved[operation.variable];
  });
}

}  // namespace

void remove_dead(ir::Module& module) {
  for_each_function(module, [](Function& function) {
    remove_unreachable(function.body);
    DeadCycles(function).remove_from(function.body);
    Sweeper().sweep(function.body);
    remove_variables(function);
  });
}

}  // namespace phalanx::passes
