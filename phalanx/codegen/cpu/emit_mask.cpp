// Masks: which lanes run.
#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>

#include "phalanx/codegen/cpu/emitter.h"

namespace phalanx::codegen::cpu {

using ir::Op;

namespace {

llvm::Type* mask_type(llvm::LLVMContext& context, unsigned lanes) {
  return llvm::FixedVectorType::get(llvm::Type::getInt1Ty(context), lanes);
}

}  // namespace

llvm::Value* Emitter::all_lanes() const {
  return llvm::Constant::getAllOnesValue(mask_type(context(), lanes()));
}

llvm::Value* Emitter::no_lanes() const {
  return llvm::Constant::getNullValue(mask_type(context(), lanes()));
}

llvm::Value* Emitter::mask_bits(llvm::Value* mask) {
  return builder_.CreateBitCast(mask, builder_.getIntNTy(lanes()), "mask.bits");
}

llvm::Value* Emitter::any(llvm::Value* mask) {
  llvm::Value* bits = mask_bits(mask);
  return builder_.CreateICmpNE(bits, llvm::Constant::getNullValue(bits->getType()), "any");
}

llvm::Value* Emitter::all(llvm::Value* mask) {
  llvm::Value* bits = mask_bits(mask);
  return builder_.CreateICmpEQ(bits, llvm::Constant::getAllOnesValue(bits->getType()), "all");
}

llvm::Value* Emitter::merged(llvm::Value* mask, llvm::Value* condition) {
  return mask == nullptr ? condition : builder_.CreateAnd(mask, condition);
}

// The condition of all lanes at once. Where a linear integer is compared with a uniform one, its
// two ends decide.
llvm::Value* Emitter::all_of_condition(const ir::Operation& condition) {
  const bool is_order = condition.op == Op::less || condition.op == Op::less_equal ||
                        condition.op == Op::greater || condition.op == Op::greater_equal;
  if (condition.op == Op::bitwise_and && condition.type == ir::Type(DType::boolean)) {
    llvm::Value* first = all_of_condition(*condition.operands[0]);
    return builder_.CreateAnd(first, all_of_condition(*condition.operands[1]));
  }
  const Component own = value_of(condition)[0];
  if (own.shape.is_uniform())
    return own.value;
  if (!is_order || !condition.operands[0]->type.is_scalar())
    return all(own.value);
  const Component a = value_of(*condition.operands[0])[0];
  const Component b = value_of(*condition.operands[1])[0];
  const Component& line = a.shape.is_uniform() ? b : a;
  const Component& other = a.shape.is_uniform() ? a : b;
  // A 32-bit line must not wrap around more than once for its ends to show it.
  constexpr std::int64_t largest = std::int64_t{1} << 25;
  if (line.shape.spread != Spread::linear || !other.shape.is_uniform() ||
      line.shape.stride > largest || line.shape.stride < -largest)
    return all(own.value);
  llvm::Type* type = line.value->getType();
  llvm::Value* reach = llvm::ConstantInt::get(
      type, static_cast<std::uint64_t>(line.shape.stride * (std::int64_t{lanes()} - 1)), true);
  llvm::Value* far = builder_.CreateAdd(line.value, reach, "last.lane");
  OpEmitter emitter = ops();
  const auto compare = [&](llvm::Value* end) {
    llvm::Value* operands[] = {&line == &a ? end : a.value, &line == &b ? end : b.value};
    return codegen::emit_elementwise(emitter, condition.op, condition.operands[0]->type, operands);
  };
  // Where the line wraps around, its ends say nothing of the lanes between.
  llvm::Value* operands[] = {line.value, far};
  const Op rises = line.shape.stride > 0 ? Op::less : Op::greater;
  llvm::Value* is_whole =
      codegen::emit_elementwise(emitter, rises, condition.operands[0]->type, operands);
  llvm::Value* ends = builder_.CreateAnd(compare(line.value), compare(far));
  return builder_.CreateAnd(ends, is_whole, "all");
}

bool Emitter::is_gone() const {
  const auto* constant = llvm::dyn_cast_or_null<llvm::Constant>(mask_);
  return !is_open() || (constant != nullptr && constant->isNullValue());
}

// The highest lane that runs: what it writes last stays, as in a run of one thread after another.
llvm::Value* Emitter::last_lane() {
  if (mask_ == nullptr)
    return builder_.getInt32(lanes() - 1);
  llvm::Value* bits = mask_bits(mask_);
  llvm::Value* above =
      builder_.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, bits, builder_.getInt1(true));
  llvm::Value* last = llvm::ConstantInt::get(bits->getType(), lanes() - 1);
  return builder_.CreateZExtOrTrunc(builder_.CreateSub(last, above), builder_.getInt32Ty());
}

// A loop over the lanes that run, in order. Where lanes agree by construction (lanes == 1), once.
void Emitter::for_each_lane(const std::function<void(llvm::Value* lane)>& body) {
  if (lanes() == 1) {
    body(builder_.getInt32(0));
    return;
  }
  llvm::Value* first_bits = mask_bits(mask_or_all());
  llvm::BasicBlock* before = builder_.GetInsertBlock();
  llvm::BasicBlock* loop = new_block("lane");
  llvm::BasicBlock* done = new_block("lanes.done");
  branch_to(loop);
  llvm::PHINode* bits = builder_.CreatePHI(first_bits->getType(), 2, "lanes.left");
  bits->addIncoming(first_bits, before);
  llvm::Value* lane =
      builder_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, bits, builder_.getInt1(true));
  body(builder_.CreateZExtOrTrunc(lane, builder_.getInt32Ty(), "lane"));
  llvm::Constant* one = llvm::ConstantInt::get(bits->getType(), 1);
  llvm::Value* left = builder_.CreateAnd(bits, builder_.CreateSub(bits, one));
  bits->addIncoming(left, builder_.GetInsertBlock());
  builder_.CreateCondBr(
      builder_.CreateICmpEQ(left, llvm::Constant::getNullValue(left->getType())), done, loop);
  builder_.SetInsertPoint(done);
}

void Emitter::add_lanes(llvm::AllocaInst* slot, llvm::Value* mask) {
  llvm::Value* before = builder_.CreateLoad(slot->getAllocatedType(), slot);
  builder_.CreateStore(builder_.CreateOr(before, mask), slot);
}

}  // namespace phalanx::codegen::cpu
