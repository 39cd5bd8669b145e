// Check mode: reads of a row of a shared array. Where a warp reads the same row, its words are one
// vector; mostly no thread has written there since the barrier. Else its elements are looked at
// singly.
#include <cstddef>

#include <llvm/IR/Constants.h>

#include "phalanx/base/cpu_kernel.h"
#include "phalanx/codegen/cpu/access_tracker.h"
#include "phalanx/codegen/cpu/emitter.h"
#include "phalanx/codegen/cpu/warp_loop.h"

namespace phalanx::codegen::cpu {

using ir::Operation;

void AccessTracker::track_row(const Operation& operation) {
  const Component first = emitter_.value_of(*operation.operands[0])[0];
  const auto count = static_cast<unsigned>(std::get<std::int64_t>(operation.operands[1]->constant));
  llvm::BasicBlock* singly = emitter_.new_block("row.singly");
  llvm::BasicBlock* done = emitter_.new_block("row.done");
  const std::size_t bytes = ir::size_of(operation.operands[0]->type.element());
  if (first.shape.is_uniform() && bytes == std::size_t{1} << compilation_.shadow.shared_granule)
    track_row_at_once(operation, first, count, singly, done);
  else
    builder_.CreateBr(singly);
  builder_.SetInsertPoint(singly);
  track_row_singly(operation, first, count);
  emitter_.branch_to(done);
}

void AccessTracker::track_row_at_once(
    const Operation& operation,
    const Component& first,
    unsigned count,
    llvm::BasicBlock* singly,
    llvm::BasicBlock* done) {
  TrackedAccess access{.operation = operation, .pointer = first};
  access.is_shared = true;
  access.is_content_only = std::get<Report>(operation.detail).check == Check::uninitialized;
  access.reads = true;
  locate_shared(access);
  llvm::Type* i64 = builder_.getInt64Ty();
  llvm::Value* begin = builder_.CreateSub(builder_.CreatePtrToInt(first.value, i64), access.origin);
  llvm::Value* end =
      builder_.CreateAdd(begin, builder_.getInt64(std::uint64_t{count} << access.granule));
  llvm::Value* is_inside = builder_.CreateAnd(
      builder_.CreateICmpULT(begin, access.bytes), builder_.CreateICmpULE(end, access.bytes));
  llvm::BasicBlock* look = emitter_.new_block("row.look");
  emitter_.branch_rarely(builder_.CreateNot(is_inside), singly, look);
  builder_.SetInsertPoint(look);
  llvm::Value* index = builder_.CreateLShr(begin, access.granule);
  ShadowWords words(
      builder_,
      {.word = access.word,
       .written = builder_.CreateGEP(access.word, access.written, index),
       .read = builder_.CreateGEP(access.word, access.read, index),
       .lanes = count,
       .mask = nullptr,
       .is_scattered = false});
  llvm::Value* written = words.load(ShadowWords::Kind::written);
  const std::size_t since =
      access.is_content_only ? offsetof(ShadowState, shared_start) : offsetof(ShadowState, shared);
  llvm::Value* start = words.same(shadow_field(since, builder_.getInt32Ty()));
  if (access.is_content_only) {
    llvm::Value* is_old = builder_.CreateICmpULT(written, start);
    emitter_.branch_rarely(builder_.CreateOrReduce(is_old), singly, done);
    return;
  }
  llvm::BasicBlock* note = emitter_.new_block("row.note");
  llvm::Value* is_new = builder_.CreateICmpUGE(written, start);
  emitter_.branch_rarely(builder_.CreateOrReduce(is_new), singly, note);
  builder_.SetInsertPoint(note);
  AccessingThread thread = warp_as_thread(access.word);
  thread.number = words.same(thread.number);
  if (thread.is_several != nullptr)
    thread.is_several = words.same(thread.is_several);
  const RaceRules rules = race_rules(access, words, thread);
  llvm::Value* read = words.load(ShadowWords::Kind::read);
  words.store(ShadowWords::Kind::read, rules.merged(read, own_word(access, rules)));
  builder_.CreateBr(done);
}

void AccessTracker::track_row_singly(
    const Operation& operation, const Component& first, unsigned count) {
  const std::size_t bytes = ir::size_of(operation.operands[0]->type.element());
  llvm::BasicBlock* before = builder_.GetInsertBlock();
  llvm::BasicBlock* body = emitter_.new_block("row.element");
  llvm::BasicBlock* end = emitter_.new_block("row.end");
  builder_.CreateBr(body);
  builder_.SetInsertPoint(body);
  llvm::PHINode* position = builder_.CreatePHI(builder_.getInt64Ty(), 2, "position");
  position->addIncoming(builder_.getInt64(0), before);
  llvm::Value* offset = builder_.CreateMul(position, builder_.getInt64(bytes));
  row_position_ = position;
  track_at(operation, {first.shape, builder_.CreateGEP(builder_.getInt8Ty(), first.value, offset)});
  row_position_ = nullptr;
  llvm::Value* next = builder_.CreateAdd(position, builder_.getInt64(1));
  position->addIncoming(next, builder_.GetInsertBlock());
  llvm::Value* is_more = builder_.CreateICmpULT(next, builder_.getInt64(count));
  forbid_unrolling(*builder_.CreateCondBr(is_more, body, end));
  builder_.SetInsertPoint(end);
}

}  // namespace phalanx::codegen::cpu
