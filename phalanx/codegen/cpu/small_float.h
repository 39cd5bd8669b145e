// Legalisation of floats of 16 bits where LLVM's own lacks something or is wrong.
#pragma once

#include "phalanx/ir/ir.h"

namespace llvm {
class Module;
}

namespace phalanx::codegen::cpu {

// Defines float32 -> bfloat16 in the module, if the kernel has such numbers: LLVM joins our integer
// arithmetic into operations on bfloat, and needs a rounding function for these.
void define_bfloat16_rounding(llvm::Module& module, const ir::Module& source);

// Vectors of float16 choose the greater and the less in float32: LLVM 19's code generator loses NaN
// otherwise. Called after its passes, which make such vectors of loops.
void widen_half_choices(llvm::Module& module);

}  // namespace phalanx::codegen::cpu
