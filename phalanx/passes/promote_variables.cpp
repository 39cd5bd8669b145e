#include <vector>

#include "phalanx/passes/passes.h"
#include "phalanx/passes/rewrite.h"

namespace phalanx::passes {

using ir::Function;
using ir::Op;
using ir::Operation;
using ir::Region;

namespace {

// For each variable the value it is known to hold; nullptr where it is not known.
using Known = std::vector<Operation*>;

class Promoter {
 public:
  explicit Promoter(const Function& function) : variables_(function.variables.size()) {}

  void run(Function& function) {
    Known known(variables_, nullptr);
    walk(function.body, known);
  }

 private:
  void walk(Region& region, Known& known);
  void walk_nested(Operation& operation, Known& known);
  void walk_if(Operation& operation, Known& known);
  void forget_set(const Region& region, Known& known) const;

  std::size_t variables_;
  Replacements replacements_;
};

void Promoter::walk(Region& region, Known& known) {
  Region kept;
  kept.reserve(region.size());
  for (auto& operation : region) {
    replacements_.apply(*operation);
    if (operation->op == Op::get) {
      Operation*& value = known[operation->variable];
      if (value != nullptr) {
        if (value->name.empty())
          value->name = operation->name;
        replacements_.replace(std::move(operation), value);
        continue;
      }
      value = operation.get();
    } else if (operation->op == Op::set) {
      Operation*& value = known[operation->variable];
      if (value == operation->operands[0])
        continue;
      value = operation->operands[0];
    } else {
      walk_nested(*operation, known);
    }
    kept.push_back(std::move(operation));
  }
  region = std::move(kept);
}

void Promoter::forget_set(const Region& region, Known& known) const {
  std::vector<bool> is_set(variables_);
  mark_set(region, is_set);
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (is_set[i])
      known[i] = nullptr;
  }
}

void Promoter::walk_nested(Operation& operation, Known& known) {
  if (operation.op == Op::if_) {
    walk_if(operation, known);
    return;
  }
  // A loop's regions are entered again with what was set in them, and left from anywhere.
  Known inside = known;
  for (const Region& region : operation.regions) forget_set(region, known);
  if (operation.op == Op::loop)
    inside = known;
  for (Region& region : operation.regions) {
    Known entering = inside;
    walk(region, entering);
  }
}

// What a branch sets is forgotten behind the `if`, unless the branch does not come there.
void Promoter::walk_if(Operation& operation, Known& known) {
  const Known before = known;
  for (Region& region : operation.regions) {
    Known entering = before;
    const bool goes_on = !ir::ends_flow(region);
    if (goes_on)
      forget_set(region, known);
    walk(region, entering);
  }
}

}  // namespace

void promote_variables(ir::Module& module) {
  for_each_function(module, [](Function& function) { Promoter(function).run(function); });
}

}  // namespace phalanx::passes
