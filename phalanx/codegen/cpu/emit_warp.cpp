// What the lanes of a warp tell each other: votes, shuffles, matches. A warp is one vector here, so
// that all of them are operations on its elements; lanes that are elsewhere take no part.
#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>

#include "phalanx/base/errors.h"
#include "phalanx/codegen/cpu/emitter.h"
#include "phalanx/codegen/cpu/warp_code.h"
#include "phalanx/codegen/cpu/warp_permute.h"

namespace phalanx::codegen::cpu {

using ir::Op;
using ir::Operation;

namespace {

// The lane, or the first that runs where it does not: a block that does not fill its last warp has
// no such thread.
llvm::Value* running_lane(llvm::IRBuilderBase& builder, llvm::Value* present, llvm::Value* lane) {
  llvm::Value* runs = builder.CreateTrunc(builder.CreateLShr(present, lane), builder.getInt1Ty());
  llvm::Value* first =
      builder.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, present, builder.getInt1(false));
  first = builder.CreateAnd(first, builder.getInt32(31));  // no lane runs: any lane
  return builder.CreateSelect(runs, lane, first, "source");
}

// The same for each lane, which gets its own value instead.
llvm::Value* running_lanes(
    llvm::IRBuilderBase& builder, llvm::Value* present, llvm::Value* sources) {
  const unsigned lanes = llvm::cast<llvm::FixedVectorType>(sources->getType())->getNumElements();
  llvm::Value* bits = builder.CreateLShr(builder.CreateVectorSplat(lanes, present), sources);
  llvm::Value* runs =
      builder.CreateTrunc(bits, llvm::FixedVectorType::get(builder.getInt1Ty(), lanes), "runs");
  return builder.CreateSelect(runs, sources, lane_numbers(builder, lanes), "sources");
}

}  // namespace

Value Emitter::emit_warp_value(const Operation& operation) {
  if (operation.op != Op::active_mask)
    check_named_lanes(operation);
  switch (operation.op) {
    case Op::vote:
      return emit_vote(operation);
    case Op::shuffle:
      return emit_shuffle(operation);
    case Op::match:
      return ir::has_kind(operation, ir::Match::any) ? emit_match_any(operation)
                                                     : emit_match_all(operation);
    default:  // active_mask
      return {{shapes_.of(operation, 0), active_bits()}};
  }
}

// Scalar code where the mask is uniform, else the same for each lane's own mask.
Value Emitter::emit_vote(const Operation& operation) {
  const Shape& shape = shapes_.of(operation, 0);
  const Component predicate = value_of(*operation.operands[1])[0];
  llvm::Value* holds =
      predicate.shape.is_uniform()
          ? builder_.CreateSelect(predicate.value, builder_.getInt32(~0U), builder_.getInt32(0))
          : mask_bits(vector_of(predicate));
  llvm::Value* present = active_bits();
  llvm::Value* mask = operand(operation, 0, shape.is_uniform());
  if (!shape.is_uniform()) {
    holds = builder_.CreateVectorSplat(lanes(), holds);
    present = builder_.CreateVectorSplat(lanes(), present);
    mask = splat(builder_, mask, lanes());
  }
  llvm::Value* participants = builder_.CreateAnd(present, mask, "participants");
  llvm::Value* yes = builder_.CreateAnd(holds, participants, "yes");
  if (ir::has_kind(operation, ir::Vote::ballot))
    return {{shape, yes}};
  llvm::Value* all = builder_.CreateICmpEQ(yes, participants, "all");
  if (ir::has_kind(operation, ir::Vote::all))
    return {{shape, all}};
  llvm::Constant* none = llvm::Constant::getNullValue(yes->getType());
  if (ir::has_kind(operation, ir::Vote::any))
    return {{shape, builder_.CreateICmpNE(yes, none, "any")}};
  return {{shape, builder_.CreateOr(all, builder_.CreateICmpEQ(yes, none), "eq")}};
}

// Which lane each lane takes the value of. As the hardware has it, only five bits of the operand
// count, and a lane that asks beyond the warp's end gets its own value.
llvm::Value* Emitter::source_lanes(ir::Shuffle mode, llvm::Value* operand) {
  llvm::Value* own = lane_numbers(builder_, lanes());
  llvm::Value* last = builder_.CreateVectorSplat(lanes(), builder_.getInt32(lanes() - 1));
  llvm::Value* amount = builder_.CreateAnd(operand, last);
  if (mode == ir::Shuffle::index)
    return amount;
  if (mode == ir::Shuffle::bitwise_xor)
    return builder_.CreateXor(own, amount);
  llvm::Value* source =
      mode == ir::Shuffle::up ? builder_.CreateSub(own, amount) : builder_.CreateAdd(own, amount);
  return builder_.CreateSelect(builder_.CreateICmpULE(source, last), source, own);
}

Value Emitter::emit_shuffle(const Operation& operation) {
  const Shape& shape = shapes_.of(operation, 0);
  const Component given = value_of(*operation.operands[1])[0];
  if (given.shape.is_uniform())
    return {{shape, given.value}};
  llvm::Value* values = vector_of(given);
  // Lanes that are elsewhere may hold anything, but it must be one thing.
  values = builder_.CreateFreeze(values);
  const Component lane = value_of(*operation.operands[2])[0];
  if (shape.is_uniform()) {
    llvm::Value* source = builder_.CreateAnd(lane.value, builder_.getInt32(lanes() - 1));
    if (mask_ != nullptr)
      source = running_lane(builder_, active_bits(), source);
    return {{shape, builder_.CreateExtractElement(values, source)}};
  }
  llvm::Value* sources = source_lanes(std::get<ir::Shuffle>(operation.detail), vector_of(lane));
  if (mask_ != nullptr)
    sources = running_lanes(builder_, active_bits(), sources);
  WarpPermute permute{builder_, compilation_.target.vector_bits, [&](llvm::Type* type) {
                        return make_slot(type, "shuffled");
                      }};
  return {{shape, permute(values, sources)}};
}

// For each lane those lanes that run here and hold the same bits: one round a distinct value.
llvm::Value* Emitter::equal_lanes(llvm::Value* values) {
  llvm::Type* scalar = values->getType()->getScalarType();
  llvm::Type* bits = builder_.getIntNTy(scalar->getPrimitiveSizeInBits());
  llvm::Value* words = builder_.CreateFreeze(
      builder_.CreateBitCast(values, llvm::FixedVectorType::get(bits, lanes())));
  llvm::Value* present = active_bits();
  llvm::Type* masks = llvm::FixedVectorType::get(builder_.getInt32Ty(), lanes());
  llvm::BasicBlock* before = builder_.GetInsertBlock();
  llvm::BasicBlock* test = new_block("match");
  llvm::BasicBlock* round = new_block("match.round");
  llvm::BasicBlock* done = new_block("match.done");
  branch_to(test);
  llvm::PHINode* left = builder_.CreatePHI(builder_.getInt32Ty(), 2, "left");
  llvm::PHINode* found = builder_.CreatePHI(masks, 2, "found");
  left->addIncoming(present, before);
  found->addIncoming(llvm::Constant::getNullValue(masks), before);
  builder_.CreateCondBr(builder_.CreateIsNotNull(left), round, done);
  builder_.SetInsertPoint(round);
  llvm::Value* lane =
      builder_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, left, builder_.getInt1(true));
  llvm::Value* word = builder_.CreateExtractElement(words, lane);
  llvm::Value* is_same =
      builder_.CreateICmpEQ(words, builder_.CreateVectorSplat(lanes(), word), "same");
  llvm::Value* group = builder_.CreateAnd(mask_bits(is_same), present, "group");
  left->addIncoming(builder_.CreateAnd(left, builder_.CreateNot(group)), round);
  found->addIncoming(
      builder_.CreateSelect(is_same, builder_.CreateVectorSplat(lanes(), group), found), round);
  builder_.CreateBr(test);
  builder_.SetInsertPoint(done);
  return found;
}

Value Emitter::emit_match_any(const Operation& operation) {
  const Shape& shape = shapes_.of(operation, 0);
  if (shape.is_uniform())
    return {{shape, builder_.CreateAnd(active_bits(), scalar(*operation.operands[0]))}};
  llvm::Value* equal = equal_lanes(vector(*operation.operands[1]));
  return {{shape, builder_.CreateAnd(equal, vector(*operation.operands[0]))}};
}

Value Emitter::emit_match_all(const Operation& operation) {
  const Shape& shape = shapes_.of(operation, 0);
  const Component mask = value_of(*operation.operands[0])[0];
  if (!shape.is_uniform()) {
    llvm::Value* masks = vector_of(mask);
    llvm::Value* equal = equal_lanes(vector(*operation.operands[1]));
    llvm::Value* participants =
        builder_.CreateAnd(masks, builder_.CreateVectorSplat(lanes(), active_bits()));
    llvm::Value* is_all =
        builder_.CreateICmpEQ(builder_.CreateAnd(equal, participants), participants);
    return {
        {shape,
         builder_.CreateSelect(
             is_all, participants, llvm::Constant::getNullValue(participants->getType()))}};
  }
  const Component given = value_of(*operation.operands[1])[0];
  if (given.shape.is_uniform())
    return {{shape, builder_.CreateAnd(active_bits(), mask.value)}};
  // One mask for all: the first of its lanes has the others' mask.
  llvm::Value* values = vector_of(given);
  llvm::Type* bits = builder_.getIntNTy(values->getType()->getScalarSizeInBits());
  llvm::Value* words = builder_.CreateFreeze(
      builder_.CreateBitCast(values, llvm::FixedVectorType::get(bits, lanes())));
  llvm::Value* participants = builder_.CreateAnd(active_bits(), mask.value, "participants");
  llvm::Value* first =
      builder_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, participants, builder_.getInt1(false));
  first = builder_.CreateAnd(first, builder_.getInt32(lanes() - 1));
  llvm::Value* word = builder_.CreateExtractElement(words, first);
  llvm::Value* is_same =
      builder_.CreateICmpEQ(words, builder_.CreateVectorSplat(lanes(), word), "same");
  llvm::Value* yes = builder_.CreateAnd(mask_bits(is_same), participants);
  return {
      {shape,
       builder_.CreateSelect(
           builder_.CreateICmpEQ(yes, participants),
           participants,
           builder_.getInt32(0),
           "matched")}};
}

}  // namespace phalanx::codegen::cpu
