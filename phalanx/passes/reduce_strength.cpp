// Strength reduction (LLVM's InstCombine): divisions of integers by powers of two become shifts and
// masks.
#include <bit>
#include <optional>

#include "phalanx/passes/passes.h"
#include "phalanx/passes/rewrite.h"

namespace phalanx::passes {

using ir::Op;
using ir::Operation;
using ir::Region;

namespace {

// The exponent of a divisor that is a power of two.
std::optional<std::int64_t> exponent_of(const Operation& division) {
  if (division.op != Op::floor_divide && division.op != Op::remainder)
    return std::nullopt;
  const Operation& divisor = *division.operands[1];
  const auto* number = std::get_if<std::int64_t>(&divisor.constant);
  if (divisor.op != Op::constant || number == nullptr || *number <= 0)
    return std::nullopt;
  const auto bits = static_cast<std::uint64_t>(*number);
  if (!std::has_single_bit(bits))
    return std::nullopt;
  return std::countr_zero(bits);
}

std::unique_ptr<Operation> constant_like(const Operation& division, std::int64_t value) {
  auto constant = std::make_unique<Operation>();
  constant->op = Op::constant;
  constant->type = division.type;
  constant->constant = value;
  constant->location = division.location;
  return constant;
}

// Rounding towards minus infinity is what a shift does, and what a mask leaves has the divisor's
// sign: for negative values too.
void reduce_in(Region& region) {
  Region result;
  result.reserve(region.size());
  for (auto& operation : region) {
    for (Region& nested : operation->regions) reduce_in(nested);
    if (const auto exponent = exponent_of(*operation)) {
      const bool is_quotient = operation->op == Op::floor_divide;
      const std::int64_t mask = (std::int64_t{1} << *exponent) - 1;
      result.push_back(constant_like(*operation, is_quotient ? *exponent : mask));
      operation->op = is_quotient ? Op::right_shift : Op::bitwise_and;
      operation->operands[1] = result.back().get();
    }
    result.push_back(std::move(operation));
  }
  region = std::move(result);
}

}  // namespace

void reduce_strength(ir::Module& module) {
  for_each_function(module, [](ir::Function& function) { reduce_in(function.body); });
}

}  // namespace phalanx::passes
