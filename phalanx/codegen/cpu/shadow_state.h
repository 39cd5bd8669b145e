// Check mode: epochs (FastTrack: Flanagan and Freund, 2009), which count the intervals between
// barriers for the words that accesses leave.
#pragma once

#include "phalanx/codegen/cpu/emitter.h"

namespace phalanx::codegen::cpu {

// None of these emits anything where the kernel has no shadow memory.

// When a thread begins to run blocks: its scratch is not initialised.
void emit_shadow_start(
    llvm::IRBuilder<>& builder, const Compilation& compilation, const LaunchState& launch);

// When it begins with block `number` (i64).
void emit_shadow_block(
    llvm::IRBuilder<>& builder,
    const Compilation& compilation,
    const LaunchState& launch,
    llvm::Value* number);

// When all threads of the block have come to a barrier.
void emit_shadow_barrier(
    llvm::IRBuilder<>& builder, const Compilation& compilation, const LaunchState& launch);

}  // namespace phalanx::codegen::cpu
