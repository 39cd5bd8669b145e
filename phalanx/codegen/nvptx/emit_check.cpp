// What a thread tells the host: exceptions, and the faults that check mode looks for.
#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

#include "phalanx/base/cpu_kernel.h"
#include "phalanx/codegen/llvm/emit_report.h"
#include "phalanx/codegen/nvptx/emit_parts.h"
#include "phalanx/codegen/nvptx/function_emitter.h"
#include "phalanx/ir/typing.h"

namespace phalanx::codegen::nvptx {

using ir::Op;
using ir::Operation;

namespace {

void end_thread(FunctionEmitter& emitter) {
  llvm::IRBuilder<>& builder = emitter.builder();
  if (emitter.source().kind == ir::FunctionKind::kernel) {
    builder.CreateRetVoid();
    return;
  }
  builder.CreateIntrinsic(llvm::Intrinsic::nvvm_exit, {}, {});
  builder.CreateUnreachable();
}

void emit_raise(FunctionEmitter& emitter, const Operation& operation) {
  if (emitter.state().options.debug)
    emit_report(emitter, operation, {});
  end_thread(emitter);
}

// Memory for accesses that must not happen, in the address space of `pointer`.
llvm::Value* sink_buffer(FunctionEmitter& emitter, llvm::Type* pointer, std::size_t bytes) {
  llvm::IRBuilder<>& builder = emitter.builder();
  constexpr unsigned local_space = 5;
  const unsigned space = pointer->getPointerAddressSpace();
  if (space == local_space || space == 0) {
    llvm::AllocaInst* memory = emitter.entry_alloca(
        llvm::ArrayType::get(builder.getInt8Ty(), bytes), llvm::Align(16), "sink");
    return builder.CreatePointerBitCastOrAddrSpaceCast(memory, pointer);
  }
  return sink_global(emitter.state(), space, bytes);
}

llvm::Value* emit_checked_element(FunctionEmitter& emitter, const Operation& operation) {
  llvm::IRBuilder<>& builder = emitter.builder();
  const Components& view = emitter.components(operation.operands[0]);
  const unsigned ndim = operation.operands[0]->type.ndim();
  llvm::Value* within = builder.getTrue();
  llvm::SmallVector<llvm::Value*, 8> values;
  for (unsigned d = 0; d < ndim; ++d) values.push_back(emitter.operand(operation, 1 + d));
  for (unsigned d = 0; d < ndim; ++d) {
    values.push_back(view[1 + d]);
    within = builder.CreateAnd(within, builder.CreateICmpULT(values[d], view[1 + d]));
  }
  llvm::BasicBlock* inside = emitter.new_block("inside");
  llvm::BasicBlock* fault = emitter.new_block("fault");
  llvm::BasicBlock* end = emitter.new_block("checked");
  builder.CreateCondBr(within, inside, fault);
  builder.SetInsertPoint(inside);
  llvm::Value* pointer = element_pointer(emitter, operation, ndim);
  builder.CreateBr(end);
  builder.SetInsertPoint(fault);
  emit_report(emitter, operation, values);
  llvm::Value* other =
      sink_buffer(emitter, pointer->getType(), ir::element_stride(operation.type.element()));
  llvm::BasicBlock* fault_end = builder.GetInsertBlock();
  builder.CreateBr(end);
  builder.SetInsertPoint(end);
  llvm::PHINode* merged = builder.CreatePHI(pointer->getType(), 2, "element");
  merged->addIncoming(pointer, inside);
  merged->addIncoming(other, fault_end);
  return merged;
}

void emit_report_if(FunctionEmitter& emitter, const Operation& operation) {
  llvm::IRBuilder<>& builder = emitter.builder();
  llvm::BasicBlock* fault = emitter.new_block("fault");
  llvm::BasicBlock* end = emitter.new_block("checked");
  llvm::SmallVector<llvm::Value*, 4> values;
  for (std::size_t i = 1; i < operation.operands.size(); ++i)
    values.push_back(emitter.operand(operation, i));
  builder.CreateCondBr(emitter.operand(operation, 0), fault, end);
  builder.SetInsertPoint(fault);
  emit_report(emitter, operation, values);
  builder.CreateBr(end);
  builder.SetInsertPoint(end);
}

}  // namespace

// The host finds the site by its number.
void emit_report(
    FunctionEmitter& emitter, const Operation& operation, llvm::ArrayRef<llvm::Value*> values) {
  llvm::IRBuilder<>& builder = emitter.builder();
  emitter.state().fault_sites.push_back(site_of(emitter.source(), operation));
  llvm::Value* log = builder.CreateAddrSpaceCast(error_log(emitter.state()), builder.getPtrTy());
  const std::size_t held = std::min(values.size(), std::size(ErrorRecord{}.values));
  llvm::Value* kept = llvm::ConstantPointerNull::get(builder.getPtrTy());
  if (held != 0)
    kept = emitter.entry_alloca(
        llvm::ArrayType::get(builder.getInt64Ty(), held), llvm::Align(8), "reported");
  for (std::size_t i = 0; i < held; ++i)
    builder.CreateStore(values[i], builder.CreateConstGEP1_64(builder.getInt64Ty(), kept, i));
  llvm::SmallVector<llvm::Value*, 11> arguments = {
      log,
      builder.getInt32(static_cast<std::uint32_t>(emitter.state().fault_sites.size())),
      builder.getInt32(1)};
  for (unsigned i = 0; i < 3; ++i) arguments.push_back(read_block_index(builder, i));
  for (unsigned i = 0; i < 3; ++i) arguments.push_back(read_thread_index(builder, i));
  arguments.push_back(kept);
  arguments.push_back(builder.getInt32(static_cast<std::uint32_t>(held)));
  builder.CreateCall(report_function(emitter.state().module), arguments);
}

bool emit_check(FunctionEmitter& emitter, const Operation& operation) {
  switch (operation.op) {
    case Op::raise:
      emit_raise(emitter, operation);
      return true;
    case Op::checked_element:
      emitter.define(operation, {emit_checked_element(emitter, operation)});
      return true;
    case Op::report_if:
      emit_report_if(emitter, operation);
      return true;
    case Op::track_row:
    case Op::track_access:  // the CPU device's
      return true;
    default:
      return false;
  }
}

}  // namespace phalanx::codegen::nvptx
