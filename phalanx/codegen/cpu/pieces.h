// The bodies of parallel loops: kernels of their own in the object of a CPU function.
#pragma once

#include "phalanx/codegen/cpu/emitter.h"

namespace phalanx::codegen::cpu {

// How a piece is compiled: one thread at a time, so that LLVM vectorises what it can; or a warp,
// where lanes part in inner loops, which LLVM leaves scalar.
CpuVariant variant_of_piece(const ir::Function& piece);

// The piece as a CpuKernel.
llvm::Function* declare_piece(Compilation& compilation, const ir::Function& piece);

// Emits the pieces that were declared, and those that these declare.
void define_pieces(Compilation& compilation);

}  // namespace phalanx::codegen::cpu
