// Dead store elimination (LLVM's DSE), of variables: removes the sets that no read follows.
#include "phalanx/passes/liveness.h"
#include "phalanx/passes/passes.h"
#include "phalanx/passes/rewrite.h"

namespace phalanx::passes {

using ir::Function;
using ir::Operation;

namespace {

class DeadSets : public Liveness {
 public:
  using Liveness::Liveness;

 protected:
  bool visit_set(Operation& set, const Live& live_after) override {
    return live_after[set.variable];
  }
};

}  // namespace

void remove_dead_sets(ir::Module& module) {
  for_each_function(module, [](Function& function) { DeadSets(function).run(); });
}

}  // namespace phalanx::passes
