// Conditions of a warp's lanes: comparisons that become masks, and tests for the whole warp.
#pragma once

#include <unordered_map>

#include "phalanx/codegen/cpu/emitter_part.h"
#include "phalanx/codegen/cpu/value.h"
#include "phalanx/ir/ir.h"

namespace phalanx::codegen::cpu {

class ConditionEmitter : EmitterPart {
 public:
  using EmitterPart::EmitterPart;

  llvm::Value* all_of(const ir::Operation& condition);  // i1
  bool try_emit_first_lanes(const ir::Operation& operation, Value& result);
  // i1, known before the mask: false where the condition holds for no lane. Null: not known.
  llvm::Value* may_hold(const ir::Operation& condition) const;

 private:
  llvm::Value* first_lanes(
      ir::Op order, bool is_signed, const Component& affine, llvm::Value* limit);
  llvm::Value* first_lane_is_within(
      ir::Op order, bool is_signed, const Component& affine, llvm::Value* limit);
  llvm::PHINode* unless_wrapped(
      const ir::Operation& order, const Component& affine, llvm::Value* mask);

  std::unordered_map<const ir::Operation*, llvm::Value*> may_hold_;
};

}  // namespace phalanx::codegen::cpu
