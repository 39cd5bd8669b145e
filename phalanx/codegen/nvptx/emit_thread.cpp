// Thread indices, barriers, fences and print.
#include <array>

#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/MDBuilder.h>

#include "phalanx/base/errors.h"
#include "phalanx/codegen/nvptx/function_emitter.h"

namespace phalanx::codegen::nvptx {
namespace {

using ir::Op;
using ir::Operation;
using Registers = std::array<llvm::Intrinsic::ID, 3>;

constexpr Registers thread_index_registers = {
    llvm::Intrinsic::nvvm_read_ptx_sreg_tid_x,
    llvm::Intrinsic::nvvm_read_ptx_sreg_tid_y,
    llvm::Intrinsic::nvvm_read_ptx_sreg_tid_z};
constexpr Registers block_index_registers = {
    llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_x,
    llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_y,
    llvm::Intrinsic::nvvm_read_ptx_sreg_ctaid_z};
constexpr Registers block_extent_registers = {
    llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_x,
    llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_y,
    llvm::Intrinsic::nvvm_read_ptx_sreg_ntid_z};
constexpr Registers grid_extent_registers = {
    llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_x,
    llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_y,
    llvm::Intrinsic::nvvm_read_ptx_sreg_nctaid_z};

// What the hardware allows, by dimension.
constexpr std::array<unsigned, 3> most_threads = {1024, 1024, 64};
constexpr std::array<unsigned, 3> most_blocks = {0x7fffffff, 0xffff, 0xffff};
constexpr unsigned warp_size = 32;

}  // namespace

bool FunctionEmitter::emit_thread(const Operation& operation) {
  switch (operation.op) {
    case Op::thread_index:
    case Op::block_index:
    case Op::block_extent:
    case Op::grid_extent:
    case Op::lane_index:
      define(operation, {emit_thread_query(operation)});
      return true;
    case Op::barrier:
      if (operation.index != 0)  // of check mode: passes::insert_end_barriers
        return true;
      builder_.CreateIntrinsic(llvm::Intrinsic::nvvm_barrier0, {}, {});
      return true;
    case Op::block_vote:
      define(operation, {emit_block_vote(operation)});
      return true;
    case Op::cooperative:  // facts for the launch
    case Op::launch_memory:
      return true;
    case Op::grid_barrier:
      emit_grid_barrier();
      return true;
    case Op::sleep:
      builder_.CreateIntrinsic(llvm::Intrinsic::nvvm_nanosleep, {}, {operand(operation, 0)});
      return true;
    case Op::fence:
      emit_fence(operation);
      return true;
    case Op::atomic:
      define(operation, {emit_atomic(operation)});
      return true;
    case Op::atomic_cas:
      define(operation, {emit_atomic_cas(operation)});
      return true;
    case Op::print:
      emit_print(operation);
      return true;
    case Op::raise:
      emit_raise(operation);
      return true;
    default:
      return false;
  }
}

llvm::Value* FunctionEmitter::read_register(
    llvm::Intrinsic::ID intrinsic, unsigned first, unsigned end) {
  llvm::CallInst* value = builder_.CreateIntrinsic(intrinsic, {}, {});
  value->setMetadata(
      llvm::LLVMContext::MD_range,
      llvm::MDBuilder(builder_.getContext())
          .createRange(llvm::APInt(32, first), llvm::APInt(32, end)));
  return value;
}

llvm::Value* FunctionEmitter::emit_thread_query(const Operation& operation) {
  const auto dimension = static_cast<std::size_t>(operation.index);
  switch (operation.op) {
    case Op::thread_index:
      return read_thread_index(static_cast<unsigned>(operation.index));
    case Op::block_index:
      return read_block_index(static_cast<unsigned>(operation.index));
    case Op::block_extent:
      return read_block_extent(static_cast<unsigned>(operation.index));
    case Op::grid_extent:
      return read_register(grid_extent_registers.at(dimension), 1, most_blocks.at(dimension) + 1);
    default:
      return read_register(llvm::Intrinsic::nvvm_read_ptx_sreg_laneid, 0, warp_size);
  }
}

// Threads that have ended bring nothing, which is right for a count. All is therefore: there is
// none where it fails.
llvm::Value* FunctionEmitter::emit_block_vote(const Operation& operation) {
  const bool is_all = ir::has_kind(operation, ir::BlockVote::all);
  const bool is_count = ir::has_kind(operation, ir::BlockVote::count);
  const auto intrinsic =
      is_count ? llvm::Intrinsic::nvvm_barrier0_popc : llvm::Intrinsic::nvvm_barrier0_or;
  llvm::Value* predicate = operand(operation, 0);
  if (is_all)
    predicate = builder_.CreateNot(predicate);
  llvm::Value* result = builder_.CreateIntrinsic(
      intrinsic, {}, {builder_.CreateZExt(predicate, builder_.getInt32Ty())});
  if (is_count)
    return result;
  return is_all ? builder_.CreateIsNull(result) : builder_.CreateIsNotNull(result);
}

void FunctionEmitter::emit_fence(const Operation& operation) {
  llvm::Intrinsic::ID intrinsic = llvm::Intrinsic::nvvm_membar_sys;
  if (ir::has_kind(operation, ir::FenceScope::block))
    intrinsic = llvm::Intrinsic::nvvm_membar_cta;
  else if (ir::has_kind(operation, ir::FenceScope::device))
    intrinsic = llvm::Intrinsic::nvvm_membar_gl;
  builder_.CreateIntrinsic(intrinsic, {}, {});
}

namespace {

struct Printed {
  std::string format;
  Components values;
};

// One value as printf takes it: widened as C's variadic calls do.
Printed printable(OpEmitter& ops, DType dtype, llvm::Value* value) {
  llvm::IRBuilderBase& builder = ops.builder;
  switch (kind_of(dtype)) {
    case DTypeKind::boolean:
      return {
          "%s",
          {builder.CreateSelect(
              value,
              builder.CreateGlobalStringPtr("True"),
              builder.CreateGlobalStringPtr("False"))}};
    case DTypeKind::signed_integer:
      return {"%lld", {emit_cast(ops, dtype, DType::int64, value)}};
    case DTypeKind::unsigned_integer:
      return {"%llu", {emit_cast(ops, dtype, DType::uint64, value)}};
    case DTypeKind::floating:
      return {"%f", {emit_cast(ops, dtype, DType::float64, value)}};
    case DTypeKind::complex_floating: {
      llvm::Value* wide = emit_cast(ops, dtype, DType::complex128, value);
      return {"(%f%+fj)", {real_of(ops, wide), imaginary_of(ops, wide)}};
    }
  }
  return {};
}

}  // namespace

void FunctionEmitter::emit_print(const Operation& operation) {
  state_.uses_print = true;
  std::string format;
  Components values;
  std::size_t next = 0;
  const std::string& text = operation.text;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '{' && i + 1 < text.size() && text[i + 1] == '}') {
      const DType dtype = operation.operands.at(next)->type.dtype();
      const Printed printed = printable(ops_, dtype, operand(operation, next++));
      format += printed.format;
      values.append(printed.values);
      ++i;
    } else {
      format += text[i];
      if (text[i] == '%')
        format += '%';
      else if ((text[i] == '{' || text[i] == '}') && i + 1 < text.size() && text[i + 1] == text[i])
        ++i;  // written twice, so it takes no value
    }
  }
  format += '\n';

  llvm::SmallVector<llvm::Type*, 8> types;
  for (const llvm::Value* value : values) types.push_back(value->getType());
  auto* block = llvm::StructType::get(builder_.getContext(), types);
  llvm::Value* memory = llvm::ConstantPointerNull::get(builder_.getPtrTy());
  if (!values.empty())
    memory = entry_alloca(block, llvm::Align(8), "print");
  for (unsigned i = 0; i < values.size(); ++i)
    builder_.CreateStore(values[i], builder_.CreateStructGEP(block, memory, i));
  const llvm::FunctionCallee vprintf = state_.module.getOrInsertFunction(
      "vprintf", builder_.getInt32Ty(), builder_.getPtrTy(), builder_.getPtrTy());
  builder_.CreateCall(vprintf, {builder_.CreateGlobalStringPtr(format), memory});
}

llvm::Value* FunctionEmitter::read_block_index(unsigned dimension) {
  return read_register(block_index_registers.at(dimension), 0, most_blocks.at(dimension));
}

llvm::Value* FunctionEmitter::read_thread_index(unsigned dimension) {
  return read_register(thread_index_registers.at(dimension), 0, most_threads.at(dimension));
}

llvm::Value* FunctionEmitter::read_block_extent(unsigned dimension) {
  return read_register(block_extent_registers.at(dimension), 1, most_threads.at(dimension) + 1);
}

void FunctionEmitter::end_thread() {
  if (source_.kind == ir::FunctionKind::kernel) {
    builder_.CreateRetVoid();
    return;
  }
  builder_.CreateIntrinsic(llvm::Intrinsic::nvvm_exit, {}, {});
  builder_.CreateUnreachable();
}

}  // namespace phalanx::codegen::nvptx
