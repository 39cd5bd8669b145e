#include "phalanx/frontend/python/ufuncs.h"

#include <algorithm>

#include "phalanx/frontend/python/elements.h"
#include "phalanx/frontend/python/views.h"
#include "phalanx/infer/conversion.h"
#include "phalanx/numpy/promotion.h"
#include "phalanx/numpy/ufuncs.h"

namespace phalanx::frontend::python {
namespace {

using Operands = std::vector<Value>;

std::optional<Value> on_numbers(
    Emitter& emitter, const infer::Ufunc& ufunc, const Operands& operands) {
  std::vector<DType> dtypes;
  for (const Value& operand : operands) {
    if (!emitter.is_scalar(operand))
      return std::nullopt;
    dtypes.push_back(type_of(operand)->dtype());
  }
  const auto typing = infer::resolve(ufunc, dtypes);
  if (!typing)
    return std::nullopt;
  if (numpy::is_one_operation(ufunc, typing->operands[0]))
    return emitter.elementwise(*ufunc.op, *typing, operands);
  bool are_literals = true;
  ir::Builder::Values numbers;
  for (const Value& operand : operands) {
    are_literals &= operand.is<Literal>();
    numbers.push_back(emitter.materialize(emitter.cast(operand, typing->operands[0])));
  }
  const auto value = numpy::ufunc(emitter.builder(), ufunc, *typing, numbers);
  if (!value)
    return std::nullopt;
  if (are_literals && (*value)->op == ir::Op::constant)
    return Literal{typing->result, (*value)->constant, Origin::computed};
  return Value(*value);
}

// The operands without the output array, which may be given by name or as the last argument.
struct Operation {
  Operands operands;
  std::optional<Value> output;
};

Operation take_apart(Emitter& emitter, const infer::Ufunc& ufunc, const Call& call) {
  Operation operation = {.operands = call.arguments, .output = {}};
  for (const auto& [name, value] : call.keywords) {
    if (name != "out")
      emitter.fail(
          "numpy." + std::string(ufunc.name) + " has no parameter " + name + " in a kernel");
    operation.output = value;
  }
  if (!operation.output && call.arguments.size() == static_cast<std::size_t>(ufunc.arity) + 1) {
    operation.output = operation.operands.back();
    operation.operands.pop_back();
  }
  if (operation.output && !is_array(*operation.output))
    emitter.fail("the output must be an array, found " + describe(*operation.output));
  return operation;
}

}  // namespace

Value where(Emitter& emitter, const std::vector<Value>& arguments) {
  std::vector<DType> dtypes;
  for (const Value& value : arguments) {
    const auto type = type_of(value);
    const ir::Type element = type && type->is_array() ? type->element() : type.value_or(ir::Type());
    if (!element.is_scalar())
      emitter.fail("numpy.where takes numbers and arrays of them, found " + describe(value));
    dtypes.push_back(element.dtype());
  }
  const DType result = infer::promoted(dtypes[1], dtypes[2]);
  const auto choose = [result](Emitter& inner, const std::vector<Value>& x) {
    return inner.select(inner.truth(x[0]), inner.cast(x[1], result), inner.cast(x[2], result));
  };
  if (std::ranges::none_of(arguments, is_array))
    return choose(emitter, arguments);
  if (!emitter.session().options().is_function)
    emitter.fail("arrays cannot be made in a kernel", "Loop over the elements.");
  return lazy_array(emitter, result, arguments, choose);
}

std::optional<Value> Emitter::element_function(
    std::string_view name, const std::vector<Value>& operands) {
  const infer::Ufunc* ufunc = infer::find_ufunc(name);
  return ufunc == nullptr ? std::nullopt : on_numbers(*this, *ufunc, operands);
}

std::optional<DType> Emitter::element_type(
    std::string_view name, std::span<const DType> operands) const {
  const infer::Ufunc* ufunc = infer::find_ufunc(name);
  const auto typing = ufunc == nullptr ? std::nullopt : infer::resolve(*ufunc, operands);
  return typing ? std::optional(typing->result) : std::nullopt;
}

namespace {

// As NumPy: an output array that cannot hold the results is refused.
void check_output(
    Emitter& emitter, const infer::Ufunc& ufunc, const Operands& operands, const Value& output) {
  std::vector<DType> dtypes;
  for (const Value& operand : operands) {
    const auto type = type_of(operand);
    const ir::Type element = type && type->is_array() ? type->element() : type.value_or(ir::Type());
    if (!element.is_scalar())
      return;  // refused with its type later
    dtypes.push_back(element.dtype());
  }
  const auto typing = infer::resolve(ufunc, dtypes);
  const ir::Type element = type_of(output)->element();
  if (!typing || !element.is_scalar() ||
      numpy::can_cast(typing->result, element.dtype(), numpy::Casting::same_kind))
    return;
  emitter.fail(
      "numpy." + std::string(ufunc.name) + " gives " + describe(ir::Type(typing->result)) +
          ", which an output of " + describe(element) + " does not hold",
      "Give an output array of that type, or convert with out[:] = ...");
}

}  // namespace

std::optional<Value> call_ufunc(Emitter& emitter, std::string_view name, const Call& call) {
  const infer::Ufunc* ufunc = infer::find_ufunc(name);
  if (ufunc == nullptr)
    return std::nullopt;
  const Operation operation = take_apart(emitter, *ufunc, call);
  if (!operation.output) {
    if (auto array = array_operator(emitter, name, operation.operands))
      return array;
    const bool is_array_call = std::ranges::any_of(operation.operands, is_array);
    if (is_array_call && emitter.session().options().is_function)
      return std::nullopt;
    if (is_array_call)
      emitter.fail(
          "arrays cannot be made in a kernel",
          "Give numpy." + std::string(name) + " an output array, or loop over the elements.");
    return on_numbers(emitter, *ufunc, operation.operands);
  }
  check_output(emitter, *ufunc, operation.operands, *operation.output);
  bool is_taken = true;
  ir::Operation* output = emitter.materialize(*operation.output);
  for_each_element(emitter, output, operation.operands, [&](ir::Operation* pointer, Operands x) {
    const auto value = on_numbers(emitter, *ufunc, x);
    is_taken = value.has_value();
    if (is_taken)
      emitter.store(pointer, *value);
  });
  return is_taken ? std::optional<Value>(output) : std::nullopt;
}

}  // namespace phalanx::frontend::python
