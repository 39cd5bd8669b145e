// If-conversion (Allen, Kennedy, Porterfield and Warren, 1983): an `if` that only chooses values of
// variables becomes straight-line selects.
#include <algorithm>
#include <array>
#include <vector>

#include "phalanx/ir/builder.h"
#include "phalanx/passes/effects.h"
#include "phalanx/passes/passes.h"
#include "phalanx/passes/rewrite.h"

namespace phalanx::passes {

using ir::Function;
using ir::Op;
using ir::Operation;
using ir::Region;
using ir::VariableId;

namespace {

// Up to here, computing both branches costs less than the branch.
constexpr std::size_t most_operations = 8;
constexpr std::size_t most_variables = 2;

class Flattener {
 public:
  explicit Flattener(Function& function) : function_(function) {}
  void walk(Region& region);

 private:
  bool is_choice(const Operation& branch) const;
  bool is_straight(const Region& region, std::vector<VariableId>& set) const;
  Region flattened(Operation& branch);

  Function& function_;
};

// Cheap values, reads, and one `set` a variable of scalars.
bool Flattener::is_straight(const Region& region, std::vector<VariableId>& set) const {
  std::vector<VariableId> here;
  for (const auto& operation : region) {
    const VariableId variable = operation->variable;
    const bool was_set = std::ranges::find(here, variable) != here.end();
    if (operation->op == Op::set) {
      if (was_set || !function_.variables[variable].type.is_scalar())
        return false;
      here.push_back(variable);
      if (std::ranges::find(set, variable) == set.end())
        set.push_back(variable);
    } else if (operation->op == Op::get) {
      if (was_set)
        return false;
    } else if (!is_cheap(*operation)) {
      return false;
    }
  }
  return true;
}

bool Flattener::is_choice(const Operation& branch) const {
  std::vector<VariableId> set;
  std::size_t operations = 0;
  for (const Region& region : branch.regions) {
    if (!is_straight(region, set))
      return false;
    for (const auto& operation : region)
      operations += operation->op == Op::constant || operation->op == Op::set ? 0 : 1;
  }
  return !set.empty() && set.size() <= most_variables && operations <= most_operations;
}

// Both branches' values, then for each variable a select and one `set`.
Region Flattener::flattened(Operation& branch) {
  struct Choice {
    VariableId variable;
    std::array<Operation*, 2> values;
    Location location;
  };
  std::vector<Choice> choices;
  Region result;
  for (std::size_t i = 0; i < 2; ++i) {
    for (auto& operation : branch.regions[i]) {
      if (operation->op != Op::set) {
        result.push_back(std::move(operation));
        continue;
      }
      const auto found = std::ranges::find(choices, operation->variable, &Choice::variable);
      const auto at =
          found == choices.end()
              ? choices.insert(choices.end(), {operation->variable, {}, operation->location})
              : found;
      at->values.at(i) = operation->operands[0];
    }
  }
  ir::Builder builder(function_, result);
  // What the variable holds after a branch: what the branch set, or what it held before.
  const auto value_of = [&](VariableId variable, Operation* known) {
    return known == nullptr ? builder.get(variable) : known;
  };
  Region sets;
  for (const Choice& choice : choices) {
    builder.at({});
    Operation* otherwise = value_of(choice.variable, choice.values[1]);
    Operation* then = value_of(choice.variable, choice.values[0]);
    builder.at(choice.location);
    Operation* select = builder.elementwise(Op::select, {branch.operands[0], then, otherwise});
    const auto scope = builder.enter(sets);
    builder.set(choice.variable, select);
  }
  splice(result, result.size(), std::move(sets));
  return result;
}

void Flattener::walk(Region& region) {
  Region result;
  result.reserve(region.size());
  for (auto& operation : region) {
    for (Region& nested : operation->regions) walk(nested);
    if (operation->op == Op::if_ && is_choice(*operation))
      splice(result, result.size(), flattened(*operation));
    else
      result.push_back(std::move(operation));
  }
  region = std::move(result);
}

}  // namespace

void if_conversion(ir::Module& module) {
  for_each_function(module, [](Function& function) { Flattener(function).walk(function.body); });
}

}  // namespace phalanx::passes
