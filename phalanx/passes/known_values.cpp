#include "phalanx/passes/known_values.h"

#include "phalanx/passes/rewrite.h"

namespace phalanx::passes {

using ir::Op;
using ir::Operation;
using ir::Region;

void KnownValues::run(ir::Function& function) {
  Known known(variables_, nullptr);
  walk(function.body, known);
}

void KnownValues::walk(Region& region, Known& known) {
  Region kept;
  kept.reserve(region.size());
  for (auto& operation : region) {
    if (!visit(operation, known))
      continue;
    if (operation->op == Op::get) {
      if (known[operation->variable] == nullptr)
        known[operation->variable] = operation.get();
    } else if (operation->op == Op::set) {
      known[operation->variable] = operation->operands[0];
    } else {
      walk_nested(*operation, known);
    }
    kept.push_back(std::move(operation));
  }
  region = std::move(kept);
}

void KnownValues::forget_set(const Region& region, Known& known) const {
  std::vector<bool> is_set(variables_);
  mark_set(region, is_set);
  for (std::size_t i = 0; i < known.size(); ++i) {
    if (is_set[i])
      known[i] = nullptr;
  }
}

void KnownValues::walk_nested(Operation& operation, Known& known) {
  if (operation.regions.empty())
    return;
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

// What a branch sets is forgotten after the `if`, unless the branch does not come there.
void KnownValues::walk_if(Operation& operation, Known& known) {
  const Known before = known;
  for (Region& region : operation.regions) {
    Known entering = before;
    if (!ir::ends_flow(region))
      forget_set(region, known);
    walk(region, entering);
  }
}

}  // namespace phalanx::passes
