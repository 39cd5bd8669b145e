#include "phalanx/frontend/python/lists.h"

#include <algorithm>
#include <array>

#include "phalanx/frontend/python/elements.h"
#include "phalanx/frontend/python/intrinsics.h"
#include "phalanx/frontend/python/routines.h"
#include "phalanx/frontend/python/slots.h"
#include "phalanx/infer/conversion.h"
#include "phalanx/ir/lists.h"
#include "phalanx/ir/typing.h"

namespace phalanx::frontend::python {
namespace {

constexpr ir::Space global = ir::Space::global;

// The type of a value in a list: arrays are in ordinary memory. Nothing for what cannot be there.
std::optional<ir::Type> stored_type(const ir::Type& type) {
  if (type.is_scalar() || ir::is_list(type))
    return type;
  if (type.is_array())
    return ir::Type::array(type.element(), type.ndim(), type.layout(), global, type.is_mutable());
  if (!type.is_tuple())
    return std::nullopt;
  std::vector<ir::Field> fields = type.fields();
  for (ir::Field& field : fields) {
    const auto stored = stored_type(field.type);
    if (!stored)
      return std::nullopt;
    field.type = *stored;
  }
  return ir::Type::named_tuple(type.name(), std::move(fields));
}

ir::Operation* field_of(Emitter& emitter, ir::Operation* list, ir::ListField field) {
  return emitter.builder().pointer_field(list, static_cast<std::size_t>(field));
}

ir::Operation* read(Emitter& emitter, ir::Operation* list, ir::ListField field) {
  return emitter.builder().load(field_of(emitter, list, field));
}

void write(Emitter& emitter, ir::Operation* list, ir::ListField field, const Value& value) {
  emitter.builder().store(
      field_of(emitter, list, field), emitter.convert(value, DType::int64, "a length"));
}

void refuse_null(Emitter& emitter, ir::Operation* memory) {
  const Value address = emitter.builder().bitcast(memory, DType::int64);
  emitter.raise_where(
      emitter.compare(tree::Comparison::equal, address, integer_literal(0)), "MemoryError", "");
}

// Makes room for that many elements; those that are there stay.
void reserve(Emitter& emitter, ir::Operation* list, const Value& capacity) {
  ir::Builder& builder = emitter.builder();
  const ir::Type storage = ir::list_storage(ir::list_element(list->type));
  const Value bytes = emitter.same_type(
      ir::Op::multiply,
      DType::int64,
      {emitter.cast(capacity, DType::int64),
       integer_literal(static_cast<std::int64_t>(ir::element_stride(storage)))});
  ir::Operation* memory = &builder.append(
      ir::Op::allocate,
      ir::Type::pointer(DType::uint8, global),
      {emitter.materialize(bytes), list});
  refuse_null(emitter, memory);
  write(emitter, list, ir::ListField::capacity, capacity);
}

// Where the elements begin, as bytes.
ir::Operation* bytes_of(Emitter& emitter, ir::Operation* list) {
  return emitter.builder().pointer_offset(
      read(emitter, list, ir::ListField::elements),
      emitter.builder().integer(0),
      ir::Type::pointer(DType::uint8, global));
}

// The elements as an array, of numbers or of records with the slots of one each.
ir::Operation* elements_of(Emitter& emitter, ir::Operation* list) {
  ir::Builder& builder = emitter.builder();
  const ir::Type storage = ir::list_storage(ir::list_element(list->type));
  ir::Operation* data = builder.pointer_offset(
      read(emitter, list, ir::ListField::elements),
      builder.integer(0),
      ir::Type::pointer(storage, global));
  return builder.array_make(
      ir::Type::array(storage, 1, ir::Layout::c, global),
      data,
      {read(emitter, list, ir::ListField::length)});
}

void put(Emitter& emitter, ir::Operation* list, ir::Operation* position, const Value& value) {
  const ir::Type& element = ir::list_element(list->type);
  ir::Operation* array = elements_of(emitter, list);
  if (element.is_scalar())
    emitter.builder().array_store(
        array, {position}, emitter.convert(value, element, "what is put into " + describe(list)));
  else
    store_slots(emitter, emitter.builder().array_element(array, {position}), element, value);
}

ir::Operation* checked_position(
    Emitter& emitter, const Value& list, const Value& index, const std::string& message) {
  const Value length = list_length(emitter, list);
  ir::Operation* position = emitter.wrapped_index(index, [&] { return length; });
  raise_out_of_range(emitter, position, length, message);
  return position;
}

}  // namespace

bool is_list(const Value& value) {
  const auto* runtime = value.as<Runtime>();
  return runtime != nullptr && ir::is_list(runtime->operation->type);
}

std::optional<ir::Type> common_element(const std::vector<Value>& items) {
  std::vector<ir::Type> types;
  for (const Value& item : items) {
    const auto type = type_of(item);
    const auto stored = type ? stored_type(*type) : std::nullopt;
    if (!stored)
      return std::nullopt;
    types.push_back(*stored);
  }
  return infer::unify(types);
}

ir::Operation* new_list(
    Emitter& emitter, const ir::Type& element, const std::vector<Value>& items) {
  if (!emitter.session().options().is_function)
    emitter.fail(
        "lists cannot be made in a kernel",
        "Use cuda.local.array or cuda.shared.array, or pass an array to write to.");
  ir::Builder& builder = emitter.builder();
  const ir::Type type = ir::list_of(element);
  ir::Operation* memory = builder.allocate(
      builder.integer(static_cast<std::int64_t>(ir::size_of(type.element()))), true);
  memory->index = 2;  // it owns what `reserve` allocates
  refuse_null(emitter, memory);
  ir::Operation* list = builder.pointer_offset(memory, builder.integer(0), type);
  if (items.empty())
    return list;
  const Value count = integer_literal(static_cast<std::int64_t>(items.size()));
  reserve(emitter, list, count);
  write(emitter, list, ir::ListField::length, count);
  for (std::size_t i = 0; i < items.size(); ++i)
    put(emitter, list, builder.integer(static_cast<std::int64_t>(i)), items[i]);
  return list;
}

ir::Operation* list_of_array(Emitter& emitter, ir::Operation* array) {
  ir::Operation* list = new_list(emitter, array->type.element());
  const Value length = emitter.extent(array, 0);
  reserve(emitter, list, length);
  write(emitter, list, ir::ListField::length, length);
  fill_view(emitter, elements_of(emitter, list), Value(array));
  return list;
}

Value list_length(Emitter& emitter, const Value& list) {
  return read(emitter, emitter.materialize(list), ir::ListField::length);
}

Value list_element_at(Emitter& emitter, const Value& list, ir::Operation* position) {
  ir::Operation* address = emitter.materialize(list);
  const ir::Type& element = ir::list_element(address->type);
  ir::Operation* array = elements_of(emitter, address);
  ir::Builder& builder = emitter.builder();
  if (element.is_scalar())
    return builder.array_load(array, {position});
  return load_slots(emitter, builder.array_element(array, {position}), element);
}

Value list_item(Emitter& emitter, const Value& list, const Value& index) {
  return list_element_at(
      emitter, list, checked_position(emitter, list, index, "getitem out of range"));
}

void set_list_item(Emitter& emitter, const Value& list, const Value& index, const Value& value) {
  ir::Operation* position = checked_position(emitter, list, index, "setitem out of range");
  put(emitter, emitter.materialize(list), position, value);
}

bool may_grow_lists(const ir::Function& function) {
  std::vector<const ir::Function*> reached = {&function};
  bool found = false;
  for (std::size_t i = 0; i < reached.size() && !found; ++i)
    ir::for_each(reached[i]->body, [&](const ir::Operation& each) {
      const bool resizes = each.op == ir::Op::allocate && each.operands.size() == 2;
      const bool stores = each.op == ir::Op::store && each.operands[1]->type.is_pointer();
      found |= resizes || stores;
      if (each.callee != nullptr && std::ranges::find(reached, each.callee) == reached.end())
        reached.push_back(each.callee);
    });
  return found;
}

// ---- What the library in Python is made of ----

namespace {

ir::Operation* list_argument(Emitter& emitter, const Value& value) {
  if (!is_list(value))
    emitter.fail("a list is needed here, found " + describe(value));
  return emitter.materialize(value);
}

Value empty_like(Emitter& emitter, const Arguments& arguments) {
  return new_list(emitter, ir::list_element(list_argument(emitter, arguments[0])->type));
}

Value capacity(Emitter& emitter, const Arguments& arguments) {
  return read(emitter, list_argument(emitter, arguments[0]), ir::ListField::capacity);
}

Value reserve_room(Emitter& emitter, const Arguments& arguments) {
  reserve(emitter, list_argument(emitter, arguments[0]), arguments[1]);
  return none_value();
}

Value set_length(Emitter& emitter, const Arguments& arguments) {
  write(emitter, list_argument(emitter, arguments[0]), ir::ListField::length, arguments[1]);
  return none_value();
}

Value element_at(Emitter& emitter, const Arguments& arguments) {
  ir::Operation* list = list_argument(emitter, arguments[0]);
  return list_element_at(emitter, list, emitter.convert(arguments[1], DType::int64));
}

Value put_at(Emitter& emitter, const Arguments& arguments) {
  ir::Operation* list = list_argument(emitter, arguments[0]);
  put(emitter, list, emitter.convert(arguments[1], DType::int64), arguments[2]);
  return none_value();
}

// The list's elements from `to` on become `count` of the other's, which may be the same list.
Value copy_elements(Emitter& emitter, const Arguments& arguments) {
  ir::Operation* list = list_argument(emitter, arguments[0]);
  ir::Operation* other = list_argument(emitter, arguments[2]);
  const ir::Type& element = ir::list_element(list->type);
  if (element != ir::list_element(other->type))
    emitter.fail("lists of one type are needed here");
  const Value stride =
      integer_literal(static_cast<std::int64_t>(ir::size_of(ir::list_storage(element))));
  const auto in_bytes = [&](const Value& elements) {
    return emitter.materialize(emitter.same_type(
        ir::Op::multiply, DType::int64, {emitter.convert(elements, DType::int64), stride}));
  };
  call_routine(
      emitter,
      "move",
      DType::uint8,
      {bytes_of(emitter, list),
       in_bytes(arguments[1]),
       bytes_of(emitter, other),
       in_bytes(arguments[3]),
       in_bytes(arguments[4])});
  return none_value();
}

Value numbers(Emitter& emitter, const Arguments& arguments) {
  return elements_of(emitter, list_argument(emitter, arguments[0]));
}

constexpr std::array table = {
    Intrinsic{"phalanx.list_empty_like", "list", empty_like},
    Intrinsic{"phalanx.list_capacity", "list", capacity},
    Intrinsic{"phalanx.list_reserve", "list capacity", reserve_room},
    Intrinsic{"phalanx.list_set_length", "list length", set_length},
    Intrinsic{"phalanx.list_at", "list position", element_at},
    Intrinsic{"phalanx.list_put", "list position value", put_at},
    Intrinsic{"phalanx.list_copy", "list to other first count", copy_elements},
    Intrinsic{"phalanx.list_numbers", "list", numbers},
};

}  // namespace

std::span<const Intrinsic> list_intrinsics() { return table; }

}  // namespace phalanx::frontend::python
