// What the threads of a warp tell each other, cache operators, and calls of libdevice by name.
#include <array>

#include <llvm/IR/Constants.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

#include "phalanx/base/errors.h"
#include "phalanx/codegen/nvptx/emit_parts.h"
#include "phalanx/codegen/nvptx/function_emitter.h"
#include "phalanx/ir/libdevice.h"
#include "phalanx/ir/warp_operations.h"

namespace phalanx::codegen::nvptx {

using ir::Op;
using ir::Operation;

namespace {

llvm::Intrinsic::ID intrinsic_of(ir::Vote vote) {
  switch (vote) {
    case ir::Vote::all:
      return llvm::Intrinsic::nvvm_vote_all_sync;
    case ir::Vote::any:
      return llvm::Intrinsic::nvvm_vote_any_sync;
    case ir::Vote::equal:
      return llvm::Intrinsic::nvvm_vote_uni_sync;
    case ir::Vote::ballot:
      return llvm::Intrinsic::nvvm_vote_ballot_sync;
  }
  return llvm::Intrinsic::not_intrinsic;
}

struct Move {
  llvm::Intrinsic::ID intrinsic;
  unsigned clamp;  // the last lane of the segment, as the instruction wants it
};

Move move_of(ir::Shuffle shuffle) {
  switch (shuffle) {
    case ir::Shuffle::index:
      return {llvm::Intrinsic::nvvm_shfl_sync_idx_i32, 31};
    case ir::Shuffle::up:
      return {llvm::Intrinsic::nvvm_shfl_sync_up_i32, 0};
    case ir::Shuffle::down:
      return {llvm::Intrinsic::nvvm_shfl_sync_down_i32, 31};
    case ir::Shuffle::bitwise_xor:
      return {llvm::Intrinsic::nvvm_shfl_sync_bfly_i32, 31};
  }
  return {llvm::Intrinsic::not_intrinsic, 0};
}

// The hardware moves 32 bits: a longer value goes in two halves.
llvm::Value* emit_shuffle(FunctionEmitter& emitter, const Operation& operation) {
  llvm::IRBuilder<>& builder = emitter.builder();
  const Move kind = move_of(std::get<ir::Shuffle>(operation.detail));
  llvm::Value* value = emitter.operand(operation, 1);
  llvm::Type* type = value->getType();
  const unsigned bits = type->getScalarSizeInBits();
  llvm::Type* i32 = builder.getInt32Ty();
  const auto move = [&](llvm::Value* word) {
    return builder.CreateIntrinsic(
        kind.intrinsic,
        {},
        {emitter.operand(operation, 0),
         word,
         emitter.operand(operation, 2),
         builder.getInt32(kind.clamp)});
  };
  llvm::Value* word = builder.CreateBitCast(value, builder.getIntNTy(bits));
  if (bits == 32)
    return builder.CreateBitCast(move(word), type);
  llvm::Type* i64 = builder.getInt64Ty();
  llvm::Value* low = move(builder.CreateTrunc(word, i32));
  llvm::Value* high = move(builder.CreateTrunc(builder.CreateLShr(word, 32), i32));
  llvm::Value* merged = builder.CreateOr(
      builder.CreateShl(builder.CreateZExt(high, i64), 32), builder.CreateZExt(low, i64));
  return builder.CreateBitCast(merged, type);
}

llvm::Value* emit_match(FunctionEmitter& emitter, const Operation& operation) {
  llvm::IRBuilder<>& builder = emitter.builder();
  llvm::Value* value = emitter.operand(operation, 1);
  const unsigned bits = value->getType()->getScalarSizeInBits();
  llvm::Value* operands[] = {
      emitter.operand(operation, 0), builder.CreateBitCast(value, builder.getIntNTy(bits))};
  if (ir::has_kind(operation, ir::Match::any)) {
    const auto intrinsic = bits == 32 ? llvm::Intrinsic::nvvm_match_any_sync_i32
                                      : llvm::Intrinsic::nvvm_match_any_sync_i64;
    return builder.CreateIntrinsic(intrinsic, {}, operands);
  }
  const auto intrinsic = bits == 32 ? llvm::Intrinsic::nvvm_match_all_sync_i32p
                                    : llvm::Intrinsic::nvvm_match_all_sync_i64p;
  llvm::Value* found = builder.CreateIntrinsic(intrinsic, {}, operands);
  return builder.CreateSelect(
      builder.CreateExtractValue(found, 1),
      builder.CreateExtractValue(found, 0),
      builder.getInt32(0));
}

// The register class of an inline instruction's operand: there is none for 8 bits.
const char* constraint_of(unsigned bits) { return bits == 64 ? "l" : bits == 16 ? "h" : "r"; }

// Memory's bits as the type that memory holds.
llvm::Value* as_register(llvm::IRBuilder<>& builder, llvm::Value* bits, DType dtype) {
  return builder.CreateBitCast(bits, memory_type(builder.getContext(), dtype));
}

// Cache operators exist for global memory only. Elsewhere, and where only the run knows, the access
// is one that LLVM keeps as it is: what C says volatile for.
void emit_kept(FunctionEmitter& emitter, const Operation& operation) {
  llvm::IRBuilder<>& builder = emitter.builder();
  const ir::Type& element = operation.operands[0]->type.element();
  llvm::Value* pointer = emitter.operand(operation, 0);
  const llvm::Align alignment(ir::alignment_of(element));
  const DType dtype = element.dtype();
  if (operation.op == Op::hinted_load) {
    llvm::Value* loaded = builder.CreateAlignedLoad(
        memory_type(builder.getContext(), dtype), pointer, alignment, /*isVolatile=*/true);
    emitter.define(operation, {from_memory(builder, dtype, loaded)});
  } else {
    llvm::Value* stored = to_memory(builder, dtype, emitter.operand(operation, 1));
    builder.CreateAlignedStore(stored, pointer, alignment, /*isVolatile=*/true);
  }
}

bool emit_hinted(FunctionEmitter& emitter, const Operation& operation) {
  llvm::IRBuilder<>& builder = emitter.builder();
  const bool is_load = operation.op == Op::hinted_load;
  if (!is_load && operation.op != Op::hinted_store)
    return false;
  const ir::Type& pointer = operation.operands[0]->type;
  const DType dtype = pointer.element().dtype();
  if (pointer.space() != ir::Space::global) {
    emit_kept(emitter, operation);
    return true;
  }
  const unsigned bits = static_cast<unsigned>(size_of(dtype)) * 8;
  llvm::Type* wide = builder.getIntNTy(std::max(bits, 16U));
  llvm::Type* word = builder.getIntNTy(bits);
  llvm::Value* address = builder.CreateAddrSpaceCast(
      emitter.operand(operation, 0), llvm::PointerType::get(builder.getContext(), 0));
  address = builder.CreatePtrToInt(
      builder.CreateAddrSpaceCast(address, llvm::PointerType::get(builder.getContext(), 1)),
      builder.getInt64Ty());
  const std::string text = (is_load ? "ld.global." : "st.global.") +
                           std::string(ir::text_of(operation.op, operation.detail)) + ".b" +
                           std::to_string(bits);
  const std::string reg = bits == 8 ? "h" : constraint_of(bits);
  if (is_load) {
    auto* type = llvm::FunctionType::get(wide, {builder.getInt64Ty()}, false);
    llvm::Value* loaded = builder.CreateCall(
        llvm::InlineAsm::get(type, text + " $0, [$1];", "=" + reg + ",l,~{memory}", true),
        {address});
    loaded = builder.CreateTrunc(loaded, word);
    emitter.define(operation, {from_memory(builder, dtype, as_register(builder, loaded, dtype))});
    return true;
  }
  llvm::Value* stored = to_memory(builder, dtype, emitter.operand(operation, 1));
  stored = builder.CreateZExt(builder.CreateBitCast(stored, word), wide);
  auto* type = llvm::FunctionType::get(builder.getVoidTy(), {builder.getInt64Ty(), wide}, false);
  builder.CreateCall(
      llvm::InlineAsm::get(type, text + " [$0], $1;", "l," + reg + ",~{memory}", true),
      {address, stored});
  return true;
}

bool emit_library(FunctionEmitter& emitter, const Operation& operation) {
  llvm::IRBuilder<>& builder = emitter.builder();
  if (operation.op != Op::library)
    return false;
  const ir::LibraryFunction& function = *ir::find_library_function(operation.text);
  llvm::LLVMContext& context = builder.getContext();
  llvm::SmallVector<llvm::Type*, 6> types;
  llvm::SmallVector<llvm::Value*, 6> arguments;
  for (std::size_t i = 0; i < operation.operands.size(); ++i) {
    arguments.push_back(emitter.operand(operation, i));
    types.push_back(arguments.back()->getType());
  }
  const std::vector<DType> results = function.results();
  llvm::SmallVector<llvm::AllocaInst*, 3> slots;
  for (std::size_t i = function.returns_value() ? 1 : 0; i < results.size(); ++i) {
    llvm::Type* type = register_type(context, results[i]);
    slots.push_back(emitter.entry_alloca(type, llvm::Align(size_of(results[i])), "out"));
    arguments.push_back(slots.back());
    types.push_back(builder.getPtrTy());
  }
  llvm::Type* result =
      function.returns_value() ? register_type(context, results[0]) : builder.getVoidTy();
  emitter.state().math.use();
  llvm::Value* returned = builder.CreateCall(
      emitter.state().module.getOrInsertFunction(
          "__nv_" + operation.text, llvm::FunctionType::get(result, types, false)),
      arguments);
  Components value;
  if (function.returns_value())
    value.push_back(returned);
  for (llvm::AllocaInst* slot : slots)
    value.push_back(builder.CreateLoad(slot->getAllocatedType(), slot));
  emitter.define(operation, std::move(value));
  return true;
}

}  // namespace

bool emit_warp(FunctionEmitter& emitter, const Operation& operation) {
  llvm::IRBuilder<>& builder = emitter.builder();
  if (ir::has_mask(operation.op))
    check_named_lanes(emitter, operation);
  switch (operation.op) {
    case Op::vote:
      emitter.define(
          operation,
          {builder.CreateIntrinsic(
              intrinsic_of(std::get<ir::Vote>(operation.detail)),
              {},
              {emitter.operand(operation, 0), emitter.operand(operation, 1)})});
      return true;
    case Op::shuffle:
      emitter.define(operation, {emit_shuffle(emitter, operation)});
      return true;
    case Op::match:
      emitter.define(operation, {emit_match(emitter, operation)});
      return true;
    case Op::active_mask:
      emitter.define(
          operation, {builder.CreateIntrinsic(llvm::Intrinsic::nvvm_activemask, {}, {})});
      return true;
    case Op::warp_barrier:
      builder.CreateIntrinsic(
          llvm::Intrinsic::nvvm_bar_warp_sync, {}, {emitter.operand(operation, 0)});
      return true;
    default:
      return emit_hinted(emitter, operation) || emit_library(emitter, operation);
  }
}

}  // namespace phalanx::codegen::nvptx
