#include "phalanx/passes/multiples.h"

#include <bit>

namespace phalanx::passes {

using ir::Op;
using ir::Operation;

namespace {

const std::int64_t* integer_of(const Operation& operation) {
  return operation.op == Op::constant ? std::get_if<std::int64_t>(&operation.constant) : nullptr;
}

// What a product's or a shift's second operand multiplies by; 0: it is not known.
std::int64_t factor_of(const Operation& operation) {
  if (operation.op != Op::multiply && operation.op != Op::left_shift)
    return 0;
  const std::int64_t* number = integer_of(*operation.operands[1]);
  if (number == nullptr || operation.op == Op::multiply)
    return number == nullptr ? 0 : *number;
  return *number >= 0 && *number < 62 ? std::int64_t{1} << static_cast<unsigned>(*number) : 0;
}

bool is_sum(Op op) { return op == Op::add || op == Op::subtract; }

}  // namespace

bool is_multiple(const Operation& number, std::int64_t power) {
  if (power == 1)
    return true;
  if (const std::int64_t* value = integer_of(number))
    return *value % power == 0;
  if (number.type != ir::Type(DType::int64))
    return false;
  if (is_sum(number.op))
    return is_multiple(*number.operands[0], power) && is_multiple(*number.operands[1], power);
  if (number.op == Op::negative)
    return is_multiple(*number.operands[0], power);
  const std::int64_t factor = factor_of(number);
  return factor != 0 && (factor % power == 0 || is_multiple(*number.operands[0], power));
}

Operation* quotient(ir::Builder& builder, Operation* number, std::int64_t power) {
  if (power == 1)
    return number;
  if (const std::int64_t* value = integer_of(*number))
    return builder.integer(*value / power);
  if (is_sum(number->op)) {
    Operation* one = quotient(builder, number->operands[0], power);
    return builder.elementwise(number->op, {one, quotient(builder, number->operands[1], power)});
  }
  if (number->op == Op::negative)
    return builder.elementwise(Op::negative, {quotient(builder, number->operands[0], power)});
  const std::int64_t factor = factor_of(*number);
  if (factor != 0 && factor % power == 0) {
    Operation* times = builder.integer(factor / power);
    return factor == power ? number->operands[0]
                           : builder.elementwise(Op::multiply, {number->operands[0], times});
  }
  const auto bits = std::countr_zero(static_cast<std::uint64_t>(power));
  return builder.elementwise(Op::right_shift, {number, builder.integer(bits)});
}

}  // namespace phalanx::passes
