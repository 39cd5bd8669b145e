// From values to operations, and between types.
#include <cstring>

#include "phalanx/frontend/python/elements.h"
#include "phalanx/frontend/python/emitter.h"
#include "phalanx/frontend/python/lists.h"
#include "phalanx/frontend/python/times.h"
#include "phalanx/infer/conversion.h"
#include "phalanx/ir/build_memory.h"
#include "phalanx/ir/constants.h"

namespace phalanx::frontend::python {
namespace {

// The address is read from a constant of the module, so that no operation of its own is needed.
ir::Operation* captured_array(Emitter& emitter, const DeviceArrayEntity& array) {
  ir::ConstantArray holder;
  holder.element = ir::Type::pointer(array.type.element(), array.type.space());
  holder.shape = {1};
  holder.bytes.resize(sizeof array.address);
  std::memcpy(holder.bytes.data(), &array.address, sizeof array.address);
  const ArrayEntity constant = {
      .identity = array.identity,
      .array = std::make_shared<const ir::ConstantArray>(std::move(holder))};
  ir::Builder& builder = emitter.builder();
  ir::Operation* data = builder.array_load(emitter.materialize(constant), {builder.integer(0)});
  ir::Builder::Values shape;
  ir::Builder::Values strides;
  for (const std::int64_t extent : array.shape) shape.push_back(builder.integer(extent));
  if (array.type.layout() == ir::Layout::any) {
    for (const std::int64_t stride : array.strides) strides.push_back(builder.integer(stride));
  }
  return builder.array_make(array.type, data, shape, strides);
}

}  // namespace

ir::Operation* Emitter::materialize(const Value& value) {
  if (const auto* runtime = value.as<Runtime>())
    return runtime->operation;
  if (const auto* literal = value.as<Literal>())
    return builder_.constant(literal->dtype, literal->constant);
  if (const auto* array = value.as<ArrayEntity>())
    return ir::constant_array(builder_, session_->module(), session_->constant(*array));
  if (const auto* array = value.as<DeviceArrayEntity>())
    return captured_array(*this, *array);
  if (const auto* time = value.as<TimeEntity>())
    return builder_.vector_make(time->type, {builder_.integer(time->count)});
  if (const auto* lazy = value.as<LazyArray>())
    return computed(*this, *lazy);
  const auto* tuple = value.as<TupleValue>();
  const auto type = type_of(value);
  if (tuple == nullptr || !type)
    fail(describe(value) + " cannot be computed with or stored in a kernel");
  ir::Builder::Values elements;
  for (const Value& element : *tuple->elements) elements.push_back(materialize(element));
  return builder_.tuple_make(*type, std::move(elements));
}

bool Emitter::is_scalar(const Value& value) const {
  const auto type = type_of(value);
  return type && type->is_scalar();
}

DType Emitter::scalar_dtype(const Value& value, std::string_view what) const {
  const auto type = type_of(value);
  if (!type || !type->is_scalar())
    fail(std::string(what) + " must be a number, found " + describe(value));
  return type->dtype();
}

std::int64_t Emitter::required_integer(const Value& value, std::string_view what) const {
  const auto integer = known_integer(value);
  if (!integer)
    fail(
        std::string(what) + " must be an integer known at compile time, found " + describe(value),
        "Use a literal, a global or a closure variable (RequireLiteralValue).");
  return *integer;
}

std::optional<std::vector<Value>> Emitter::elements_of(const Value& value) {
  if (const auto* tuple = value.as<TupleValue>())
    return *tuple->elements;
  const auto* runtime = value.as<Runtime>();
  if (runtime == nullptr || !runtime->operation->type.is_tuple())
    return std::nullopt;
  std::vector<Value> elements;
  const auto& fields = runtime->operation->type.fields();
  for (std::size_t i = 0; i < fields.size(); ++i)
    elements.push_back(
        fields[i].type.is_none() ? none_value() : builder_.tuple_get(runtime->operation, i));
  return elements;
}

Value Emitter::cast(const Value& value, DType to) {
  const DType from = scalar_dtype(value, "the value");
  if (from == to)
    return value;
  if (const auto* literal = value.as<Literal>()) {
    if (const auto constant = ir::cast_constant(literal->constant, from, to))
      return Literal{to, *constant, literal->origin};
  }
  return builder_.cast(materialize(value), to);
}

namespace {

// The same view with strides of its own, or in another space.
ir::Operation* relaxed_array(ir::Builder& builder, ir::Operation* array, const ir::Type& to) {
  ir::Operation* data = builder.array_data(array);
  if (array->type.space() != to.space()) {
    const ir::Type pointer = ir::Type::pointer(to.element(), to.space());
    data = builder.pointer_offset(data, builder.integer(0), pointer);
  }
  ir::Builder::Values shape;
  ir::Builder::Values strides;
  for (unsigned dimension = 0; dimension < to.ndim(); ++dimension) {
    shape.push_back(builder.array_shape(array, dimension));
    if (to.layout() == ir::Layout::any)
      strides.push_back(builder.array_stride(array, dimension));
  }
  return builder.array_make(to, data, shape, strides);
}

}  // namespace

ir::Operation* Emitter::convert(const Value& value, const ir::Type& to, std::string_view what) {
  const auto from = type_of(value);
  if (from && *from == to && !to.is_none())
    return materialize(value);
  if (from && from->is_array() && to.is_array() && from->element() == to.element() &&
      from->ndim() == to.ndim() &&
      (to.layout() == ir::Layout::any || to.layout() == from->layout()))
    return relaxed_array(builder_, materialize(value), to);
  if (from && from->is_time() && to.is_time())
    return convert_time(*this, value, to);
  if (from && from->is_pointer() && to.is_pointer() && from->element() == to.element())
    return builder_.pointer_offset(materialize(value), builder_.integer(0), to);
  if (from && from->is_tuple() && to.is_tuple() && from->fields().size() == to.fields().size()) {
    const auto elements = *elements_of(value);
    ir::Builder::Values converted;
    for (std::size_t i = 0; i < elements.size(); ++i)
      converted.push_back(convert(elements[i], to.fields()[i].type, what));
    return builder_.tuple_make(to, std::move(converted));
  }
  if (!from || !from->is_scalar() || !to.is_scalar() ||
      infer::conversion(from->dtype(), to.dtype()) == infer::Conversion::none)
    fail(
        std::string(what) + " is " + describe(value) + ", which does not convert to " +
        describe(to));
  return materialize(cast(value, to.dtype()));
}

Value Emitter::truth(const Value& value) {
  if (const auto known = known_truth(value))
    return Literal{DType::boolean, *known, origin_of(value)};
  if (is_list(value))
    return compare(tree::Comparison::not_equal, list_length(*this, value), integer_literal(0));
  const auto type = type_of(value);
  if (!type || !type->is_scalar())
    fail(
        "the truth of " + describe(value) + " is not defined",
        "Compare it, or test one of its elements.");
  return cast(value, DType::boolean);
}

}  // namespace phalanx::frontend::python
