// Arrays of the block, the thread and the module.
#include <llvm/IR/Constants.h>
#include <llvm/IR/GlobalVariable.h>

#include <span>

#include "phalanx/codegen/codegen.h"
#include "phalanx/codegen/cpu/emitter.h"
#include "phalanx/codegen/cpu/stateless_operations.h"
#include "phalanx/codegen/llvm/lower_types.h"

namespace phalanx::codegen::cpu {

using ir::Op;
using ir::Operation;

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

Value view_of(
    Emitter& emitter,
    const Operation& operation,
    std::span<const std::int64_t> extents,
    const Component& pointer) {
  llvm::IRBuilder<>& builder = emitter.builder();
  const Shapes& shapes = emitter.shapes().of(operation);
  Value view = {pointer};
  for (unsigned d = 0; d < extents.size(); ++d)
    view.push_back({shapes[1 + d], builder.getInt64(static_cast<std::uint64_t>(extents[d]))});
  return view;
}

Value emit_shared_array(Emitter& emitter, const Operation& operation) {
  llvm::IRBuilder<>& builder = emitter.builder();
  const Shape& shape = emitter.shapes().of(operation, 0);
  if (operation.op == Op::shared_array) {
    const std::uint64_t offset = emitter.compilation().plan.shared_offsets.at(&operation);
    llvm::Value* pointer =
        builder.CreateConstGEP1_64(builder.getInt8Ty(), emitter.launch.scratch, offset);
    return view_of(
        emitter, operation, operation.shape, {shape, aligned_for(builder, operation, pointer)});
  }
  llvm::Value* bytes = builder.CreateZExt(emitter.launch.dynamic_bytes, builder.getInt64Ty());
  llvm::Value* element = builder.getInt64(ir::size_of(operation.type.element()));
  return {
      {shape, emitter.launch.dynamic_shared},
      {emitter.shapes().of(operation, 1), builder.CreateUDiv(bytes, element)}};
}

Value emit_local_array(Emitter& emitter, const Operation& operation) {
  llvm::IRBuilder<>& builder = emitter.builder();
  const Shape& shape = emitter.shapes().of(operation, 0);
  const auto offset = emitter.compilation().plan.local_offsets.find(&operation);
  if (offset != emitter.compilation().plan.local_offsets.end()) {
    llvm::Value* pointer =
        builder.CreateConstGEP1_64(builder.getInt8Ty(), emitter.warp.scratch, offset->second);
    return view_of(emitter, operation, operation.shape, {shape, pointer});
  }
  llvm::Type* bytes =
      llvm::ArrayType::get(builder.getInt8Ty(), local_bytes(operation, emitter.lanes()));
  llvm::AllocaInst* slot = emitter.make_slot(bytes, operation.name + ".local");
  slot->setAlignment(llvm::Align(64));
  return view_of(emitter, operation, operation.shape, {shape, slot});
}

Value emit_constant_array(Emitter& emitter, const Operation& operation) {
  const auto index = static_cast<std::size_t>(operation.index);
  const ir::ConstantArray& array = emitter.compilation().source.constants.at(index);
  const std::string name = "constant." + std::to_string(index);
  llvm::GlobalVariable* global = emitter.compilation().module.getGlobalVariable(name, true);
  if (global == nullptr) {
    const llvm::StringRef bytes(
        reinterpret_cast<const char*>(array.bytes.data()), array.bytes.size());
    llvm::Constant* data = llvm::ConstantDataArray::getRaw(
        bytes, array.bytes.size(), llvm::Type::getInt8Ty(emitter.context()));
    global = new llvm::GlobalVariable(  // owned by the module
        emitter.compilation().module,
        data->getType(),
        true,
        llvm::GlobalValue::PrivateLinkage,
        data,
        name);
    global->setAlignment(llvm::Align(64));
  }
  return view_of(emitter, operation, array.shape, {emitter.shapes().of(operation, 0), global});
}

// Its memory is the module's: the loader says where.
Value emit_global_array(Emitter& emitter, const Operation& operation) {
  const ir::Global& global =
      emitter.compilation().source.globals.at(static_cast<std::size_t>(operation.index));
  const std::string name = std::string(global_prefix) + global.name;
  llvm::Module& module = emitter.compilation().module;
  llvm::GlobalVariable* memory = module.getGlobalVariable(name);
  if (memory == nullptr) {
    memory = new llvm::GlobalVariable(  // owned by the module
        module,
        llvm::ArrayType::get(emitter.builder().getInt8Ty(), ir::size_of(global)),
        false,
        llvm::GlobalValue::ExternalLinkage,
        nullptr,
        name);
    memory->setAlignment(llvm::Align(64));
  }
  return view_of(emitter, operation, global.shape, {emitter.shapes().of(operation, 0), memory});
}

}  // namespace

Value emit_array(Emitter& emitter, const Operation& operation) {
  switch (operation.op) {
    case Op::local_array:
      return emit_local_array(emitter, operation);
    case Op::constant_array:
      return emit_constant_array(emitter, operation);
    case Op::global_array:
      return emit_global_array(emitter, operation);
    default:
      return emit_shared_array(emitter, operation);
  }
}

}  // namespace phalanx::codegen::cpu
