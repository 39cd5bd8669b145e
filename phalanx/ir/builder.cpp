#include "phalanx/ir/builder.h"

#include "phalanx/base/errors.h"
#include "phalanx/ir/constants.h"
#include "phalanx/ir/typing.h"

namespace phalanx::ir {

namespace {

Operation& indexed(
    Builder& builder, Op op, Type type, Builder::Values operands, std::size_t index) {
  Operation& operation = builder.append(op, std::move(type), std::move(operands));
  operation.index = static_cast<std::int64_t>(index);
  return operation;
}

Builder::Values joined(Builder::Value first, const Builder::Values& rest) {
  Builder::Values values = {first};
  values.insert(values.end(), rest.begin(), rest.end());
  return values;
}

}  // namespace

Function& add_function(
    Module& module,
    std::string name,
    FunctionKind kind,
    std::vector<Parameter> parameters,
    Type result,
    std::shared_ptr<const SourceFile> source) {
  auto function = std::make_unique<Function>();
  function->name = std::move(name);
  function->kind = kind;
  function->result = std::move(result);
  function->source = std::move(source);
  for (Parameter& parameter : parameters) {
    auto operation = std::make_unique<Operation>();
    operation->op = Op::parameter;
    operation->type = std::move(parameter.type);
    operation->name = std::move(parameter.name);
    operation->index = static_cast<std::int64_t>(function->parameters.size());
    function->parameters.push_back(std::move(operation));
  }
  module.functions.push_back(std::move(function));
  return *module.functions.back();
}

Operation& Builder::append(Op op, Type type, Values operands) {
  auto operation = std::make_unique<Operation>();
  operation->op = op;
  operation->type = std::move(type);
  operation->operands = std::move(operands);
  operation->location = location_;
  if (is_elementwise(op))
    operation->fast_math = fast_math_;
  Operation& made = *operation;
  if (position_ == region_end)
    region_->push_back(std::move(operation));
  else
    region_->insert(
        region_->begin() + static_cast<std::ptrdiff_t>(position_++), std::move(operation));
  return made;
}

Builder::Value Builder::parameter(std::size_t position) const {
  return function_->parameters.at(position).get();
}

Builder::Value Builder::constant(DType dtype, const Constant& value) {
  Operation& operation = append(Op::constant, dtype);
  operation.constant = normalized(value, dtype);
  return &operation;
}

Builder::Value Builder::elementwise(Op op, Values operands) {
  PHX_ASSERT(operands.size() == static_cast<std::size_t>(info(op).arity));
  Type type = result_type(op, operands);
  return &append(op, std::move(type), std::move(operands));
}

Builder::Value Builder::cast(Value value, DType to) {
  if (value->type == Type(to))
    return value;
  if (value->op == Op::constant) {
    if (const auto folded = cast_constant(value->constant, value->type.dtype(), to))
      return constant(to, *folded);
  }
  return &append(Op::cast, to, {value});
}

Builder::Value Builder::complex_make(Value real, Value imaginary) {
  const bool is_wide = real->type == Type(DType::float64);
  return &append(
      Op::complex_make, is_wide ? DType::complex128 : DType::complex64, {real, imaginary});
}
Builder::Value Builder::complex_real(Value number) {
  return &append(Op::complex_real, real_part_of(number->type.dtype()), {number});
}
Builder::Value Builder::complex_imag(Value number) {
  return &append(Op::complex_imag, real_part_of(number->type.dtype()), {number});
}

VariableId Builder::variable(std::string name, Type type) {
  function_->variables.push_back({.name = std::move(name), .type = std::move(type)});
  return static_cast<VariableId>(function_->variables.size() - 1);
}

Builder::Value Builder::get(VariableId variable) {
  Operation& operation = append(Op::get, function_->variables.at(variable).type);
  operation.variable = variable;
  return &operation;
}

void Builder::set(VariableId variable, Value value) {
  append(Op::set, {}, {value}).variable = variable;
}

Builder::Value Builder::tuple_make(Values elements) {
  std::vector<Type> types;
  types.reserve(elements.size());
  for (const Operation* element : elements) types.push_back(element->type);
  return tuple_make(Type::tuple(std::move(types)), std::move(elements));
}

Builder::Value Builder::tuple_get(Value tuple, std::size_t element) {
  if (tuple->op == Op::tuple_make)
    return tuple->operands.at(element);
  return &indexed(*this, Op::tuple_get, tuple->type.fields().at(element).type, {tuple}, element);
}

Builder::Value Builder::vector_make(const Type& type, Values elements) {
  return &append(Op::vector_make, type, std::move(elements));
}

Builder::Value Builder::vector_get(Value vector, std::size_t element) {
  return &indexed(*this, Op::vector_get, vector->type.dtype(), {vector}, element);
}

Builder::Value Builder::array_make(
    Type type, Value data, const Values& shape, const Values& strides) {
  Values operands = joined(data, shape);
  operands.insert(operands.end(), strides.begin(), strides.end());
  return &append(Op::array_make, std::move(type), std::move(operands));
}

Builder::Value Builder::array_data(Value array) {
  return &append(
      Op::array_data, Type::pointer(array->type.element(), array->type.space()), {array});
}
Builder::Value Builder::array_shape(Value array, std::size_t dimension) {
  return &indexed(*this, Op::array_shape, DType::int64, {array}, dimension);
}
Builder::Value Builder::array_stride(Value array, std::size_t dimension) {
  return &indexed(*this, Op::array_stride, DType::int64, {array}, dimension);
}
Builder::Value Builder::array_element(Value array, const Values& indices) {
  Type type = Type::pointer(array->type.element(), array->type.space());
  return &append(Op::array_element, std::move(type), joined(array, indices));
}
Builder::Value Builder::array_load(Value array, const Values& indices) {
  return &append(Op::array_load, array->type.element(), joined(array, indices));
}
void Builder::array_store(Value array, const Values& indices, Value value) {
  Values operands = joined(array, indices);
  operands.push_back(value);
  append(Op::array_store, {}, std::move(operands));
}
Builder::Value Builder::wrap_index(Value index, Value extent) {
  return &append(Op::wrap_index, DType::int64, {index, extent});
}

Builder::Value Builder::load(Value pointer) {
  return &append(Op::load, pointer->type.element(), {pointer});
}
void Builder::store(Value pointer, Value value) { append(Op::store, {}, {pointer, value}); }
Builder::Value Builder::pointer_offset(Value pointer, Value bytes, Type to) {
  return &append(Op::pointer_offset, std::move(to), {pointer, bytes});
}
Builder::Value Builder::pointer_field(Value pointer, std::size_t field) {
  const Type& record = pointer->type.element();
  Type type = Type::pointer(record.fields().at(field).type, pointer->type.space());
  return &indexed(*this, Op::pointer_field, std::move(type), {pointer}, field);
}
Builder::Value Builder::allocate(Value bytes, bool is_zeroed) {
  Operation& operation = append(Op::allocate, Type::pointer(DType::uint8, Space::global), {bytes});
  operation.index = is_zeroed ? 1 : 0;
  return &operation;
}

Builder::Value Builder::call(Function& callee, Values arguments) {
  Operation& operation = append(Op::call, callee.result, std::move(arguments));
  operation.callee = &callee;
  return &operation;
}
void Builder::raise(Raise raise) { append(Op::raise).detail = std::move(raise); }
Builder::Branches Builder::if_(Value condition) {
  Operation& operation = append(Op::if_, {}, {condition});
  operation.regions.resize(2);
  return {.then = operation.regions[0], .otherwise = operation.regions[1]};
}
Builder::Loop Builder::loop() {
  Operation& operation = append(Op::loop);
  operation.regions.resize(2);
  return {.body = operation.regions[0], .step = operation.regions[1]};
}
Region& Builder::block() {
  Operation& operation = append(Op::block);
  operation.regions.resize(1);
  return operation.regions[0];
}
void Builder::break_(std::int64_t levels) { append(Op::break_).index = levels; }
void Builder::continue_(std::int64_t levels) { append(Op::continue_).index = levels; }
void Builder::return_(Value value) {
  append(Op::return_, {}, value == nullptr ? Values() : Values{value});
}

Operation& append_copy(Builder& builder, const Operation& original, Builder::Values operands) {
  Operation& copy = builder.append(original.op, original.type, std::move(operands));
  copy.location = original.location;
  copy.constant = original.constant;
  copy.index = original.index;
  copy.variable = original.variable;
  copy.detail = original.detail;
  copy.text = original.text;
  copy.shape = original.shape;
  copy.callee = original.callee;
  copy.regions.resize(original.regions.size());
  copy.fast_math = original.fast_math;
  copy.no_wrap = original.no_wrap;
  copy.name = original.name;
  return copy;
}

}  // namespace phalanx::ir
