// What CPU functions ask of the runtime: memory of their call.
#include <llvm/IR/Constants.h>

#include "phalanx/base/cpu_kernel.h"
#include "phalanx/codegen/cpu/emitter.h"
#include "phalanx/codegen/cpu/stateless_operations.h"

namespace phalanx::codegen::cpu {

using ir::Op;
using ir::Operation;

llvm::Value* load_service(Emitter& emitter, std::size_t offset) {
  llvm::IRBuilder<>& builder = emitter.builder();
  const auto load = [&](llvm::Value* base, std::size_t at, const char* name) {
    llvm::LoadInst* loaded = builder.CreateLoad(
        builder.getPtrTy(), builder.CreateConstGEP1_64(builder.getInt8Ty(), base, at), name);
    loaded->setMetadata(
        llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(emitter.context(), {}));
    return loaded;
  };
  return load(
      load(emitter.launch.launch, offsetof(CpuLaunch, services), "services"), offset, "service");
}

namespace {

// What was there may move: any memory is read and written.
llvm::CallInst* emit_resize(
    llvm::IRBuilder<>& builder, llvm::Value* service, llvm::Value* owner, llvm::Value* bytes) {
  auto* type = llvm::FunctionType::get(
      builder.getPtrTy(), {builder.getPtrTy(), builder.getInt64Ty()}, false);
  llvm::CallInst* memory = builder.CreateCall(type, service, {owner, bytes}, "resized");
  memory->setDoesNotThrow();
  memory->addFnAttr(llvm::Attribute::Cold);
  return memory;
}

Value emit_allocate(Emitter& emitter, const Operation& operation) {
  llvm::IRBuilder<>& builder = emitter.builder();
  if (operation.operands.size() == 2) {
    llvm::CallInst* memory = emit_resize(
        builder,
        load_service(emitter, offsetof(CpuServices, resize)),
        emitter.scalar(*operation.operands[1]),
        emitter.scalar(*operation.operands[0]));
    return {{emitter.shapes().of(operation, 0), memory}};
  }
  auto* type = llvm::FunctionType::get(
      builder.getPtrTy(), {builder.getPtrTy(), builder.getInt64Ty(), builder.getInt32Ty()}, false);
  llvm::CallInst* memory = builder.CreateCall(
      type,
      load_service(emitter, offsetof(CpuServices, allocate)),
      {emitter.launch.launch,
       emitter.scalar(*operation.operands[0]),
       builder.getInt32(static_cast<std::uint32_t>(operation.index))},
      "memory");
  // New memory, which nothing else points to: stores to it do not make other loads anew.
  memory->addRetAttr(llvm::Attribute::NoAlias);
  memory->setDoesNotThrow();
  memory->setMemoryEffects(llvm::MemoryEffects::inaccessibleMemOnly());
  return {{emitter.shapes().of(operation, 0), memory}};
}

Value emit_memory_mark(Emitter& emitter, const Operation& operation) {
  llvm::IRBuilder<>& builder = emitter.builder();
  auto* type = llvm::FunctionType::get(builder.getInt64Ty(), {builder.getPtrTy()}, false);
  llvm::CallInst* mark = builder.CreateCall(
      type, load_service(emitter, offsetof(CpuServices, mark)), {emitter.launch.launch}, "mark");
  mark->setDoesNotThrow();
  mark->setMemoryEffects(llvm::MemoryEffects::inaccessibleMemOnly());
  return {{emitter.shapes().of(operation, 0), mark}};
}

void emit_memory_release(Emitter& emitter, const Operation& operation) {
  llvm::IRBuilder<>& builder = emitter.builder();
  const std::size_t count = operation.operands.size() - 1;
  llvm::Value* kept = llvm::ConstantPointerNull::get(builder.getPtrTy());
  if (count != 0) {
    auto* type = llvm::ArrayType::get(builder.getPtrTy(), count);
    kept = emitter.make_slot(type, "kept");
    for (std::size_t i = 0; i < count; ++i)
      builder.CreateStore(
          emitter.scalar(*operation.operands[1 + i]),
          builder.CreateConstGEP1_64(builder.getPtrTy(), kept, i));
  }
  auto* type = llvm::FunctionType::get(
      builder.getVoidTy(),
      {builder.getPtrTy(), builder.getInt64Ty(), builder.getPtrTy(), builder.getInt64Ty()},
      false);
  llvm::CallInst* call = builder.CreateCall(
      type,
      load_service(emitter, offsetof(CpuServices, release)),
      {emitter.launch.launch,
       emitter.scalar(*operation.operands[0]),
       kept,
       builder.getInt64(count)});
  call->setDoesNotThrow();
}

Value emit_random_state(Emitter& emitter, const Operation& operation) {
  llvm::IRBuilder<>& builder = emitter.builder();
  llvm::LoadInst* state = builder.CreateLoad(
      builder.getPtrTy(),
      builder.CreateConstGEP1_64(
          builder.getInt8Ty(), emitter.launch.launch, offsetof(CpuLaunch, random)),
      "random");
  state->setMetadata(
      llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(emitter.context(), {}));
  return {{emitter.shapes().of(operation, 0), state}};
}

void emit_random_refill(Emitter& emitter, const Operation& operation) {
  llvm::IRBuilder<>& builder = emitter.builder();
  auto* type = llvm::FunctionType::get(builder.getVoidTy(), {builder.getPtrTy()}, false);
  llvm::CallInst* call = builder.CreateCall(
      type,
      load_service(emitter, offsetof(CpuServices, random_refill)),
      {emitter.scalar(*operation.operands[0])});
  call->setDoesNotThrow();
  call->addFnAttr(llvm::Attribute::Cold);
  call->setMemoryEffects(llvm::MemoryEffects::inaccessibleOrArgMemOnly());
}

}  // namespace

Value emit_service_value(Emitter& emitter, const Operation& operation) {
  switch (operation.op) {
    case Op::allocate:
      return emit_allocate(emitter, operation);
    case Op::memory_mark:
      return emit_memory_mark(emitter, operation);
    default:
      return emit_random_state(emitter, operation);
  }
}

void emit_service(Emitter& emitter, const Operation& operation) {
  if (operation.op == Op::memory_release)
    emit_memory_release(emitter, operation);
  else
    emit_random_refill(emitter, operation);
}

}  // namespace phalanx::codegen::cpu
