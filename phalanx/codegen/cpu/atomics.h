// Atomics: one lane after another; integers at one address are reduced over the lanes first.
#pragma once

#include "phalanx/codegen/cpu/value.h"
#include "phalanx/ir/ir.h"

namespace phalanx::codegen::cpu {

class Emitter;

Value emit_atomic(Emitter& emitter, const ir::Operation& operation);
// One lane's; its old value.
llvm::Value* emit_atomic_once(
    Emitter& emitter,
    const ir::Operation& operation,
    llvm::Value* pointer,
    llvm::ArrayRef<llvm::Value*> operands);
// All lanes of a whole warp on an array in shared memory: atomics_of_warp.cpp
bool try_emit_full_atomic(Emitter& emitter, const ir::Operation& operation);

// Atomics on integers whose old values are not used, in whatever order: one with the values of
// two, in vectors, and the values that change nothing.
bool can_combine(const Emitter& emitter, const ir::Operation& atomic);
llvm::Value* combined_values(
    Emitter& emitter, const ir::Operation& atomic, llvm::Value* a, llvm::Value* b);
llvm::Constant* neutral_values(Emitter& emitter, const ir::Operation& atomic);

}  // namespace phalanx::codegen::cpu
