// What CPU functions ask of the runtime: memory of their call.
#include <llvm/IR/Constants.h>

#include "phalanx/base/cpu_kernel.h"
#include "phalanx/codegen/cpu/emitter.h"

namespace phalanx::codegen::cpu {

using ir::Operation;

// The function pointer at `offset` of the launch's services.
llvm::Value* Emitter::service(std::size_t offset) {
  const auto load = [&](llvm::Value* base, std::size_t at, const char* name) {
    llvm::LoadInst* loaded = builder_.CreateLoad(
        builder_.getPtrTy(), builder_.CreateConstGEP1_64(builder_.getInt8Ty(), base, at), name);
    loaded->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(context(), {}));
    return loaded;
  };
  return load(load(launch.launch, offsetof(CpuLaunch, services), "services"), offset, "service");
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

}  // namespace

Value Emitter::emit_allocate(const Operation& operation) {
  if (operation.operands.size() == 2) {
    llvm::CallInst* memory = emit_resize(
        builder_,
        service(offsetof(CpuServices, resize)),
        scalar(*operation.operands[1]),
        scalar(*operation.operands[0]));
    return {{shapes_.of(operation, 0), memory}};
  }
  auto* type = llvm::FunctionType::get(
      builder_.getPtrTy(),
      {builder_.getPtrTy(), builder_.getInt64Ty(), builder_.getInt32Ty()},
      false);
  llvm::CallInst* memory = builder_.CreateCall(
      type,
      service(offsetof(CpuServices, allocate)),
      {launch.launch,
       scalar(*operation.operands[0]),
       builder_.getInt32(static_cast<std::uint32_t>(operation.index))},
      "memory");
  // New memory, which nothing else points to: stores to it do not make other loads anew.
  memory->addRetAttr(llvm::Attribute::NoAlias);
  memory->setDoesNotThrow();
  memory->setMemoryEffects(llvm::MemoryEffects::inaccessibleMemOnly());
  return {{shapes_.of(operation, 0), memory}};
}

Value Emitter::emit_memory_mark(const Operation& operation) {
  auto* type = llvm::FunctionType::get(builder_.getInt64Ty(), {builder_.getPtrTy()}, false);
  llvm::CallInst* mark =
      builder_.CreateCall(type, service(offsetof(CpuServices, mark)), {launch.launch}, "mark");
  mark->setDoesNotThrow();
  mark->setMemoryEffects(llvm::MemoryEffects::inaccessibleMemOnly());
  return {{shapes_.of(operation, 0), mark}};
}

void Emitter::emit_memory_release(const Operation& operation) {
  const std::size_t count = operation.operands.size() - 1;
  llvm::Value* kept = llvm::ConstantPointerNull::get(builder_.getPtrTy());
  if (count != 0) {
    auto* type = llvm::ArrayType::get(builder_.getPtrTy(), count);
    kept = make_slot(type, "kept");
    for (std::size_t i = 0; i < count; ++i)
      builder_.CreateStore(
          scalar(*operation.operands[1 + i]),
          builder_.CreateConstGEP1_64(builder_.getPtrTy(), kept, i));
  }
  auto* type = llvm::FunctionType::get(
      builder_.getVoidTy(),
      {builder_.getPtrTy(), builder_.getInt64Ty(), builder_.getPtrTy(), builder_.getInt64Ty()},
      false);
  llvm::CallInst* call = builder_.CreateCall(
      type,
      service(offsetof(CpuServices, release)),
      {launch.launch, scalar(*operation.operands[0]), kept, builder_.getInt64(count)});
  call->setDoesNotThrow();
}

Value Emitter::emit_random_state(const Operation& operation) {
  llvm::LoadInst* state = builder_.CreateLoad(
      builder_.getPtrTy(),
      builder_.CreateConstGEP1_64(builder_.getInt8Ty(), launch.launch, offsetof(CpuLaunch, random)),
      "random");
  state->setMetadata(llvm::LLVMContext::MD_invariant_load, llvm::MDNode::get(context(), {}));
  return {{shapes_.of(operation, 0), state}};
}

void Emitter::emit_random_refill(const Operation& operation) {
  auto* type = llvm::FunctionType::get(builder_.getVoidTy(), {builder_.getPtrTy()}, false);
  llvm::CallInst* call = builder_.CreateCall(
      type, service(offsetof(CpuServices, random_refill)), {scalar(*operation.operands[0])});
  call->setDoesNotThrow();
  call->addFnAttr(llvm::Attribute::Cold);
  call->setMemoryEffects(llvm::MemoryEffects::inaccessibleOrArgMemOnly());
}

}  // namespace phalanx::codegen::cpu
