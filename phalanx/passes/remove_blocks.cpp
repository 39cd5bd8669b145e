// Control-flow simplification (LLVM's SimplifyCFG): a block that nothing breaks out of is replaced
// by what it holds.
#include "phalanx/passes/passes.h"
#include "phalanx/passes/rewrite.h"

namespace phalanx::passes {

using ir::Op;
using ir::Operation;
using ir::Region;

namespace {

// Visits the jumps of the region that cross or reach what is `depth` levels out.
template <typename Visitor>
void for_each_jump(Region& region, std::int64_t depth, const Visitor& visit) {
  for (auto& operation : region) {
    const bool is_jump = operation->op == Op::break_ || operation->op == Op::continue_;
    if (is_jump && operation->index >= depth)
      visit(*operation, depth);
    const std::int64_t inner = depth + (operation->op == Op::if_ ? 0 : 1);
    for (Region& nested : operation->regions) for_each_jump(nested, inner, visit);
  }
}

bool is_left_by_break(Operation& block) {
  bool found = false;
  for_each_jump(block.regions[0], 0, [&](const Operation& jump, std::int64_t depth) {
    found = found || jump.index == depth;
  });
  return found;
}

void remove_in(Region& region) {
  std::size_t i = 0;
  while (i < region.size()) {
    for (Region& nested : region[i]->regions) remove_in(nested);
    if (region[i]->op != Op::block || is_left_by_break(*region[i])) {
      // Where a block went from the end of both branches, they may leave now.
      if (ir::ends_flow(*region[i]))
        truncate_after(region, i);
      ++i;
      continue;
    }
    Region body = std::move(region[i]->regions[0]);
    for_each_jump(body, 0, [](Operation& jump, std::int64_t) { --jump.index; });
    region.erase(region.begin() + static_cast<std::ptrdiff_t>(i));
    const std::size_t end = i + body.size();
    const bool is_end = ir::ends_flow(body);
    splice(region, i, std::move(body));
    if (is_end)
      truncate_after(region, end - 1);
    i = end;
  }
}

}  // namespace

void remove_blocks(ir::Module& module) {
  for_each_function(module, [](ir::Function& function) { remove_in(function.body); });
}

}  // namespace phalanx::passes
