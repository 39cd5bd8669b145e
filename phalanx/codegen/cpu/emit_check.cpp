// Check mode: elements whose indices are looked at first, and conditions that are reported.
//
// Where each index is affine in the lane, the two ends of a warp tell for all its lanes: two scalar
// comparisons, and the access stays a vector load or store. Reports are out of the way.
#include <array>

#include <llvm/IR/Constants.h>

#include "phalanx/codegen/cpu/emitter.h"
#include "phalanx/codegen/llvm/emit_parts.h"

namespace phalanx::codegen::cpu {

using ir::Op;
using ir::Operation;

struct Emitter::Subscripts {
  llvm::SmallVector<Component, 4> indices;
  llvm::SmallVector<Component, 4> extents;
  std::optional<Component> pointer;  // the element's, where every index has an affine form
  llvm::Value* holds = nullptr;      // i1: those forms hold; null: always
  llvm::SmallVector<Component, 4> affine;
};

Emitter::Subscripts Emitter::subscripts_of(const Operation& operation) {
  const ir::Type& type = operation.operands[0]->type;
  const Value view = value_of(*operation.operands[0]);
  const std::vector<Component> strides = strides_of(type, view);
  Subscripts found;
  bool has_affine_form = true;
  Component offset = {Shape::known(0), builder_.getInt64(0)};
  for (unsigned d = 0; d < type.ndim(); ++d) {
    found.indices.push_back(value_of(*operation.operands[1 + d])[0]);
    found.extents.push_back(view[1 + d]);
    const std::optional<SpeculativelyAffine> affine_index =
        speculatively_affine(*operation.operands[1 + d]);
    has_affine_form = has_affine_form && affine_index && view[1 + d].shape.is_uniform();
    if (!has_affine_form)
      continue;
    if (affine_index->holds != nullptr)
      found.holds = found.holds == nullptr ? affine_index->holds
                                           : builder_.CreateAnd(found.holds, affine_index->holds);
    found.affine.push_back(affine_index->value);
    offset = sum(offset, product(affine_index->value, strides[d]));
  }
  if (has_affine_form)
    found.pointer = add_offset(view[0], offset, type.space());
  return found;
}

// i1: all indices of all lanes are inside, as their ends tell; lanes that do not run count too.
llvm::Value* Emitter::all_within(const Subscripts& subscripts) {
  llvm::Value* within = subscripts.holds == nullptr ? builder_.getTrue() : subscripts.holds;
  for (std::size_t d = 0; d < subscripts.affine.size(); ++d) {
    const Component& index = subscripts.affine[d];
    llvm::Value* extent = subscripts.extents[d].value;
    // An extent is never below 0: one unsigned comparison.
    llvm::Value* one = index.shape.is_uniform()
                           ? builder_.CreateICmpULT(index.value, extent)
                           : is_affine_within(index, builder_.getInt64(0), extent);
    within = builder_.CreateAnd(within, one);
  }
  return within;
}

// A mask of the lanes whose indices are inside.
llvm::Value* Emitter::lanes_within(const Subscripts& subscripts) {
  llvm::Value* within = all_lanes();
  for (std::size_t d = 0; d < subscripts.indices.size(); ++d)
    within = builder_.CreateAnd(
        within,
        builder_.CreateICmpULT(vector_of(subscripts.indices[d]), vector_of(subscripts.extents[d])));
  return within;
}

// The pointer for the lanes of `is_within` (a mask, or one flag for all), else to memory that is
// there for this: it begins as zeros, and what is written to it is lost.
Value Emitter::sink_pointer(
    const Operation& operation, const Component& pointer, llvm::Value* is_within) {
  const std::uint64_t bytes = ir::size_of(operation.type.element()) * lanes();
  auto* type = llvm::ArrayType::get(builder_.getInt8Ty(), bytes);
  if (sink_ == nullptr ||
      compilation_.module.getDataLayout().getTypeAllocSize(sink_->getAllocatedType()) < bytes) {
    sink_ = make_slot(type, "sink");
    sink_->setAlignment(llvm::Align(64));
    llvm::BasicBlock& entry = builder_.GetInsertBlock()->getParent()->getEntryBlock();
    llvm::IRBuilder<> at_entry(&entry, std::next(sink_->getIterator()));
    at_entry.CreateMemSet(sink_, at_entry.getInt8(0), bytes, llvm::MaybeAlign(64));
  }
  llvm::Value* whole =
      pointer.value->getType()->isVectorTy() ? splat(builder_, sink_, lanes()) : sink_;
  return {{pointer.shape, builder_.CreateSelect(is_within, pointer.value, whole)}};
}

Value Emitter::emit_checked_element(const Operation& operation) {
  has_effects_before_ = true;
  const Subscripts subscripts = subscripts_of(operation);
  const Component pointer = element_address(operation).pointer;
  llvm::SmallVector<Component, 8> values(subscripts.indices.begin(), subscripts.indices.end());
  values.append(subscripts.extents.begin(), subscripts.extents.end());
  const bool is_one = shapes_.of(operation, 0).uniformity != Uniformity::varying || lanes() == 1;
  llvm::BasicBlock* fault = new_block("fault");
  llvm::BasicBlock* end = new_block("checked");
  if (is_one) {
    llvm::Value* within = all_within(subscripts);
    branch_rarely(builder_.CreateNot(within), fault, end);
    builder_.SetInsertPoint(fault);
    report_lanes(operation, builder_.getTrue(), values);
    branch_to(end);
    return sink_pointer(operation, pointer, within);
  }
  const Component varying = {Shape::of(Uniformity::varying), vector_of(pointer)};
  if (!subscripts.pointer) {
    llvm::Value* within = lanes_within(subscripts);
    llvm::Value* outside = builder_.CreateNot(within);
    branch_rarely(any(merged(mask_, outside)), fault, end);
    builder_.SetInsertPoint(fault);
    report_lanes(operation, outside, values);
    branch_to(end);
    return sink_pointer(operation, varying, within);
  }
  llvm::BasicBlock* before = builder_.GetInsertBlock();
  llvm::BasicBlock* look = new_block("look");
  builder_.CreateCondBr(all_within(subscripts), end, look);
  before = builder_.GetInsertBlock();
  builder_.SetInsertPoint(look);
  llvm::Value* within = lanes_within(subscripts);
  llvm::Value* outside = builder_.CreateNot(within);
  llvm::Value* has_fault = any(merged(mask_, outside));
  llvm::BasicBlock* looked = new_block("looked");
  branch_rarely(has_fault, fault, looked);
  builder_.SetInsertPoint(fault);
  report_lanes(operation, outside, values);
  branch_to(looked);
  const Value led = sink_pointer(operation, varying, within);
  llvm::Value* is_affine = builder_.CreateNot(has_fault);
  if (subscripts.holds != nullptr)
    is_affine = builder_.CreateAnd(is_affine, subscripts.holds);
  llvm::BasicBlock* look_end = builder_.GetInsertBlock();
  branch_to(end);
  llvm::PHINode* merged = builder_.CreatePHI(varying.value->getType(), 2, "element");
  merged->addIncoming(varying.value, before);
  merged->addIncoming(led[0].value, look_end);
  llvm::PHINode* holds = builder_.CreatePHI(builder_.getInt1Ty(), 2, "is.affine");
  holds->addIncoming(builder_.getTrue(), before);
  holds->addIncoming(is_affine, look_end);
  const auto bytes = static_cast<std::int64_t>(ir::size_of(operation.type.element()));
  if (subscripts.pointer->shape.uniformity == Uniformity::affine &&
      subscripts.pointer->shape.stride == bytes)
    affine_elements_[&operation] = {*subscripts.pointer, holds};
  return {{Shape::of(Uniformity::varying), merged}};
}

void Emitter::emit_report_if(const Operation& operation) {
  const Component condition = value_of(*operation.operands[0])[0];
  llvm::SmallVector<Component, 8> values;
  for (std::size_t i = 1; i < operation.operands.size(); ++i)
    values.push_back(value_of(*operation.operands[i])[0]);
  llvm::BasicBlock* fault = new_block("fault");
  llvm::BasicBlock* end = new_block("checked");
  const bool is_one = condition.shape.is_uniform();
  branch_rarely(is_one ? condition.value : any(merged(mask_, condition.value)), fault, end);
  builder_.SetInsertPoint(fault);
  report_lanes(operation, is_one ? builder_.getTrue() : condition.value, values);
  branch_to(end);
}

// True if check mode tracks which lanes have returned.
bool Emitter::looks_at_masks() const {
  return lanes() > 1 && compilation_.options.checks.has(Check::masks);
}

// The lanes that run here have returned.
void Emitter::end_lanes() {
  if (ended_ != nullptr)
    add_lanes(ended_, mask_or_all());
  mask_ = no_lanes();
}

namespace {

bool has_several(const ir::Function& function, Op op) {
  unsigned count = 0;
  ir::for_each(
      function.body, [&](const Operation& operation) { count += operation.op == op ? 1 : 0; });
  return count > 1;
}

}  // namespace

// Reports lanes that a warp operation's mask names, that have not returned and that are not here:
// on a GPU those that are here wait for them, here for ever. Those of a warp barrier may be at
// another one.
void Emitter::check_named_lanes(const Operation& operation) {
  if (!looks_at_masks() || lanes() != 32 || mask_ == nullptr)
    return;
  if (operation.op == Op::warp_barrier && has_several(shapes_.nesting().function(), operation.op))
    return;
  llvm::Value* present = active_bits();
  llvm::Value* live = first_mask_ == nullptr ? builder_.getInt32(~0U) : mask_bits(first_mask_);
  if (ended_ != nullptr) {
    llvm::Value* ended = mask_bits(read(ended_->getAllocatedType(), ended_));
    live = builder_.CreateAnd(live, builder_.CreateNot(ended));
  }
  llvm::Value* elsewhere = builder_.CreateAnd(live, builder_.CreateNot(present), "elsewhere");
  const Component mask = value_of(*operation.operands[0])[0];
  const bool is_one = mask.shape.is_uniform();
  llvm::Value* named = is_one ? mask.value : vector_of(mask);
  llvm::Value* missing = builder_.CreateAnd(
      named, is_one ? elsewhere : builder_.CreateVectorSplat(lanes(), elsewhere), "missing");
  llvm::Value* bad = builder_.CreateIsNotNull(missing);
  const Shape shape = Shape::of(is_one ? Uniformity::warp : Uniformity::varying);
  llvm::Type* wide = with_element(missing->getType(), builder_.getInt64Ty());
  const std::array values = {
      Component{shape, builder_.CreateZExt(named, wide)},
      Component{shape, builder_.CreateZExt(missing, wide)}};
  llvm::BasicBlock* fault = new_block("fault");
  llvm::BasicBlock* end = new_block("checked");
  branch_rarely(is_one ? bad : any(merged(mask_, bad)), fault, end);
  builder_.SetInsertPoint(fault);
  report_lanes(operation, is_one ? builder_.getTrue() : bad, values);
  branch_to(end);
}

}  // namespace phalanx::codegen::cpu
