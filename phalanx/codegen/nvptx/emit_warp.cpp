// What the threads of a warp tell each other, cache operators, and calls of libdevice by name.
#include <array>

#include <llvm/IR/Constants.h>
#include <llvm/IR/InlineAsm.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

#include "phalanx/base/errors.h"
#include "phalanx/codegen/nvptx/function_emitter.h"
#include "phalanx/ir/libdevice.h"
#include "phalanx/ir/warp_operations.h"

namespace phalanx::codegen::nvptx {
namespace {

using ir::Op;
using ir::Operation;

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

}  // namespace

bool FunctionEmitter::emit_warp(const Operation& operation) {
  if (ir::has_mask(operation.op))
    check_named_lanes(operation);
  switch (operation.op) {
    case Op::vote:
      define(
          operation,
          {builder_.CreateIntrinsic(
              intrinsic_of(std::get<ir::Vote>(operation.detail)),
              {},
              {operand(operation, 0), operand(operation, 1)})});
      return true;
    case Op::shuffle:
      define(operation, {emit_shuffle(operation)});
      return true;
    case Op::match:
      define(operation, {emit_match(operation)});
      return true;
    case Op::active_mask:
      define(operation, {builder_.CreateIntrinsic(llvm::Intrinsic::nvvm_activemask, {}, {})});
      return true;
    case Op::warp_barrier:
      wait_for_lanes(operand(operation, 0));
      return true;
    default:
      return false;
  }
}

// The hardware moves 32 bits: a longer value goes in two halves.
llvm::Value* FunctionEmitter::emit_shuffle(const Operation& operation) {
  const Move kind = move_of(std::get<ir::Shuffle>(operation.detail));
  llvm::Value* value = operand(operation, 1);
  llvm::Type* type = value->getType();
  const unsigned bits = type->getScalarSizeInBits();
  llvm::Type* i32 = builder_.getInt32Ty();
  const auto move = [&](llvm::Value* word) {
    return builder_.CreateIntrinsic(
        kind.intrinsic,
        {},
        {operand(operation, 0), word, operand(operation, 2), builder_.getInt32(kind.clamp)});
  };
  llvm::Value* word = builder_.CreateBitCast(value, builder_.getIntNTy(bits));
  if (bits == 32)
    return builder_.CreateBitCast(move(word), type);
  llvm::Type* i64 = builder_.getInt64Ty();
  llvm::Value* low = move(builder_.CreateTrunc(word, i32));
  llvm::Value* high = move(builder_.CreateTrunc(builder_.CreateLShr(word, 32), i32));
  llvm::Value* merged = builder_.CreateOr(
      builder_.CreateShl(builder_.CreateZExt(high, i64), 32), builder_.CreateZExt(low, i64));
  return builder_.CreateBitCast(merged, type);
}

llvm::Value* FunctionEmitter::emit_match(const Operation& operation) {
  llvm::Value* value = operand(operation, 1);
  const unsigned bits = value->getType()->getScalarSizeInBits();
  llvm::Value* operands[] = {
      operand(operation, 0), builder_.CreateBitCast(value, builder_.getIntNTy(bits))};
  if (ir::has_kind(operation, ir::Match::any)) {
    const auto intrinsic = bits == 32 ? llvm::Intrinsic::nvvm_match_any_sync_i32
                                      : llvm::Intrinsic::nvvm_match_any_sync_i64;
    return builder_.CreateIntrinsic(intrinsic, {}, operands);
  }
  const auto intrinsic = bits == 32 ? llvm::Intrinsic::nvvm_match_all_sync_i32p
                                    : llvm::Intrinsic::nvvm_match_all_sync_i64p;
  llvm::Value* found = builder_.CreateIntrinsic(intrinsic, {}, operands);
  return builder_.CreateSelect(
      builder_.CreateExtractValue(found, 1),
      builder_.CreateExtractValue(found, 0),
      builder_.getInt32(0));
}

namespace {

// The register class of an inline instruction's operand: there is none for 8 bits.
const char* constraint_of(unsigned bits) { return bits == 64 ? "l" : bits == 16 ? "h" : "r"; }

}  // namespace

// Cache operators exist for global memory only: elsewhere the access is an ordinary one.
bool FunctionEmitter::emit_hinted(const Operation& operation) {
  const bool is_load = operation.op == Op::hinted_load;
  if (!is_load && operation.op != Op::hinted_store)
    return false;
  const ir::Type& pointer = operation.operands[0]->type;
  const DType dtype = pointer.element().dtype();
  const ir::Space space = pointer.space();
  if (space != ir::Space::global && space != ir::Space::generic) {
    if (is_load)
      define(operation, load(operand(operation, 0), pointer.element()));
    else
      store(operand(operation, 0), pointer.element(), components(operation.operands[1]));
    return true;
  }
  const unsigned bits = static_cast<unsigned>(size_of(dtype)) * 8;
  llvm::Type* wide = builder_.getIntNTy(std::max(bits, 16U));
  llvm::Type* word = builder_.getIntNTy(bits);
  llvm::Value* address = builder_.CreateAddrSpaceCast(
      operand(operation, 0), llvm::PointerType::get(builder_.getContext(), 0));
  address = builder_.CreatePtrToInt(
      builder_.CreateAddrSpaceCast(address, llvm::PointerType::get(builder_.getContext(), 1)),
      builder_.getInt64Ty());
  const std::string text = (is_load ? "ld.global." : "st.global.") +
                           std::string(ir::text_of(operation.op, operation.detail)) + ".b" +
                           std::to_string(bits);
  const std::string reg = bits == 8 ? "h" : constraint_of(bits);
  if (is_load) {
    auto* type = llvm::FunctionType::get(wide, {builder_.getInt64Ty()}, false);
    llvm::Value* loaded = builder_.CreateCall(
        llvm::InlineAsm::get(type, text + " $0, [$1];", "=" + reg + ",l,~{memory}", true),
        {address});
    loaded = builder_.CreateTrunc(loaded, word);
    define(operation, {from_memory(builder_, dtype, as_register(loaded, dtype))});
    return true;
  }
  llvm::Value* stored = to_memory(builder_, dtype, operand(operation, 1));
  stored = builder_.CreateZExt(builder_.CreateBitCast(stored, word), wide);
  auto* type = llvm::FunctionType::get(builder_.getVoidTy(), {builder_.getInt64Ty(), wide}, false);
  builder_.CreateCall(
      llvm::InlineAsm::get(type, text + " [$0], $1;", "l," + reg + ",~{memory}", true),
      {address, stored});
  return true;
}

// Memory's bits as the type that memory holds.
llvm::Value* FunctionEmitter::as_register(llvm::Value* bits, DType dtype) {
  return builder_.CreateBitCast(bits, memory_type(builder_.getContext(), dtype));
}

bool FunctionEmitter::emit_library(const Operation& operation) {
  if (operation.op != Op::library)
    return false;
  const ir::LibraryFunction& function = *ir::find_library_function(operation.text);
  llvm::LLVMContext& context = builder_.getContext();
  llvm::SmallVector<llvm::Type*, 6> types;
  llvm::SmallVector<llvm::Value*, 6> arguments;
  for (std::size_t i = 0; i < operation.operands.size(); ++i) {
    arguments.push_back(operand(operation, i));
    types.push_back(arguments.back()->getType());
  }
  const std::vector<DType> results = function.results();
  llvm::SmallVector<llvm::AllocaInst*, 3> slots;
  for (std::size_t i = function.returns_value() ? 1 : 0; i < results.size(); ++i) {
    llvm::Type* type = register_type(context, results[i]);
    slots.push_back(entry_alloca(type, llvm::Align(size_of(results[i])), "out"));
    arguments.push_back(slots.back());
    types.push_back(builder_.getPtrTy());
  }
  llvm::Type* result =
      function.returns_value() ? register_type(context, results[0]) : builder_.getVoidTy();
  state_.math.use();
  llvm::Value* returned = builder_.CreateCall(
      state_.module.getOrInsertFunction(
          "__nv_" + operation.text, llvm::FunctionType::get(result, types, false)),
      arguments);
  Components value;
  if (function.returns_value())
    value.push_back(returned);
  for (llvm::AllocaInst* slot : slots)
    value.push_back(builder_.CreateLoad(slot->getAllocatedType(), slot));
  define(operation, std::move(value));
  return true;
}

}  // namespace phalanx::codegen::nvptx
