#include "phalanx/infer/functions.h"

#include <algorithm>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/infer/conversion.h"
#include "phalanx/infer/op_column.h"

namespace phalanx::infer {
namespace {

constexpr std::array further_functions = {
#define FUNCTION(name, arity, op, overloads, small, compute) \
  Function{name, arity, op_column::op, Overloads::overloads, SmallFloats::small, Compute::compute},
#include "phalanx/infer/functions.def"
#undef FUNCTION
};

namespace typing_column {
using enum Overloads;
constexpr std::nullopt_t none = std::nullopt;
}  // namespace typing_column

// The columns of ops.def that make an operation a function.
struct OpFunction {
  std::string_view name;
  int arity;
  ir::Op op;
  std::optional<Overloads> typing;
};

// As Python calls it, where that is not as the operation.
constexpr std::string_view name_in_python(
    std::string_view python, std::string_view own, std::string_view full) {
  return python.empty() ? own : full;
}

constexpr std::array op_functions = {
// Parentheses would part the literals. NOLINTBEGIN(bugprone-macro-parentheses)
#define OP(                                                                                    \
    name, arity, rule, kinds, llvm, nv, sleef, ulp, python, module, typing, numpy, loops, doc) \
  OpFunction{                                                                                  \
      name_in_python(python, module #name, module python),                                     \
      arity,                                                                                   \
      ir::Op::name,                                                                            \
      typing_column::typing},
#include "phalanx/ir/ops.def"
#undef OP
    // NOLINTEND(bugprone-macro-parentheses)
};

constexpr Compute compute_of(Overloads overloads) {
  switch (overloads) {
    case Overloads::predicate:
      return Compute::real;
    case Overloads::ldexp:
      return Compute::declared;
    default:
      return Compute::result;
  }
}

constexpr bool is_typed(const OpFunction& row) { return row.typing.has_value(); }

constexpr auto function_table = [] {
  constexpr auto made = std::ranges::count_if(op_functions, is_typed);
  std::array<Function, made + further_functions.size()> table{};
  auto next = table.begin();
  for (const OpFunction& row : op_functions) {
    if (is_typed(row))
      *next++ = {
          row.name, row.arity, row.op, *row.typing, SmallFloats::no, compute_of(*row.typing)};
  }
  std::ranges::copy(further_functions, next);
  return table;
}();

// Adjacent operands fold in one direction only; Numba sorts by width first, so do we.
std::optional<Signature> unified(std::span<const DType> operands) {
  if (std::ranges::any_of(operands, is_complex))
    return std::nullopt;  // not ordered
  std::vector<ir::Type> types(operands.begin(), operands.end());
  const auto type = unify(types);
  if (!type)
    return std::nullopt;
  Signature signature{type->dtype()};
  std::ranges::copy(operands, signature.operands.begin());
  return signature;
}

// cuda.selp takes no narrower or other types than the instruction does.
std::optional<Signature> selected(std::span<const DType> operands) {
  const DType type = operands[1];
  const bool fits = (is_integer(type) || is_floating(type)) && size_of(type) > 1 &&
                    type != DType::float16 && type != DType::bfloat16;
  if (!fits || type != operands[2])
    return std::nullopt;
  return Signature{type, {operands[0], type, type}};
}

std::optional<Signature> paired(std::span<const DType> operands) {
  const auto takes = [](DType type) {
    return is_integer(type) || type == DType::float32 || type == DType::float64;
  };
  if (!std::ranges::all_of(operands, takes))
    return std::nullopt;
  const bool single = operands[0] == DType::float32 && operands[1] == DType::float32;
  return Signature{
      single ? DType::complex64 : DType::complex128, {operands[0], operands[1], operands[1]}};
}

bool is_small_float(DType dtype) { return dtype == DType::float16 || dtype == DType::bfloat16; }

// The small float type in which the function computes, if it does.
std::optional<DType> small_float(SmallFloats small, std::span<const DType> operands) {
  const auto found = std::ranges::find_if(operands, is_small_float);
  if (small == SmallFloats::no || found == operands.end())
    return std::nullopt;
  if (small == SmallFloats::half && *found != DType::float16)
    return std::nullopt;
  const auto fits = [&](DType type) { return conversion(type, *found) <= Conversion::safe; };
  if (!std::ranges::all_of(operands, fits))
    return std::nullopt;
  return *found;
}

std::optional<Signature> declared_signature(
    const Function& function, std::span<const DType> operands) {
  const auto small = small_float(function.small, operands);
  if (small) {
    const bool compares =
        function.overloads == Overloads::order || function.overloads == Overloads::equality;
    return Signature{compares ? DType::boolean : *small, {*small, *small, *small}};
  }
  switch (function.overloads) {
    case Overloads::unified:
      return unified(operands);
    case Overloads::select:
      return selected(operands);
    case Overloads::complex_pair:
      return paired(operands);
    default:
      return choose(function.overloads, operands);
  }
}

std::array<DType, 3> operation_operands(Compute compute, const Signature& signature) {
  std::array<DType, 3> operands = signature.operands;
  switch (compute) {
    case Compute::declared:
      break;
    case Compute::result:
      operands.fill(signature.result);
      break;
    case Compute::truth:
      operands.fill(DType::boolean);
      break;
    case Compute::real:
      std::ranges::replace_if(operands, is_integer, DType::float64);
      break;
  }
  return operands;
}

// What the IR operation yields for the operands it is given (see the head of ops.def).
DType yield_of(const Function& function, const Typing& typing) {
  if (!function.op)
    return typing.result;
  switch (ir::info(*function.op).rule) {
    case ir::Rule::compare:
    case ir::Rule::logical:
    case ir::Rule::predicate:
      return DType::boolean;
    case ir::Rule::select:
      return typing.operands[1];
    case ir::Rule::bits:
      return *function.op == ir::Op::reverse_bits ? typing.operands[0] : DType::int32;
    default:
      return typing.operands[0];
  }
}

std::optional<DType> second_result(Overloads overloads, DType result) {
  if (overloads == Overloads::frexp)
    return DType::int32;
  if (overloads == Overloads::modf || overloads == Overloads::divmod ||
      overloads == Overloads::complex_polar)
    return result;
  return std::nullopt;
}

}  // namespace

const Function* find_function(std::string_view name, int arity) {
  const auto found = std::ranges::find_if(function_table, [&](const Function& function) {
    return function.name == name && function.arity == arity;
  });
  return found == function_table.end() ? nullptr : &*found;
}

std::span<const Function> functions() { return function_table; }

std::optional<Typing> resolve(const Function& function, std::span<const DType> operands) {
  if (operands.size() != static_cast<std::size_t>(function.arity))
    return std::nullopt;
  const auto signature = declared_signature(function, operands);
  if (!signature)
    return std::nullopt;
  Typing typing;
  typing.declared = signature->operands;
  typing.result = signature->result;
  typing.operands = operation_operands(function.compute, *signature);
  if (function.overloads == Overloads::select)
    typing.operands[0] = DType::boolean;
  typing.yields = yield_of(function, typing);
  typing.second_result = second_result(function.overloads, typing.result);
  return typing;
}

std::optional<Typing> resolve(std::string_view function, std::span<const DType> operands) {
  const Function* found = find_function(function, static_cast<int>(operands.size()));
  return found == nullptr ? std::nullopt : resolve(*found, operands);
}

std::optional<Typing> resolve(ir::Op op, std::span<const DType> operands) {
  const auto found = std::ranges::find_if(
      function_table, [&](const Function& function) { return function.op == op; });
  return found == function_table.end() ? std::nullopt : resolve(*found, operands);
}

bool can_construct(DType to, DType from) { return !is_complex(from) || is_complex(to); }

}  // namespace phalanx::infer
