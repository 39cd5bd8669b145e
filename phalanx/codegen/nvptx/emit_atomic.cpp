// Atomic operations: the chip's own where there is one, else a loop of compare-and-swap.
#include <algorithm>
#include <iterator>

#include <llvm/IR/Constants.h>
#include <llvm/IR/IntrinsicsNVPTX.h>

#include "phalanx/base/errors.h"
#include "phalanx/codegen/nvptx/function_emitter.h"

namespace phalanx::codegen::nvptx {
namespace {

using ir::Atomic;
using ir::Operation;
using Kind = llvm::AtomicRMWInst::BinOp;

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

}  // namespace

llvm::Value* FunctionEmitter::emit_atomic(const Operation& operation) {
  llvm::Value* pointer = operand(operation, 0);
  llvm::Value* value = operand(operation, 1);
  const DType dtype = operation.operands[0]->type.element().dtype();
  const auto kind = std::get<Atomic>(operation.detail);
  if (is_floating(dtype)) {
    if (kind == Atomic::add)
      return update(builder_, Kind::FAdd, pointer, value);
    if (kind == Atomic::sub)
      return update(builder_, Kind::FAdd, pointer, builder_.CreateFNeg(value));
    if (is_extremum(kind))
      return atomic_extremum(kind, pointer, dtype, value);
    if (kind == Atomic::exchange) {
      llvm::Type* word = builder_.getIntNTy(bits_of(dtype));
      llvm::Value* old = update(builder_, Kind::Xchg, pointer, builder_.CreateBitCast(value, word));
      return builder_.CreateBitCast(old, value->getType());
    }
  }
  if (is_integer(dtype)) {
    if (bits_of(dtype) == 32 && (kind == Atomic::inc || kind == Atomic::dec))
      return wrap_around_32(builder_, kind, pointer, value);
    const auto* row = std::find_if(
        std::begin(integer_atomics), std::end(integer_atomics), [kind](const AtomicRow& candidate) {
          return candidate.atomic == kind;
        });
    PHX_ASSERT(row != std::end(integer_atomics));
    return update(builder_, is_signed(dtype) ? row->with_sign : row->without_sign, pointer, value);
  }
  fail(
      operation,
      "atomic " + std::string(name_of_kind(kind)) + " is not there for " +
          std::string(info(dtype).name) +
          "; integers have all of them, floats add, sub, max, min, nanmax, nanmin, exch and cas");
}

llvm::Value* FunctionEmitter::emit_atomic_cas(const Operation& operation) {
  const DType dtype = operation.operands[0]->type.element().dtype();
  if (!is_integer(dtype) && !is_floating(dtype))
    fail(operation, "atomic cas is not there for " + std::string(info(dtype).name));
  return compare_and_swap(
      operand(operation, 0), dtype, operand(operation, 1), operand(operation, 2));
}

llvm::Value* FunctionEmitter::compare_and_swap(
    llvm::Value* pointer, DType dtype, llvm::Value* expected, llvm::Value* desired) {
  llvm::Type* type = expected->getType();
  llvm::Type* word = builder_.getIntNTy(bits_of(dtype));
  llvm::Value* result = builder_.CreateAtomicCmpXchg(
      pointer,
      builder_.CreateBitCast(expected, word),
      builder_.CreateBitCast(desired, word),
      llvm::MaybeAlign(),
      relaxed,
      relaxed);
  return builder_.CreateBitCast(builder_.CreateExtractValue(result, 0), type);
}

// As in Numba: max and min leave the memory alone if either is NaN; nanmax and nanmin take the
// other. Once the memory holds a better value no write is tried, which makes most calls a load.
llvm::Value* FunctionEmitter::atomic_extremum(
    Atomic kind, llvm::Value* pointer, DType dtype, llvm::Value* value) {
  const bool takes_number = prefers_numbers(kind);
  const bool greatest = is_maximum(kind);
  llvm::Type* type = value->getType();
  llvm::LoadInst* first = builder_.CreateLoad(type, pointer, /*isVolatile=*/true);
  llvm::BasicBlock* entry = builder_.GetInsertBlock();
  llvm::BasicBlock* test = new_block("atomic");
  llvm::BasicBlock* attempt = new_block("attempt");
  llvm::BasicBlock* done = new_block("done");
  builder_.CreateBr(test);

  builder_.SetInsertPoint(test);
  llvm::PHINode* old = builder_.CreatePHI(type, 2);
  const ir::Op order = greatest ? ir::Op::less : ir::Op::greater;
  llvm::Value* operands[] = {old, value};
  llvm::Value* improves = codegen::emit_elementwise(ops_, order, dtype, operands);
  if (takes_number) {
    llvm::Value* old_operand[] = {old};
    llvm::Value* new_operand[] = {value};
    llvm::Value* old_is_nan = codegen::emit_elementwise(ops_, ir::Op::isnan, dtype, old_operand);
    llvm::Value* new_is_nan = codegen::emit_elementwise(ops_, ir::Op::isnan, dtype, new_operand);
    improves =
        builder_.CreateOr(improves, builder_.CreateAnd(old_is_nan, builder_.CreateNot(new_is_nan)));
  }
  builder_.CreateCondBr(improves, attempt, done);

  builder_.SetInsertPoint(attempt);
  llvm::Value* seen = compare_and_swap(pointer, dtype, old, value);
  llvm::Type* word = builder_.getIntNTy(bits_of(dtype));
  llvm::Value* swapped =
      builder_.CreateICmpEQ(builder_.CreateBitCast(seen, word), builder_.CreateBitCast(old, word));
  llvm::BasicBlock* last = builder_.GetInsertBlock();
  builder_.CreateCondBr(swapped, done, test);
  old->addIncoming(first, entry);
  old->addIncoming(seen, last);

  builder_.SetInsertPoint(done);
  return old;
}

}  // namespace phalanx::codegen::nvptx
