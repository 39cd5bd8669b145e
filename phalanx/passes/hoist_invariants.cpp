// Loop-invariant code motion (LLVM's LICM): moves pure operations out of the loops in which they do
// not change.
#include <unordered_map>

#include "phalanx/passes/effects.h"
#include "phalanx/passes/passes.h"
#include "phalanx/passes/rewrite.h"

namespace phalanx::passes {

using ir::Op;
using ir::Operation;
using ir::Region;

namespace {

// Walks from the outermost loop in. `depth_of_` tells for each value in how many loops it is;
// an operation moves out to the depth of its deepest operand.
class Hoister {
 public:
  void run(ir::Function& function) {
    for (const auto& parameter : function.parameters) depth_of_[parameter.get()] = 0;
    walk(function.body, true);
  }

 private:
  // `is_always`: whoever enters the innermost loop's region runs through this region too.
  void walk(Region& region, bool is_always);
  std::size_t depth_for(const Operation& operation, bool is_always) const;

  std::unordered_map<const Operation*, std::size_t> depth_of_;
  std::vector<Region> before_;  // for each loop around, what goes before it
};

std::size_t Hoister::depth_for(const Operation& operation, bool is_always) const {
  const std::size_t here = before_.size();
  // A costly value that only some rounds need is not computed in advance.
  if (!ir::is_pure(operation.op) || !(is_always || is_cheap(operation)))
    return here;
  std::size_t depth = 0;
  for (const Operation* operand : operation.operands)
    depth = std::max(depth, depth_of_.at(operand));
  return depth;
}

void Hoister::walk(Region& region, bool is_always) {
  Region kept;
  kept.reserve(region.size());
  for (auto& operation : region) {
    const std::size_t depth = depth_for(*operation, is_always);
    depth_of_[operation.get()] = depth;
    if (depth < before_.size()) {
      before_[depth].push_back(std::move(operation));
      continue;
    }
    const bool is_loop = operation->op == Op::loop;
    if (is_loop)
      before_.emplace_back();
    for (Region& nested : operation->regions)
      walk(nested, is_loop || (is_always && operation->op == Op::block));
    if (is_loop) {
      splice(kept, kept.size(), std::move(before_.back()));
      before_.pop_back();
    }
    kept.push_back(std::move(operation));
  }
  region = std::move(kept);
}

}  // namespace

void hoist_invariants(ir::Module& module) {
  for_each_function(module, [](ir::Function& function) { Hoister().run(function); });
}

}  // namespace phalanx::passes
