// Divisions of numbers that are known not to be negative round the same way up and down: those by a
// power of two, which C rounds towards zero, become the ones whose quotient is a shift.
#include <bit>
#include <cstdint>

#include "phalanx/passes/passes.h"
#include "phalanx/passes/range_walk.h"
#include "phalanx/passes/rewrite.h"

namespace phalanx::passes {

using ir::Function;
using ir::Op;
using ir::Operation;
using ir::Region;

namespace {

bool is_power_of_two(const Operation& value) {
  const auto* number = std::get_if<std::int64_t>(&value.constant);
  return value.op == Op::constant && number != nullptr && *number > 0 &&
         std::has_single_bit(static_cast<std::uint64_t>(*number));
}

class Divider final : public RangeWalk {
 public:
  using RangeWalk::RangeWalk;

 protected:
  void visit(Operation& operation, Region& /*before*/) override {
    const bool is_quotient = operation.op == Op::trunc_divide;
    if (!is_quotient && operation.op != Op::trunc_remainder)
      return;
    if (is_power_of_two(*operation.operands[1]) && ranges().of(operation.operands[0]).is_natural())
      operation.op = is_quotient ? Op::floor_divide : Op::remainder;
  }
};

}  // namespace

void divide_naturals(ir::Module& module) {
  for_each_function(module, [](Function& function) {
    if (holds(function.body, Op::trunc_divide) || holds(function.body, Op::trunc_remainder))
      Divider(function).run();
  });
}

}  // namespace phalanx::passes
