// The strip-mined loop over a block's threads: over its warps, with the threads' coordinates.
#pragma once

#include "phalanx/codegen/cpu/warp_code.h"

namespace phalanx::codegen::cpu {

// For a loop whose pass is long enough: unrolled, it would be longer and nothing faster.
void forbid_unrolling(llvm::BranchInst& latch);

class WarpLoop {
 public:
  // Leaves the builder in the body. `warp_bytes`: of each warp's own scratch; 0: all share the
  // first.
  WarpLoop(
      llvm::IRBuilder<>& builder,
      const LaunchState& launch,
      const CpuVariant& variant,
      llvm::Value* count,
      std::uint64_t warp_bytes);

  const WarpPosition& position() const { return position_; }
  void close();  // leaves the builder after the loop

 private:
  void open_rows(llvm::BasicBlock* before);
  void close_rows(llvm::BasicBlock* latch);

  llvm::IRBuilder<>& builder_;
  const LaunchState& launch_;
  const CpuVariant& variant_;
  llvm::Value* count_;
  llvm::BasicBlock* body_ = nullptr;
  llvm::BasicBlock* done_ = nullptr;
  llvm::PHINode* index_ = nullptr;
  std::array<llvm::PHINode*, 3> rows_ = {};  // where rows are whole warps
  WarpPosition position_;
};

}  // namespace phalanx::codegen::cpu
