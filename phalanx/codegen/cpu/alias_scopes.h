// Alias metadata (LLVM's ScopedNoAliasAA): what lies in different kinds of memory, or in memories
// of different numbers, does not overlap.
#pragma once

#include <cstdint>

#include <llvm/IR/Instruction.h>

#include "phalanx/ir/types.h"

namespace phalanx::codegen::cpu {

class AliasScopes {
 public:
  explicit AliasScopes(llvm::LLVMContext& context);

  // Instead of a number: what a list knows of itself. No pointer to elements leads there.
  static constexpr std::int64_t list_header = -1;
  // `memory`: the number that pointer_offset gave it, 0 for none.
  void mark(llvm::Instruction& access, ir::Space space, std::int64_t memory = 0) const;
  // An access of a spill slot, which no pointer leads to.
  void mark_spill(llvm::Instruction& access) const;
  // True if it was marked as an access of shared memory.
  static bool is_shared(const llvm::Instruction& access);

 private:
  enum Kind : unsigned { spill, shared, local, global, header, count };
  // Numbers above get no metadata.
  static constexpr std::int64_t memories = 16;

  void set(llvm::Instruction& access, unsigned kind, std::int64_t memory = 0) const;

  llvm::MDNode* scopes_[count] = {};
  llvm::MDNode* memories_[memories] = {};
};

}  // namespace phalanx::codegen::cpu
