// What a thread calls the host for: printed lines, raised exceptions, the wait for other blocks.
#include <llvm/IR/Constants.h>

#include "phalanx/base/cpu_kernel.h"
#include "phalanx/codegen/cpu/emitter.h"
#include "phalanx/codegen/cpu/stateless_operations.h"
#include "phalanx/codegen/llvm/emit_report.h"

namespace phalanx::codegen::cpu {

using ir::Operation;

// The first lane reports; all that run end here, as in a return.
void emit_raise(Emitter& emitter, const Operation& operation) {
  llvm::IRBuilder<>& builder = emitter.builder();
  if (emitter.compilation().options.debug) {
    llvm::SmallVector<Component, 8> values;
    for (const Operation* operand : operation.operands)
      values.push_back(emitter.value_of(*operand)[0]);
    emitter.reporter().report_lanes(operation, builder.getTrue(), values);
  }
  if (emitter.shapes().divergence(operation) == Divergence::lane)
    emitter.checks().end_lanes();
  else
    builder.CreateBr(emitter.function_exit);
}

namespace {

// Fills one PrintValue.
void store_print_value(
    llvm::IRBuilder<>& builder, llvm::Value* entry, DType dtype, llvm::Value* value) {
  const auto at = [&](std::size_t offset) {
    return builder.CreateConstGEP1_64(builder.getInt8Ty(), entry, offset);
  };
  builder.CreateStore(
      builder.getInt32(static_cast<std::uint32_t>(dtype)), at(offsetof(PrintValue, dtype)));
  builder.CreateStore(builder.getInt32(0), at(offsetof(PrintValue, reserved)));
  builder.CreateStore(builder.getInt64(0), at(offsetof(PrintValue, bits)));
  builder.CreateStore(builder.getInt64(0), at(offsetof(PrintValue, bits) + 8));
  if (!is_complex(dtype)) {
    builder.CreateStore(to_memory(builder, dtype, value), at(offsetof(PrintValue, bits)));
    return;
  }
  // The bytes of the number in memory: the parts follow each other.
  const std::size_t part = size_of(dtype) / 2;
  for (unsigned i = 0; i < 2; ++i)
    builder.CreateStore(
        builder.CreateExtractValue(value, i), at(offsetof(PrintValue, bits) + i * part));
}

}  // namespace

void emit_print(Emitter& emitter, const Operation& operation) {
  llvm::IRBuilder<>& builder = emitter.builder();
  llvm::SmallVector<Component, 4> values;
  for (const Operation* operand : operation.operands) {
    Component known = emitter.value_of(*operand)[0];
    if (!known.shape.is_uniform())
      known = {Shape::of(Uniformity::varying), emitter.vector_of(known)};
    values.push_back(known);
  }
  llvm::Value* callback = builder.CreateLoad(
      builder.getPtrTy(),
      builder.CreateConstGEP1_64(
          builder.getInt8Ty(), emitter.launch.launch, offsetof(CpuLaunch, print)));
  llvm::Value* format = builder.CreateGlobalString(operation.text, "format");
  const std::uint64_t bytes = sizeof(PrintValue) * std::max<std::size_t>(values.size(), 1);
  llvm::AllocaInst* entries =
      emitter.make_slot(llvm::ArrayType::get(builder.getInt8Ty(), bytes), "printed");
  entries->setAlignment(llvm::Align(8));
  llvm::BasicBlock* heard = emitter.new_block("print");
  llvm::BasicBlock* done = emitter.new_block("print.done");
  builder.CreateCondBr(builder.CreateIsNull(callback), done, heard);
  builder.SetInsertPoint(heard);
  auto* type = llvm::FunctionType::get(
      builder.getVoidTy(), {builder.getPtrTy(), builder.getPtrTy(), builder.getInt32Ty()}, false);
  emitter.for_each_lane([&](llvm::Value* lane) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      llvm::Value* one =
          values[i].shape.is_uniform() ? values[i].value : emitter.lane_of(values[i].value, lane);
      llvm::Value* entry =
          builder.CreateConstGEP1_64(builder.getInt8Ty(), entries, i * sizeof(PrintValue));
      store_print_value(builder, entry, operation.operands[i]->type.dtype(), one);
    }
    builder.CreateCall(
        type,
        callback,
        {format, entries, builder.getInt32(static_cast<std::uint32_t>(values.size()))});
  });
  emitter.branch_to(done);
}

// The whole warp waits while its thread does: the runtime gives each block a thread of its own.
void emit_grid_barrier(Emitter& emitter) {
  llvm::IRBuilder<>& builder = emitter.builder();
  const auto load = [&](std::size_t offset) {
    return builder.CreateLoad(
        builder.getPtrTy(),
        builder.CreateConstGEP1_64(builder.getInt8Ty(), emitter.launch.launch, offset));
  };
  llvm::Value* wait = load(offsetof(CpuLaunch, wait_for_grid));
  llvm::BasicBlock* waits = emitter.new_block("grid.wait");
  llvm::BasicBlock* done = emitter.new_block("grid.done");
  builder.CreateCondBr(builder.CreateIsNull(wait), done, waits);
  builder.SetInsertPoint(waits);
  auto* type = llvm::FunctionType::get(builder.getVoidTy(), {builder.getPtrTy()}, false);
  builder.CreateCall(type, wait, {load(offsetof(CpuLaunch, grid_state))});
  emitter.branch_to(done);
}

}  // namespace phalanx::codegen::cpu
