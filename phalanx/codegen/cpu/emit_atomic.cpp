// Atomics: one lane after another; integers at one address are reduced over the lanes first.
#include <array>
#include <string_view>

#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>

#include "phalanx/base/errors.h"
#include "phalanx/codegen/cpu/emitter.h"
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
llvm::Value* Emitter::atomic_once(
    const Operation& operation, llvm::Value* pointer, llvm::ArrayRef<llvm::Value*> operands) {
  const ir::Space space = operation.operands[0]->type.space();
  llvm::Type* type = operands[0]->getType();
  if (operation.op == Op::atomic_cas) {
    llvm::Type* bits = builder_.getIntNTy(type->getPrimitiveSizeInBits());
    llvm::Value* outcome = builder_.CreateAtomicCmpXchg(
        pointer,
        builder_.CreateBitCast(operands[0], bits),
        builder_.CreateBitCast(operands[1], bits),
        llvm::MaybeAlign(),
        llvm::AtomicOrdering::SequentiallyConsistent,
        llvm::AtomicOrdering::SequentiallyConsistent);
    return builder_.CreateBitCast(builder_.CreateExtractValue(outcome, 0), type);
  }
  const Kind& kind = kind_of_atomic(operation);
  const RMW::BinOp instruction = instruction_for(kind, operation.operands[1]->type.dtype());
  const auto update = [&](llvm::Value* old) {
    return combine(builder_, instruction, kind.atomic, old, operands[0]);
  };
  if (is_private(space)) {
    llvm::LoadInst* old = builder_.CreateLoad(type, pointer, "old");
    mark(old, space);
    mark(builder_.CreateStore(update(old), pointer), space);
    return old;
  }
  if (instruction == RMW::BAD_BINOP)
    return interchange_loop(builder_, pointer, type, update);
  return builder_.CreateAtomicRMW(
      instruction, pointer, operands[0], llvm::MaybeAlign(), llvm::AtomicOrdering::Monotonic);
}

bool Emitter::can_combine(const Operation& atomic) const {
  if (atomic.op != Op::atomic || shapes_.nesting().at(atomic).is_used || lanes() == 1)
    return false;
  const DType dtype = atomic.operands[1]->type.dtype();
  return is_integer(dtype) && kind_of_atomic(atomic).reduce_signed != no_reduction;
}

llvm::Value* Emitter::combined_values(const Operation& atomic, llvm::Value* a, llvm::Value* b) {
  const Kind& kind = kind_of_atomic(atomic);
  const RMW::BinOp instruction = instruction_for(kind, atomic.operands[1]->type.dtype());
  // What is subtracted one after another is subtracted as a sum.
  return combine(builder_, instruction == RMW::Sub ? RMW::Add : instruction, kind.atomic, a, b);
}

llvm::Constant* Emitter::neutral_values(const Operation& atomic) {
  const DType dtype = atomic.operands[1]->type.dtype();
  const RMW::BinOp instruction = instruction_for(kind_of_atomic(atomic), dtype);
  return llvm::ConstantVector::getSplat(
      llvm::ElementCount::getFixed(lanes()),
      builder_.getInt(neutral_of(instruction, bits_of(dtype))));
}

// All lanes at one address, and the old values are not used: one atomic with the lanes' sum,
// extreme or such. Integers only: sums of floats depend on the order.
bool Emitter::try_emit_reduced_atomic(const Operation& operation) {
  if (operation.op != Op::atomic || shapes_.nesting().at(operation).is_used || lanes() == 1)
    return false;
  const Component pointer = value_of(*operation.operands[0])[0];
  const DType dtype = operation.operands[1]->type.dtype();
  const Kind& kind = kind_of_atomic(operation);
  const auto reduction = is_signed(dtype) ? kind.reduce_signed : kind.reduce_unsigned;
  if (!pointer.shape.is_uniform() || !is_integer(dtype) || reduction == no_reduction)
    return false;
  llvm::Value* values = vector(*operation.operands[1]);
  const RMW::BinOp instruction = instruction_for(kind, dtype);
  if (mask_ != nullptr) {
    llvm::Value* neutral = builder_.CreateVectorSplat(
        lanes(), builder_.getInt(neutral_of(instruction, bits_of(dtype))));
    values = builder_.CreateSelect(mask_, values, neutral);
  }
  llvm::Value* reduced = builder_.CreateUnaryIntrinsic(reduction, values);
  atomic_once(operation, pointer.value, {reduced});
  return true;
}

Value Emitter::emit_atomic(const Operation& operation) {
  if (surroundings_.defer_atomic(*this, operation))
    return emit_undefined(operation);
  if (try_emit_reduced_atomic(operation) || try_emit_full_atomic(operation))
    return emit_undefined(operation);
  const Shape& shape = shapes_.of(operation, 0);
  const bool is_used = shapes_.nesting().at(operation).is_used;
  llvm::SmallVector<LaneSource, 3> operands;
  for (const Operation* operand : operation.operands)
    operands.push_back(lane_source(value_of(*operand)[0]));
  const auto once = [&](llvm::Value* lane) {
    llvm::SmallVector<llvm::Value*, 3> ones;
    for (const LaneSource& operand : operands) ones.push_back(lane_from(operand, lane));
    return atomic_once(operation, ones[0], llvm::ArrayRef(ones).drop_front());
  };
  if (lanes() == 1)
    return {{shape, once(builder_.getInt32(0))}};
  llvm::Type* type = component_type(operation.operands[1]->type, 0, Shape{});
  llvm::Value* results = nullptr;
  llvm::Type* whole = llvm::FixedVectorType::get(type, lanes());
  if (is_used) {
    results = make_slot(whole, "old.values");
    write(llvm::Constant::getNullValue(whole), results);
  }
  for_each_lane([&](llvm::Value* lane) {
    llvm::Value* old = once(lane);
    if (is_used)
      builder_.CreateStore(old, builder_.CreateGEP(type, results, lane));
  });
  if (!is_used)
    return emit_undefined(operation);
  return {{shape, read(whole, results)}};
}

}  // namespace phalanx::codegen::cpu
