// Values that are taken lane by lane, one after another.
#pragma once

#include "phalanx/codegen/cpu/value.h"

namespace phalanx::codegen::cpu {

class Emitter;

struct LaneSource {
  enum class Form { one, vector, memory };

  Form form = Form::one;
  llvm::Value* value = nullptr;   // in memory: a pointer to lane 0's
  llvm::Type* element = nullptr;  // in memory: of one lane
};

LaneSource lane_source(Emitter& emitter, const Component& component);
llvm::Value* lane_from(Emitter& emitter, const LaneSource& source, llvm::Value* lane);

}  // namespace phalanx::codegen::cpu
