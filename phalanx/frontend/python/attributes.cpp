// Attributes of arrays, numbers, tuples and records.
#include <algorithm>
#include <array>

#include "phalanx/frontend/python/arrays.h"
#include "phalanx/frontend/python/elements.h"
#include "phalanx/frontend/python/emitter.h"
#include "phalanx/frontend/python/records.h"
#include "phalanx/frontend/python/views.h"
#include "phalanx/ir/typing.h"

namespace phalanx::frontend::python {
namespace {

std::string list_of_fields(const ir::Type& record) {
  std::string text;
  for (const ir::Field& field : record.fields()) text += (text.empty() ? "" : ", ") + field.name;
  return text;
}

bool is_complex_array(const ir::Type& array) {
  return array.element().is_scalar() && is_complex(array.element().dtype());
}

bool is_list_method(std::string_view name) {
  constexpr std::array<std::string_view, 9> names = {
      "append", "extend", "insert", "pop", "remove", "clear", "sort", "reverse", "copy"};
  return std::ranges::find(names, name) != names.end();
}

// Attributes of a dtype, as in NumPy.
std::optional<Value> dtype_attribute(const TypeEntity& dtype, std::string_view name) {
  if (name == "type")
    return dtype;
  if (name == "itemsize")
    return integer_literal(static_cast<std::int64_t>(ir::element_stride(dtype.type)));
  if (name != "kind" || !dtype.type.is_scalar())
    return std::nullopt;
  switch (kind_of(dtype.type.dtype())) {
    case DTypeKind::boolean:
      return TextEntity{"b"};
    case DTypeKind::signed_integer:
      return TextEntity{"i"};
    case DTypeKind::unsigned_integer:
      return TextEntity{"u"};
    case DTypeKind::floating:
      return TextEntity{"f"};
    case DTypeKind::complex_floating:
      return TextEntity{"c"};
  }
  return std::nullopt;
}

Value array_attribute(Emitter& emitter, ir::Operation* array, const std::string& name) {
  const ir::Type& type = array->type;
  const auto item_bytes = static_cast<std::int64_t>(ir::element_stride(type.element()));
  if (name == "shape" || name == "strides") {
    std::vector<Value> values;
    for (unsigned dimension = 0; dimension < type.ndim(); ++dimension)
      values.push_back(
          name == "shape" ? emitter.extent(array, dimension)
                          : Value(emitter.builder().array_stride(array, dimension)));
    return tuple_value(std::move(values));
  }
  if (name == "ndim")
    return integer_literal(type.ndim());
  if (name == "itemsize")
    return integer_literal(item_bytes);
  if (name == "size" || name == "nbytes") {
    Value size = integer_literal(name == "size" ? 1 : item_bytes);
    for (unsigned dimension = 0; dimension < type.ndim(); ++dimension)
      size = known_integer(size) == 1
                 ? emitter.extent(array, dimension)
                 : emitter.binary(ir::Op::multiply, size, emitter.extent(array, dimension));
    return size;
  }
  if (name == "T")
    return transposed(emitter, array);
  if (name == "dtype")
    return TypeEntity{type.element()};
  if ((name == "real" || name == "imag") && is_complex_array(type))
    return part_view(emitter, array, name == "imag");
  if (name == "real" && type.element().is_scalar())
    return array;
  if (std::ranges::find(view_methods, name) != view_methods.end() || is_array_method(name))
    return Method{name, std::make_shared<const Value>(array)};
  if (const auto field = field_of(array, name))
    return field_view(emitter, array, *field);
  std::string members;
  for (const std::string_view member : array_members())
    members += (members.empty() ? "" : ", ") + std::string(member);
  emitter.fail(
      "Unknown attribute '" + name + "' of type " + describe(array),
      "Arrays in a kernel have " + members + ".");
}

std::optional<Value> scalar_attribute(
    Emitter& emitter, const Value& owner, const std::string& name) {
  const DType dtype = type_of(owner)->dtype();
  if (name == "conjugate" || (name == "bit_count" && is_integer(dtype)))
    return Method{name, std::make_shared<const Value>(owner)};
  if (name != "real" && name != "imag")
    return std::nullopt;
  const bool is_real = name == "real";
  if (const auto* literal = owner.as<Literal>(); literal != nullptr && is_complex(dtype)) {
    const auto number = std::get<std::complex<double>>(literal->constant);
    return Literal{real_part_of(dtype), is_real ? number.real() : number.imag()};
  }
  if (is_complex(dtype))
    return Value(
        is_real ? emitter.builder().complex_real(emitter.materialize(owner))
                : emitter.builder().complex_imag(emitter.materialize(owner)));
  return is_real ? owner : emitter.cast(integer_literal(0), dtype);
}

}  // namespace

Value Emitter::attribute(const Value& owner, const std::string& name) {
  const auto type = type_of(owner);
  if (const auto* tuple = owner.as<TupleValue>(); tuple != nullptr && tuple->field_names) {
    for (std::size_t i = 0; i < tuple->field_names->size(); ++i) {
      if ((*tuple->field_names)[i] == name)
        return (*tuple->elements)[i];
    }
  }
  if (owner.is<Runtime>() && type->is_tuple()) {
    for (std::size_t i = 0; i < type->fields().size(); ++i) {
      if (!name.empty() && type->fields()[i].name == name)
        return type->fields()[i].type.is_none() ? none_value()
                                                : Value(builder_.tuple_get(materialize(owner), i));
    }
  }
  if (const auto* dtype = owner.as<TypeEntity>()) {
    if (auto value = dtype_attribute(*dtype, name))
      return std::move(*value);
  }
  if (owner.is<LazyArray>() && name == "dtype")
    return TypeEntity{type->element()};
  if (owner.is<LazyArray>() && name == "ndim")
    return integer_literal(type->ndim());
  if (owner.is<LazyArray>() && is_array_method(name) && name != "copy")
    return Method{name, std::make_shared<const Value>(owner)};
  if (type && type->is_array())
    return array_attribute(*this, materialize(owner), name);
  if (type && type->is_scalar()) {
    if (auto value = scalar_attribute(*this, owner, name))
      return std::move(*value);
  }
  if (type && type->is_vector() && !type->is_time() && name.size() == 1) {
    const std::size_t lane = std::string_view("xyzw").find(name);
    if (lane < type->lanes())
      return builder_.vector_get(materialize(owner), lane);
  }
  if (type && type->is_pointer() && type->element().is_record()) {
    if (const auto field = field_of(owner, name))
      return record_field(*this, materialize(owner), *field);
    fail(
        describe(owner) + " has no field " + name,
        "Its fields are " + list_of_fields(type->element()) + ".");
  }
  if (owner.is<TupleValue>() && is_list_method(name))
    fail(
        "lists that grow or change cannot be used in a kernel",
        "[...] is a tuple here. Fill an array: cuda.local.array in kernels, np.empty in "
        "functions.");
  fail("Unknown attribute '" + name + "' of type " + describe(owner));
}

void Emitter::set_attribute(const Value& owner, const std::string& name, const Value& value) {
  const auto type = type_of(owner);
  if (type && type->is_vector())
    fail(
        "the numbers of a " + describe(owner) + " cannot be assigned to",
        "Make a new one: " + describe(owner) + "(...).");
  if (!type || !type->is_pointer() || !type->element().is_record())
    fail("attributes of " + describe(owner) + " cannot be assigned to");
  const auto field = field_of(owner, name);
  if (!field)
    fail(
        describe(owner) + " has no field " + name,
        "Its fields are " + list_of_fields(type->element()) + ".");
  set_record_field(*this, materialize(owner), *field, value);
}

}  // namespace phalanx::frontend::python
