// What the code around a warp's operations decides for them: where values from outside are, what a
// barrier becomes, and what a plan has taken over. Made by the builders of kernels.
#pragma once

#include "phalanx/codegen/cpu/value.h"
#include "phalanx/ir/ir.h"

namespace phalanx::codegen::cpu {

class Emitter;

// These defaults are those of a function that needs nothing from outside.
class Surroundings {
 public:
  Surroundings() = default;
  Surroundings(const Surroundings&) = delete;
  Surroundings& operator=(const Surroundings&) = delete;
  virtual ~Surroundings() = default;

  static const Surroundings& none();

  // The value of an operation that is outside of what `emitter` emits.
  virtual Value resolve(Emitter& emitter, const ir::Operation& operation) const;
  // Throws CompileError: there is nobody who knows the other warps.
  virtual void emit_barrier(Emitter& emitter, const ir::Operation& barrier) const;

  // Code without masks may leave a warp whose lanes do not agree to the masked code, which runs it
  // from its start.
  virtual bool has_masked_code() const { return false; }
  virtual void restart_masked() const {}

  // Fission: an `if` whose condition is known to hold for all lanes.
  virtual bool is_held(const ir::Operation& /*condition*/) const { return false; }
  // Fission: a store that nothing reads.
  virtual bool is_dropped(const ir::Operation& /*store*/) const { return false; }
  // Fission: a shared array that is read elsewhere, in the memory that it was filled from.
  virtual bool is_forwarded(const ir::Operation& /*array*/) const { return false; }
  // Fission: true if an atomic that many blocks share was taken, for one of them all later.
  virtual bool defer_atomic(Emitter& /*emitter*/, const ir::Operation& /*atomic*/) const {
    return false;
  }
};

}  // namespace phalanx::codegen::cpu
