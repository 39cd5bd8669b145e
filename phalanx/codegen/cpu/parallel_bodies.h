// Outlined bodies of parallel loops (as in OpenMP): kernels of their own in the object of a CPU
// function.
#pragma once

#include "phalanx/codegen/cpu/emitter.h"

namespace phalanx::codegen::cpu {

// The body as a CpuKernel.
llvm::Function* declare_parallel_body(Compilation& compilation, const ir::Function& body);

// Emits the parallel bodies that were declared, and those that these declare.
void define_parallel_bodies(Compilation& compilation);

}  // namespace phalanx::codegen::cpu
