// Calls of device functions that could not be inlined: recursive ones.
#include "phalanx/base/errors.h"
#include "phalanx/codegen/cpu/emitter.h"

namespace phalanx::codegen::cpu {

Value Emitter::emit_call(const ir::Operation& operation) {
  throw CompileError(
      CompileError::Kind::unsupported,
      "recursive device functions are not supported on the CPU device",
      operation.location);
}

}  // namespace phalanx::codegen::cpu
