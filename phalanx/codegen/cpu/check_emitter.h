// Check mode: elements whose indices are looked at first, conditions that are reported, and lanes
// that a warp operation names though they are elsewhere.
//
// Where each index is affine in the lane, the two ends of a warp tell for all its lanes: two scalar
// comparisons, and the access stays a vector load or store. Reports are out of the way.
#pragma once

#include "phalanx/codegen/cpu/emitter_part.h"
#include "phalanx/codegen/cpu/value.h"
#include "phalanx/ir/ir.h"

namespace phalanx::codegen::cpu {

class CheckEmitter : EmitterPart {
 public:
  using EmitterPart::EmitterPart;

  void begin_function();
  void end_lanes();  // the lanes that run here have returned
  Value emit_element(const ir::Operation& operation);
  void emit_report_if(const ir::Operation& operation);
  void check_named_lanes(const ir::Operation& operation);

 private:
  struct Subscripts;  // of one element, with what is known of them at run time
  Subscripts subscripts_of(const ir::Operation& operation);
  llvm::Value* all_within(const Subscripts& subscripts);
  llvm::Value* lanes_within(const Subscripts& subscripts);
  Value sink_pointer(
      const ir::Operation& operation, const Component& pointer, llvm::Value* is_within);
  bool looks_at_masks() const;

  llvm::AllocaInst* sink_ = nullptr;   // memory for accesses that must not happen
  llvm::AllocaInst* ended_ = nullptr;  // for masks: lanes that returned
};

}  // namespace phalanx::codegen::cpu
