#include "phalanx/codegen/cpu/surroundings.h"

#include "phalanx/base/errors.h"

namespace phalanx::codegen::cpu {

const Surroundings& Surroundings::none() {
  static const Surroundings nothing;
  return nothing;
}

Value Surroundings::resolve(Emitter& /*emitter*/, const ir::Operation& /*operation*/) const {
  assertion_failed("each operand has a value", __FILE__, __LINE__);
}

void Surroundings::emit_barrier(Emitter& /*emitter*/, const ir::Operation& /*barrier*/) const {
  throw CompileError(
      CompileError::Kind::unsupported,
      "the CPU device does not support a barrier in a function that calls itself");
}

}  // namespace phalanx::codegen::cpu
