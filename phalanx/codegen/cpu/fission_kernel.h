// Emits a kernel that was split at its barriers, for one block.
#pragma once

#include <deque>
#include <unordered_set>
#include <utility>

#include "phalanx/codegen/cpu/emitter.h"
#include "phalanx/codegen/cpu/fission_plan.h"
#include "phalanx/codegen/cpu/forwarded_tiles.h"
#include "phalanx/codegen/cpu/warp_loop.h"

namespace phalanx::codegen::cpu {

// The spill slots of values and variables in a warp's scratch; one offset a component.
class SpillSlots {
 public:
  SpillSlots(
      const Compilation& compilation,
      const FunctionShapes& shapes,
      const FissionPlan& plan,
      std::uint64_t first_byte);

  const std::vector<std::uint64_t>& of(const ir::Operation& value) const {
    return values_.at(&value);
  }
  const std::vector<std::uint64_t>& of(ir::VariableId variable) const {
    return variables_.at(variable);
  }
  std::uint64_t end() const { return end_; }
  // Without gaps, and without values that a variable mostly holds too.
  std::uint64_t bytes() const { return bytes_; }

 private:
  std::vector<std::uint64_t> allocate(
      const Compilation& compilation, const ir::Type& type, const Shapes& shapes, bool counts);

  std::unordered_map<const ir::Operation*, std::vector<std::uint64_t>> values_;
  std::unordered_map<ir::VariableId, std::vector<std::uint64_t>> variables_;
  std::uint64_t end_ = 0;
  std::uint64_t bytes_ = 0;
};

// A kernel's segments, and where they spill.
struct SplitKernel {
  const FunctionShapes& shapes;
  const FissionPlan& plan;
  const SpillSlots& slots;
};

class FissionEmitter {
 public:
  FissionEmitter(
      Compilation& compilation,
      llvm::IRBuilder<>& builder,
      const SplitKernel& kernel,
      const LaunchState& launch,
      const std::function<void(Emitter&)>& define_parameters);

  // `warps`: how many the block has. `threads` non-null: the last may be ragged, all are masked.
  void emit(llvm::Value* warps, llvm::Value* threads);
  // `blocks` at once, i32, that follow each other along x: the control of a plan for the grid leads
  // them all. Each has `block_bytes` of the scratch memory.
  void join(llvm::Value* blocks, std::uint64_t block_bytes);
  // A block of `warps` whole warps, the code of each by itself: fission_unrolled.cpp
  void emit_unrolled(unsigned warps);

 private:
  using Operations = std::unordered_set<const ir::Operation*>;
  struct Frame {
    const ir::Operation* control = nullptr;
    llvm::BasicBlock* exit = nullptr;
    llvm::BasicBlock* latch = nullptr;
  };
  // What is outside of a warp's code in a segment. All lanes pass the guards `held`; nothing reads
  // what the stores `dropped` write.
  class Segment : public Surroundings {
   public:
    explicit Segment(FissionEmitter& block, Operations held = {}, Operations dropped = {})
        : block_(block), held_(std::move(held)), dropped_(std::move(dropped)) {}

    Value resolve(Emitter& emitter, const ir::Operation& operation) const override {
      return block_.resolve(emitter, operation);
    }
    bool is_held(const ir::Operation& condition) const override {
      return held_.contains(&condition);
    }
    bool is_dropped(const ir::Operation& store) const override { return dropped_.contains(&store); }
    bool is_forwarded(const ir::Operation& array) const override {
      return block_.forwarded_.contains(&array);
    }

   private:
    FissionEmitter& block_;
    Operations held_;
    Operations dropped_;
  };
  class SummedSegment;  // fission_combined.cpp

  bool is_open() const { return builder_.GetInsertBlock()->getTerminator() == nullptr; }
  void branch_to(llvm::BasicBlock* block);
  llvm::BasicBlock* new_block(const char* name);
  void emit_steps(const std::vector<Step>& steps);
  void emit_control(const Step& step);
  void emit_if(const Step& step);
  void emit_loop(const Step& step);
  void emit_jump(const ir::Operation& operation);
  void emit_warps(const Step& step);
  void start_warp(Emitter& emitter, const LaunchState& launch, const WarpPosition& position);
  void emit_each_warp(const Step& step, const Operations& holding);
  void emit_warp_loop(const Step& step, const LaunchState& launch);
  void emit_interleaved_blocks(const Step& step);
  void emit_block_loop(const std::function<void(const LaunchState& launch)>& emit_block);
  // Atomics that many blocks share: fission_combined.cpp
  bool can_combine(const Step& step) const;
  void emit_combined(const Step& step);
  void emit_unrolled_warps(const Step& step);
  WarpPosition position_unrolled(unsigned warp);
  // Forwarded tiles: fission_forwarded.cpp
  struct Forwarding {
    ForwardedTile tile;
    llvm::AllocaInst* data = nullptr;   // where its rows are now
    llvm::AllocaInst* width = nullptr;  // elements from row to row
    bool is_open = false;               // the segment that fills it was emitted so
  };
  void find_forwardings();
  std::vector<Forwarding*> forwardings_of(const Step& step, const Operations& holding);
  void forward(Forwarding& forwarding, Emitter& first_warp);
  void prefetch_next(const Forwarding& forwarding, llvm::Value* data, llvm::Value* width);
  void keep(Forwarding& forwarding);
  void emit_loop_over_forwarded(const Step& step);
  // Copies what the step may read or has set, between the warps' own memory and that of the launch.
  void copy_spilled(const Step& step, bool is_in);
  void open_segment(Emitter& emitter, const Step& step);
  void close_segment(Emitter& emitter, const Step& step);
  Value resolve(Emitter& emitter, const ir::Operation& operation);
  void mark_spill(llvm::Instruction& access);
  llvm::Value* at(Emitter& emitter, std::uint64_t offset);

  Compilation& compilation_;
  llvm::IRBuilder<>& builder_;
  const FunctionShapes& shapes_;
  const FissionPlan& plan_;
  const SpillSlots& slots_;
  const LaunchState& launch_;
  const std::function<void(Emitter&)>& define_parameters_;
  Emitter block_;  // what the whole block agrees on
  std::deque<Frame> frames_;
  llvm::BasicBlock* end_ = nullptr;
  llvm::Value* warps_ = nullptr;
  llvm::Value* threads_ = nullptr;
  llvm::Value* interleaved_blocks_ = nullptr;
  std::uint64_t block_bytes_ = 0;
  std::vector<llvm::AllocaInst*> warp_scratch_;  // unrolled: scratch of each warp
  std::vector<Forwarding> forwardings_;
  Operations forwarded_;  // tiles that are forwarded in the loop being emitted
};

}  // namespace phalanx::codegen::cpu
