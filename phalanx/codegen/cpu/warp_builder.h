// Builds the LLVM code of one warp: blocks and slots, masks of the lanes that run, and values that
// are one for all lanes or one a lane. It knows no operation.
#pragma once

#include <functional>
#include <vector>

#include <llvm/IR/IRBuilder.h>

#include "phalanx/codegen/cpu/compilation.h"
#include "phalanx/codegen/cpu/launch_state.h"
#include "phalanx/codegen/cpu/value.h"
#include "phalanx/codegen/llvm/emit_op.h"

namespace phalanx::codegen::cpu {

// The LLVM type of one component of a value, as its shape keeps it.
llvm::Type* component_type_of(
    const Compilation& compilation, const ir::Type& type, unsigned component, const Shape& shape);

class WarpBuilder {
 public:
  WarpBuilder(Compilation& compilation, llvm::IRBuilder<>& builder)
      : compilation_(compilation), builder_(builder) {}
  WarpBuilder(const WarpBuilder&) = delete;
  WarpBuilder& operator=(const WarpBuilder&) = delete;

  // The state a warp's code starts from. A null mask: all lanes are there.
  LaunchState launch;
  WarpPosition warp;
  void set_mask(llvm::Value* mask) { mask_ = first_mask_ = mask; }
  llvm::Value* mask() const { return mask_; }
  llvm::Value* first_mask() const { return first_mask_; }  // of the lanes that began
  void run_lanes(llvm::Value* mask) { mask_ = mask; }      // from here on; null: all
  unsigned lanes() const { return compilation_.variant.lanes; }

  Compilation& compilation() const { return compilation_; }
  llvm::IRBuilder<>& builder() const { return builder_; }
  llvm::LLVMContext& context() const { return builder_.getContext(); }
  OpEmitter ops();

  // Blocks
  bool is_open() const { return builder_.GetInsertBlock()->getTerminator() == nullptr; }
  bool is_gone() const;  // no lane is left on this path, though the block is open
  llvm::BasicBlock* new_block(const llvm::Twine& name);
  void branch_to(llvm::BasicBlock* block);  // ends the open block and goes on in `block`
  void branch_rarely(llvm::Value* condition, llvm::BasicBlock* rare, llvm::BasicBlock* mostly);
  void for_each_lane(const std::function<void(llvm::Value* lane)>& body);

  // Slots
  llvm::AllocaInst* make_slot(llvm::Type* type, const llvm::Twine& name);
  llvm::LoadInst* read(llvm::Type* type, llvm::Value* slot);
  llvm::StoreInst* write(llvm::Value* value, llvm::Value* slot);
  void add_lanes(llvm::AllocaInst* slot, llvm::Value* mask);

  // Masks
  llvm::Value* all_lanes() const;
  llvm::Value* no_lanes() const;
  llvm::Value* mask_or_all() const { return mask_ == nullptr ? all_lanes() : mask_; }
  llvm::Value* any(llvm::Value* mask);
  llvm::Value* all(llvm::Value* mask);
  llvm::Value* mask_bits(llvm::Value* mask);
  llvm::Value* active_bits();
  llvm::Value* merged(llvm::Value* mask, llvm::Value* condition);
  llvm::Value* first_lane();
  llvm::Value* last_lane();
  llvm::Value* thread_of_lane(unsigned dimension, llvm::Value* lane);

  // Values: warp_values.cpp
  llvm::Type* component_type(const ir::Type& type, unsigned component, const Shape& shape);
  llvm::Value* vector_of(const Component& component);
  llvm::Value* lane_of(llvm::Value* vector, llvm::Value* lane);
  llvm::Value* lane_offsets(llvm::Type* scalar, std::int64_t stride);
  Component sum(const Component& a, const Component& b);
  Component product(const Component& a, const Component& b);
  Component add_offset(const Component& pointer, const Component& offset, ir::Space space);
  std::vector<Component> strides_of(const ir::Type& type, const Value& view);
  Component combined(
      llvm::Instruction::BinaryOps op, const Shape& shape, const Component& a, const Component& b);
  // The vectors of `here` for the lanes that run, else those of `elsewhere`; not all may run.
  llvm::Value* select_running(llvm::Value* here, llvm::Value* elsewhere);

 protected:
  Compilation& compilation_;
  llvm::IRBuilder<>& builder_;
  llvm::Value* mask_ = nullptr;
  llvm::Value* first_mask_ = nullptr;
};

}  // namespace phalanx::codegen::cpu
