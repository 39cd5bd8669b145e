// The bodies of parallel loops: kernels of their own in the object of a CPU function.
#pragma once

#include "phalanx/codegen/cpu/emitter.h"

namespace phalanx::codegen::cpu {

// The piece as a CpuKernel.
llvm::Function* declare_piece(Compilation& compilation, const ir::Function& piece);

// Emits the pieces that were declared, and those that these declare.
void define_pieces(Compilation& compilation);

}  // namespace phalanx::codegen::cpu
