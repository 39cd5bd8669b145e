// Strength reduction (LLVM's InstCombine): divisions of integers by powers of two become shifts and
// masks.
#include <bit>
#include <optional>

#include "phalanx/ir/idioms.h"
#include "phalanx/passes/passes.h"
#include "phalanx/passes/rewrite.h"

namespace phalanx::passes {

using ir::Function;
using ir::Op;
using ir::Operation;
using ir::Region;

namespace {

// The exponent of a divisor that is a power of two.
std::optional<unsigned> exponent_of(const Operation& division) {
  if (division.op != Op::floor_divide && division.op != Op::remainder)
    return std::nullopt;
  const Operation& divisor = *division.operands[1];
  const auto* number = std::get_if<std::int64_t>(&divisor.constant);
  if (divisor.op != Op::constant || number == nullptr || *number <= 0)
    return std::nullopt;
  const auto bits = static_cast<std::uint64_t>(*number);
  if (!std::has_single_bit(bits))
    return std::nullopt;
  return static_cast<unsigned>(std::countr_zero(bits));
}

void reduce_in(Function& function, Region& region) {
  Region result;
  ir::Builder builder(function, result);
  result.reserve(region.size());
  for (auto& operation : region) {
    for (Region& nested : operation->regions) reduce_in(function, nested);
    if (const auto exponent = exponent_of(*operation)) {
      const ir::PowerDivision division = operation->op == Op::floor_divide
                                             ? ir::quotient_by_power(*exponent)
                                             : ir::remainder_by_power(*exponent);
      operation->op = division.op;
      builder.at(operation->location);
      operation->operands[1] = builder.integer(division.operand, operation->type.dtype());
    }
    result.push_back(std::move(operation));
  }
  region = std::move(result);
}

}  // namespace

void reduce_strength(ir::Module& module) {
  for_each_function(module, [](Function& function) { reduce_in(function, function.body); });
}

}  // namespace phalanx::passes
