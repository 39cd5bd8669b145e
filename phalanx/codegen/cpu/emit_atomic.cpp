// Atomics: one lane after another; integers at one address are reduced over the lanes first.
#include <array>
#include <string_view>

#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>

#include "phalanx/base/errors.h"
#include "phalanx/codegen/cpu/emitter.h"
#include "phalanx/codegen/cpu/warp_loop.h"
#include "phalanx/codegen/llvm/lower_types.h"

namespace phalanx::codegen::cpu {

using ir::Op;
using ir::Operation;
using RMW = llvm::AtomicRMWInst;

namespace {

struct Kind {
  std::string_view name;
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
        "add",
        RMW::Add,
        RMW::Add,
        RMW::FAdd,
        llvm::Intrinsic::vector_reduce_add,
        llvm::Intrinsic::vector_reduce_add},
    Kind{
        "sub",
        RMW::Sub,
        RMW::Sub,
        RMW::FSub,
        llvm::Intrinsic::vector_reduce_add,
        llvm::Intrinsic::vector_reduce_add},
    Kind{
        "max",
        RMW::Max,
        RMW::UMax,
        none,
        llvm::Intrinsic::vector_reduce_smax,
        llvm::Intrinsic::vector_reduce_umax},
    Kind{
        "min",
        RMW::Min,
        RMW::UMin,
        none,
        llvm::Intrinsic::vector_reduce_smin,
        llvm::Intrinsic::vector_reduce_umin},
    Kind{
        "nanmax",
        RMW::Max,
        RMW::UMax,
        none,
        llvm::Intrinsic::vector_reduce_smax,
        llvm::Intrinsic::vector_reduce_umax},
    Kind{
        "nanmin",
        RMW::Min,
        RMW::UMin,
        none,
        llvm::Intrinsic::vector_reduce_smin,
        llvm::Intrinsic::vector_reduce_umin},
    Kind{
        "and",
        RMW::And,
        RMW::And,
        none,
        llvm::Intrinsic::vector_reduce_and,
        llvm::Intrinsic::vector_reduce_and},
    Kind{
        "or",
        RMW::Or,
        RMW::Or,
        none,
        llvm::Intrinsic::vector_reduce_or,
        llvm::Intrinsic::vector_reduce_or},
    Kind{
        "xor",
        RMW::Xor,
        RMW::Xor,
        none,
        llvm::Intrinsic::vector_reduce_xor,
        llvm::Intrinsic::vector_reduce_xor},
    Kind{"exch", RMW::Xchg, RMW::Xchg, RMW::Xchg, no_reduction, no_reduction},
    Kind{"inc", none, RMW::UIncWrap, none, no_reduction, no_reduction},
    Kind{"dec", none, RMW::UDecWrap, none, no_reduction, no_reduction},
};

const Kind& kind_of_atomic(const Operation& operation) {
  for (const Kind& kind : kinds) {
    if (kind.name == operation.text)
      return kind;
  }
  throw CompileError(
      CompileError::Kind::unsupported,
      "the CPU device has no atomic '" + operation.text + "'",
      operation.location);
}

RMW::BinOp instruction_for(const Kind& kind, DType dtype) {
  if (is_floating(dtype))
    return kind.on_float;
  return is_signed(dtype) ? kind.on_signed : kind.on_unsigned;
}

// What max, min, nanmax and nanmin of floats leave in memory: a NaN value never replaces a number,
// a NaN in memory stays, but for nanmax and nanmin.
llvm::Value* float_extreme(
    llvm::IRBuilderBase& builder, std::string_view kind, llvm::Value* old, llvm::Value* value) {
  llvm::Value* wins =
      kind.ends_with("max") ? builder.CreateFCmpOGT(value, old) : builder.CreateFCmpOLT(value, old);
  if (kind.starts_with("nan"))
    wins = builder.CreateOr(wins, builder.CreateFCmpUNO(old, old));
  return builder.CreateSelect(wins, value, old);
}

llvm::Value* combine(
    llvm::IRBuilderBase& builder,
    RMW::BinOp instruction,
    std::string_view kind,
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
llvm::Value* exchange_loop(
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
    return combine(builder_, instruction, kind.name, old, operands[0]);
  };
  if (is_private(space)) {
    llvm::LoadInst* old = builder_.CreateLoad(type, pointer, "old");
    mark(old, space);
    mark(builder_.CreateStore(update(old), pointer), space);
    return old;
  }
  if (instruction == RMW::BAD_BINOP)
    return exchange_loop(builder_, pointer, type, update);
  return builder_.CreateAtomicRMW(
      instruction, pointer, operands[0], llvm::MaybeAlign(), llvm::AtomicOrdering::Monotonic);
}

// All lanes at one address, and nobody looks at the old values: one atomic with the lanes' sum,
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

// All lanes, one after the other, each at its own element of an array in shared memory, with
// indices taken as narrow as they were loaded. A loop, not straight code for each lane: its one
// addition soon has the processor foresee which of them meet at an element; 32 additions took ten
// times as long wherever they happened to lie badly in memory (AMD Zen 4).
bool Emitter::try_emit_full_atomic(const Operation& operation) {
  const Operation& element = *operation.operands[0];
  if (operation.op != Op::atomic || shapes_.nesting().at(operation).is_used || lanes() == 1 ||
      mask_ != nullptr || element.op != Op::array_element ||
      element.type.space() != ir::Space::shared)
    return false;
  const ir::Type& array = element.operands[0]->type;
  const Component data = value_of(*element.operands[0])[0];
  if (array.ndim() != 1 || array.layout() == ir::Layout::any || !data.shape.is_uniform() ||
      value_of(element)[0].shape.spread != Spread::varying)
    return false;
  const Operation* index = element.operands[1];
  const auto is_widened = [](const Operation& cast) {
    const ir::Type& from = cast.operands[0]->type;
    return from.is_scalar() && is_integer(from.dtype()) && is_integer(cast.type.dtype()) &&
           bits_of(from.dtype()) < bits_of(cast.type.dtype());
  };
  while (index->op == Op::cast && is_widened(*index) && has_value(*index->operands[0]))
    index = index->operands[0];
  const auto in_memory = [&](llvm::Value* vector) {
    llvm::AllocaInst* slot = make_slot(vector->getType(), "lanes");
    write(vector, slot);
    return slot;
  };
  llvm::Value* indices = vector(*index);
  llvm::Type* index_type = indices->getType()->getScalarType();
  indices = in_memory(indices);
  const Component given = value_of(*operation.operands[1])[0];
  llvm::Type* type = component_type(operation.operands[1]->type, 0, Shape{});
  llvm::Value* values = given.shape.is_uniform() ? nullptr : in_memory(vector_of(given));
  llvm::BasicBlock* before = builder_.GetInsertBlock();
  llvm::BasicBlock* body = new_block("lane");
  llvm::BasicBlock* done = new_block("lanes.done");
  builder_.CreateBr(body);
  builder_.SetInsertPoint(body);
  llvm::PHINode* lane = builder_.CreatePHI(builder_.getInt64Ty(), 2, "lane.number");
  lane->addIncoming(builder_.getInt64(0), before);
  const auto own = [&](llvm::Type* kind, llvm::Value* slot) {
    return builder_.CreateLoad(kind, builder_.CreateGEP(kind, slot, lane));
  };
  llvm::Value* number = builder_.CreateIntCast(
      own(index_type, indices), builder_.getInt64Ty(), is_signed(index->type.dtype()));
  const auto bytes = static_cast<std::int64_t>(ir::size_of(array.element()));
  llvm::Value* pointer = builder_.CreateGEP(
      builder_.getInt8Ty(), data.value, builder_.CreateMul(number, builder_.getInt64(bytes)));
  atomic_once(operation, pointer, {values == nullptr ? given.value : own(type, values)});
  llvm::Value* next = builder_.CreateAdd(lane, builder_.getInt64(1), "", true, true);
  lane->addIncoming(next, builder_.GetInsertBlock());
  llvm::Value* goes_on = builder_.CreateICmpULT(next, builder_.getInt64(lanes()));
  forbid_unrolling(*builder_.CreateCondBr(goes_on, body, done));
  builder_.SetInsertPoint(done);
  return true;
}

Value Emitter::emit_atomic(const Operation& operation) {
  if (try_emit_reduced_atomic(operation) || try_emit_full_atomic(operation))
    return emit_undefined(operation);
  const Shape& shape = shapes_.of(operation, 0);
  const bool is_used = shapes_.nesting().at(operation).is_used;
  llvm::SmallVector<Component, 3> operands;
  for (const Operation* operand : operation.operands) {
    Component known = value_of(*operand)[0];
    if (!known.shape.is_uniform())
      known = {Shape::of(Spread::varying), vector_of(known)};
    operands.push_back(known);
  }
  llvm::Type* type = component_type(operation.operands[1]->type, 0, Shape{});
  if (lanes() == 1)
    return {{shape, atomic_lane(operation, operands, builder_.getInt32(0))}};
  llvm::Value* results = nullptr;
  llvm::Type* whole = llvm::FixedVectorType::get(type, lanes());
  if (is_used) {
    results = make_slot(whole, "old.values");
    write(llvm::Constant::getNullValue(whole), results);
  }
  for_each_lane([&](llvm::Value* lane) {
    llvm::Value* old = atomic_lane(operation, operands, lane);
    if (is_used)
      builder_.CreateStore(old, builder_.CreateGEP(type, results, lane));
  });
  if (!is_used)
    return emit_undefined(operation);
  return {{shape, read(whole, results)}};
}

llvm::Value* Emitter::atomic_lane(
    const Operation& operation, llvm::ArrayRef<Component> operands, llvm::Value* lane) {
  llvm::SmallVector<llvm::Value*, 3> ones;
  for (const Component& operand : operands)
    ones.push_back(operand.shape.is_uniform() ? operand.value : lane_of(operand.value, lane));
  return atomic_once(operation, ones[0], llvm::ArrayRef(ones).drop_front());
}

}  // namespace phalanx::codegen::cpu
