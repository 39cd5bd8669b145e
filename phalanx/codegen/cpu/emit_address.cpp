// Addresses: elements of views, moved pointers, arrays of the block, the thread and the module.
#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>

#include "phalanx/codegen/cpu/emitter.h"
#include "phalanx/codegen/llvm/lower_types.h"
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

Address Emitter::element_address(const Operation& operation) {
  const ir::Type& type = operation.operands[0]->type;
  const Value view = value_of(*operation.operands[0]);
  const std::vector<Component> strides = strides_of(type, view);
  Component offset = {Shape::known(0), builder_.getInt64(0)};
  for (unsigned d = 0; d < type.ndim(); ++d) {
    const Component index = value_of(*operation.operands[1 + d])[0];
    offset = sum(offset, product(index, strides[d]));
  }
  const bool is_forwarded = surroundings_.is_forwarded(*operation.operands[0]);
  const ir::Space space = is_forwarded ? ir::Space::generic : type.space();
  Address address = {add_offset(view[0], offset, space), space, std::nullopt, nullptr};
  address.memory = memory_of(*operation.operands[0]);
  if (const auto found = launch.non_temporal.find(&operation); found != launch.non_temporal.end())
    address.non_temporal = found->second;
  find_speculative(operation, address);
  return address;
}

// Where a pointer leads; a checked one may be affine for most warps.
Address Emitter::address_of(const Operation& pointer) {
  Address address = {value_of(pointer)[0], pointer.type.space(), std::nullopt, nullptr};
  address.memory = memory_of(pointer);
  const auto found = affine_elements_.find(&pointer);
  if (found != affine_elements_.end())
    address.speculative = found->second;
  return address;
}

Value Emitter::view_of(const Operation& operation, const Component& pointer) {
  const Shapes& shapes = shapes_.of(operation);
  Value view = {pointer};
  for (unsigned d = 0; d < operation.shape.size(); ++d)
    view.push_back(
        {shapes[1 + d], builder_.getInt64(static_cast<std::uint64_t>(operation.shape[d]))});
  return view;
}

namespace {

// The first address there that is a multiple of the array's alignment: `pointer` is at a cache
// line, and where that is not enough, the memory plan has room after it.
llvm::Value* aligned_for(
    llvm::IRBuilderBase& builder, const Operation& shared_array, llvm::Value* pointer) {
  constexpr std::int64_t cache_line = 64;
  if (shared_array.index <= cache_line)
    return pointer;
  llvm::Value* last = builder.CreateConstGEP1_64(
      builder.getInt8Ty(), pointer, static_cast<std::uint64_t>(shared_array.index - cache_line));
  return builder.CreateIntrinsic(
      llvm::Intrinsic::ptrmask,
      {last->getType(), builder.getInt64Ty()},
      {last, builder.getInt64(static_cast<std::uint64_t>(-shared_array.index))});
}

}  // namespace

Value Emitter::emit_shared_array(const Operation& operation) {
  const Shape& shape = shapes_.of(operation, 0);
  if (operation.op == Op::shared_array) {
    const std::uint64_t offset = compilation_.plan.shared_offsets.at(&operation);
    llvm::Value* pointer =
        builder_.CreateConstGEP1_64(builder_.getInt8Ty(), launch.scratch, offset);
    return view_of(operation, {shape, aligned_for(builder_, operation, pointer)});
  }
  llvm::Value* bytes = builder_.CreateZExt(launch.dynamic_bytes, builder_.getInt64Ty());
  llvm::Value* element = builder_.getInt64(ir::size_of(operation.type.element()));
  return {
      {shape, launch.dynamic_shared},
      {shapes_.of(operation, 1), builder_.CreateUDiv(bytes, element)}};
}

Value Emitter::emit_local_array(const Operation& operation) {
  const Shape& shape = shapes_.of(operation, 0);
  const auto offset = compilation_.plan.local_offsets.find(&operation);
  if (offset != compilation_.plan.local_offsets.end()) {
    llvm::Value* pointer =
        builder_.CreateConstGEP1_64(builder_.getInt8Ty(), warp.scratch, offset->second);
    return view_of(operation, {shape, pointer});
  }
  llvm::Type* bytes = llvm::ArrayType::get(builder_.getInt8Ty(), local_bytes(operation, lanes()));
  llvm::AllocaInst* slot = make_slot(bytes, operation.name + ".local");
  slot->setAlignment(llvm::Align(64));
  return view_of(operation, {shape, slot});
}

Value Emitter::emit_constant_array(const Operation& operation) {
  const auto index = static_cast<std::size_t>(operation.index);
  const ir::ConstantArray& array = compilation_.source.constants.at(index);
  const std::string name = "constant." + std::to_string(index);
  llvm::GlobalVariable* global = compilation_.module.getGlobalVariable(name, true);
  if (global == nullptr) {
    const llvm::StringRef bytes(
        reinterpret_cast<const char*>(array.bytes.data()), array.bytes.size());
    llvm::Constant* data = llvm::ConstantDataArray::getRaw(
        bytes, array.bytes.size(), llvm::Type::getInt8Ty(context()));
    global = new llvm::GlobalVariable(  // owned by the module
        compilation_.module,
        data->getType(),
        true,
        llvm::GlobalValue::PrivateLinkage,
        data,
        name);
    global->setAlignment(llvm::Align(64));
  }
  Value view = {{shapes_.of(operation, 0), global}};
  for (unsigned d = 0; d < array.shape.size(); ++d)
    view.push_back(
        {shapes_.of(operation, 1 + d),
         builder_.getInt64(static_cast<std::uint64_t>(array.shape[d]))});
  return view;
}

}  // namespace phalanx::codegen::cpu
