#include "phalanx/ir/builder.h"

#include "phalanx/base/errors.h"
#include "phalanx/ir/constants.h"
#include "phalanx/ir/typing.h"

namespace phalanx::ir {

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
  region_->push_back(std::move(operation));
  return *region_->back();
}

Operation& Builder::indexed(Op op, Type type, Values operands, std::size_t index) {
  Operation& operation = append(op, std::move(type), std::move(operands));
  operation.index = static_cast<std::int64_t>(index);
  return operation;
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
  return &indexed(Op::tuple_get, tuple->type.fields().at(element).type, {tuple}, element);
}

Builder::Value Builder::vector_make(Values elements) {
  Type type = Type::vector(elements.at(0)->type.dtype(), static_cast<unsigned>(elements.size()));
  return &append(Op::vector_make, std::move(type), std::move(elements));
}

Builder::Value Builder::vector_make(const Type& type, Values elements) {
  return &append(Op::vector_make, type, std::move(elements));
}

Builder::Value Builder::vector_get(Value vector, std::size_t element) {
  return &indexed(Op::vector_get, vector->type.dtype(), {vector}, element);
}

namespace {

Builder::Values joined(Builder::Value first, const Builder::Values& rest) {
  Builder::Values values = {first};
  values.insert(values.end(), rest.begin(), rest.end());
  return values;
}

}  // namespace

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
  return &indexed(Op::array_shape, DType::int64, {array}, dimension);
}
Builder::Value Builder::array_stride(Value array, std::size_t dimension) {
  return &indexed(Op::array_stride, DType::int64, {array}, dimension);
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

Builder::Value Builder::array_of(
    Op op, Type element, std::vector<std::int64_t> shape, Space space) {
  const auto ndim = static_cast<unsigned>(shape.size());
  Operation& operation =
      append(op, Type::array(std::move(element), ndim, Layout::c, space, space != Space::constant));
  operation.shape = std::move(shape);
  return &operation;
}

Builder::Value Builder::shared_array(Type element, std::vector<std::int64_t> shape) {
  return array_of(Op::shared_array, std::move(element), std::move(shape), Space::shared);
}
Builder::Value Builder::dynamic_shared_array(Type element) {
  return &append(
      Op::dynamic_shared_array, Type::array(std::move(element), 1, Layout::c, Space::shared));
}
Builder::Value Builder::sized_shared_array(Type element, Values extents) {
  const auto ndim = static_cast<unsigned>(extents.size());
  return &append(
      Op::sized_shared_array,
      Type::array(std::move(element), ndim, Layout::c, Space::shared),
      std::move(extents));
}
Builder::Value Builder::local_array(Type element, std::vector<std::int64_t> shape) {
  return array_of(Op::local_array, std::move(element), std::move(shape), Space::local);
}
Builder::Value Builder::constant_array(const Module& module, std::size_t index) {
  const ConstantArray& array = module.constants.at(index);
  const auto ndim = static_cast<unsigned>(array.shape.size());
  Type type = Type::array(array.element, ndim, Layout::c, Space::constant, false);
  return &indexed(Op::constant_array, std::move(type), {}, index);
}

Builder::Value Builder::load(Value pointer) {
  return &append(Op::load, pointer->type.element(), {pointer});
}
void Builder::store(Value pointer, Value value) { append(Op::store, {}, {pointer, value}); }
Builder::Value Builder::hinted_load(CacheOperator cache, Value pointer) {
  Operation& operation = append(Op::hinted_load, pointer->type.element(), {pointer});
  operation.detail = cache;
  return &operation;
}
void Builder::hinted_store(CacheOperator cache, Value pointer, Value value) {
  append(Op::hinted_store, {}, {pointer, value}).detail = cache;
}
Builder::Value Builder::pointer_offset(Value pointer, Value bytes, Type to) {
  return &append(Op::pointer_offset, std::move(to), {pointer, bytes});
}
Builder::Value Builder::pointer_field(Value pointer, std::size_t field) {
  const Type& record = pointer->type.element();
  Type type = Type::pointer(record.fields().at(field).type, pointer->type.space());
  return &indexed(Op::pointer_field, std::move(type), {pointer}, field);
}
Builder::Value Builder::allocate(Value bytes, bool is_zeroed) {
  Operation& operation = append(Op::allocate, Type::pointer(DType::uint8, Space::global), {bytes});
  operation.index = is_zeroed ? 1 : 0;
  return &operation;
}

Builder::Value Builder::atomic(Atomic kind, Value pointer, Value value) {
  Operation& operation = append(Op::atomic, pointer->type.element(), {pointer, value});
  operation.detail = kind;
  return &operation;
}
Builder::Value Builder::atomic_cas(Value pointer, Value expected, Value desired) {
  return &append(Op::atomic_cas, pointer->type.element(), {pointer, expected, desired});
}

Builder::Value Builder::thread_query(Op op, unsigned dimension) {
  return &indexed(op, DType::int32, {}, dimension);
}
Builder::Value Builder::block_vote(BlockVote kind, Value predicate) {
  Operation& operation =
      append(Op::block_vote, kind == BlockVote::count ? DType::int32 : DType::boolean, {predicate});
  operation.detail = kind;
  return &operation;
}
void Builder::fence(FenceScope scope) { append(Op::fence).detail = scope; }
Builder::Value Builder::vote(Vote kind, Value mask, Value predicate) {
  const DType result = kind == Vote::ballot ? DType::int32 : DType::boolean;
  Operation& operation = append(Op::vote, result, {mask, predicate});
  operation.detail = kind;
  return &operation;
}
Builder::Value Builder::shuffle(Shuffle kind, Value mask, Value value, Value lane) {
  Operation& operation = append(Op::shuffle, value->type, {mask, value, lane});
  operation.detail = kind;
  return &operation;
}
Builder::Value Builder::match(Match kind, Value mask, Value value) {
  Operation& operation = append(Op::match, DType::int32, {mask, value});
  operation.detail = kind;
  return &operation;
}

Builder::Value Builder::call(Function& callee, Values arguments) {
  Operation& operation = append(Op::call, callee.result, std::move(arguments));
  operation.callee = &callee;
  return &operation;
}
void Builder::parallel(Function& body, Value chunks, Value size, const Values& arguments) {
  append(Op::parallel, {}, joined(chunks, joined(size, arguments))).callee = &body;
}
Builder::Value Builder::parallel_lanes(Function& body) {
  Operation& operation = append(Op::parallel_lanes, DType::int64);
  operation.callee = &body;
  return &operation;
}
Builder::Value Builder::library(std::string_view name, Type result, Values arguments) {
  Operation& operation = append(Op::library, std::move(result), std::move(arguments));
  operation.text = name;
  return &operation;
}
void Builder::print(std::string format, Values values) {
  append(Op::print, {}, std::move(values)).text = std::move(format);
}
void Builder::raise(Raise raise) { append(Op::raise).detail = std::move(raise); }
void Builder::report_if(Operation* condition, Report report) {
  append(Op::report_if, {}, {condition}).detail = std::move(report);
}

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
void Builder::return_() { append(Op::return_); }
void Builder::return_(Value value) { append(Op::return_, {}, {value}); }

}  // namespace phalanx::ir
