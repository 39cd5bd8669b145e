// Check mode: detection of barrier divergence (GPUVerify: Betts et al., 2012), at run time: a
// kernel with barriers that threads can go around gets one more at its end, with the location of
// the first of these. Threads that come to the end while others wait are found there; threads that
// return before are not waited for. GPUs do not report them and skip it.
#include <algorithm>
#include <set>

#include "phalanx/ir/builder.h"
#include "phalanx/ir/warp_operations.h"
#include "phalanx/passes/passes.h"

namespace phalanx::passes {

using ir::Function;
using ir::Op;
using ir::Operation;
using ir::Region;

namespace {

using Seen = std::set<const Function*>;

bool has_barrier(const Function& function, Seen& seen);

bool is_barrier(const Operation& operation, Seen& seen) {
  return ir::waits_for_block(operation.op) ||
         (operation.op == Op::call && operation.callee != nullptr &&
          has_barrier(*operation.callee, seen));
}

bool has_barrier(const Function& function, Seen& seen) {
  if (!seen.insert(&function).second)
    return false;
  bool found = false;
  ir::for_each(function.body, [&](const Operation& operation) {
    found = found || is_barrier(operation, seen);
  });
  return found;
}

// The first barrier that threads can go around: in a branch, a loop or a called function.
const Operation* avoidable_barrier(const Region& body) {
  const Operation* found = nullptr;
  const auto look_at = [&](const Operation& operation) {
    Seen seen;
    if (found == nullptr && is_barrier(operation, seen))
      found = &operation;
  };
  for (const auto& operation : body) {
    if (operation->op == Op::call)
      look_at(*operation);
    for (const Region& nested : operation->regions) ir::for_each(nested, look_at);
  }
  return found;
}

}  // namespace

void insert_end_barriers(ir::Module& module) {
  for (const auto& function : module.functions) {
    Region& body = function->body;
    const Operation* avoidable =
        function->kind == ir::FunctionKind::kernel ? avoidable_barrier(body) : nullptr;
    if (avoidable == nullptr)
      continue;
    const bool ends_itself = !body.empty() && body.back()->op == Op::return_;
    if (!ends_itself && ir::ends_flow(body))
      continue;
    ir::Builder builder(*function, body, body.size() - (ends_itself ? 1 : 0));
    builder.at(avoidable->location);
    builder.append(Op::barrier).index = end_barrier;
  }
}

}  // namespace phalanx::passes
