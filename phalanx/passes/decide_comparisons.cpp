// Folding of comparisons by value ranges (LLVM's CorrelatedValuePropagation): those whose answer
// follows from the sizes of blocks and grids become constants. The step of a grid-stride loop is
// above 0.
#include <optional>

#include "phalanx/passes/passes.h"
#include "phalanx/passes/range_walk.h"
#include "phalanx/passes/rewrite.h"

namespace phalanx::passes {

using ir::Function;
using ir::Op;
using ir::Operation;
using ir::Region;

namespace {

// What a comparison gives whose operands differ by what the interval says.
std::optional<bool> decided(Op op, Interval difference) {
  const bool is_below = difference.high < 0;
  const bool is_above = difference.low > 0;
  const auto known = [](bool holds, bool fails) {
    return holds || fails ? std::optional(holds) : std::nullopt;
  };
  switch (op) {
    case Op::less:
      return known(is_below, difference.low >= 0);
    case Op::less_equal:
      return known(difference.high <= 0, is_above);
    case Op::greater:
      return known(is_above, difference.high <= 0);
    case Op::greater_equal:
      return known(difference.low >= 0, is_below);
    case Op::equal:
      return known(difference.low == 0 && difference.high == 0, is_below || is_above);
    case Op::not_equal:
      return known(is_below || is_above, difference.low == 0 && difference.high == 0);
    default:
      return std::nullopt;
  }
}

bool is_bounded(Interval range) {
  return range.low != Interval::none_low && range.high != Interval::none_high;
}

bool is_wide(const ir::Type& type) { return is_linear_type(type) && bits_of(type.dtype()) == 64; }

class Decider final : public RangeWalk {
 public:
  using RangeWalk::RangeWalk;

 protected:
  // Ranges take arithmetic for exact: only what has 64 bits, and bounds at both ends, cannot have
  // wrapped.
  void visit(Operation& operation, Region& /*before*/) override {
    if (!ir::is_elementwise(operation.op) || ir::info(operation.op).rule != ir::Rule::compare)
      return;
    for (const Operation* operand : operation.operands) {
      if (!is_wide(operand->type) || !is_bounded(ranges().of(operand)))
        return;
    }
    const Interval difference = ranges().difference(operation.operands[0], operation.operands[1]);
    if (const auto value = decided(operation.op, difference))
      become_constant(operation, *value);
  }
};

}  // namespace

void decide_comparisons(ir::Module& module) {
  for_each_function(module, [](Function& function) {
    if (holds(function.body, Op::block_extent) || holds(function.body, Op::grid_extent))
      Decider(function).run();
  });
}

}  // namespace phalanx::passes
