// What a thread calls the host for: printed lines, raised exceptions, the wait for other blocks.
#include <llvm/IR/Constants.h>

#include "phalanx/base/cpu_kernel.h"
#include "phalanx/codegen/cpu/emitter.h"
#include "phalanx/codegen/llvm/emit_report.h"

namespace phalanx::codegen::cpu {

using ir::Operation;

std::uint32_t Emitter::site_number(const Operation& operation) {
  const auto [site, is_new] = compilation_.site_numbers.try_emplace(
      &operation, static_cast<std::uint32_t>(compilation_.fault_sites.size() + 1));
  if (is_new)
    compilation_.fault_sites.push_back(site_of(shapes_.nesting().function(), operation));
  return site->second;
}

// Lane `lane` reports for `count` threads; `values` are its own.
void Emitter::emit_report(
    const Operation& operation,
    llvm::Value* lane,
    llvm::Value* count,
    llvm::ArrayRef<llvm::Value*> values) {
  const std::uint32_t site = site_number(operation);
  llvm::Value* log = builder_.CreateLoad(
      builder_.getPtrTy(),
      builder_.CreateConstGEP1_64(
          builder_.getInt8Ty(), launch.launch, offsetof(CpuLaunch, errors)));
  llvm::BasicBlock* heard = new_block("report");
  llvm::BasicBlock* done = new_block("reported");
  builder_.CreateCondBr(builder_.CreateIsNull(log), done, heard);
  builder_.SetInsertPoint(heard);
  const std::size_t held = std::min(values.size(), std::size(ErrorRecord{}.values));
  llvm::Value* kept = llvm::ConstantPointerNull::get(builder_.getPtrTy());
  if (held != 0) {
    if (report_values_ == nullptr)
      report_values_ = make_slot(
          llvm::ArrayType::get(builder_.getInt64Ty(), std::size(ErrorRecord{}.values)), "reported");
    kept = report_values_;
  }
  for (std::size_t i = 0; i < held; ++i)
    builder_.CreateStore(values[i], builder_.CreateConstGEP1_64(builder_.getInt64Ty(), kept, i));
  llvm::SmallVector<llvm::Value*, 11> arguments = {log, builder_.getInt32(site), count};
  for (llvm::Value* index : launch.block_index) arguments.push_back(index);
  for (unsigned i = 0; i < 3; ++i) arguments.push_back(thread_of_lane(i, lane));
  arguments.push_back(kept);
  arguments.push_back(builder_.getInt32(static_cast<std::uint32_t>(held)));
  builder_.CreateCall(report_function(compilation_.module), arguments);
  branch_to(done);
}

// The first lane of `lanes` reports for all of them: a mask, or one flag for all that run.
void Emitter::report_lanes(
    const Operation& operation, llvm::Value* lanes, llvm::ArrayRef<Component> values) {
  llvm::Value* bits =
      mask_bits(lanes->getType()->isVectorTy() ? merged(mask_, lanes) : mask_or_all());
  llvm::Value* lane = builder_.CreateZExtOrTrunc(
      builder_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, bits, builder_.getInt1(false)),
      builder_.getInt32Ty());
  llvm::Value* count = builder_.CreateZExtOrTrunc(
      builder_.CreateUnaryIntrinsic(
          llvm::Intrinsic::ctpop, builder_.CreateZExt(bits, builder_.getInt64Ty())),
      builder_.getInt32Ty());
  llvm::SmallVector<llvm::Value*, 8> own;
  for (const Component& value : values)
    own.push_back(value.shape.is_uniform() ? value.value : lane_of(vector_of(value), lane));
  emit_report(operation, lane, count, own);
}

// The first lane reports; all that run end here, as in a return.
void Emitter::emit_raise(const Operation& operation) {
  if (compilation_.options.debug) {
    llvm::SmallVector<Component, 8> values;
    for (const Operation* operand : operation.operands) values.push_back(value_of(*operand)[0]);
    report_lanes(operation, builder_.getTrue(), values);
  }
  if (shapes_.divergence(operation) == Divergence::lane)
    end_lanes();
  else
    builder_.CreateBr(function_exit);
}

// Fills one PrintValue.
void Emitter::store_print_value(llvm::Value* entry, DType dtype, llvm::Value* value) {
  const auto at = [&](std::size_t offset) {
    return builder_.CreateConstGEP1_64(builder_.getInt8Ty(), entry, offset);
  };
  builder_.CreateStore(
      builder_.getInt32(static_cast<std::uint32_t>(dtype)), at(offsetof(PrintValue, dtype)));
  builder_.CreateStore(builder_.getInt32(0), at(offsetof(PrintValue, reserved)));
  builder_.CreateStore(builder_.getInt64(0), at(offsetof(PrintValue, bits)));
  builder_.CreateStore(builder_.getInt64(0), at(offsetof(PrintValue, bits) + 8));
  if (!is_complex(dtype)) {
    builder_.CreateStore(to_memory(builder_, dtype, value), at(offsetof(PrintValue, bits)));
    return;
  }
  // The bytes of the number in memory: the parts follow each other.
  const std::size_t part = size_of(dtype) / 2;
  for (unsigned i = 0; i < 2; ++i)
    builder_.CreateStore(
        builder_.CreateExtractValue(value, i), at(offsetof(PrintValue, bits) + i * part));
}

void Emitter::emit_print(const Operation& operation) {
  llvm::SmallVector<Component, 4> values;
  for (const Operation* operand : operation.operands) {
    Component known = value_of(*operand)[0];
    if (!known.shape.is_uniform())
      known = {Shape::of(Uniformity::varying), vector_of(known)};
    values.push_back(known);
  }
  llvm::Value* callback = builder_.CreateLoad(
      builder_.getPtrTy(),
      builder_.CreateConstGEP1_64(builder_.getInt8Ty(), launch.launch, offsetof(CpuLaunch, print)));
  llvm::Value* format = builder_.CreateGlobalString(operation.text, "format");
  const std::uint64_t bytes = sizeof(PrintValue) * std::max<std::size_t>(values.size(), 1);
  llvm::AllocaInst* entries =
      make_slot(llvm::ArrayType::get(builder_.getInt8Ty(), bytes), "printed");
  entries->setAlignment(llvm::Align(8));
  llvm::BasicBlock* heard = new_block("print");
  llvm::BasicBlock* done = new_block("print.done");
  builder_.CreateCondBr(builder_.CreateIsNull(callback), done, heard);
  builder_.SetInsertPoint(heard);
  auto* type = llvm::FunctionType::get(
      builder_.getVoidTy(),
      {builder_.getPtrTy(), builder_.getPtrTy(), builder_.getInt32Ty()},
      false);
  for_each_lane([&](llvm::Value* lane) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      llvm::Value* one =
          values[i].shape.is_uniform() ? values[i].value : lane_of(values[i].value, lane);
      llvm::Value* entry =
          builder_.CreateConstGEP1_64(builder_.getInt8Ty(), entries, i * sizeof(PrintValue));
      store_print_value(entry, operation.operands[i]->type.dtype(), one);
    }
    builder_.CreateCall(
        type,
        callback,
        {format, entries, builder_.getInt32(static_cast<std::uint32_t>(values.size()))});
  });
  branch_to(done);
}

// The whole warp waits while its thread does: the runtime gives each block a thread of its own.
void Emitter::emit_grid_barrier() {
  const auto load = [&](std::size_t offset) {
    return builder_.CreateLoad(
        builder_.getPtrTy(),
        builder_.CreateConstGEP1_64(builder_.getInt8Ty(), launch.launch, offset));
  };
  llvm::Value* wait = load(offsetof(CpuLaunch, wait_for_grid));
  llvm::BasicBlock* waits = new_block("grid.wait");
  llvm::BasicBlock* done = new_block("grid.done");
  builder_.CreateCondBr(builder_.CreateIsNull(wait), done, waits);
  builder_.SetInsertPoint(waits);
  auto* type = llvm::FunctionType::get(builder_.getVoidTy(), {builder_.getPtrTy()}, false);
  builder_.CreateCall(type, wait, {load(offsetof(CpuLaunch, grid_state))});
  branch_to(done);
}

}  // namespace phalanx::codegen::cpu
