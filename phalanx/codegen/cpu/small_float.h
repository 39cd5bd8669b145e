// What LLVM's code generator calls for bfloat16, where neither CPU nor libgcc has it.
#pragma once

#include "phalanx/ir/ir.h"

namespace llvm {
class Module;
}

namespace phalanx::codegen::cpu {

// Defines float32 -> bfloat16 in the module, if the kernel has such numbers: LLVM joins our integer
// arithmetic into operations on bfloat, and needs a rounding function for these.
void define_bfloat16_rounding(llvm::Module& module, const ir::Module& source);

}  // namespace phalanx::codegen::cpu
