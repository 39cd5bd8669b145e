#include "phalanx/frontend/python/cmath.h"

#include "phalanx/numpy/complex_math.h"

namespace phalanx::frontend::python {
namespace {

using ir::Op;
using numpy::Arithmetic;

// The number of that length and angle.
ir::Operation* rect(Emitter& emitter, DType result, const std::vector<Value>& operands) {
  const Arithmetic in(emitter.builder(), real_part_of(result));
  ir::Operation* radius = emitter.materialize(emitter.cast(operands[0], in.dtype()));
  ir::Operation* angle = emitter.materialize(emitter.cast(operands[1], in.dtype()));
  return in.builder().complex_make(
      in(Op::multiply, radius, in(Op::cos, angle)), in(Op::multiply, radius, in(Op::sin, angle)));
}

ir::Operation* logarithm_to_base(ir::Builder& builder, ir::Operation* z, ir::Operation* base) {
  return builder.elementwise(
      Op::true_divide, {builder.elementwise(Op::log, {z}), builder.elementwise(Op::log, {base})});
}

std::optional<Value> of_numbers(
    ir::Builder& builder, std::string_view name, const ir::Builder::Values& z) {
  if (name == "log" && z.size() == 2)
    return logarithm_to_base(builder, z[0], z[1]);
  if (name != "phase" && name != "polar") {
    const auto value = numpy::complex_function(builder, name, z);
    return value ? std::optional<Value>(*value) : std::nullopt;
  }
  const Arithmetic in(builder, real_part_of(z[0]->type.dtype()));
  ir::Operation* re = builder.complex_real(z[0]);
  ir::Operation* im = builder.complex_imag(z[0]);
  const Value angle = in(Op::arctan2, im, re);
  return name == "phase" ? angle : tuple_value({in(Op::hypot, re, im), angle});
}

}  // namespace

std::optional<Value> call_cmath(
    Emitter& emitter, std::string_view name, const std::vector<Value>& operands) {
  std::vector<DType> dtypes;
  for (const Value& operand : operands) {
    if (!emitter.is_scalar(operand))
      return std::nullopt;
    dtypes.push_back(type_of(operand)->dtype());
  }
  const auto typing = infer::resolve("cmath." + std::string(name), dtypes);
  if (!typing)
    return std::nullopt;
  if (name == "rect")
    return rect(emitter, typing->result, operands);
  ir::Builder::Values numbers;
  for (std::size_t i = 0; i < operands.size(); ++i)
    numbers.push_back(emitter.materialize(emitter.cast(operands[i], typing->declared.at(i))));
  return of_numbers(emitter.builder(), name, numbers);
}

}  // namespace phalanx::frontend::python
