// Reports of lanes to the host: which operation, which thread, and the values that it had.
#pragma once

#include <cstdint>

#include "phalanx/codegen/cpu/emitter_part.h"
#include "phalanx/codegen/cpu/value.h"
#include "phalanx/ir/ir.h"

namespace phalanx::codegen::cpu {

class Reporter : EmitterPart {
 public:
  using EmitterPart::EmitterPart;

  std::uint32_t site_number(const ir::Operation& operation);
  // The first lane of `lanes` reports for all of them: a mask, or one flag for all that run.
  void report_lanes(
      const ir::Operation& operation, llvm::Value* lanes, llvm::ArrayRef<Component> values);

 private:
  void report_lane(
      const ir::Operation& operation,
      llvm::Value* lane,
      llvm::Value* count,
      llvm::ArrayRef<llvm::Value*> values);

  llvm::AllocaInst* values_ = nullptr;
};

}  // namespace phalanx::codegen::cpu
