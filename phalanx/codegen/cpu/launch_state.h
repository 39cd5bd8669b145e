// What generated code knows of the launch: loaded once at a function's entry, in LLVM registers.
#pragma once

#include <array>
#include <vector>

#include <llvm/IR/IRBuilder.h>

#include "phalanx/ir/abi.h"
#include "phalanx/ir/ir.h"

namespace phalanx::codegen::cpu {

struct LaunchState {
  llvm::Value* launch = nullptr;                      // const CpuLaunch*
  llvm::Value* scratch = nullptr;                     // this thread's buffer
  llvm::Value* dynamic_bytes = nullptr;               // i32
  llvm::Value* dynamic_shared = nullptr;              // pointer
  llvm::Value* warps = nullptr;                       // pointer to the scratch of warp 0
  std::array<llvm::Value*, 3> grid = {};              // i32
  std::array<llvm::Value*, 3> block = {};             // i32
  std::array<llvm::Value*, 3> block_index = {};       // i32
  std::vector<std::vector<llvm::Value*>> parameters;  // components of each
};

// Emits the loads. `shared_bytes` is the size of the static shared memory.
LaunchState load_launch(
    llvm::IRBuilderBase& builder,
    llvm::Value* launch,
    llvm::Value* scratch,
    std::uint64_t shared_bytes,
    const ir::Function& kernel);

// Where a warp's threads lie in the block, as LLVM values of the lane-0 thread (or vectors).
struct WarpPosition {
  llvm::Value* index = nullptr;             // i32, within the block
  llvm::Value* scratch = nullptr;           // pointer to the warp's own
  std::array<llvm::Value*, 3> thread = {};  // i32, or a vector of them where the shape is general
};

}  // namespace phalanx::codegen::cpu
