// Atomic operations: the chip's own where there is one, else a loop of compare-and-swap.
#include <algorithm>
#include <iterator>

#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

#include "phalanx/base/errors.h"
#include "phalanx/codegen/nvptx/emit_parts.h"
#include "phalanx/codegen/nvptx/function_emitter.h"

namespace phalanx::codegen::nvptx {

using ir::Atomic;
using ir::Op;
using ir::Operation;
using Kind = llvm::AtomicRMWInst::BinOp;

namespace {

struct AtomicRow {
  Atomic atomic;
  Kind with_sign;
  Kind without_sign;
};

// Kinds that integers have; LLVM expands those that the chip lacks at a width.
constexpr AtomicRow integer_atomics[] = {
    {Atomic::add, Kind::Add, Kind::Add},
    {Atomic::sub, Kind::Sub, Kind::Sub},
    {Atomic::max, Kind::Max, Kind::UMax},
    {Atomic::min, Kind::Min, Kind::UMin},
    {Atomic::nanmax, Kind::Max, Kind::UMax},
    {Atomic::nanmin, Kind::Min, Kind::UMin},
    {Atomic::bitwise_and, Kind::And, Kind::And},
    {Atomic::bitwise_or, Kind::Or, Kind::Or},
    {Atomic::bitwise_xor, Kind::Xor, Kind::Xor},
    {Atomic::exchange, Kind::Xchg, Kind::Xchg},
    {Atomic::inc, Kind::UIncWrap, Kind::UIncWrap},
    {Atomic::dec, Kind::UDecWrap, Kind::UDecWrap},
};

constexpr auto relaxed = llvm::AtomicOrdering::Monotonic;

llvm::Value* update(
    llvm::IRBuilderBase& builder, Kind kind, llvm::Value* pointer, llvm::Value* value) {
  return builder.CreateAtomicRMW(kind, pointer, value, llvm::MaybeAlign(), relaxed);
}

// LLVM has no atomicrmw pattern for the chip's own increment, which wraps at a limit.
llvm::Value* wrap_around_32(
    llvm::IRBuilderBase& builder, Atomic kind, llvm::Value* pointer, llvm::Value* limit) {
  const auto intrinsic = kind == Atomic::inc ? llvm::Intrinsic::nvvm_atomic_load_inc_32
                                             : llvm::Intrinsic::nvvm_atomic_load_dec_32;
  return builder.CreateIntrinsic(intrinsic, {pointer->getType()}, {pointer, limit});
}

llvm::Value* compare_and_swap(
    FunctionEmitter& emitter,
    llvm::Value* pointer,
    DType dtype,
    llvm::Value* expected,
    llvm::Value* desired) {
  llvm::IRBuilder<>& builder = emitter.builder();
  llvm::Type* type = expected->getType();
  llvm::Type* word = builder.getIntNTy(bits_of(dtype));
  llvm::Value* result = builder.CreateAtomicCmpXchg(
      pointer,
      builder.CreateBitCast(expected, word),
      builder.CreateBitCast(desired, word),
      llvm::MaybeAlign(),
      relaxed,
      relaxed);
  return builder.CreateBitCast(builder.CreateExtractValue(result, 0), type);
}

llvm::Value* emit_cas(FunctionEmitter& emitter, const Operation& operation) {
  const DType dtype = operation.operands[0]->type.element().dtype();
  if (!is_integer(dtype) && !is_floating(dtype))
    emitter.fail(operation, "atomic cas is not there for " + std::string(info(dtype).name));
  return compare_and_swap(
      emitter,
      emitter.operand(operation, 0),
      dtype,
      emitter.operand(operation, 1),
      emitter.operand(operation, 2));
}

// As in Numba: max and min leave the memory alone if either is NaN; nanmax and nanmin take the
// other. Once the memory holds a better value no write is tried, which makes most calls a load.
llvm::Value* atomic_extremum(
    FunctionEmitter& emitter, Atomic kind, llvm::Value* pointer, DType dtype, llvm::Value* value) {
  llvm::IRBuilder<>& builder = emitter.builder();
  const bool takes_number = prefers_numbers(kind);
  const bool greatest = is_maximum(kind);
  llvm::Type* type = value->getType();
  llvm::LoadInst* first = builder.CreateLoad(type, pointer, /*isVolatile=*/true);
  llvm::BasicBlock* entry = builder.GetInsertBlock();
  llvm::BasicBlock* test = emitter.new_block("atomic");
  llvm::BasicBlock* attempt = emitter.new_block("attempt");
  llvm::BasicBlock* done = emitter.new_block("done");
  builder.CreateBr(test);

  builder.SetInsertPoint(test);
  llvm::PHINode* old = builder.CreatePHI(type, 2);
  const Op order = greatest ? Op::less : Op::greater;
  llvm::Value* operands[] = {old, value};
  llvm::Value* improves = codegen::emit_elementwise(emitter.ops(), order, dtype, operands);
  if (takes_number) {
    llvm::Value* old_operand[] = {old};
    llvm::Value* new_operand[] = {value};
    llvm::Value* old_is_nan =
        codegen::emit_elementwise(emitter.ops(), Op::isnan, dtype, old_operand);
    llvm::Value* new_is_nan =
        codegen::emit_elementwise(emitter.ops(), Op::isnan, dtype, new_operand);
    improves =
        builder.CreateOr(improves, builder.CreateAnd(old_is_nan, builder.CreateNot(new_is_nan)));
  }
  builder.CreateCondBr(improves, attempt, done);

  builder.SetInsertPoint(attempt);
  llvm::Value* seen = compare_and_swap(emitter, pointer, dtype, old, value);
  llvm::Type* word = builder.getIntNTy(bits_of(dtype));
  llvm::Value* swapped =
      builder.CreateICmpEQ(builder.CreateBitCast(seen, word), builder.CreateBitCast(old, word));
  llvm::BasicBlock* last = builder.GetInsertBlock();
  builder.CreateCondBr(swapped, done, test);
  old->addIncoming(first, entry);
  old->addIncoming(seen, last);

  builder.SetInsertPoint(done);
  return old;
}

llvm::Value* emit_update(FunctionEmitter& emitter, const Operation& operation) {
  llvm::IRBuilder<>& builder = emitter.builder();
  llvm::Value* pointer = emitter.operand(operation, 0);
  llvm::Value* value = emitter.operand(operation, 1);
  const DType dtype = operation.operands[0]->type.element().dtype();
  const auto kind = std::get<Atomic>(operation.detail);
  if (is_floating(dtype)) {
    if (kind == Atomic::add)
      return update(builder, Kind::FAdd, pointer, value);
    if (kind == Atomic::sub)
      return update(builder, Kind::FAdd, pointer, builder.CreateFNeg(value));
    if (is_extremum(kind))
      return atomic_extremum(emitter, kind, pointer, dtype, value);
    if (kind == Atomic::exchange) {
      llvm::Type* word = builder.getIntNTy(bits_of(dtype));
      llvm::Value* old = update(builder, Kind::Xchg, pointer, builder.CreateBitCast(value, word));
      return builder.CreateBitCast(old, value->getType());
    }
  }
  if (is_integer(dtype)) {
    if (bits_of(dtype) == 32 && (kind == Atomic::inc || kind == Atomic::dec))
      return wrap_around_32(builder, kind, pointer, value);
    const auto* row = std::find_if(
        std::begin(integer_atomics), std::end(integer_atomics), [kind](const AtomicRow& candidate) {
          return candidate.atomic == kind;
        });
    PHX_ASSERT(row != std::end(integer_atomics));
    return update(builder, is_signed(dtype) ? row->with_sign : row->without_sign, pointer, value);
  }
  emitter.fail(
      operation,
      "atomic " + std::string(name_of_kind(kind)) + " is not there for " +
          std::string(info(dtype).name) +
          "; integers have all of them, floats add, sub, max, min, nanmax, nanmin, exch and cas");
}

}  // namespace

bool emit_atomic(FunctionEmitter& emitter, const Operation& operation) {
  if (operation.op != Op::atomic && operation.op != Op::atomic_cas)
    return false;
  const bool is_update = operation.op == Op::atomic;
  emitter.define(
      operation, {is_update ? emit_update(emitter, operation) : emit_cas(emitter, operation)});
  return true;
}

}  // namespace phalanx::codegen::nvptx
