// Builds the LLVM module of a kernel: the entry that the launcher calls and what it needs.
#pragma once

#include <unordered_map>

#include "phalanx/codegen/cpu/coalesced_blocks.h"
#include "phalanx/codegen/cpu/emitter.h"
#include "phalanx/codegen/cpu/fission_plan.h"
#include "phalanx/codegen/cpu/warp_code.h"

namespace phalanx::codegen::cpu {

inline constexpr const char* entry_name = "phalanx_kernel";

class KernelBuilder {
 public:
  explicit KernelBuilder(Compilation& compilation);

  void build();

 private:
  void build_single();         // one thread: no loops around it
  void build_parallel_body();  // blocks of one warp
  void build_plain();          // no barriers
  bool try_build_fission();    // barriers at uniform program points: fission_builder.cpp
  std::optional<FissionPlan> plan_segments();
  unsigned unrolled_warps(const FissionPlan& plan) const;
  bool can_interleave() const;
  void plan_interleaved_blocks();
  void build_coroutines();  // barriers anywhere: coroutine_kernel.cpp

  llvm::Function* make_entry();
  void open_entry();
  llvm::Value* block_threads();
  void emit_block_loop(const std::function<void()>& emit_block);
  // Blocks that know their position in the grid only, many at a time: coalesced_kernel.cpp
  llvm::Value* coalesced_count(llvm::Value* number, llvm::Value* x, std::uint64_t most_blocks);
  void find_non_temporal();
  llvm::Value* written_bytes(const ir::Operation& store);
  llvm::Value* has_rows_of_lines(const ir::Operation& store);
  llvm::Value* is_written_only(const ir::Operation& store);
  void emit_coalesced_start();
  void emit_non_temporal_end();
  void emit_warp_loop();
  class MaskedCode;  // where a full warp's code goes on that needs masks
  void emit_full_warp(const WarpPosition& position);
  void define_parameters(Emitter& emitter);
  void emit_masked_call(llvm::Value* warp_index, llvm::Value* mask_bits);
  llvm::Function* masked_function();
  void emit_masked_function();

  void emit_coroutine(const char* name, bool is_masked);
  void emit_schedule();
  void emit_rounds(llvm::Value* warps, const std::function<llvm::Value*(llvm::Value*)>& frame_of);
  void emit_count_loop(
      llvm::Value* count, const char* name, const std::function<void(llvm::Value*)>& body);
  llvm::Value* scratch_of(llvm::Value* warp_index);

  Compilation& compilation_;
  FunctionShapes shapes_;
  llvm::IRBuilder<> builder_;
  llvm::Function* function_ = nullptr;
  llvm::Function* masked_ = nullptr;
  llvm::AllocaInst* context_slot_ = nullptr;
  LaunchState launch_;
  unsigned unrolled_warps_ = 0;  // the code of each is separate
  // Blocks that grid-stride loops lead together, and the scratch memory of each; 0: one at a time.
  std::uint64_t interleaved_blocks_ = 0;
  std::uint64_t interleaved_block_bytes_ = 0;
  llvm::Value* interleaved_count_ = nullptr;  // i32: how many follow now
  CoalescedBlocks coalesced_;
  // True if the launch wants a store to go past the caches, and whether it wants any to; i1.
  std::unordered_map<const ir::Operation*, llvm::Value*> wanted_non_temporal_;
  llvm::Value* is_non_temporal_ = nullptr;
  std::uint64_t locals_bytes_ = 0;  // of a warp's scratch, before its frame
};

// True if the last warp of a block may have fewer threads than lanes.
bool may_be_ragged(const CpuVariant& variant);

// Lanes of warp `index` that are below `threads`.
llvm::Value* mask_of_ragged(
    llvm::IRBuilderBase& builder, unsigned lanes, llvm::Value* index, llvm::Value* threads);

}  // namespace phalanx::codegen::cpu
