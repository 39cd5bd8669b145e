// Elimination of redundant index checks by value ranges (Bodik, Gupta and Sarkar, 2000): removes
// wrap_index where the index is never negative.
#include "phalanx/passes/passes.h"
#include "phalanx/passes/range_walk.h"
#include "phalanx/passes/rewrite.h"

namespace phalanx::passes {

using ir::Function;
using ir::Op;
using ir::Operation;
using ir::Region;

namespace {

class WrapDropper final : public RangeWalk {
 public:
  using RangeWalk::RangeWalk;

 protected:
  void visit(Operation& operation, Region& /*before*/) override {
    replacements_.apply(operation);
    if (operation.op == Op::wrap_index && ranges().of(operation.operands[0]).is_natural())
      replacements_.replace(&operation, operation.operands[0]);
  }

 private:
  Replacements replacements_;
};

}  // namespace

void drop_wraps(ir::Module& module) {
  for_each_function(module, [](Function& function) {
    if (holds(function.body, Op::wrap_index))
      WrapDropper(function).run();
  });
}

}  // namespace phalanx::passes
