// Control flow: branches that lanes take differently become masks, others stay branches.
#pragma once

#include <deque>

#include "phalanx/codegen/cpu/emitter_part.h"
#include "phalanx/ir/ir.h"

namespace phalanx::codegen::cpu {

class ControlEmitter : EmitterPart {
 public:
  using EmitterPart::EmitterPart;

  // An if, a loop, a block, a jump or a return.
  void emit(const ir::Operation& operation);
  // From here on, masked code cannot do the warp's work again from its start.
  void note_effect() { may_restart_ = false; }
  // At a loop's end: leaves it for `exit` when the launch is stopped. Kernels that report only.
  void emit_stop(llvm::BasicBlock* exit);

 private:
  struct Frame {
    const ir::Operation* control = nullptr;
    llvm::BasicBlock* exit = nullptr;
    llvm::BasicBlock* latch = nullptr;   // loop: where continue goes
    llvm::AllocaInst* rejoin = nullptr;  // lanes that wait at the end
    llvm::AllocaInst* resume = nullptr;  // loop: lanes that wait for the step
    llvm::AllocaInst* live = nullptr;    // loop: lanes in the loop
  };

  void emit_if(const ir::Operation& operation);
  void emit_uniform_if(const ir::Operation& operation);
  void emit_varying_if(const ir::Operation& operation);
  llvm::Value* emit_masked_part(
      const ir::Region& region, llvm::Value* part_mask, llvm::Value* may_run = nullptr);
  bool try_emit_grid_guard(const ir::Operation& operation);
  void emit_jump(const ir::Operation& operation);
  void emit_return(const ir::Operation& operation);
  void store_result(const ir::Operation& operation);
  Frame& frame_of(const ir::Operation& control);
  // Loops and blocks: control_loops.cpp
  void open_frame(Frame& frame, const ir::Operation& operation);
  void emit_block(const ir::Operation& operation);
  void emit_loop(const ir::Operation& operation);
  void emit_loop_once(const ir::Operation& operation);
  void emit_step(const ir::Operation& operation, llvm::BasicBlock* header, Frame& frame);
  void end_if_unreachable(llvm::BasicBlock* block);
  bool try_emit_guard(const ir::Operation& operation);
  bool is_of_one_lane(const ir::Operation& condition);

  std::deque<Frame> frames_;
  bool may_restart_ = true;  // nothing was written yet, and no loop has run
  llvm::AllocaInst* stop_counter_ = nullptr;
};

}  // namespace phalanx::codegen::cpu
