// What the lanes of a warp tell each other: votes, shuffles, matches. A warp is one vector here, so
// that all of them are operations on its elements; lanes that are elsewhere take no part.
#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>

#include "phalanx/base/errors.h"
#include "phalanx/codegen/cpu/emitter.h"
#include "phalanx/codegen/cpu/shapes.h"
#include "phalanx/codegen/cpu/stateless_operations.h"
#include "phalanx/codegen/cpu/warp_code.h"
#include "phalanx/codegen/cpu/warp_permute.h"

namespace phalanx::codegen::cpu {

using ir::Op;
using ir::Operation;

// The same for the whole warp where its lanes ask the same of the same lanes.
Shape shape_of_warp(const Operation& operation, const std::vector<const Shapes*>& operands) {
  const auto is_uniform = [&](std::size_t i) { return (*operands[i])[0].is_uniform(); };
  bool holds = true;  // active_mask
  switch (operation.op) {
    case Op::vote:
      holds = is_uniform(0);
      break;
    case Op::shuffle:
      holds = is_uniform(1) || (ir::has_kind(operation, ir::Shuffle::index) && is_uniform(2));
      break;
    case Op::match:
      holds = is_uniform(0) && (ir::has_kind(operation, ir::Match::all) || is_uniform(1));
      break;
    default:
      break;
  }
  return Shape::of(holds ? Uniformity::warp : Uniformity::varying);
}

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

class WarpOperations : EmitterPart {
 public:
  using EmitterPart::EmitterPart;

  Value emit(const Operation& operation);

 private:
  Value emit_vote(const Operation& operation);
  Value emit_shuffle(const Operation& operation);
  Value emit_match_any(const Operation& operation);
  Value emit_match_all(const Operation& operation);
  llvm::Value* source_lanes(ir::Shuffle mode, llvm::Value* operand);
  llvm::Value* equal_lanes(llvm::Value* values);
};

Value WarpOperations::emit(const Operation& operation) {
  if (operation.op != Op::active_mask)
    emitter_.checks().check_named_lanes(operation);
  switch (operation.op) {
    case Op::vote:
      return emit_vote(operation);
    case Op::shuffle:
      return emit_shuffle(operation);
    case Op::match:
      return ir::has_kind(operation, ir::Match::any) ? emit_match_any(operation)
                                                     : emit_match_all(operation);
    default:  // active_mask
      return {{shapes_.of(operation, 0), emitter_.active_bits()}};
  }
}

// Scalar code where the mask is uniform, else the same for each lane's own mask.
Value WarpOperations::emit_vote(const Operation& operation) {
  const Shape& shape = shapes_.of(operation, 0);
  const Component predicate = emitter_.value_of(*operation.operands[1])[0];
  llvm::Value* holds =
      predicate.shape.is_uniform()
          ? builder_.CreateSelect(predicate.value, builder_.getInt32(~0U), builder_.getInt32(0))
          : emitter_.mask_bits(emitter_.vector_of(predicate));
  llvm::Value* present = emitter_.active_bits();
  llvm::Value* mask = emitter_.operand(operation, 0, shape.is_uniform());
  if (!shape.is_uniform()) {
    holds = builder_.CreateVectorSplat(emitter_.lanes(), holds);
    present = builder_.CreateVectorSplat(emitter_.lanes(), present);
    mask = splat(builder_, mask, emitter_.lanes());
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
llvm::Value* WarpOperations::source_lanes(ir::Shuffle mode, llvm::Value* operand) {
  llvm::Value* own = lane_numbers(builder_, emitter_.lanes());
  llvm::Value* last =
      builder_.CreateVectorSplat(emitter_.lanes(), builder_.getInt32(emitter_.lanes() - 1));
  llvm::Value* amount = builder_.CreateAnd(operand, last);
  if (mode == ir::Shuffle::index)
    return amount;
  if (mode == ir::Shuffle::bitwise_xor)
    return builder_.CreateXor(own, amount);
  llvm::Value* source =
      mode == ir::Shuffle::up ? builder_.CreateSub(own, amount) : builder_.CreateAdd(own, amount);
  return builder_.CreateSelect(builder_.CreateICmpULE(source, last), source, own);
}

Value WarpOperations::emit_shuffle(const Operation& operation) {
  const Shape& shape = shapes_.of(operation, 0);
  const Component given = emitter_.value_of(*operation.operands[1])[0];
  if (given.shape.is_uniform())
    return {{shape, given.value}};
  llvm::Value* values = emitter_.vector_of(given);
  // Lanes that are elsewhere may hold anything, but it must be one thing.
  values = builder_.CreateFreeze(values);
  const Component lane = emitter_.value_of(*operation.operands[2])[0];
  if (shape.is_uniform()) {
    llvm::Value* source = builder_.CreateAnd(lane.value, builder_.getInt32(emitter_.lanes() - 1));
    if (emitter_.mask() != nullptr)
      source = running_lane(builder_, emitter_.active_bits(), source);
    return {{shape, builder_.CreateExtractElement(values, source)}};
  }
  llvm::Value* sources =
      source_lanes(std::get<ir::Shuffle>(operation.detail), emitter_.vector_of(lane));
  if (emitter_.mask() != nullptr)
    sources = running_lanes(builder_, emitter_.active_bits(), sources);
  WarpPermute permute{builder_, compilation_.target.vector_bits, [&](llvm::Type* type) {
                        return emitter_.make_slot(type, "shuffled");
                      }};
  return {{shape, permute(values, sources)}};
}

// For each lane those lanes that run here and hold the same bits: one round a distinct value.
llvm::Value* WarpOperations::equal_lanes(llvm::Value* values) {
  llvm::Type* scalar = values->getType()->getScalarType();
  llvm::Type* bits = builder_.getIntNTy(scalar->getPrimitiveSizeInBits());
  llvm::Value* words = builder_.CreateFreeze(
      builder_.CreateBitCast(values, llvm::FixedVectorType::get(bits, emitter_.lanes())));
  llvm::Value* present = emitter_.active_bits();
  llvm::Type* masks = llvm::FixedVectorType::get(builder_.getInt32Ty(), emitter_.lanes());
  llvm::BasicBlock* before = builder_.GetInsertBlock();
  llvm::BasicBlock* test = emitter_.new_block("match");
  llvm::BasicBlock* round = emitter_.new_block("match.round");
  llvm::BasicBlock* done = emitter_.new_block("match.done");
  emitter_.branch_to(test);
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
      builder_.CreateICmpEQ(words, builder_.CreateVectorSplat(emitter_.lanes(), word), "same");
  llvm::Value* group = builder_.CreateAnd(emitter_.mask_bits(is_same), present, "group");
  left->addIncoming(builder_.CreateAnd(left, builder_.CreateNot(group)), round);
  found->addIncoming(
      builder_.CreateSelect(is_same, builder_.CreateVectorSplat(emitter_.lanes(), group), found),
      round);
  builder_.CreateBr(test);
  builder_.SetInsertPoint(done);
  return found;
}

Value WarpOperations::emit_match_any(const Operation& operation) {
  const Shape& shape = shapes_.of(operation, 0);
  if (shape.is_uniform())
    return {
        {shape,
         builder_.CreateAnd(emitter_.active_bits(), emitter_.scalar(*operation.operands[0]))}};
  llvm::Value* equal = equal_lanes(emitter_.vector(*operation.operands[1]));
  return {{shape, builder_.CreateAnd(equal, emitter_.vector(*operation.operands[0]))}};
}

Value WarpOperations::emit_match_all(const Operation& operation) {
  const Shape& shape = shapes_.of(operation, 0);
  const Component mask = emitter_.value_of(*operation.operands[0])[0];
  if (!shape.is_uniform()) {
    llvm::Value* masks = emitter_.vector_of(mask);
    llvm::Value* equal = equal_lanes(emitter_.vector(*operation.operands[1]));
    llvm::Value* participants = builder_.CreateAnd(
        masks, builder_.CreateVectorSplat(emitter_.lanes(), emitter_.active_bits()));
    llvm::Value* is_all =
        builder_.CreateICmpEQ(builder_.CreateAnd(equal, participants), participants);
    return {
        {shape,
         builder_.CreateSelect(
             is_all, participants, llvm::Constant::getNullValue(participants->getType()))}};
  }
  const Component given = emitter_.value_of(*operation.operands[1])[0];
  if (given.shape.is_uniform())
    return {{shape, builder_.CreateAnd(emitter_.active_bits(), mask.value)}};
  // One mask for all: the first of its lanes has the others' mask.
  llvm::Value* values = emitter_.vector_of(given);
  llvm::Type* bits = builder_.getIntNTy(values->getType()->getScalarSizeInBits());
  llvm::Value* words = builder_.CreateFreeze(
      builder_.CreateBitCast(values, llvm::FixedVectorType::get(bits, emitter_.lanes())));
  llvm::Value* participants =
      builder_.CreateAnd(emitter_.active_bits(), mask.value, "participants");
  llvm::Value* first =
      builder_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, participants, builder_.getInt1(false));
  first = builder_.CreateAnd(first, builder_.getInt32(emitter_.lanes() - 1));
  llvm::Value* word = builder_.CreateExtractElement(words, first);
  llvm::Value* is_same =
      builder_.CreateICmpEQ(words, builder_.CreateVectorSplat(emitter_.lanes(), word), "same");
  llvm::Value* yes = builder_.CreateAnd(emitter_.mask_bits(is_same), participants);
  return {
      {shape,
       builder_.CreateSelect(
           builder_.CreateICmpEQ(yes, participants),
           participants,
           builder_.getInt32(0),
           "matched")}};
}

}  // namespace

Value emit_warp_value(Emitter& emitter, const Operation& operation) {
  return WarpOperations(emitter).emit(operation);
}

}  // namespace phalanx::codegen::cpu
