// Copy coalescing over an interference graph (Chaitin et al., 1981): variables that only hand a
// value to one another, as those of nested loops do, become one.
#include <numeric>
#include <unordered_map>
#include <vector>

#include "phalanx/passes/known_values.h"
#include "phalanx/passes/liveness.h"
#include "phalanx/passes/passes.h"
#include "phalanx/passes/rewrite.h"

namespace phalanx::passes {

using ir::Function;
using ir::Op;
using ir::Operation;
using ir::VariableId;

namespace {

using Variables = std::vector<VariableId>;

// For each `set`, the variables that hold the value already.
class Copies : public KnownValues {
 public:
  using KnownValues::KnownValues;

  const Variables& holders(const Operation& set) const { return holders_.at(&set); }
  const std::vector<const Operation*>& sets() const { return sets_; }

 protected:
  bool visit(std::unique_ptr<Operation>& operation, const Known& known) override {
    if (operation->op != Op::set)
      return true;
    Variables& holders = holders_[operation.get()];
    sets_.push_back(operation.get());
    for (std::size_t i = 0; i < known.size(); ++i) {
      if (known[i] == operation->operands[0])
        holders.push_back(static_cast<VariableId>(i));
    }
    return true;
  }

 private:
  std::unordered_map<const Operation*, Variables> holders_;
  std::vector<const Operation*> sets_;  // in order
};

// Two variables interfere where one is set while the other's value is still read, unless that is
// the value.
class Interference : public Liveness {
 public:
  Interference(Function& function, const Copies& copies)
      : Liveness(function),
        copies_(copies),
        table_(function.variables.size(), std::vector<bool>(function.variables.size())) {}

  bool between(VariableId a, VariableId b) const { return table_[a][b]; }

  // `a` replaces both from now on.
  void merge(VariableId a, VariableId b) {
    for (std::size_t i = 0; i < table_.size(); ++i) {
      table_[a][i] = table_[a][i] || table_[b][i];
      table_[i][a] = table_[a][i];
    }
  }

 protected:
  bool visit_set(Operation& set, const Live& live_after) override {
    std::vector<bool> same(live_after.size());
    for (const VariableId holder : copies_.holders(set)) same[holder] = true;
    for (std::size_t i = 0; i < live_after.size(); ++i) {
      if (live_after[i] && !same[i] && i != set.variable) {
        table_[set.variable][i] = true;
        table_[i][set.variable] = true;
      }
    }
    return true;
  }

 private:
  const Copies& copies_;
  std::vector<std::vector<bool>> table_;
};

// Beyond, the table costs more than it brings.
constexpr std::size_t most_variables = 400;

void coalesce(Function& function) {
  if (function.variables.size() > most_variables)
    return;
  Copies copies(function);
  copies.run(function);
  Interference interference(function, copies);
  interference.run();
  Variables stands_for(function.variables.size());
  std::iota(stands_for.begin(), stands_for.end(), VariableId{0});
  const auto found = [&](VariableId variable) {
    while (stands_for[variable] != variable) variable = stands_for[variable];
    return variable;
  };
  for (const Operation* set : copies.sets()) {
    for (const VariableId holder : copies.holders(*set)) {
      const VariableId a = found(holder);
      const VariableId b = found(set->variable);
      if (a == b || interference.between(a, b) ||
          function.variables[a].type != function.variables[b].type)
        continue;
      interference.merge(a, b);
      stands_for[b] = a;
    }
  }
  ir::for_each(function.body, [&](Operation& operation) {
    if (operation.op == Op::get || operation.op == Op::set)
      operation.variable = found(operation.variable);
  });
}

}  // namespace

void coalesce_variables(ir::Module& module) { for_each_function(module, coalesce); }

}  // namespace phalanx::passes
