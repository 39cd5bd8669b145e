// Addresses of array elements and pointers.
#include "phalanx/codegen/cpu/emitter.h"
#include "phalanx/ir/lists.h"

namespace phalanx::codegen::cpu {

using ir::Op;
using ir::Operation;

namespace {

// The number of the memory that a view or a pointer was made in, 0 for none.
std::int64_t memory_of(const Operation& view) {
  if (view.op == Op::pointer_field && ir::is_list(view.operands[0]->type))
    return AliasScopes::list_header;
  const Operation* at = &view;
  while (true) {
    switch (at->op) {
      case Op::pointer_offset:
        if (at->index != 0)
          return at->index;
        break;
      case Op::array_make:
      case Op::array_data:
      case Op::array_element:
      case Op::pointer_field:
        break;
      default:
        return 0;
    }
    at = at->operands[0];
  }
}

}  // namespace

Address MemoryEmitter::element_address(const Operation& operation) {
  const ir::Type& type = operation.operands[0]->type;
  const Value view = emitter_.value_of(*operation.operands[0]);
  const std::vector<Component> strides = emitter_.strides_of(type, view);
  Component offset = {Shape::known(0), builder_.getInt64(0)};
  for (unsigned d = 0; d < type.ndim(); ++d) {
    const Component index = emitter_.value_of(*operation.operands[1 + d])[0];
    offset = emitter_.sum(offset, emitter_.product(index, strides[d]));
  }
  const bool is_forwarded = emitter_.surroundings().is_forwarded(*operation.operands[0]);
  const ir::Space space = is_forwarded ? ir::Space::generic : type.space();
  Address address = {emitter_.add_offset(view[0], offset, space), space, std::nullopt, nullptr};
  address.memory = memory_of(*operation.operands[0]);
  if (const auto found = emitter_.launch.non_temporal.find(&operation);
      found != emitter_.launch.non_temporal.end())
    address.non_temporal = found->second;
  emitter_.indices().find_form(operation, address);
  return address;
}

// Where a pointer leads; a checked one may be affine for most warps.
Address MemoryEmitter::address_of(const Operation& pointer) {
  Address address = {emitter_.value_of(pointer)[0], pointer.type.space(), std::nullopt, nullptr};
  address.memory = memory_of(pointer);
  const auto found = affine_elements_.find(&pointer);
  if (found != affine_elements_.end())
    address.speculative = found->second;
  return address;
}

}  // namespace phalanx::codegen::cpu
