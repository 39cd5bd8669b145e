#include "phalanx/ir/abi.h"

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
