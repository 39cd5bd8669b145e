// Alias metadata: what lies in different kinds of memory does not overlap.
#pragma once

#include <llvm/IR/Instruction.h>

#include "phalanx/ir/types.h"

namespace phalanx::codegen::cpu {

class AliasScopes {
 public:
  explicit AliasScopes(llvm::LLVMContext& context);

  void mark(llvm::Instruction& access, ir::Space space) const;
  // An access of values kept for a warp between two barriers, which no pointer leads to.
  void mark_kept(llvm::Instruction& access) const;

 private:
  enum Kind : unsigned { kept, shared, local, global, count };
  void set(llvm::Instruction& access, unsigned kind) const;

  llvm::MDNode* scopes_[count] = {};
};

}  // namespace phalanx::codegen::cpu
