// Check mode: records accesses to memory that threads share in shadow words, and reports those that
// clash with an earlier one.
#pragma once

#include <cstddef>
#include <unordered_map>

#include <llvm/IR/IRBuilder.h>

#include "phalanx/codegen/cpu/emitter_part.h"
#include "phalanx/codegen/cpu/shadow_words.h"
#include "phalanx/codegen/cpu/tracked_access.h"
#include "phalanx/codegen/cpu/value.h"

namespace phalanx::codegen::cpu {

class AccessTracker : EmitterPart {
 public:
  using EmitterPart::EmitterPart;

  void track(const ir::Operation& operation);
  void track_row(const ir::Operation& operation);  // track_row.cpp
  // No barrier is passed from here to the end of what the emitter emits.
  void hold_interval();
  // At a barrier that threads may part at: reports those that are elsewhere. `passed`, of i32
  // vectors or one i32, counts the barriers that each lane has passed.
  void check_barrier(const ir::Operation& barrier, llvm::AllocaInst* passed);

 private:
  void track_at(const ir::Operation& operation, const Component& pointer);
  void locate_shared(TrackedAccess& access);
  void locate_global(TrackedAccess& access, const Component& pointer);
  void track_content(const TrackedAccess& access, ShadowWords& words);
  void track_race(const TrackedAccess& access, ShadowWords& words);
  void track_write(
      const TrackedAccess& access, ShadowWords& words, const RaceRules& rules, llvm::Value* own);
  void track_read(
      const TrackedAccess& access, ShadowWords& words, const RaceRules& rules, llvm::Value* own);
  void report_write(
      const TrackedAccess& access,
      const ShadowWords& words,
      llvm::Value* bad,
      llvm::ArrayRef<llvm::Value*> reported,
      llvm::Value* is_several);
  void merge_same_address(ShadowWords& words, llvm::Value* stored, ShadowWords::Kind kind);
  void report_same_address(const TrackedAccess& access, ShadowWords& words, llvm::Value* own);
  void report_access(
      const TrackedAccess& access,
      const ShadowWords& words,
      llvm::Value* bad,
      llvm::ArrayRef<llvm::Value*> reported);
  RaceRules race_rules(
      const TrackedAccess& access, const ShadowWords& words, const AccessingThread& thread);
  llvm::Value* own_word(const TrackedAccess& access, const RaceRules& rules);
  AccessingThread accessing_thread(const ShadowWords& words);
  AccessingThread warp_as_thread(llvm::Type* word);
  // Rows of elements: track_row.cpp
  void track_row_at_once(
      const ir::Operation& operation,
      const Component& first,
      unsigned count,
      llvm::BasicBlock* singly,
      llvm::BasicBlock* done);
  void track_row_singly(const ir::Operation& operation, const Component& first, unsigned count);
  llvm::Value* load_shadow_field(std::size_t offset, llvm::Type* type);
  llvm::Value* shadow_field(std::size_t offset, llvm::Type* type);
  void prefetch_words(llvm::Value* own);
  bool is_surely_inside(const TrackedAccess& access) const;

  std::unordered_map<std::size_t, llvm::Value*> interval_;  // of the ShadowState, by offset
  llvm::Value* row_position_ = nullptr;  // i64, of a row's element that is looked at by itself
};

}  // namespace phalanx::codegen::cpu
