// Control-flow simplification (LLVM's SimplifyCFG) of structured code: what follows an `if` one of
// whose branches leaves goes into the other branch; a jump to where control goes anyway disappears.
#include <algorithm>
#include <iterator>
#include <vector>

#include "phalanx/ir/warp_operations.h"
#include "phalanx/passes/passes.h"
#include "phalanx/passes/rewrite.h"

namespace phalanx::passes {

using ir::Function;
using ir::Op;
using ir::Operation;
using ir::Region;

namespace {

struct Jump {
  Op op;
  std::int64_t levels;
};

// The jumps that lead where control goes at a region's end anyway.
using Falls = std::vector<Jump>;

bool is_among(const Operation& operation, const Falls& falls) {
  return std::ranges::any_of(falls, [&](const Jump& jump) {
    if (operation.op != jump.op)
      return false;
    return jump.op == Op::return_ ? operation.operands.empty() : operation.index == jump.levels;
  });
}

bool has_barrier(const Operation& operation) {
  const auto may_wait = [](Op op) { return ir::waits_for_block(op) || op == Op::call; };
  bool found = may_wait(operation.op);
  for (const Region& nested : operation.regions) {
    ir::for_each(nested, [&](const Operation& inner) { found = found || may_wait(inner.op); });
  }
  return found;
}

// The number of the branch that goes on where the other one leaves; nothing if both do the same.
std::optional<std::size_t> branch_that_goes_on(const Operation& operation) {
  if (operation.op != Op::if_)
    return std::nullopt;
  const bool then_leaves = ir::ends_flow(operation.regions[0]);
  if (then_leaves == ir::ends_flow(operation.regions[1]))
    return std::nullopt;
  return then_leaves ? 1 : 0;
}

// A barrier stays where it is: in a branch it would no longer be met by whole blocks as a matter
// of structure, which the CPU's barrier fission relies on.
void nest_rest(Region& region) {
  std::size_t after_barrier = region.size();
  while (after_barrier > 0 && !has_barrier(*region[after_barrier - 1])) --after_barrier;
  const auto first_free = after_barrier;
  for (std::size_t i = first_free; i + 1 < region.size(); ++i) {
    const auto branch = branch_that_goes_on(*region[i]);
    if (!branch)
      continue;
    Region rest(
        std::make_move_iterator(region.begin() + static_cast<std::ptrdiff_t>(i) + 1),
        std::make_move_iterator(region.end()));
    truncate_after(region, i);
    Region& into = region[i]->regions[*branch];
    splice(into, into.size(), std::move(rest));
  }
}

Falls falls_of_block(const Falls& around, bool is_last) {
  Falls falls = {{.op = Op::break_, .levels = 0}};
  if (is_last) {
    for (const Jump& jump : around) falls.push_back({.op = jump.op, .levels = jump.levels + 1});
  }
  return falls;
}

void restructure(Region& region, const Falls& falls) {
  nest_rest(region);
  if (!region.empty() && is_among(*region.back(), falls))
    region.pop_back();
  for (std::size_t i = 0; i < region.size(); ++i) {
    Operation& operation = *region[i];
    const bool is_last = i + 1 == region.size();
    switch (operation.op) {
      case Op::if_:
        for (Region& branch : operation.regions) restructure(branch, is_last ? falls : Falls{});
        break;
      case Op::loop:
        restructure(operation.regions[0], {{.op = Op::continue_, .levels = 0}});
        restructure(operation.regions[1], {});
        break;
      case Op::block:
        restructure(operation.regions[0], falls_of_block(falls, is_last));
        break;
      default:
        break;
    }
  }
}

}  // namespace

void early_returns(ir::Module& module) {
  for_each_function(module, [](Function& function) {
    // The end of a function with a result is never reached.
    Falls falls;
    if (function.result.is_none())
      falls.push_back({.op = Op::return_, .levels = 0});
    restructure(function.body, falls);
  });
}

}  // namespace phalanx::passes
