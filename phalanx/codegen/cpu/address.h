// Where a memory access of a warp goes.
#pragma once

#include <cstdint>
#include <optional>

#include "phalanx/codegen/cpu/value.h"
#include "phalanx/ir/ir.h"

namespace phalanx::codegen::cpu {

struct Address {
  Component pointer;
  ir::Space space = ir::Space::generic;
  // Where `speculative.holds`, the pointer is `speculative.value`: speculative_indices.cpp.
  std::optional<SpeculativelyAffine> speculative;
  llvm::Value* non_temporal = nullptr;  // i1: whether to store past the caches; null: no
  std::int64_t memory = 0;      // the number of the memory that it lies in: see pointer_offset
  bool is_alternative = false;  // of two forms of one access, which LLVM shall not join
};

}  // namespace phalanx::codegen::cpu
