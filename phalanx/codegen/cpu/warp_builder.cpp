// The code of one warp: blocks, slots, and masks of the lanes that run.
#include <algorithm>

#include <llvm/IR/Constants.h>
#include <llvm/IR/Intrinsics.h>
#include <llvm/IR/MDBuilder.h>

#include "phalanx/base/errors.h"
#include "phalanx/codegen/cpu/warp_builder.h"

namespace phalanx::codegen::cpu {

namespace {

// Scratch memory, where coroutine frames lie, has it; enough for every register.
constexpr llvm::Align largest_alignment = llvm::Align::Constant<64>();

llvm::Type* mask_type(llvm::LLVMContext& context, unsigned lanes) {
  return llvm::FixedVectorType::get(llvm::Type::getInt1Ty(context), lanes);
}

}  // namespace

llvm::Value* WarpBuilder::all_lanes() const {
  return llvm::Constant::getAllOnesValue(mask_type(context(), lanes()));
}

llvm::Value* WarpBuilder::no_lanes() const {
  return llvm::Constant::getNullValue(mask_type(context(), lanes()));
}

llvm::Value* WarpBuilder::mask_bits(llvm::Value* mask) {
  return builder_.CreateBitCast(mask, builder_.getIntNTy(lanes()), "mask.bits");
}

llvm::Value* WarpBuilder::any(llvm::Value* mask) {
  llvm::Value* bits = mask_bits(mask);
  return builder_.CreateICmpNE(bits, llvm::Constant::getNullValue(bits->getType()), "any");
}

llvm::Value* WarpBuilder::all(llvm::Value* mask) {
  llvm::Value* bits = mask_bits(mask);
  return builder_.CreateICmpEQ(bits, llvm::Constant::getAllOnesValue(bits->getType()), "all");
}

llvm::Value* WarpBuilder::merged(llvm::Value* mask, llvm::Value* condition) {
  return mask == nullptr ? condition : builder_.CreateAnd(mask, condition);
}

bool WarpBuilder::is_gone() const {
  const auto* constant = llvm::dyn_cast_or_null<llvm::Constant>(mask_);
  return !is_open() || (constant != nullptr && constant->isNullValue());
}

// The lowest lane that runs, i32.
llvm::Value* WarpBuilder::first_lane() {
  if (mask_ == nullptr || lanes() == 1)
    return builder_.getInt32(0);
  llvm::Value* bits = mask_bits(mask_);
  return builder_.CreateZExtOrTrunc(
      builder_.CreateBinaryIntrinsic(llvm::Intrinsic::cttz, bits, builder_.getInt1(true)),
      builder_.getInt32Ty());
}

// The highest lane that runs: what it writes last stays, as in a run of one thread after another.
llvm::Value* WarpBuilder::last_lane() {
  if (mask_ == nullptr)
    return builder_.getInt32(lanes() - 1);
  llvm::Value* bits = mask_bits(mask_);
  llvm::Value* above =
      builder_.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz, bits, builder_.getInt1(true));
  llvm::Value* last = llvm::ConstantInt::get(bits->getType(), lanes() - 1);
  return builder_.CreateZExtOrTrunc(builder_.CreateSub(last, above), builder_.getInt32Ty());
}

// The lanes that run here, as the bits of an i32.
llvm::Value* WarpBuilder::active_bits() {
  PHX_ASSERT(lanes() == 32);  // needs_full_warp
  return mask_ == nullptr ? builder_.getInt32(~0U) : mask_bits(mask_);
}

llvm::Value* WarpBuilder::thread_of_lane(unsigned dimension, llvm::Value* lane) {
  llvm::Value* known = warp.thread.at(dimension);
  if (known->getType()->isVectorTy())
    return builder_.CreateExtractElement(known, lane);
  return dimension == 0 && lanes() > 1 ? builder_.CreateAdd(known, lane) : known;
}

// A loop over the lanes that run, in order. Where lanes agree by construction (lanes == 1), once.
void WarpBuilder::for_each_lane(const std::function<void(llvm::Value* lane)>& body) {
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

void WarpBuilder::add_lanes(llvm::AllocaInst* slot, llvm::Value* mask) {
  llvm::Value* before = builder_.CreateLoad(slot->getAllocatedType(), slot);
  builder_.CreateStore(builder_.CreateOr(before, mask), slot);
}

llvm::BasicBlock* WarpBuilder::new_block(const llvm::Twine& name) {
  return llvm::BasicBlock::Create(context(), name, builder_.GetInsertBlock()->getParent());
}

void WarpBuilder::branch_to(llvm::BasicBlock* block) {
  if (is_open())
    builder_.CreateBr(block);
  builder_.SetInsertPoint(block);
}

void WarpBuilder::branch_rarely(
    llvm::Value* condition, llvm::BasicBlock* rare, llvm::BasicBlock* mostly) {
  llvm::MDNode* weights = llvm::MDBuilder(context()).createUnlikelyBranchWeights();
  builder_.CreateCondBr(condition, rare, mostly, weights);
}

llvm::AllocaInst* WarpBuilder::make_slot(llvm::Type* type, const llvm::Twine& name) {
  llvm::BasicBlock& entry = builder_.GetInsertBlock()->getParent()->getEntryBlock();
  llvm::IRBuilder<> at_entry(&entry, entry.begin());
  llvm::AllocaInst* slot = at_entry.CreateAlloca(type, nullptr, name);
  slot->setAlignment(std::min(slot->getAlign(), largest_alignment));
  return slot;
}

llvm::LoadInst* WarpBuilder::read(llvm::Type* type, llvm::Value* slot) {
  const llvm::Align natural = compilation_.module.getDataLayout().getABITypeAlign(type);
  return builder_.CreateAlignedLoad(type, slot, std::min(natural, largest_alignment));
}

llvm::StoreInst* WarpBuilder::write(llvm::Value* value, llvm::Value* slot) {
  const llvm::Align natural = compilation_.module.getDataLayout().getABITypeAlign(value->getType());
  return builder_.CreateAlignedStore(value, slot, std::min(natural, largest_alignment));
}

OpEmitter WarpBuilder::ops() {
  return {
      .builder = builder_,
      .math = compilation_.math,
      .contracts = compilation_.options.contracts(),
      .fastmath = compilation_.options.fastmath,
      .converts_small_floats = compilation_.converts_small_floats,
      .divides_as_float = true};
}

}  // namespace phalanx::codegen::cpu
