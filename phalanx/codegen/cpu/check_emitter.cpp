#include "phalanx/codegen/cpu/check_emitter.h"

#include <array>

#include <llvm/IR/Constants.h>

#include "phalanx/codegen/cpu/emitter.h"
#include "phalanx/codegen/llvm/emit_parts.h"

namespace phalanx::codegen::cpu {

using ir::Op;
using ir::Operation;

struct CheckEmitter::Subscripts {
  llvm::SmallVector<Component, 4> indices;
  llvm::SmallVector<Component, 4> extents;
  std::optional<Component> pointer;  // the element's, where every index has an affine form
  llvm::Value* holds = nullptr;      // i1: those forms hold; null: always
  llvm::SmallVector<Component, 4> affine;
};

CheckEmitter::Subscripts CheckEmitter::subscripts_of(const Operation& operation) {
  const ir::Type& type = operation.operands[0]->type;
  const Value view = emitter_.value_of(*operation.operands[0]);
  const std::vector<Component> strides = emitter_.strides_of(type, view);
  Subscripts found;
  bool has_affine_form = true;
  Component offset = {Shape::known(0), builder_.getInt64(0)};
  for (unsigned d = 0; d < type.ndim(); ++d) {
    found.indices.push_back(emitter_.value_of(*operation.operands[1 + d])[0]);
    found.extents.push_back(view[1 + d]);
    const std::optional<SpeculativelyAffine> affine_index =
        emitter_.indices().form_of(*operation.operands[1 + d]);
    has_affine_form = has_affine_form && affine_index && view[1 + d].shape.is_uniform();
    if (!has_affine_form)
      continue;
    if (affine_index->holds != nullptr)
      found.holds = found.holds == nullptr ? affine_index->holds
                                           : builder_.CreateAnd(found.holds, affine_index->holds);
    found.affine.push_back(affine_index->value);
    offset = emitter_.sum(offset, emitter_.product(affine_index->value, strides[d]));
  }
  if (has_affine_form)
    found.pointer = emitter_.add_offset(view[0], offset, type.space());
  return found;
}

// i1: all indices of all lanes are inside, as their ends tell; lanes that do not run count too.
llvm::Value* CheckEmitter::all_within(const Subscripts& subscripts) {
  llvm::Value* within = subscripts.holds == nullptr ? builder_.getTrue() : subscripts.holds;
  for (std::size_t d = 0; d < subscripts.affine.size(); ++d) {
    const Component& index = subscripts.affine[d];
    llvm::Value* extent = subscripts.extents[d].value;
    // An extent is never below 0: one unsigned comparison.
    llvm::Value* one = index.shape.is_uniform()
                           ? builder_.CreateICmpULT(index.value, extent)
                           : emitter_.indices().is_within(index, builder_.getInt64(0), extent);
    within = builder_.CreateAnd(within, one);
  }
  return within;
}

// A mask of the lanes whose indices are inside.
llvm::Value* CheckEmitter::lanes_within(const Subscripts& subscripts) {
  llvm::Value* within = emitter_.all_lanes();
  for (std::size_t d = 0; d < subscripts.indices.size(); ++d)
    within = builder_.CreateAnd(
        within,
        builder_.CreateICmpULT(
            emitter_.vector_of(subscripts.indices[d]), emitter_.vector_of(subscripts.extents[d])));
  return within;
}

// The pointer for the lanes of `is_within` (a mask, or one flag for all), else to memory that is
// there for this: it begins as zeros, and what is written to it is lost.
Value CheckEmitter::sink_pointer(
    const Operation& operation, const Component& pointer, llvm::Value* is_within) {
  const std::uint64_t bytes = ir::size_of(operation.type.element()) * emitter_.lanes();
  auto* type = llvm::ArrayType::get(builder_.getInt8Ty(), bytes);
  if (sink_ == nullptr ||
      compilation_.module.getDataLayout().getTypeAllocSize(sink_->getAllocatedType()) < bytes) {
    sink_ = emitter_.make_slot(type, "sink");
    sink_->setAlignment(llvm::Align(64));
    llvm::BasicBlock& entry = builder_.GetInsertBlock()->getParent()->getEntryBlock();
    llvm::IRBuilder<> at_entry(&entry, std::next(sink_->getIterator()));
    at_entry.CreateMemSet(sink_, at_entry.getInt8(0), bytes, llvm::MaybeAlign(64));
  }
  llvm::Value* whole =
      pointer.value->getType()->isVectorTy() ? splat(builder_, sink_, emitter_.lanes()) : sink_;
  return {{pointer.shape, builder_.CreateSelect(is_within, pointer.value, whole)}};
}

Value CheckEmitter::emit_element(const Operation& operation) {
  emitter_.control().note_effect();
  const Subscripts subscripts = subscripts_of(operation);
  const Component pointer = emitter_.memory().element_address(operation).pointer;
  llvm::SmallVector<Component, 8> values(subscripts.indices.begin(), subscripts.indices.end());
  values.append(subscripts.extents.begin(), subscripts.extents.end());
  const bool is_one =
      shapes_.of(operation, 0).uniformity != Uniformity::varying || emitter_.lanes() == 1;
  llvm::BasicBlock* fault = emitter_.new_block("fault");
  llvm::BasicBlock* end = emitter_.new_block("checked");
  if (is_one) {
    llvm::Value* within = all_within(subscripts);
    emitter_.branch_rarely(builder_.CreateNot(within), fault, end);
    builder_.SetInsertPoint(fault);
    emitter_.reporter().report_lanes(operation, builder_.getTrue(), values);
    emitter_.branch_to(end);
    return sink_pointer(operation, pointer, within);
  }
  const Component varying = {Shape::of(Uniformity::varying), emitter_.vector_of(pointer)};
  if (!subscripts.pointer) {
    llvm::Value* within = lanes_within(subscripts);
    llvm::Value* outside = builder_.CreateNot(within);
    emitter_.branch_rarely(emitter_.any(emitter_.merged(emitter_.mask(), outside)), fault, end);
    builder_.SetInsertPoint(fault);
    emitter_.reporter().report_lanes(operation, outside, values);
    emitter_.branch_to(end);
    return sink_pointer(operation, varying, within);
  }
  llvm::BasicBlock* before = builder_.GetInsertBlock();
  llvm::BasicBlock* look = emitter_.new_block("look");
  builder_.CreateCondBr(all_within(subscripts), end, look);
  before = builder_.GetInsertBlock();
  builder_.SetInsertPoint(look);
  llvm::Value* within = lanes_within(subscripts);
  llvm::Value* outside = builder_.CreateNot(within);
  llvm::Value* has_fault = emitter_.any(emitter_.merged(emitter_.mask(), outside));
  llvm::BasicBlock* looked = emitter_.new_block("looked");
  emitter_.branch_rarely(has_fault, fault, looked);
  builder_.SetInsertPoint(fault);
  emitter_.reporter().report_lanes(operation, outside, values);
  emitter_.branch_to(looked);
  const Value led = sink_pointer(operation, varying, within);
  llvm::Value* is_affine = builder_.CreateNot(has_fault);
  if (subscripts.holds != nullptr)
    is_affine = builder_.CreateAnd(is_affine, subscripts.holds);
  llvm::BasicBlock* look_end = builder_.GetInsertBlock();
  emitter_.branch_to(end);
  llvm::PHINode* merged = builder_.CreatePHI(varying.value->getType(), 2, "element");
  merged->addIncoming(varying.value, before);
  merged->addIncoming(led[0].value, look_end);
  llvm::PHINode* holds = builder_.CreatePHI(builder_.getInt1Ty(), 2, "is.affine");
  holds->addIncoming(builder_.getTrue(), before);
  holds->addIncoming(is_affine, look_end);
  const auto bytes = static_cast<std::int64_t>(ir::size_of(operation.type.element()));
  if (subscripts.pointer->shape.uniformity == Uniformity::affine &&
      subscripts.pointer->shape.stride == bytes)
    emitter_.memory().define_affine(operation, {*subscripts.pointer, holds});
  return {{Shape::of(Uniformity::varying), merged}};
}

void CheckEmitter::emit_report_if(const Operation& operation) {
  const Component condition = emitter_.value_of(*operation.operands[0])[0];
  llvm::SmallVector<Component, 8> values;
  for (std::size_t i = 1; i < operation.operands.size(); ++i)
    values.push_back(emitter_.value_of(*operation.operands[i])[0]);
  llvm::BasicBlock* fault = emitter_.new_block("fault");
  llvm::BasicBlock* end = emitter_.new_block("checked");
  const bool is_one = condition.shape.is_uniform();
  emitter_.branch_rarely(
      is_one ? condition.value : emitter_.any(emitter_.merged(emitter_.mask(), condition.value)),
      fault,
      end);
  builder_.SetInsertPoint(fault);
  emitter_.reporter().report_lanes(
      operation, is_one ? builder_.getTrue() : condition.value, values);
  emitter_.branch_to(end);
}

// True if check mode tracks which lanes have returned.
bool CheckEmitter::looks_at_masks() const {
  return emitter_.lanes() > 1 && compilation_.options.checks.has(Check::masks);
}

void CheckEmitter::begin_function() {
  if (!looks_at_masks())
    return;
  ended_ = emitter_.make_slot(emitter_.all_lanes()->getType(), "ended");
  emitter_.write(emitter_.no_lanes(), ended_);
}

void CheckEmitter::end_lanes() {
  if (ended_ != nullptr)
    emitter_.add_lanes(ended_, emitter_.mask_or_all());
  emitter_.run_lanes(emitter_.no_lanes());
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
void CheckEmitter::check_named_lanes(const Operation& operation) {
  if (!looks_at_masks() || emitter_.lanes() != 32 || emitter_.mask() == nullptr)
    return;
  if (operation.op == Op::warp_barrier && has_several(shapes_.nesting().function(), operation.op))
    return;
  llvm::Value* present = emitter_.active_bits();
  llvm::Value* live = emitter_.first_mask() == nullptr ? builder_.getInt32(~0U)
                                                       : emitter_.mask_bits(emitter_.first_mask());
  if (ended_ != nullptr) {
    llvm::Value* ended = emitter_.mask_bits(emitter_.read(ended_->getAllocatedType(), ended_));
    live = builder_.CreateAnd(live, builder_.CreateNot(ended));
  }
  llvm::Value* elsewhere = builder_.CreateAnd(live, builder_.CreateNot(present), "elsewhere");
  const Component mask = emitter_.value_of(*operation.operands[0])[0];
  const bool is_one = mask.shape.is_uniform();
  llvm::Value* named = is_one ? mask.value : emitter_.vector_of(mask);
  llvm::Value* missing = builder_.CreateAnd(
      named,
      is_one ? elsewhere : builder_.CreateVectorSplat(emitter_.lanes(), elsewhere),
      "missing");
  llvm::Value* bad = builder_.CreateIsNotNull(missing);
  const Shape shape = Shape::of(is_one ? Uniformity::warp : Uniformity::varying);
  llvm::Type* wide = with_element(missing->getType(), builder_.getInt64Ty());
  const std::array values = {
      Component{shape, builder_.CreateZExt(named, wide)},
      Component{shape, builder_.CreateZExt(missing, wide)}};
  llvm::BasicBlock* fault = emitter_.new_block("fault");
  llvm::BasicBlock* end = emitter_.new_block("checked");
  emitter_.branch_rarely(
      is_one ? bad : emitter_.any(emitter_.merged(emitter_.mask(), bad)), fault, end);
  builder_.SetInsertPoint(fault);
  emitter_.reporter().report_lanes(operation, is_one ? builder_.getTrue() : bad, values);
  emitter_.branch_to(end);
}

}  // namespace phalanx::codegen::cpu
