// What generated code knows of the launch: loaded once at a function's entry, in LLVM registers.
#pragma once

#include <array>
#include <optional>
#include <unordered_map>
#include <vector>

#include <llvm/IR/IRBuilder.h>

#include "phalanx/ir/abi.h"
#include "phalanx/ir/ir.h"

namespace phalanx::codegen::cpu {

struct LaunchState {
  llvm::Value* launch = nullptr;          // const CpuLaunch*
  llvm::Value* scratch = nullptr;         // this thread's buffer
  llvm::Value* dynamic_bytes = nullptr;   // i32
  llvm::Value* dynamic_shared = nullptr;  // pointer
  llvm::Value* shared_bytes = nullptr;    // i64, static and dynamic
  llvm::Value* shadow = nullptr;          // pointer to a ShadowState; null: none
  llvm::Value* shared_writes = nullptr;   // pointers to words, after the ShadowState
  llvm::Value* shared_reads = nullptr;
  llvm::Value* warps = nullptr;                       // pointer to the scratch of warp 0
  std::array<llvm::Value*, 3> grid = {};              // i32
  std::array<llvm::Value*, 3> block = {};             // i32
  std::array<llvm::Value*, 3> block_index = {};       // i32
  std::vector<std::vector<llvm::Value*>> parameters;  // components of each
  // Where blocks run as one (coalesced_blocks.h): how many, and the first thread of warp 0; i32.
  // Null elsewhere.
  llvm::Value* coalesced = nullptr;
  llvm::Value* first_thread = nullptr;
  // In functions that call themselves: where the lowest address is that a frame may lie at. Null in
  // the kernel.
  llvm::Value* stack_limit = nullptr;
  // True if a store of whole cache lines goes past the caches, i1.
  std::unordered_map<const ir::Operation*, llvm::Value*> non_temporal;
};

// How a thread's scratch is divided before the warps' own.
struct SharedLayout {
  std::uint64_t static_bytes = 0;
  bool has_dynamic = true;  // else what a launch gives is left out, and all is known here
  std::optional<unsigned>
      granule;  // where accesses are tracked, the shadow granule of shared memory: log2 of bytes
};

// Emits the loads.
LaunchState load_launch(
    llvm::IRBuilderBase& builder,
    llvm::Value* launch,
    llvm::Value* scratch,
    const SharedLayout& layout,
    const ir::Function& kernel);

// Where a warp's threads lie in the block, as LLVM values of the lane-0 thread (or vectors).
struct WarpPosition {
  llvm::Value* index = nullptr;             // i32, within the block
  llvm::Value* scratch = nullptr;           // pointer to the warp's own
  std::array<llvm::Value*, 3> thread = {};  // i32, or a vector of them where the shape is general
};

}  // namespace phalanx::codegen::cpu
