#include "phalanx/codegen/cpu/atomics.h"

#include <array>
#include <string_view>

#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>

#include "phalanx/base/errors.h"
#include "phalanx/codegen/cpu/emitter.h"
#include "phalanx/codegen/cpu/lane_source.h"
#include "phalanx/codegen/cpu/stateless_operations.h"
#include "phalanx/codegen/llvm/lower_types.h"

namespace phalanx::codegen::cpu {

using ir::Op;
using ir::Operation;
using RMW = llvm::AtomicRMWInst;

namespace {

struct Kind {
  ir::Atomic atomic;
  RMW::BinOp on_signed;
  RMW::BinOp on_unsigned;
  RMW::BinOp on_float;
  llvm::Intrinsic::ID reduce_signed;  // over the lanes; not_intrinsic: none
  llvm::Intrinsic::ID reduce_unsigned;
};

constexpr auto none = RMW::BAD_BINOP;
constexpr auto no_reduction = llvm::Intrinsic::not_intrinsic;

// fadd and fsub are the only ones of floats that LLVM knows with the meaning we need.
constexpr std::array kinds = {
    Kind{
        ir::Atomic::add,
        RMW::Add,
        RMW::Add,
        RMW::FAdd,
        llvm::Intrinsic::vector_reduce_add,
        llvm::Intrinsic::vector_reduce_add},
    Kind{
        ir::Atomic::sub,
        RMW::Sub,
        RMW::Sub,
        RMW::FSub,
        llvm::Intrinsic::vector_reduce_add,
        llvm::Intrinsic::vector_reduce_add},
    Kind{
        ir::Atomic::max,
        RMW::Max,
        RMW::UMax,
        none,
        llvm::Intrinsic::vector_reduce_smax,
        llvm::Intrinsic::vector_reduce_umax},
    Kind{
        ir::Atomic::min,
        RMW::Min,
        RMW::UMin,
        none,
        llvm::Intrinsic::vector_reduce_smin,
        llvm::Intrinsic::vector_reduce_umin},
    Kind{
        ir::Atomic::nanmax,
        RMW::Max,
        RMW::UMax,
        none,
        llvm::Intrinsic::vector_reduce_smax,
        llvm::Intrinsic::vector_reduce_umax},
    Kind{
        ir::Atomic::nanmin,
        RMW::Min,
        RMW::UMin,
        none,
        llvm::Intrinsic::vector_reduce_smin,
        llvm::Intrinsic::vector_reduce_umin},
    Kind{
        ir::Atomic::bitwise_and,
        RMW::And,
        RMW::And,
        none,
        llvm::Intrinsic::vector_reduce_and,
        llvm::Intrinsic::vector_reduce_and},
    Kind{
        ir::Atomic::bitwise_or,
        RMW::Or,
        RMW::Or,
        none,
        llvm::Intrinsic::vector_reduce_or,
        llvm::Intrinsic::vector_reduce_or},
    Kind{
        ir::Atomic::bitwise_xor,
        RMW::Xor,
        RMW::Xor,
        none,
        llvm::Intrinsic::vector_reduce_xor,
        llvm::Intrinsic::vector_reduce_xor},
    Kind{ir::Atomic::exchange, RMW::Xchg, RMW::Xchg, RMW::Xchg, no_reduction, no_reduction},
    Kind{ir::Atomic::inc, none, RMW::UIncWrap, none, no_reduction, no_reduction},
    Kind{ir::Atomic::dec, none, RMW::UDecWrap, none, no_reduction, no_reduction},
};

const Kind& kind_of_atomic(const Operation& operation) {
  for (const Kind& kind : kinds) {
    if (ir::has_kind(operation, kind.atomic))
      return kind;
  }
  throw CompileError(
      CompileError::Kind::unsupported,
      "the CPU device has no atomic '" + std::string(ir::text_of(operation.op, operation.detail)) +
          "'");
}

RMW::BinOp instruction_for(const Kind& kind, DType dtype) {
  if (is_floating(dtype))
    return kind.on_float;
  return is_signed(dtype) ? kind.on_signed : kind.on_unsigned;
}

// What max, min, nanmax and nanmin of floats leave in memory: a NaN value never replaces a number,
// a NaN in memory stays, but for nanmax and nanmin.
llvm::Value* float_extreme(
    llvm::IRBuilderBase& builder, ir::Atomic kind, llvm::Value* old, llvm::Value* value) {
  llvm::Value* wins =
      ir::is_maximum(kind) ? builder.CreateFCmpOGT(value, old) : builder.CreateFCmpOLT(value, old);
  if (ir::prefers_numbers(kind))
    wins = builder.CreateOr(wins, builder.CreateFCmpUNO(old, old));
  return builder.CreateSelect(wins, value, old);
}

llvm::Value* combine(
    llvm::IRBuilderBase& builder,
    RMW::BinOp instruction,
    ir::Atomic kind,
    llvm::Value* old,
    llvm::Value* value) {
  llvm::Constant* zero = llvm::Constant::getNullValue(old->getType());
  switch (instruction) {
    case RMW::Add:
      return builder.CreateAdd(old, value);
    case RMW::Sub:
      return builder.CreateSub(old, value);
    case RMW::FAdd:
      return builder.CreateFAdd(old, value);
    case RMW::FSub:
      return builder.CreateFSub(old, value);
    case RMW::Max:
      return builder.CreateBinaryIntrinsic(llvm::Intrinsic::smax, old, value);
    case RMW::Min:
      return builder.CreateBinaryIntrinsic(llvm::Intrinsic::smin, old, value);
    case RMW::UMax:
      return builder.CreateBinaryIntrinsic(llvm::Intrinsic::umax, old, value);
    case RMW::UMin:
      return builder.CreateBinaryIntrinsic(llvm::Intrinsic::umin, old, value);
    case RMW::And:
      return builder.CreateAnd(old, value);
    case RMW::Or:
      return builder.CreateOr(old, value);
    case RMW::Xor:
      return builder.CreateXor(old, value);
    case RMW::Xchg:
      return value;
    case RMW::UIncWrap: {
      llvm::Value* next = builder.CreateAdd(old, llvm::ConstantInt::get(old->getType(), 1));
      return builder.CreateSelect(builder.CreateICmpUGE(old, value), zero, next);
    }
    case RMW::UDecWrap: {
      llvm::Value* next = builder.CreateSub(old, llvm::ConstantInt::get(old->getType(), 1));
      llvm::Value* wraps =
          builder.CreateOr(builder.CreateICmpEQ(old, zero), builder.CreateICmpUGT(old, value));
      return builder.CreateSelect(wraps, value, next);
    }
    default:
      return float_extreme(builder, kind, old, value);
  }
}

// A compare-and-swap loop, for what x86 and LLVM have no instruction for.
llvm::Value* interchange_loop(
    llvm::IRBuilder<>& builder,
    llvm::Value* pointer,
    llvm::Type* type,
    const std::function<llvm::Value*(llvm::Value*)>& update) {
  llvm::Function* function = builder.GetInsertBlock()->getParent();
  llvm::Type* bits = builder.getIntNTy(type->getPrimitiveSizeInBits());
  llvm::LoadInst* first = builder.CreateLoad(bits, pointer);
  first->setAtomic(llvm::AtomicOrdering::Monotonic);
  llvm::BasicBlock* before = builder.GetInsertBlock();
  auto* loop = llvm::BasicBlock::Create(builder.getContext(), "cas", function);
  auto* done = llvm::BasicBlock::Create(builder.getContext(), "cas.done", function);
  builder.CreateBr(loop);
  builder.SetInsertPoint(loop);
  llvm::PHINode* old = builder.CreatePHI(bits, 2, "old");
  old->addIncoming(first, before);
  llvm::Value* next = builder.CreateBitCast(update(builder.CreateBitCast(old, type)), bits);
  llvm::Value* outcome = builder.CreateAtomicCmpXchg(
      pointer,
      old,
      next,
      llvm::MaybeAlign(),
      llvm::AtomicOrdering::Monotonic,
      llvm::AtomicOrdering::Monotonic);
  old->addIncoming(builder.CreateExtractValue(outcome, 0), loop);
  builder.CreateCondBr(builder.CreateExtractValue(outcome, 1), done, loop);
  builder.SetInsertPoint(done);
  return builder.CreateBitCast(old, type);
}

// What changes nothing when it is combined.
llvm::APInt neutral_of(RMW::BinOp instruction, unsigned bits) {
  switch (instruction) {
    case RMW::And:
    case RMW::UMin:
      return llvm::APInt::getAllOnes(bits);
    case RMW::Max:
      return llvm::APInt::getSignedMinValue(bits);
    case RMW::Min:
      return llvm::APInt::getSignedMaxValue(bits);
    default:
      return llvm::APInt::getZero(bits);
  }
}

bool is_private(ir::Space space) { return space == ir::Space::shared || space == ir::Space::local; }

}  // namespace

// One lane's atomic. A block runs on one core, so that its shared memory needs no locked access.
llvm::Value* emit_atomic_once(
    Emitter& emitter,
    const Operation& operation,
    llvm::Value* pointer,
    llvm::ArrayRef<llvm::Value*> operands) {
  llvm::IRBuilder<>& builder = emitter.builder();
  const ir::Space space = operation.operands[0]->type.space();
  llvm::Type* type = operands[0]->getType();
  if (operation.op == Op::atomic_cas) {
    llvm::Type* bits = builder.getIntNTy(type->getPrimitiveSizeInBits());
    llvm::Value* outcome = builder.CreateAtomicCmpXchg(
        pointer,
        builder.CreateBitCast(operands[0], bits),
        builder.CreateBitCast(operands[1], bits),
        llvm::MaybeAlign(),
        llvm::AtomicOrdering::SequentiallyConsistent,
        llvm::AtomicOrdering::SequentiallyConsistent);
    return builder.CreateBitCast(builder.CreateExtractValue(outcome, 0), type);
  }
  const Kind& kind = kind_of_atomic(operation);
  const RMW::BinOp instruction = instruction_for(kind, operation.operands[1]->type.dtype());
  const auto update = [&](llvm::Value* old) {
    return combine(builder, instruction, kind.atomic, old, operands[0]);
  };
  if (is_private(space)) {
    llvm::LoadInst* old = builder.CreateLoad(type, pointer, "old");
    emitter.memory().mark(old, space);
    emitter.memory().mark(builder.CreateStore(update(old), pointer), space);
    return old;
  }
  if (instruction == RMW::BAD_BINOP)
    return interchange_loop(builder, pointer, type, update);
  return builder.CreateAtomicRMW(
      instruction, pointer, operands[0], llvm::MaybeAlign(), llvm::AtomicOrdering::Monotonic);
}

bool can_combine(const Emitter& emitter, const Operation& atomic) {
  if (atomic.op != Op::atomic || emitter.shapes().nesting().at(atomic).is_used ||
      emitter.lanes() == 1)
    return false;
  const DType dtype = atomic.operands[1]->type.dtype();
  return is_integer(dtype) && kind_of_atomic(atomic).reduce_signed != no_reduction;
}

llvm::Value* combined_values(
    Emitter& emitter, const Operation& atomic, llvm::Value* a, llvm::Value* b) {
  llvm::IRBuilder<>& builder = emitter.builder();
  const Kind& kind = kind_of_atomic(atomic);
  const RMW::BinOp instruction = instruction_for(kind, atomic.operands[1]->type.dtype());
  // What is subtracted one after another is subtracted as a sum.
  return combine(builder, instruction == RMW::Sub ? RMW::Add : instruction, kind.atomic, a, b);
}

llvm::Constant* neutral_values(Emitter& emitter, const Operation& atomic) {
  llvm::IRBuilder<>& builder = emitter.builder();
  const DType dtype = atomic.operands[1]->type.dtype();
  const RMW::BinOp instruction = instruction_for(kind_of_atomic(atomic), dtype);
  return llvm::ConstantVector::getSplat(
      llvm::ElementCount::getFixed(emitter.lanes()),
      builder.getInt(neutral_of(instruction, bits_of(dtype))));
}

namespace {

// All lanes at one address, and the old values are not used: one atomic with the lanes' sum,
// extreme or such. Integers only: sums of floats depend on the order.
bool try_emit_reduced_atomic(Emitter& emitter, const Operation& operation) {
  llvm::IRBuilder<>& builder = emitter.builder();
  if (operation.op != Op::atomic || emitter.shapes().nesting().at(operation).is_used ||
      emitter.lanes() == 1)
    return false;
  const Component pointer = emitter.value_of(*operation.operands[0])[0];
  const DType dtype = operation.operands[1]->type.dtype();
  const Kind& kind = kind_of_atomic(operation);
  const auto reduction = is_signed(dtype) ? kind.reduce_signed : kind.reduce_unsigned;
  if (!pointer.shape.is_uniform() || !is_integer(dtype) || reduction == no_reduction)
    return false;
  llvm::Value* values = emitter.vector(*operation.operands[1]);
  const RMW::BinOp instruction = instruction_for(kind, dtype);
  if (emitter.mask() != nullptr) {
    llvm::Value* neutral = builder.CreateVectorSplat(
        emitter.lanes(), builder.getInt(neutral_of(instruction, bits_of(dtype))));
    values = builder.CreateSelect(emitter.mask(), values, neutral);
  }
  llvm::Value* reduced = builder.CreateUnaryIntrinsic(reduction, values);
  emit_atomic_once(emitter, operation, pointer.value, {reduced});
  return true;
}

}  // namespace

Value emit_atomic(Emitter& emitter, const Operation& operation) {
  llvm::IRBuilder<>& builder = emitter.builder();
  if (emitter.surroundings().defer_atomic(emitter, operation))
    return emit_undefined(emitter, operation);
  if (try_emit_reduced_atomic(emitter, operation) || try_emit_full_atomic(emitter, operation))
    return emit_undefined(emitter, operation);
  const Shape& shape = emitter.shapes().of(operation, 0);
  const bool is_used = emitter.shapes().nesting().at(operation).is_used;
  llvm::SmallVector<LaneSource, 3> operands;
  for (const Operation* operand : operation.operands)
    operands.push_back(lane_source(emitter, emitter.value_of(*operand)[0]));
  const auto once = [&](llvm::Value* lane) {
    llvm::SmallVector<llvm::Value*, 3> ones;
    for (const LaneSource& operand : operands) ones.push_back(lane_from(emitter, operand, lane));
    return emit_atomic_once(emitter, operation, ones[0], llvm::ArrayRef(ones).drop_front());
  };
  if (emitter.lanes() == 1)
    return {{shape, once(builder.getInt32(0))}};
  llvm::Type* type = emitter.component_type(operation.operands[1]->type, 0, Shape{});
  llvm::Value* results = nullptr;
  llvm::Type* whole = llvm::FixedVectorType::get(type, emitter.lanes());
  if (is_used) {
    results = emitter.make_slot(whole, "old.values");
    emitter.write(llvm::Constant::getNullValue(whole), results);
  }
  emitter.for_each_lane([&](llvm::Value* lane) {
    llvm::Value* old = once(lane);
    if (is_used)
      builder.CreateStore(old, builder.CreateGEP(type, results, lane));
  });
  if (!is_used)
    return emit_undefined(emitter, operation);
  return {{shape, emitter.read(whole, results)}};
}

}  // namespace phalanx::codegen::cpu
