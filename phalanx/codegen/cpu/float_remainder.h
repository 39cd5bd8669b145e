// fmod and IEEE remainder of vectors, exact whatever the quotient. SLEEF's forms give NaN where the
// quotient overflows.
#pragma once

#include <llvm/IR/IRBuilder.h>

namespace phalanx::codegen::cpu {

// Both go on in another basic block where they loop; x and y are vectors of float or double.
llvm::Value* emit_fmod(llvm::IRBuilderBase& builder, llvm::Value* x, llvm::Value* y);
llvm::Value* emit_ieee_remainder(llvm::IRBuilderBase& builder, llvm::Value* x, llvm::Value* y);

}  // namespace phalanx::codegen::cpu
