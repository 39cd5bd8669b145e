// Elements of arrays, tuples and records: reading, writing, and pointers to them.
#include <algorithm>

#include "phalanx/frontend/python/elements.h"
#include "phalanx/frontend/python/emitter.h"
#include "phalanx/frontend/python/flat.h"
#include "phalanx/frontend/python/lists.h"
#include "phalanx/frontend/python/records.h"
#include "phalanx/frontend/python/views.h"
#include "phalanx/ir/typing.h"

namespace phalanx::frontend::python {
namespace {

bool is_pointer(const Value& value) {
  const auto type = type_of(value);
  return type && type->is_pointer() && !type->element().is_record();
}

}  // namespace

Value Emitter::extent(const Value& array, unsigned dimension) {
  ir::Operation* operation = materialize(array);
  switch (operation->op) {
    case ir::Op::shared_array:
    case ir::Op::local_array:
      return integer_literal(operation->shape.at(dimension));
    case ir::Op::sized_shared_array:
      return operation->operands.at(dimension);
    case ir::Op::constant_array: {
      const auto& constants = session_->module().constants;
      return integer_literal(
          constants.at(static_cast<std::size_t>(operation->index)).shape.at(dimension));
    }
    case ir::Op::array_make: {
      ir::Operation* known = operation->operands.at(1 + dimension);
      if (known->op == ir::Op::constant)
        return Literal{DType::int64, known->constant};
      return known;
    }
    default:
      return builder_.array_shape(operation, dimension);
  }
}

// A negative index counts from the end; one of an unsigned type never is negative.
ir::Operation* Emitter::wrapped_index(const Value& index, const std::function<Value()>& extent) {
  const DType dtype = scalar_dtype(index, "an array index");
  if (!is_integer(dtype))
    fail(
        "an array index must be an integer, found " + describe(index), "Write int(...) around it.");
  if (const auto known = known_integer(index)) {
    if (*known >= 0 || is_unsigned(dtype))
      return builder_.integer(*known);
    return builder_.wrap_index(builder_.integer(*known), materialize(extent()));
  }
  ir::Operation* wide = materialize(cast(index, DType::int64));
  return is_unsigned(dtype) ? wide : builder_.wrap_index(wide, materialize(extent()));
}

namespace {

std::vector<ir::Operation*> checked_indices(
    Emitter& emitter, ir::Operation* array, const std::vector<Value>& parts) {
  std::vector<ir::Operation*> indices;
  for (std::size_t i = 0; i < parts.size(); ++i)
    indices.push_back(emitter.wrapped_index(
        parts[i], [&] { return emitter.extent(array, static_cast<unsigned>(i)); }));
  const Options& options = emitter.session().options();
  for (std::size_t i = 0; i < parts.size() && options.is_function && options.checks_bounds; ++i) {
    // Below 0 is beyond every extent when seen as unsigned.
    const Value position = emitter.cast(indices[i], DType::uint64);
    const Value end = emitter.cast(emitter.extent(array, static_cast<unsigned>(i)), DType::uint64);
    emitter.raise_where(
        emitter.compare(tree::Comparison::greater_equal, position, end),
        "IndexError",
        "index is out of bounds");
  }
  return indices;
}

}  // namespace

Value Emitter::load(ir::Operation* pointer) {
  // A record is used where it lies.
  return pointer->type.element().is_record() ? Value(pointer) : Value(builder_.load(pointer));
}

void Emitter::store(ir::Operation* pointer, const Value& value) {
  const ir::Type& element = pointer->type.element();
  if (element.is_record()) {
    set_record(*this, pointer, value);
    return;
  }
  builder_.store(pointer, convert(value, element));
}

namespace {

bool takes_computed_index(const ir::Type& element) {
  if (element.is_tuple())
    return std::ranges::all_of(
        element.fields(), [](const ir::Field& field) { return takes_computed_index(field.type); });
  return element.is_scalar() || element.is_array();
}

// The one of several values of one type at a position.
Value element_at(Emitter& emitter, const std::vector<Value>& values, ir::Operation* position) {
  ir::Builder& builder = emitter.builder();
  const ir::Type type = type_of(values.front()).value();
  if (type.is_tuple()) {
    std::vector<std::vector<Value>> rows;
    for (const Value& value : values) rows.push_back(emitter.elements_of(value).value());
    std::vector<ir::Operation*> elements;
    for (std::size_t field = 0; field < type.fields().size(); ++field) {
      std::vector<Value> column;
      for (const auto& row : rows) column.push_back(row[field]);
      elements.push_back(emitter.materialize(element_at(emitter, column, position)));
    }
    return builder.tuple_make(type, std::move(elements));
  }
  std::vector<ir::Operation*> operations;
  for (const Value& value : values) operations.push_back(emitter.materialize(value));
  const auto is_at = [&](std::size_t i) {
    return builder.elementwise(
        ir::Op::equal, {position, builder.integer(static_cast<std::int64_t>(i))});
  };
  ir::Operation* chosen = operations.back();
  if (type.is_scalar()) {
    for (std::size_t i = values.size() - 1; i-- > 0;)
      chosen = builder.elementwise(ir::Op::select, {is_at(i), operations[i], chosen});
    return chosen;
  }
  const ir::VariableId element = builder.variable("element", type);
  builder.set(element, chosen);
  for (std::size_t i = 0; i + 1 < values.size(); ++i) {
    const ir::Builder::Branches branches = builder.if_(is_at(i));
    const auto inside = builder.enter(branches.then);
    builder.set(element, operations[i]);
  }
  return builder.get(element);
}

// Functions raise always, as in Numba; kernels where they keep exceptions, and in check mode they
// report it. Below 0 is beyond the end when seen as unsigned.
void check_tuple_index(Emitter& emitter, ir::Operation* position, std::int64_t count) {
  const Options& options = emitter.session().options();
  const bool raises = options.is_function || options.debug;
  if (!raises && !options.checks_bounds)
    return;
  const Value is_outside = emitter.compare(
      tree::Comparison::greater_equal,
      emitter.cast(position, DType::uint64),
      emitter.cast(integer_literal(count), DType::uint64));
  if (raises) {
    emitter.raise_where(is_outside, "IndexError", "tuple index out of range");
    return;
  }
  emitter.builder()
      .append(
          ir::Op::report_if,
          {},
          {emitter.materialize(is_outside), position, emitter.builder().integer(count)})
      .detail = Report{.check = Check::bounds, .verb = Verb::read, .subject = "a tuple"};
}

Value tuple_item(
    Emitter& emitter, const std::vector<Value>& elements, const Value& tuple, const Value& index) {
  const auto count = static_cast<std::int64_t>(elements.size());
  if (const auto* slice = index.as<SliceValue>())
    return tuple_slice(emitter, elements, *slice);
  if (!emitter.is_scalar(index) || !is_integer(type_of(index)->dtype()))
    emitter.fail("a tuple index must be an integer, found " + describe(index));
  if (const auto known = known_integer(index)) {
    const std::int64_t position = *known < 0 ? *known + count : *known;
    if (position < 0 || position >= count)
      emitter.fail("index " + std::to_string(*known) + " is outside " + describe(tuple));
    return elements[static_cast<std::size_t>(position)];
  }
  const auto first = count == 0 ? std::nullopt : type_of(elements[0]);
  if (!first || !takes_computed_index(*first) ||
      !std::ranges::all_of(
          elements, [&](const Value& element) { return type_of(element) == first; }))
    emitter.fail(
        "the index of " + describe(tuple) + " must be known at compile time",
        "Only tuples of numbers, arrays or tuples of one type take a computed index.");
  ir::Operation* position = emitter.wrapped_index(index, [&] { return integer_literal(count); });
  check_tuple_index(emitter, position, count);
  return element_at(emitter, elements, position);
}

// As in C: a negative index lies before the pointer.
ir::Operation* pointer_at(Emitter& emitter, const Value& owner, const Value& index) {
  ir::Operation* pointer = emitter.materialize(owner);
  if (!is_integer(emitter.scalar_dtype(index, "the index of a pointer")))
    emitter.fail("the index of a pointer must be an integer, found " + describe(index));
  const auto step = static_cast<std::int64_t>(ir::element_stride(pointer->type.element()));
  const Value bytes =
      emitter.binary(ir::Op::multiply, emitter.cast(index, DType::int64), integer_literal(step));
  return emitter.builder().pointer_offset(pointer, emitter.materialize(bytes), pointer->type);
}

}  // namespace

Value Emitter::item(const Value& owner, const Value& index) {
  if (const auto elements = elements_of(owner))
    return tuple_item(*this, *elements, owner, index);
  if (is_list(owner))
    return list_item(*this, owner, index);
  if (is_flat(owner))
    return flat_item(*this, owner, index);
  if (is_record_pointer(owner)) {
    const auto* key = index.as<TextEntity>();
    const auto position = known_integer(index);
    const auto& fields = type_of(owner)->element().fields();
    if (position && *position >= 0 && *position < static_cast<std::int64_t>(fields.size()))
      return record_field(*this, materialize(owner), static_cast<std::size_t>(*position));
    const auto field = key == nullptr ? std::nullopt : field_of(owner, key->text);
    if (!field)
      fail(describe(owner) + " has no field " + describe(index));
    return record_field(*this, materialize(owner), *field);
  }
  if (is_pointer(owner))
    return load(pointer_at(*this, owner, index));
  if (!is_array(owner))
    fail(describe(owner) + " cannot be indexed");
  ir::Operation* array = materialize(owner);
  if (const auto* key = index.as<TextEntity>()) {
    const auto field = field_of(owner, key->text);
    if (!field)
      fail(describe(owner) + " has no field " + key->text);
    return field_view(*this, array, *field);
  }
  const std::vector<Value> parts = index_parts(*this, index);
  if (!is_element_index(array->type, parts))
    return make_view(*this, array, parts);
  const auto indices = checked_indices(*this, array, parts);
  if (array->type.element().is_record())
    return builder_.array_element(array, indices);
  return builder_.array_load(array, indices);
}

void Emitter::set_item(const Value& owner, const Value& index, const Value& value) {
  if (is_list(owner)) {
    set_list_item(*this, owner, index, value);
    return;
  }
  if (is_flat(owner)) {
    set_flat_item(*this, owner, index, value);
    return;
  }
  if (is_record_pointer(owner)) {
    const Value key = index;
    const auto* text = key.as<TextEntity>();
    if (text == nullptr)
      fail("a record's field is named by a constant string, found " + describe(index));
    set_attribute(owner, text->text, value);
    return;
  }
  if (is_pointer(owner)) {
    store(pointer_at(*this, owner, index), value);
    return;
  }
  if (!is_array(owner))
    fail("elements of " + describe(owner) + " cannot be assigned to");
  ir::Operation* array = materialize(owner);
  if (!array->type.is_mutable())
    fail("cannot write to " + describe(owner), std::string(read_only_advice));
  const std::vector<Value> parts = index_parts(*this, index);
  if (!is_element_index(array->type, parts)) {
    fill_view(*this, make_view(*this, array, parts), value);
    return;
  }
  const auto indices = checked_indices(*this, array, parts);
  if (array->type.element().is_record())
    store(builder_.array_element(array, indices), value);
  else
    builder_.array_store(
        array,
        indices,
        convert(value, array->type.element(), "the value stored in " + describe(owner)));
}

ir::Operation* Emitter::element_pointer(const Value& owner, const Value& index) {
  if (!is_array(owner))
    fail("an array is needed here, found " + describe(owner));
  ir::Operation* array = materialize(owner);
  const std::vector<Value> parts = index_parts(*this, index);
  if (!is_element_index(array->type, parts))
    fail(
        describe(owner) + " takes " + std::to_string(array->type.ndim()) +
        " integer indices here, found " + describe(index));
  return builder_.array_element(array, checked_indices(*this, array, parts));
}

Value Emitter::row(const Value& owner, ir::Operation* position) {
  ir::Operation* array = materialize(owner);
  if (array->type.ndim() > 1)
    return make_view(*this, array, {Value(position)}, true);
  if (array->type.element().is_record())
    return builder_.array_element(array, {position});
  return builder_.array_load(array, {position});
}

}  // namespace phalanx::frontend::python
