// Atomics of a whole warp, one lane after another, on arrays in shared memory.
#include <algorithm>

#include <llvm/IR/Constants.h>
#include <llvm/IR/Instructions.h>

#include "phalanx/codegen/cpu/atomics.h"
#include "phalanx/codegen/cpu/emitter.h"
#include "phalanx/codegen/cpu/lane_source.h"
#include "phalanx/codegen/cpu/warp_loop.h"

namespace phalanx::codegen::cpu {

using ir::Op;
using ir::Operation;

namespace {

// The load that the vector is, if no instruction since then has written.
llvm::LoadInst* load_at_hand(llvm::Value* vector, llvm::BasicBlock* block) {
  auto* load = llvm::dyn_cast<llvm::LoadInst>(vector);
  if (load == nullptr || load->getParent() != block)
    return nullptr;
  const bool is_overwritten =
      std::any_of(load->getIterator(), block->end(), [](const llvm::Instruction& instruction) {
        return instruction.mayWriteToMemory();
      });
  return is_overwritten ? nullptr : load;
}

// A cast that keeps every value.
bool is_widening(const Operation& operation) {
  if (operation.op != Op::cast || !operation.operands[0]->type.is_scalar())
    return false;
  const DType from = operation.operands[0]->type.dtype();
  const DType to = operation.type.dtype();
  return is_integer(from) && is_integer(to) && bits_of(from) < bits_of(to) &&
         (is_unsigned(from) || is_signed(to));
}

// Integers of the lanes `first` to `first` + `count` - 1, those of one or two bytes out of words.
llvm::SmallVector<llvm::Value*, 8> integers_from(
    Emitter& emitter, const LaneSource& source, llvm::Value* first, unsigned count) {
  llvm::IRBuilder<>& builder = emitter.builder();
  constexpr unsigned word_bits = 64;
  const unsigned bits = source.element->getIntegerBitWidth();
  const unsigned in_word = bits < word_bits / 2 ? std::min(count, word_bits / bits) : 1;
  llvm::SmallVector<llvm::Value*, 8> integers;
  for (unsigned i = 0; i < count; i += in_word) {
    llvm::Value* lane = builder.CreateAdd(first, builder.getInt64(i));
    llvm::Value* word = builder.CreateAlignedLoad(
        builder.getIntNTy(bits * in_word),
        builder.CreateGEP(source.element, source.value, lane),
        llvm::Align(bits / 8));
    for (unsigned k = 0; k < in_word; ++k)
      integers.push_back(
          builder.CreateTrunc(builder.CreateLShr(word, std::uint64_t{k} * bits), source.element));
  }
  return integers;
}

// The lanes' indices of a shared array. Those just loaded from global memory are still there
// while the shared array changes.
LaneSource index_source(Emitter& emitter, const Operation& index) {
  llvm::IRBuilder<>& builder = emitter.builder();
  const Component known = emitter.value_of(index)[0];
  const bool is_loaded = index.op == Op::array_load || index.op == Op::load;
  if (is_loaded && index.operands[0]->type.space() == ir::Space::global) {
    llvm::LoadInst* load = load_at_hand(known.value, builder.GetInsertBlock());
    if (load != nullptr && load->getType()->isVectorTy())
      return {
          LaneSource::Form::memory, load->getPointerOperand(), load->getType()->getScalarType()};
  }
  return lane_source(emitter, known);
}

}  // namespace

// All lanes, one after the other, each at its own element of an array in shared memory, with
// indices as narrow as they were loaded, and from where they were loaded if that is still as it
// was. Eight in a pass of the loop: one is bound by the loop and the stores of its lanes, and from
// 16 on the processor no longer foresees which of the additions meet at an element: up to six times
// as long (AMD Zen 4, 0030).
bool try_emit_full_atomic(Emitter& emitter, const Operation& operation) {
  llvm::IRBuilder<>& builder = emitter.builder();
  const Operation& element = *operation.operands[0];
  if (operation.op != Op::atomic || emitter.shapes().nesting().at(operation).is_used ||
      emitter.lanes() == 1 || emitter.mask() != nullptr || element.op != Op::array_element ||
      element.type.space() != ir::Space::shared)
    return false;
  const ir::Type& array = element.operands[0]->type;
  const Component data = emitter.value_of(*element.operands[0])[0];
  if (array.ndim() != 1 || array.layout() == ir::Layout::any || !data.shape.is_uniform() ||
      emitter.value_of(element)[0].shape.uniformity != Uniformity::varying)
    return false;
  const Operation* index = element.operands[1];
  while (is_widening(*index) && emitter.has_value(*index->operands[0])) index = index->operands[0];
  const LaneSource given = lane_source(emitter, emitter.value_of(*operation.operands[1])[0]);
  const LaneSource indices = index_source(emitter, *index);
  constexpr unsigned at_once = 8;
  const unsigned count = std::min(emitter.lanes(), at_once);
  llvm::BasicBlock* before = builder.GetInsertBlock();
  llvm::BasicBlock* body = emitter.new_block("lanes");
  llvm::BasicBlock* done = emitter.new_block("lanes.done");
  builder.CreateBr(body);
  builder.SetInsertPoint(body);
  llvm::PHINode* first = builder.CreatePHI(builder.getInt64Ty(), 2, "first.lane");
  first->addIncoming(builder.getInt64(0), before);
  const auto bytes = static_cast<std::int64_t>(ir::size_of(array.element()));
  std::uint64_t offset = 0;
  for (llvm::Value* integer : integers_from(emitter, indices, first, count)) {
    llvm::Value* number =
        builder.CreateIntCast(integer, builder.getInt64Ty(), is_signed(index->type.dtype()));
    llvm::Value* pointer = builder.CreateGEP(
        builder.getInt8Ty(), data.value, builder.CreateMul(number, builder.getInt64(bytes)));
    llvm::Value* lane = builder.CreateAdd(first, builder.getInt64(offset++));
    emit_atomic_once(emitter, operation, pointer, {lane_from(emitter, given, lane)});
  }
  llvm::Value* next = builder.CreateAdd(first, builder.getInt64(count), "", true, true);
  first->addIncoming(next, builder.GetInsertBlock());
  llvm::Value* goes_on = builder.CreateICmpULT(next, builder.getInt64(emitter.lanes()));
  forbid_unrolling(*builder.CreateCondBr(goes_on, body, done));
  builder.SetInsertPoint(done);
  return true;
}

}  // namespace phalanx::codegen::cpu
