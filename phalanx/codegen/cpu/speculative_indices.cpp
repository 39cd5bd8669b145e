#include "phalanx/codegen/cpu/speculative_indices.h"

#include <bit>

#include <llvm/IR/Constants.h>

#include "phalanx/codegen/cpu/emitter.h"
#include "phalanx/codegen/llvm/emit_parts.h"
#include "phalanx/ir/idioms.h"

namespace phalanx::codegen::cpu {

using ir::Op;
using ir::Operation;

// True if all lanes of a 64-bit affine value lie in [low, high); a null `high`: no upper end.
llvm::Value* SpeculativeIndices::is_within(
    const Component& affine, llvm::Value* low, llvm::Value* high) {
  llvm::Value* reach = builder_.getInt64(
      static_cast<std::uint64_t>(affine.shape.stride * (std::int64_t{emitter_.lanes()} - 1)));
  llvm::Value* ends[] = {affine.value, builder_.CreateAdd(affine.value, reach)};
  if (affine.shape.stride < 0)
    std::swap(ends[0], ends[1]);
  llvm::Value* within = builder_.CreateICmpSGE(ends[0], low);
  // The value does not wrap around on its way up.
  within = builder_.CreateAnd(within, builder_.CreateICmpSLE(ends[0], ends[1]));
  if (high == nullptr)
    return within;
  return builder_.CreateAnd(within, builder_.CreateICmpSLT(ends[1], high));
}

namespace {

bool makes_affine(Op op) {
  return op == Op::add || op == Op::subtract || op == Op::multiply || op == Op::bitwise_and ||
         op == Op::bitwise_or || op == Op::bitwise_xor;
}

}  // namespace

// affine % extent is the affine value itself where it lies in [0, extent): no division.
bool SpeculativeIndices::try_emit_remainder(const Operation& operation, Value& result) {
  if (operation.op != Op::remainder || !ir::is_index(operation) || emitter_.lanes() == 1)
    return false;
  const Component affine = emitter_.value_of(*operation.operands[0])[0];
  const Component extent = emitter_.value_of(*operation.operands[1])[0];
  if (affine.shape.uniformity != Uniformity::affine || !extent.shape.is_uniform())
    return false;
  llvm::Value* holds = is_within(affine, builder_.getInt64(0), extent.value);
  known_[&operation] = {affine, holds};
  llvm::Value* whole = emitter_.vector_of(affine);
  llvm::BasicBlock* before = builder_.GetInsertBlock();
  llvm::BasicBlock* divide = emitter_.new_block("remainder");
  llvm::BasicBlock* end = emitter_.new_block("remainder.end");
  builder_.CreateCondBr(holds, end, divide);
  builder_.SetInsertPoint(divide);
  OpEmitter emitter = emitter_.ops();
  llvm::Value* operands[] = {whole, extent.value};
  llvm::Value* divided = codegen::emit_elementwise(emitter, operation.op, operation.type, operands);
  llvm::BasicBlock* divided_in = builder_.GetInsertBlock();
  emitter_.branch_to(end);
  llvm::PHINode* merged = builder_.CreatePHI(whole->getType(), 2);
  merged->addIncoming(whole, before);
  merged->addIncoming(divided, divided_in);
  result = {{shapes_.of(operation, 0), merged}};
  return true;
}

// The index that an operation makes of one or two that are affine or nearly so.
std::optional<SpeculativelyAffine> SpeculativeIndices::form_of_result(const Operation& operation) {
  if (!emitter_.has_value(*operation.operands[0]) || !emitter_.has_value(*operation.operands[1]))
    return std::nullopt;
  const std::optional<SpeculativelyAffine> left = form_of(*operation.operands[0]);
  const std::optional<SpeculativelyAffine> right = form_of(*operation.operands[1]);
  if (!left || !right)
    return std::nullopt;
  SpeculativelyAffine result = {{}, left->holds};
  if (right->holds != nullptr)
    result.holds =
        left->holds == nullptr ? right->holds : builder_.CreateAnd(left->holds, right->holds);
  switch (operation.op) {
    case Op::add:
      result.value = emitter_.sum(left->value, right->value);
      break;
    case Op::subtract:
      result.value = emitter_.combined(
          llvm::Instruction::Sub,
          sum_of(left->value.shape, right->value.shape, -1),
          left->value,
          right->value);
      break;
    case Op::multiply:
      result.value = emitter_.product(left->value, right->value);
      break;
    default: {
      const bool is_left = left->value.shape.uniformity == Uniformity::affine;
      return form_of_bits(
          operation.op, is_left ? *left : *right, (is_left ? *right : *left).value, result.holds);
    }
  }
  if (result.value.shape.uniformity == Uniformity::varying)
    return std::nullopt;
  return result;
}

// Bits that a number changes above those that count the lanes: of lanes that follow each other from
// a multiple of their number on, they are the same.
std::optional<SpeculativelyAffine> SpeculativeIndices::form_of_bits(
    Op op, const SpeculativelyAffine& affine, const Component& number, llvm::Value* holds) {
  if (affine.value.shape.uniformity != Uniformity::affine || affine.value.shape.stride != 1 ||
      !number.shape.is_uniform())
    return std::nullopt;
  llvm::Value* below = builder_.getInt64(emitter_.lanes() - 1);
  llvm::Value* zero = builder_.getInt64(0);
  llvm::Value* kept = builder_.CreateAnd(number.value, below);
  llvm::Value* is_above = builder_.CreateICmpEQ(kept, op == Op::bitwise_and ? below : zero);
  llvm::Value* starts = builder_.CreateICmpEQ(builder_.CreateAnd(affine.value.value, below), zero);
  llvm::Value* both = builder_.CreateAnd(is_above, starts);
  const llvm::Instruction::BinaryOps instruction = op == Op::bitwise_and  ? llvm::Instruction::And
                                                   : op == Op::bitwise_or ? llvm::Instruction::Or
                                                                          : llvm::Instruction::Xor;
  return SpeculativelyAffine{
      {Shape::affine(1, false),
       builder_.CreateBinOp(instruction, affine.value.value, number.value)},
      holds == nullptr ? both : builder_.CreateAnd(holds, both)};
}

std::optional<SpeculativelyAffine> SpeculativeIndices::form_of(const Operation& operation) {
  const Component known = emitter_.value_of(operation)[0];
  if (known.shape.uniformity != Uniformity::varying)
    return SpeculativelyAffine{known, nullptr};
  const auto found = known_.find(&operation);
  if (found != known_.end())
    return found->second;
  if (makes_affine(operation.op) && ir::is_index(operation))
    return form_of_result(operation);
  // Another segment's may be made of values that are not spilled.
  if (operation.op != Op::wrap_index || !emitter_.has_value(*operation.operands[0]))
    return std::nullopt;
  // index + extent where the index is below 0: the index itself where no lane is.
  std::optional<SpeculativelyAffine> index = form_of(*operation.operands[0]);
  if (!index || index->value.shape.uniformity != Uniformity::affine)
    return std::nullopt;
  llvm::Value* holds = is_within(index->value, builder_.getInt64(0), nullptr);
  return SpeculativelyAffine{
      index->value, index->holds == nullptr ? holds : builder_.CreateAnd(index->holds, holds)};
}

// Adds the affine form of the address, where each index has one and the elements follow each other.
void SpeculativeIndices::find_form(const Operation& operation, Address& address) {
  if (address.pointer.shape.uniformity != Uniformity::varying)
    return;
  const ir::Type& type = operation.operands[0]->type;
  const Value view = emitter_.value_of(*operation.operands[0]);
  const std::vector<Component> strides = emitter_.strides_of(type, view);
  Component offset = {Shape::known(0), builder_.getInt64(0)};
  llvm::Value* holds = nullptr;
  for (unsigned d = 0; d < type.ndim(); ++d) {
    const std::optional<SpeculativelyAffine> index = form_of(*operation.operands[1 + d]);
    if (!index)
      return find_narrow(operation, view, address);
    if (index->holds != nullptr)
      holds = holds == nullptr ? index->holds : builder_.CreateAnd(holds, index->holds);
    offset = emitter_.sum(offset, emitter_.product(index->value, strides[d]));
  }
  const Component pointer = emitter_.add_offset(view[0], offset, type.space());
  const auto bytes = static_cast<std::int64_t>(ir::size_of(type.element()));
  const bool is_vector_access =
      pointer.shape.uniformity == Uniformity::affine && pointer.shape.stride == bytes;
  if (holds != nullptr && is_vector_access)
    address.speculative = SpeculativelyAffine{pointer, holds};
}

// x[columns[j]] with signed indices of at most 32 bits: where none of them is negative, they are
// gathered with as they are, twice as many at a time as after wrapping around, which takes 64 bits.
void SpeculativeIndices::find_narrow(
    const Operation& operation, const Value& view, Address& address) {
  const ir::Type& type = operation.operands[0]->type;
  const Operation& index = *operation.operands[1];
  if (type.ndim() != 1 || type.layout() == ir::Layout::any || !view[0].shape.is_uniform() ||
      type.space() == ir::Space::local || index.op != Op::wrap_index)
    return;
  const Operation& cast = *index.operands[0];
  if (cast.op != Op::cast || !emitter_.has_value(*cast.operands[0]))
    return;
  const ir::Type& narrow = cast.operands[0]->type;
  const auto bytes = static_cast<unsigned>(ir::size_of(type.element()));
  constexpr unsigned most_bytes = 8;  // that x86 multiplies an index by
  if (!narrow.is_scalar() || !is_integer(narrow.dtype()) || !is_signed(narrow.dtype()) ||
      bits_of(narrow.dtype()) > 32 || !std::has_single_bit(bytes) || bytes > most_bytes)
    return;
  llvm::Value* numbers = emitter_.vector(*cast.operands[0]);
  llvm::Constant* zero = llvm::Constant::getNullValue(numbers->getType());
  llvm::Value* is_negative = builder_.CreateICmpSLT(numbers, zero);
  // Those used are not negative. To say so keeps their extension to 64 bits from being the one that
  // wraps around, in another block, where the gather's own would not see that 32 are enough.
  llvm::Value* wide = builder_.CreateSExt(
      builder_.CreateBinaryIntrinsic(llvm::Intrinsic::smax, numbers, zero),
      with_element(numbers->getType(), builder_.getInt64Ty()));
  llvm::Value* pointers = builder_.CreateGEP(builder_.getIntNTy(8 * bytes), view[0].value, wide);
  address.speculative = SpeculativelyAffine{
      {Shape::of(Uniformity::varying), pointers}, builder_.CreateNot(emitter_.any(is_negative))};
}

}  // namespace phalanx::codegen::cpu
