// What a thread calls the host for: printed lines, raised exceptions, the wait for other blocks.
#include <llvm/IR/Constants.h>

#include "phalanx/base/cpu_kernel.h"
#include "phalanx/base/errors.h"
#include "phalanx/codegen/cpu/emitter.h"

namespace phalanx::codegen::cpu {

using ir::Operation;

namespace {

// void (launch, site, block x, y, z, thread x, y, z): fills the error record, if it is free.
llvm::Function* make_report_function(llvm::Module& module) {
  llvm::LLVMContext& context = module.getContext();
  llvm::IRBuilder<> builder(context);
  llvm::Type* i32 = builder.getInt32Ty();
  llvm::SmallVector<llvm::Type*, 8> types(8, i32);
  types[0] = builder.getPtrTy();
  auto* function = llvm::Function::Create(
      llvm::FunctionType::get(builder.getVoidTy(), types, false),
      llvm::GlobalValue::InternalLinkage,
      "report",
      module);
  function->addFnAttr(llvm::Attribute::NoInline);
  function->addFnAttr(llvm::Attribute::Cold);
  const auto block = [&](const char* name) {
    return llvm::BasicBlock::Create(context, name, function);
  };
  llvm::BasicBlock* entry = block("entry");
  llvm::BasicBlock* heard = block("heard");
  llvm::BasicBlock* first = block("first");
  llvm::BasicBlock* done = block("done");
  const auto at = [&](llvm::Value* base, std::size_t offset) {
    return builder.CreateConstGEP1_64(builder.getInt8Ty(), base, offset);
  };
  builder.SetInsertPoint(entry);
  llvm::Value* record =
      builder.CreateLoad(builder.getPtrTy(), at(function->getArg(0), offsetof(CpuLaunch, error)));
  builder.CreateCondBr(builder.CreateIsNull(record), done, heard);
  builder.SetInsertPoint(heard);
  llvm::Value* outcome = builder.CreateAtomicCmpXchg(
      at(record, offsetof(ErrorRecord, site)),
      builder.getInt32(0),
      function->getArg(1),
      llvm::MaybeAlign(4),
      llvm::AtomicOrdering::AcquireRelease,
      llvm::AtomicOrdering::Monotonic);
  builder.CreateCondBr(builder.CreateExtractValue(outcome, 1), first, done);
  builder.SetInsertPoint(first);
  for (unsigned i = 0; i < 3; ++i) {
    builder.CreateStore(function->getArg(2 + i), at(record, offsetof(ErrorRecord, block) + 4 * i));
    builder.CreateStore(function->getArg(5 + i), at(record, offsetof(ErrorRecord, thread) + 4 * i));
  }
  builder.CreateBr(done);
  builder.SetInsertPoint(done);
  builder.CreateRetVoid();
  return function;
}

std::string message_of(const ir::Function& function, const Operation& raise) {
  const std::string path = function.source == nullptr ? "<unknown>" : function.source->path;
  return path + ":" + std::to_string(raise.location.line) + ": " + raise.text;
}

}  // namespace

llvm::Value* Emitter::thread_of_lane(unsigned dimension, llvm::Value* lane) {
  llvm::Value* known = warp.thread.at(dimension);
  if (known->getType()->isVectorTy())
    return builder_.CreateExtractElement(known, lane);
  return dimension == 0 && lanes() > 1 ? builder_.CreateAdd(known, lane) : known;
}

// The first lane reports; all that run end here, as in a return.
void Emitter::emit_raise(const Operation& operation) {
  if (compilation_.options.debug) {
    const auto [site, is_new] = compilation_.raise_numbers.try_emplace(
        &operation, static_cast<std::uint32_t>(compilation_.raise_sites.size() + 1));
    if (is_new)
      compilation_.raise_sites.push_back(message_of(shapes_.nesting().function(), operation));
    llvm::Value* lane = builder_.getInt32(0);
    if (mask_ != nullptr)
      lane = builder_.CreateZExtOrTrunc(
          builder_.CreateBinaryIntrinsic(
              llvm::Intrinsic::cttz, mask_bits(mask_), builder_.getInt1(false)),
          builder_.getInt32Ty());
    llvm::SmallVector<llvm::Value*, 8> arguments = {launch.launch, builder_.getInt32(site->second)};
    for (llvm::Value* index : launch.block_index) arguments.push_back(index);
    for (unsigned i = 0; i < 3; ++i) arguments.push_back(thread_of_lane(i, lane));
    llvm::Function* report = compilation_.module.getFunction("report");
    if (report == nullptr)
      report = make_report_function(compilation_.module);
    builder_.CreateCall(report, arguments);
  }
  if (shapes_.level(operation) == Level::lane)
    mask_ = no_lanes();
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
      known = {Shape::of(Spread::varying), vector_of(known)};
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
