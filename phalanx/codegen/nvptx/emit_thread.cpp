// Thread indices, barriers, fences and print.
#include <array>

#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicsNVPTX.h>
#include <llvm/IR/MDBuilder.h>

#include "phalanx/base/errors.h"
#include "phalanx/base/print_format.h"
#include "phalanx/codegen/nvptx/emit_parts.h"
#include "phalanx/codegen/nvptx/function_emitter.h"

namespace phalanx::codegen::nvptx {

using ir::Op;
using ir::Operation;
using Registers = std::array<llvm::Intrinsic::ID, 3>;

namespace {

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

llvm::Value* read_register(
    llvm::IRBuilder<>& builder, llvm::Intrinsic::ID intrinsic, unsigned first, unsigned end) {
  llvm::CallInst* value = builder.CreateIntrinsic(intrinsic, {}, {});
  value->setMetadata(
      llvm::LLVMContext::MD_range,
      llvm::MDBuilder(builder.getContext())
          .createRange(llvm::APInt(32, first), llvm::APInt(32, end)));
  return value;
}

llvm::Value* emit_thread_query(FunctionEmitter& emitter, const Operation& operation) {
  llvm::IRBuilder<>& builder = emitter.builder();
  const auto dimension = static_cast<std::size_t>(operation.index);
  switch (operation.op) {
    case Op::thread_index:
      return read_thread_index(builder, static_cast<unsigned>(operation.index));
    case Op::block_index:
      return read_block_index(builder, static_cast<unsigned>(operation.index));
    case Op::block_extent:
      return read_block_extent(builder, static_cast<unsigned>(operation.index));
    case Op::grid_extent:
      return read_register(
          builder, grid_extent_registers.at(dimension), 1, most_blocks.at(dimension) + 1);
    default:
      return read_register(builder, llvm::Intrinsic::nvvm_read_ptx_sreg_laneid, 0, warp_size);
  }
}

// Threads that have ended bring nothing, which is right for a count. All is therefore: there is
// none where it fails.
llvm::Value* emit_block_vote(FunctionEmitter& emitter, const Operation& operation) {
  llvm::IRBuilder<>& builder = emitter.builder();
  const bool is_all = ir::has_kind(operation, ir::BlockVote::all);
  const bool is_count = ir::has_kind(operation, ir::BlockVote::count);
  const auto intrinsic =
      is_count ? llvm::Intrinsic::nvvm_barrier0_popc : llvm::Intrinsic::nvvm_barrier0_or;
  llvm::Value* predicate = emitter.operand(operation, 0);
  if (is_all)
    predicate = builder.CreateNot(predicate);
  llvm::Value* result =
      builder.CreateIntrinsic(intrinsic, {}, {builder.CreateZExt(predicate, builder.getInt32Ty())});
  if (is_count)
    return result;
  return is_all ? builder.CreateIsNull(result) : builder.CreateIsNotNull(result);
}

void emit_fence(FunctionEmitter& emitter, const Operation& operation) {
  llvm::IRBuilder<>& builder = emitter.builder();
  llvm::Intrinsic::ID intrinsic = llvm::Intrinsic::nvvm_membar_sys;
  if (ir::has_kind(operation, ir::FenceScope::block))
    intrinsic = llvm::Intrinsic::nvvm_membar_cta;
  else if (ir::has_kind(operation, ir::FenceScope::device))
    intrinsic = llvm::Intrinsic::nvvm_membar_gl;
  builder.CreateIntrinsic(intrinsic, {}, {});
}

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

void emit_print(FunctionEmitter& emitter, const Operation& operation) {
  llvm::IRBuilder<>& builder = emitter.builder();
  emitter.state().uses_print = true;
  std::string format;
  Components values;
  std::size_t next = 0;
  const PrintFormat parsed = parse_print_format(operation.text);
  for (const PrintPart& part : parsed.parts) {
    if (part.kind == PrintPart::Kind::text) {
      for (const char c : part.text) format += c == '%' ? "%%" : std::string(1, c);
    } else if (part.kind == PrintPart::Kind::value) {
      const DType dtype = operation.operands.at(next)->type.dtype();
      const Printed printed = printable(emitter.ops(), dtype, emitter.operand(operation, next++));
      format += printed.format;
      values.append(printed.values);
    } else {
      format += widened_conversion(part.text);
      llvm::Value* value = emitter.operand(operation, next++);
      if (part.text.back() == 'c')
        value = builder.CreateTrunc(value, builder.getInt32Ty());
      values.push_back(value);
    }
  }
  if (parsed.ends_line)
    format += '\n';

  llvm::SmallVector<llvm::Type*, 8> types;
  for (const llvm::Value* value : values) types.push_back(value->getType());
  auto* block = llvm::StructType::get(builder.getContext(), types);
  llvm::Value* memory = llvm::ConstantPointerNull::get(builder.getPtrTy());
  if (!values.empty())
    memory = emitter.entry_alloca(block, llvm::Align(8), "print");
  for (unsigned i = 0; i < values.size(); ++i)
    builder.CreateStore(values[i], builder.CreateStructGEP(block, memory, i));
  const llvm::FunctionCallee vprintf = emitter.state().module.getOrInsertFunction(
      "vprintf", builder.getInt32Ty(), builder.getPtrTy(), builder.getPtrTy());
  builder.CreateCall(vprintf, {builder.CreateGlobalStringPtr(format), memory});
}

}  // namespace

bool emit_thread(FunctionEmitter& emitter, const Operation& operation) {
  llvm::IRBuilder<>& builder = emitter.builder();
  switch (operation.op) {
    case Op::thread_index:
    case Op::block_index:
    case Op::block_extent:
    case Op::grid_extent:
    case Op::lane_index:
      emitter.define(operation, {emit_thread_query(emitter, operation)});
      return true;
    case Op::barrier:
      if (operation.index != 0)  // of check mode: passes::insert_end_barriers
        return true;
      builder.CreateIntrinsic(llvm::Intrinsic::nvvm_barrier0, {}, {});
      return true;
    case Op::block_vote:
      emitter.define(operation, {emit_block_vote(emitter, operation)});
      return true;
    case Op::cooperative:  // facts for the launch
    case Op::launch_memory:
      return true;
    case Op::grid_barrier:
      emit_grid_barrier(emitter);
      return true;
    case Op::sleep:
      builder.CreateIntrinsic(llvm::Intrinsic::nvvm_nanosleep, {}, {emitter.operand(operation, 0)});
      return true;
    case Op::read_clock:
      emitter.define(operation, {emit_clock(emitter, operation)});
      return true;
    case Op::assembly:
      emitter.define(operation, emit_assembly(emitter, operation));
      return true;
    case Op::fence:
      emit_fence(emitter, operation);
      return true;
    case Op::print:
      emit_print(emitter, operation);
      return true;
    default:
      return false;
  }
}

llvm::Value* read_block_index(llvm::IRBuilder<>& builder, unsigned dimension) {
  return read_register(builder, block_index_registers.at(dimension), 0, most_blocks.at(dimension));
}

llvm::Value* read_thread_index(llvm::IRBuilder<>& builder, unsigned dimension) {
  return read_register(
      builder, thread_index_registers.at(dimension), 0, most_threads.at(dimension));
}

llvm::Value* read_block_extent(llvm::IRBuilder<>& builder, unsigned dimension) {
  return read_register(
      builder, block_extent_registers.at(dimension), 1, most_threads.at(dimension) + 1);
}

}  // namespace phalanx::codegen::nvptx
