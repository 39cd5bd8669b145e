#include "phalanx/numpy/arithmetic.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "phalanx/ir/constants.h"

namespace phalanx::numpy {
namespace {

bool is_constant(Value value) { return value->op == ir::Op::constant; }

std::optional<bool> known(Value condition) {
  return is_constant(condition) ? std::optional(std::get<bool>(condition->constant)) : std::nullopt;
}

}  // namespace

Value Arithmetic::number(double value) const {
  return builder_->cast(builder_->constant(DType::float64, value), dtype_);
}

Value Arithmetic::integer(std::int64_t value) const {
  return builder_->cast(builder_->integer(value), dtype_);
}

Value Arithmetic::emit(ir::Op op, Values operands) const {
  if (std::ranges::all_of(operands, is_constant)) {
    const DType dtype = operands.back()->type.dtype();
    std::vector<ir::Constant> constants;
    for (const Value operand : operands) constants.push_back(operand->constant);
    if (const auto folded = ir::fold(op, dtype, constants)) {
      const bool gives_truth =
          ir::info(op).rule == ir::Rule::compare || ir::info(op).rule == ir::Rule::predicate;
      return builder_->constant(gives_truth ? DType::boolean : dtype, *folded);
    }
  }
  return builder_->elementwise(op, std::move(operands));
}

Value Arithmetic::truth(Value number) const { return builder_->cast(number, DType::boolean); }

Value Arithmetic::select(Value condition, Value then, Value otherwise) const {
  if (const auto is_true = known(condition))
    return *is_true ? then : otherwise;
  return emit(ir::Op::select, {condition, then, otherwise});
}

Value Arithmetic::both(Value a, Value b) const {
  if (const auto is_true = known(a))
    return *is_true ? b : a;
  if (const auto is_true = known(b))
    return *is_true ? a : b;
  return emit(ir::Op::bitwise_and, {a, b});
}

Value Arithmetic::either(Value a, Value b) const {
  if (const auto is_true = known(a))
    return *is_true ? a : b;
  if (const auto is_true = known(b))
    return *is_true ? b : a;
  return emit(ir::Op::bitwise_or, {a, b});
}

Value Arithmetic::negation(Value condition) const { return emit(ir::Op::logical_not, {condition}); }

}  // namespace phalanx::numpy
