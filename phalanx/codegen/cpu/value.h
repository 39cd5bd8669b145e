// The value of an IR operation in one warp: its components in LLVM, each as its shape allows.
#pragma once

#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/Value.h>

#include "phalanx/codegen/cpu/shape.h"

namespace phalanx::codegen::cpu {

// Uniform: one value. Affine: the value of lane 0. Varying: a vector of the lanes (a complex
// number: a struct of two; a record: an array of vectors).
struct Component {
  Shape shape;
  llvm::Value* value = nullptr;
};

// An integer or pointer that is varying to the analysis, but affine where a test at run time says
// so: an index that only wraps around at the edge. Or, of a pointer, one made of narrow indices.
struct SpeculativelyAffine {
  Component value;               // affine; a pointer may be varying
  llvm::Value* holds = nullptr;  // i1, for the whole warp
};

using Value = llvm::SmallVector<Component, 1>;

}  // namespace phalanx::codegen::cpu
