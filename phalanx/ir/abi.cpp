#include "phalanx/ir/abi.h"

#include <memory>
#include <string>
#include <utility>

#include "phalanx/ir/ir.h"

namespace phalanx::ir {

namespace {

void flatten_into(const Type& type, std::vector<Type>& slots) {
  switch (type.kind()) {
    case TypeKind::none:
      break;
    case TypeKind::scalar:
      slots.insert(slots.end(), is_complex(type.dtype()) ? 2 : 1, Type(real_part_of(type.dtype())));
      break;
    case TypeKind::vector:
      for (unsigned lane = 0; lane < type.lanes(); ++lane) flatten_into(type.dtype(), slots);
      break;
    case TypeKind::pointer:
    case TypeKind::record:
      slots.push_back(type);
      break;
    case TypeKind::array: {
      const unsigned extents = type.ndim() * (type.layout() == Layout::any ? 2 : 1);
      slots.push_back(Type::pointer(type.element(), type.space()));
      slots.insert(slots.end(), extents, Type(DType::int64));
      break;
    }
    case TypeKind::tuple:
      for (const Field& field : type.fields()) flatten_into(field.type, slots);
      break;
  }
}

}  // namespace

std::vector<Type> flatten(const Type& type) {
  std::vector<Type> slots;
  flatten_into(type, slots);
  return slots;
}

Type bounds_type(const std::vector<Type>& parameters) {
  std::vector<Field> fields;
  for (const Type& parameter : parameters) {
    if (parameter.is_array())
      continue;  // which has its extents
    for (const Type& slot : flatten(parameter)) {
      if (!slot.is_pointer())
        continue;
      const std::string number = std::to_string(fields.size() / 2);
      fields.push_back({.name = "before" + number, .type = DType::int64});
      fields.push_back({.name = "after" + number, .type = DType::int64});
    }
  }
  const bool has_pointers = !fields.empty();
  return has_pointers ? Type::named_tuple(std::string(bounds_name), std::move(fields)) : Type();
}

bool is_bounds(const Type& type) { return type.is_tuple() && type.name() == bounds_name; }

void add_bounds(Function& kernel) {
  std::vector<Type> types;
  types.reserve(kernel.parameters.size());
  for (const auto& parameter : kernel.parameters) types.push_back(parameter->type);
  Type bounds = bounds_type(types);
  if (bounds.is_none())
    return;
  auto operation = std::make_unique<Operation>();
  operation->op = Op::parameter;
  operation->type = std::move(bounds);
  operation->name = "bounds";
  operation->index = static_cast<std::int64_t>(types.size());
  kernel.parameters.push_back(std::move(operation));
}

ParameterLayout layout_parameters(const std::vector<Type>& parameters) {
  ParameterLayout layout;
  for (const Type& parameter : parameters) {
    layout.first_slot.push_back(layout.slots.size());
    for (Type& type : flatten(parameter)) {
      const std::size_t alignment = alignment_of(type);
      const std::size_t offset = (layout.bytes + alignment - 1) / alignment * alignment;
      layout.bytes = offset + size_of(type);
      layout.slots.push_back({.type = std::move(type), .offset = offset});
    }
  }
  layout.first_slot.push_back(layout.slots.size());
  return layout;
}

}  // namespace phalanx::ir
