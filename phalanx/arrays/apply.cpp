#include "phalanx/arrays/apply.h"

#include <array>
#include <cmath>
#include <limits>
#include <span>
#include <stdexcept>
#include <utility>

#include "phalanx/arrays/times.h"
#include "phalanx/base/errors.h"
#include "phalanx/ir/op.h"

namespace phalanx::arrays {
namespace {

bool holds(DType dtype, std::int64_t value) {
  if (!is_integer(dtype))
    return true;
  const unsigned bits = bits_of(dtype);
  if (is_unsigned(dtype))
    return value >= 0 && (bits == 64 || value < std::int64_t{1} << bits);
  const std::int64_t limit =
      bits == 64 ? std::numeric_limits<std::int64_t>::max() : (std::int64_t{1} << (bits - 1)) - 1;
  return value >= -limit - 1 && value <= limit;
}

}  // namespace

void check_range(const ir::Constant& value, DType dtype) {
  const auto* integer = std::get_if<std::int64_t>(&value);
  if (integer != nullptr && !holds(dtype, *integer))
    throw std::overflow_error(
        "Python integer " + std::to_string(*integer) + " out of bounds for " +
        std::string(info(dtype).name));
}

namespace {

// The number as one of the type's kind.
ir::Constant converted(const ir::Constant& value, DType dtype) {
  check_range(value, dtype);
  const auto convert = [&](auto number) -> ir::Constant {
    if constexpr (std::is_same_v<decltype(number), std::complex<double>>)
      return number;
    else if (is_boolean(dtype))
      return number != 0;
    else if (is_integer(dtype))
      return static_cast<std::int64_t>(number);
    else if (is_floating(dtype))
      return static_cast<double>(number);
    else
      return std::complex<double>(static_cast<double>(number));
  };
  return std::visit(convert, value);
}

// The same of an int beyond int64.
ir::Constant converted(const LargeInteger& integer, DType dtype) {
  if (is_floating(dtype) || is_complex(dtype)) {
    if (std::isinf(integer.value))
      throw std::overflow_error("int too large to convert to float");
    return is_complex(dtype) ? ir::Constant(std::complex(integer.value))
                             : ir::Constant(integer.value);
  }
  if (dtype == DType::uint64 && integer.exact)
    return static_cast<std::int64_t>(*integer.exact);
  throw std::overflow_error(
      "Python integer " + integer.text + " out of bounds for " + std::string(info(dtype).name));
}

// How an int that is no value of the integer type is beyond it: 1 above, -1 below; else 0.
int side_beyond(const Operand& operand, DType dtype) {
  if (operand.node || !is_integer(dtype))
    return 0;
  if (operand.large) {
    if (dtype == DType::uint64 && operand.large->exact)
      return 0;
    return operand.large->value > 0 ? 1 : -1;
  }
  const auto* integer = std::get_if<std::int64_t>(&*operand.number);
  return integer == nullptr || holds(dtype, *integer) ? 0 : *integer > 0 ? 1 : -1;
}

bool holds_of_lesser(ir::Op comparison) {
  return comparison == ir::Op::less || comparison == ir::Op::less_equal ||
         comparison == ir::Op::not_equal;
}
bool holds_of_greater(ir::Op comparison) {
  return comparison == ir::Op::greater || comparison == ir::Op::greater_equal ||
         comparison == ir::Op::not_equal;
}

// A comparison of integers with an int that none of them can be: the answer is the same for all.
NodePtr compared_beyond(
    Graph& graph,
    const infer::Ufunc& ufunc,
    std::span<const Operand> operands,
    const Function& function) {
  if (!ufunc.op || ir::info(*ufunc.op).rule != ir::Rule::compare)
    return nullptr;
  for (const std::size_t i : {0U, 1U}) {
    const int side = side_beyond(operands[i], function.operands.at(i));
    if (side == 0)
      continue;
    const bool is_first_lesser = (side > 0) == (i == 1);
    const bool answer = is_first_lesser ? holds_of_lesser(*ufunc.op) : holds_of_greater(*ufunc.op);
    const NodePtr& other = operands[1 - i].node;
    return other ? graph.filled(answer, *other->shape) : graph.number(DType::boolean, answer);
  }
  return nullptr;
}

// NumPy's word on integers to negative powers, where the exponent is known.
void check_power(
    const infer::Ufunc& ufunc, std::span<const Operand> operands, const Function& function) {
  if (ufunc.op != ir::Op::power || operands[1].node || !is_integer(function.operands[0]))
    return;
  const auto* exponent = std::get_if<std::int64_t>(&*operands[1].number);
  if (exponent != nullptr && *exponent < 0)
    throw ValueError("Integers to negative integer powers are not allowed.");
}

std::string refused(const infer::Ufunc& ufunc, std::span<const Operand> operands) {
  std::string types;
  for (const Operand& operand : operands)
    types += (types.empty() ? "" : ", ") + std::string(info(operand.type.dtype).name);
  return "ufunc '" + std::string(ufunc.name) + "' is not supported for the input types (" + types +
         ")";
}

// x ** 2 and the like, as NumPy computes them: exactly, and without a logarithm. Null: as written.
const infer::Ufunc* power_of(std::span<const Operand> operands) {
  if (operands.size() != 2 || !operands[0].node || !operands[1].number ||
      is_boolean(operands[0].type.dtype))
    return nullptr;
  const auto* integer = std::get_if<std::int64_t>(&*operands[1].number);
  const auto* floating = std::get_if<double>(&*operands[1].number);
  const double exponent = integer != nullptr    ? static_cast<double>(*integer)
                          : floating != nullptr ? *floating
                                                : 0;
  static const infer::Ufunc& square = *infer::find_ufunc("square");
  static const infer::Ufunc& root = *infer::find_ufunc("sqrt");
  static const infer::Ufunc& reciprocal = *infer::find_ufunc("reciprocal");
  if (is_integer(operands[0].type.dtype))
    return integer != nullptr && exponent == 2 ? &square : nullptr;
  return exponent == 2 ? &square : exponent == 0.5 ? &root : exponent == -1 ? &reciprocal : nullptr;
}

}  // namespace

NodePtr apply(Graph& graph, const infer::Ufunc& ufunc, std::span<Operand> operands) {
  // The truth of a time is that of its count.
  if (has_time(operands) && !(ufunc.arity == 2 && ufunc.name.starts_with("logical_")))
    return apply_times(graph, ufunc, operands);
  if (ufunc.op == ir::Op::power && ufunc.name == "power") {
    if (const infer::Ufunc* simpler = power_of(operands))
      return apply(graph, *simpler, operands.first(1));
  }
  std::array<numpy::Operand, 3> types = {};
  std::array<NodePtr, 3> nodes = {};
  if (operands.size() != static_cast<std::size_t>(ufunc.arity))
    throw TypeError(
        std::string(ufunc.name) + " takes " + std::to_string(ufunc.arity) + " operands, not " +
        std::to_string(operands.size()));
  for (std::size_t i = 0; i < operands.size(); ++i) types.at(i) = operands[i].type;
  const Function* function = find_function(ufunc, std::span(types).first(operands.size()));
  if (function == nullptr)
    throw TypeError(refused(ufunc, operands));
  if (NodePtr known = compared_beyond(graph, ufunc, operands, *function))
    return known;
  check_power(ufunc, operands, *function);
  for (std::size_t i = 0; i < operands.size(); ++i) {
    const DType dtype = function->operands.at(i);
    if (operands[i].node)
      nodes.at(i) = std::move(operands[i].node);
    else
      nodes.at(i) = graph.number(
          dtype,
          operands[i].large ? converted(*operands[i].large, dtype)
                            : converted(*operands[i].number, dtype));
  }
  return graph.call(*function, std::span(nodes).first(operands.size()));
}

}  // namespace phalanx::arrays
