// Check mode: one instrumented access to memory that threads share, or one form of it.
#pragma once

#include <llvm/IR/DerivedTypes.h>

#include "phalanx/codegen/cpu/value.h"
#include "phalanx/ir/ir.h"

namespace phalanx::codegen::cpu {

struct TrackedAccess {
  const ir::Operation& operation;
  const Component& pointer;
  bool is_shared = false;
  bool is_content_only = false;  // uninitialized: not which other threads accessed it
  bool reads = false;
  bool writes = false;
  llvm::IntegerType* word = nullptr;
  unsigned granule = 0;
  llvm::Value* origin = nullptr;   // i64: the address that the first words are of
  llvm::Value* bytes = nullptr;    // i64: how much memory has words
  llvm::Value* written = nullptr;  // pointers to words
  llvm::Value* read = nullptr;
};

}  // namespace phalanx::codegen::cpu
