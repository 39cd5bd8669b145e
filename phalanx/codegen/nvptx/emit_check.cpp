// What a thread tells the host: exceptions, and the faults that check mode looks for.
#include <llvm/IR/Constants.h>

#include "phalanx/base/cpu_kernel.h"
#include "phalanx/codegen/llvm/emit_report.h"
#include "phalanx/codegen/nvptx/function_emitter.h"
#include "phalanx/ir/typing.h"

namespace phalanx::codegen::nvptx {

using ir::Op;
using ir::Operation;

void FunctionEmitter::emit_raise(const Operation& operation) {
  if (state_.options.debug)
    emit_report(operation, {});
  end_thread();
}

// The host finds the site by its number.
void FunctionEmitter::emit_report(const Operation& operation, llvm::ArrayRef<llvm::Value*> values) {
  state_.fault_sites.push_back(site_of(source_, operation));
  llvm::Value* log = builder_.CreateAddrSpaceCast(error_log(state_), builder_.getPtrTy());
  const std::size_t held = std::min(values.size(), std::size(ErrorRecord{}.values));
  llvm::Value* kept = llvm::ConstantPointerNull::get(builder_.getPtrTy());
  if (held != 0)
    kept =
        entry_alloca(llvm::ArrayType::get(builder_.getInt64Ty(), held), llvm::Align(8), "reported");
  for (std::size_t i = 0; i < held; ++i)
    builder_.CreateStore(values[i], builder_.CreateConstGEP1_64(builder_.getInt64Ty(), kept, i));
  llvm::SmallVector<llvm::Value*, 11> arguments = {
      log,
      builder_.getInt32(static_cast<std::uint32_t>(state_.fault_sites.size())),
      builder_.getInt32(1)};
  for (unsigned i = 0; i < 3; ++i) arguments.push_back(read_block_index(i));
  for (unsigned i = 0; i < 3; ++i) arguments.push_back(read_thread_index(i));
  arguments.push_back(kept);
  arguments.push_back(builder_.getInt32(static_cast<std::uint32_t>(held)));
  builder_.CreateCall(report_function(state_.module), arguments);
}

// Memory for accesses that must not happen, in the address space of `pointer`.
llvm::Value* FunctionEmitter::sink_buffer(llvm::Type* pointer, std::size_t bytes) {
  constexpr unsigned local_space = 5;
  const unsigned space = pointer->getPointerAddressSpace();
  if (space == local_space || space == 0) {
    llvm::AllocaInst* memory =
        entry_alloca(llvm::ArrayType::get(builder_.getInt8Ty(), bytes), llvm::Align(16), "sink");
    return builder_.CreatePointerBitCastOrAddrSpaceCast(memory, pointer);
  }
  return sink_global(state_, space, bytes);
}

llvm::Value* FunctionEmitter::emit_checked_element(const Operation& operation) {
  const Components& view = components(operation.operands[0]);
  const unsigned ndim = operation.operands[0]->type.ndim();
  llvm::Value* within = builder_.getTrue();
  llvm::SmallVector<llvm::Value*, 8> values;
  for (unsigned d = 0; d < ndim; ++d) values.push_back(operand(operation, 1 + d));
  for (unsigned d = 0; d < ndim; ++d) {
    values.push_back(view[1 + d]);
    within = builder_.CreateAnd(within, builder_.CreateICmpULT(values[d], view[1 + d]));
  }
  llvm::BasicBlock* inside = new_block("inside");
  llvm::BasicBlock* fault = new_block("fault");
  llvm::BasicBlock* end = new_block("checked");
  builder_.CreateCondBr(within, inside, fault);
  builder_.SetInsertPoint(inside);
  llvm::Value* pointer = element_pointer(operation, ndim);
  builder_.CreateBr(end);
  builder_.SetInsertPoint(fault);
  emit_report(operation, values);
  llvm::Value* other =
      sink_buffer(pointer->getType(), ir::element_stride(operation.type.element()));
  llvm::BasicBlock* fault_end = builder_.GetInsertBlock();
  builder_.CreateBr(end);
  builder_.SetInsertPoint(end);
  llvm::PHINode* merged = builder_.CreatePHI(pointer->getType(), 2, "element");
  merged->addIncoming(pointer, inside);
  merged->addIncoming(other, fault_end);
  return merged;
}

void FunctionEmitter::emit_report_if(const Operation& operation) {
  llvm::BasicBlock* fault = new_block("fault");
  llvm::BasicBlock* end = new_block("checked");
  llvm::SmallVector<llvm::Value*, 4> values;
  for (std::size_t i = 1; i < operation.operands.size(); ++i)
    values.push_back(operand(operation, i));
  builder_.CreateCondBr(operand(operation, 0), fault, end);
  builder_.SetInsertPoint(fault);
  emit_report(operation, values);
  builder_.CreateBr(end);
  builder_.SetInsertPoint(end);
}

bool FunctionEmitter::emit_check(const Operation& operation) {
  switch (operation.op) {
    case Op::checked_element:
      define(operation, {emit_checked_element(operation)});
      return true;
    case Op::report_if:
      emit_report_if(operation);
      return true;
    case Op::track_row:
    case Op::track_access:  // the CPU device's
      return true;
    default:
      return false;
  }
}

}  // namespace phalanx::codegen::nvptx
