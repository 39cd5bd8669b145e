#include "phalanx/codegen/cpu/condition_emitter.h"

#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>

#include "phalanx/codegen/cpu/emitter.h"
#include "phalanx/codegen/cpu/stateless_operations.h"
#include "phalanx/ir/comparisons.h"

namespace phalanx::codegen::cpu {

using ir::Op;
using ir::Operation;

namespace {

bool is_order(Op op) {
  return op == Op::less || op == Op::less_equal || op == Op::greater || op == Op::greater_equal;
}

}  // namespace

// The condition of all lanes at once. Where an affine integer is compared with a uniform one, its
// two ends decide.
llvm::Value* ConditionEmitter::all_of(const ir::Operation& condition) {
  if (condition.op == Op::bitwise_and && condition.type == ir::Type(DType::boolean)) {
    llvm::Value* first = all_of(*condition.operands[0]);
    return builder_.CreateAnd(first, all_of(*condition.operands[1]));
  }
  const Component own = emitter_.value_of(condition)[0];
  if (own.shape.is_uniform())
    return own.value;
  if (!is_order(condition.op) || !condition.operands[0]->type.is_scalar())
    return emitter_.all(own.value);
  const Component a = emitter_.value_of(*condition.operands[0])[0];
  const Component b = emitter_.value_of(*condition.operands[1])[0];
  const Component& affine = a.shape.is_uniform() ? b : a;
  const Component& other = a.shape.is_uniform() ? a : b;
  // A 32-bit affine value must not wrap around more than once for its ends to show it.
  constexpr std::int64_t largest = std::int64_t{1} << 25;
  if (affine.shape.uniformity != Uniformity::affine || !other.shape.is_uniform() ||
      affine.shape.stride > largest || affine.shape.stride < -largest)
    return emitter_.all(own.value);
  llvm::Type* type = affine.value->getType();
  llvm::Value* reach = llvm::ConstantInt::get(
      type,
      static_cast<std::uint64_t>(affine.shape.stride * (std::int64_t{emitter_.lanes()} - 1)),
      true);
  llvm::Value* far = builder_.CreateAdd(affine.value, reach, "last.lane");
  OpEmitter emitter = emitter_.ops();
  const auto compare = [&](llvm::Value* end) {
    llvm::Value* operands[] = {&affine == &a ? end : a.value, &affine == &b ? end : b.value};
    return codegen::emit_elementwise(emitter, condition.op, condition.operands[0]->type, operands);
  };
  // Where the affine value wraps around, its ends say nothing of the lanes between.
  llvm::Value* operands[] = {affine.value, far};
  const Op rises = affine.shape.stride > 0 ? Op::less : Op::greater;
  llvm::Value* is_whole =
      codegen::emit_elementwise(emitter, rises, condition.operands[0]->type, operands);
  llvm::Value* ends = builder_.CreateAnd(compare(affine.value), compare(far));
  return builder_.CreateAnd(ends, is_whole, "all");
}

// i < n with lanes that count up: one number says how many lanes from the first on are below, and
// becomes the mask. A branch on it waits for no vector, and a warp of 32 lanes with 64-bit indices
// needs no four comparisons. Where masks are registers of their own only.
bool ConditionEmitter::try_emit_first_lanes(const Operation& operation, Value& result) {
  constexpr unsigned bits_with_mask_registers = 512;
  if (!is_order(operation.op) || emitter_.lanes() == 1 ||
      compilation_.target.vector_bits != bits_with_mask_registers ||
      shapes_.of(operation, 0).uniformity != Uniformity::varying)
    return false;
  const ir::Type& type = operation.operands[0]->type;
  if (!type.is_scalar() || !is_integer(type.dtype()) || bits_of(type.dtype()) < 32)
    return false;
  const Component a = emitter_.value_of(*operation.operands[0])[0];
  const Component b = emitter_.value_of(*operation.operands[1])[0];
  const bool is_affine_first = b.shape.is_uniform();
  const Component& affine = is_affine_first ? a : b;
  const Component& limit = is_affine_first ? b : a;
  if (affine.shape.uniformity != Uniformity::affine || affine.shape.stride != 1 ||
      !limit.shape.is_uniform())
    return false;
  const Op order = is_affine_first ? operation.op : ir::mirrored(operation.op);
  const bool has_sign = is_signed(type.dtype());
  llvm::Value* mask = first_lanes(order, has_sign, affine, limit.value);
  llvm::Value* may_hold = first_lane_is_within(order, has_sign, affine, limit.value);
  if (!affine.shape.exact) {
    llvm::BasicBlock* before = builder_.GetInsertBlock();
    llvm::PHINode* merged = unless_wrapped(operation, affine, mask);
    llvm::PHINode* holds = builder_.CreatePHI(builder_.getInt1Ty(), 2, "may.hold");
    for (llvm::BasicBlock* from : merged->blocks())
      holds->addIncoming(from == before ? may_hold : builder_.getTrue(), from);
    may_hold = holds;
    mask = merged;
  }
  if (order == Op::less || order == Op::less_equal)
    may_hold_[&operation] = may_hold;
  result = {{shapes_.of(operation, 0), mask}};
  return true;
}

// True if the affine value has not come to the limit with its first lane; `order` as in
// first_lanes.
llvm::Value* ConditionEmitter::first_lane_is_within(
    Op order, bool is_signed, const Component& affine, llvm::Value* limit) {
  const bool reaches_limit = order == Op::less_equal || order == Op::greater;
  llvm::CmpInst::Predicate within =
      reaches_limit ? llvm::CmpInst::ICMP_ULE : llvm::CmpInst::ICMP_ULT;
  if (is_signed)
    within = llvm::ICmpInst::getSignedPredicate(within);
  return builder_.CreateICmp(within, affine.value, limit);
}

// The mask of affine `order` limit, if it does not wrap around.
llvm::Value* ConditionEmitter::first_lanes(
    Op order, bool is_signed, const Component& affine, llvm::Value* limit) {
  const bool reaches_limit = order == Op::less_equal || order == Op::greater;
  llvm::Type* type = limit->getType();
  // From the first lane to the limit, as far as lanes go; without `one`, it might wrap around.
  const std::uint64_t one = reaches_limit ? 1 : 0;
  llvm::Value* distance = builder_.CreateBinaryIntrinsic(
      llvm::Intrinsic::umin,
      builder_.CreateSub(limit, affine.value),
      llvm::ConstantInt::get(type, emitter_.lanes() - one));
  llvm::Value* count = builder_.CreateSelect(
      first_lane_is_within(order, is_signed, affine, limit),
      builder_.CreateAdd(distance, llvm::ConstantInt::get(type, one)),
      llvm::Constant::getNullValue(type));
  llvm::Type* i64 = builder_.getInt64Ty();
  llvm::Value* from_first = builder_.CreateNot(builder_.CreateShl(
      llvm::Constant::getAllOnesValue(i64), builder_.CreateZExtOrTrunc(count, i64)));
  llvm::Value* bits = builder_.CreateTrunc(from_first, builder_.getIntNTy(emitter_.lanes()));
  if (order == Op::greater || order == Op::greater_equal)
    bits = builder_.CreateNot(bits);
  return builder_.CreateBitCast(bits, emitter_.all_lanes()->getType(), "lanes.within");
}

// `mask`, or where the last lanes wrap around, each lane compared by itself.
llvm::PHINode* ConditionEmitter::unless_wrapped(
    const Operation& order, const Component& affine, llvm::Value* mask) {
  llvm::Type* type = affine.value->getType();
  llvm::Value* last =
      builder_.CreateAdd(affine.value, llvm::ConstantInt::get(type, emitter_.lanes() - 1));
  const bool has_sign = is_signed(order.operands[0]->type.dtype());
  llvm::Value* is_wrapped = has_sign ? builder_.CreateICmpSLT(last, affine.value)
                                     : builder_.CreateICmpULT(last, affine.value);
  llvm::BasicBlock* before = builder_.GetInsertBlock();
  llvm::BasicBlock* wrapped = emitter_.new_block("wrapped");
  llvm::BasicBlock* end = emitter_.new_block("ordered");
  emitter_.branch_rarely(is_wrapped, wrapped, end);
  builder_.SetInsertPoint(wrapped);
  llvm::Value* by_lane = emit_operation_on(emitter_, order.op, order)[0].value;
  emitter_.branch_to(end);
  llvm::PHINode* merged = builder_.CreatePHI(mask->getType(), 2, "lanes.within");
  merged->addIncoming(mask, before);
  merged->addIncoming(by_lane, wrapped);
  return merged;
}

llvm::Value* ConditionEmitter::may_hold(const Operation& condition) const {
  const auto known = may_hold_.find(&condition);
  return known == may_hold_.end() ? nullptr : known->second;
}

}  // namespace phalanx::codegen::cpu
