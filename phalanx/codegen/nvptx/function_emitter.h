// Emits one IR function as LLVM IR for the GPU: each thread runs it, values are scalars.
#pragma once

#include <vector>

#include <llvm/ADT/DenseMap.h>
#include <llvm/ADT/SmallVector.h>
#include <llvm/IR/IRBuilder.h>

#include "phalanx/codegen/llvm/emit_op.h"
#include "phalanx/codegen/nvptx/module_state.h"

namespace phalanx::codegen::nvptx {

// A value of any type, as lower_types.h lays it out.
using Components = llvm::SmallVector<llvm::Value*, 4>;

class FunctionEmitter {
 public:
  FunctionEmitter(ModuleState& state, const ir::Function& source, llvm::Function& function);

  void run();

 private:
  // Where break and continue of one enclosing loop or block go; a block has no `step`.
  struct Level {
    llvm::BasicBlock* exit;
    llvm::BasicBlock* step;
  };

  // emit_function.cpp: the frame, control and plain values
  void bind_parameters();
  Components slots_to_components(const ir::Type& type, unsigned& argument);
  void make_variables();
  bool emit_region(const ir::Region& region);  // false if control does not reach its end
  void emit(const ir::Operation& operation);
  bool emit_control(const ir::Operation& operation);
  bool emit_memory(const ir::Operation& operation);
  bool emit_access(const ir::Operation& operation);
  bool emit_allocation(const ir::Operation& operation);
  bool emit_thread(const ir::Operation& operation);
  void emit_if(const ir::Operation& operation);
  void emit_loop(const ir::Operation& operation);
  void emit_block(const ir::Operation& operation);
  void emit_return(const ir::Operation& operation);
  void end_function();
  void return_nothing();
  void emit_call(const ir::Operation& operation);
  void emit_call_with_status(const ir::Operation& operation);
  void add_arguments(const ir::Operation& call, llvm::SmallVectorImpl<llvm::Value*>& arguments);
  Components emit_value(const ir::Operation& operation);
  Components emit_elementwise_operation(const ir::Operation& operation);
  Components emit_bitcast_operation(const ir::Operation& operation);

  // emit_memory.cpp: arrays, pointers and what lies there
  llvm::Value* element_pointer(const ir::Operation& operation, std::size_t indices);
  Components load(llvm::Value* pointer, const ir::Type& type, std::size_t alignment_bytes);
  void store(
      llvm::Value* pointer,
      const ir::Type& type,
      const Components& value,
      std::size_t alignment_bytes);
  Components load(llvm::Value* pointer, const ir::Type& type) {
    return load(pointer, type, ir::alignment_of(type));
  }
  void store(llvm::Value* pointer, const ir::Type& type, const Components& value) {
    store(pointer, type, value, ir::alignment_of(type));
  }
  Components make_array(const ir::Operation& operation);
  Components array_at(llvm::Value* pointer, const ir::Operation& operation);
  llvm::Value* stride_of(const ir::Operation& array, unsigned dimension);
  llvm::Value* field_pointer(const ir::Operation& operation);
  llvm::Value* local_memory(const ir::Operation& operation);
  Components dynamic_shared(const ir::Operation& operation);

  // emit_atomic.cpp
  llvm::Value* emit_atomic(const ir::Operation& operation);
  llvm::Value* emit_atomic_cas(const ir::Operation& operation);
  llvm::Value* atomic_extremum(
      ir::Atomic kind, llvm::Value* pointer, DType dtype, llvm::Value* value);
  llvm::Value* compare_and_swap(
      llvm::Value* pointer, DType dtype, llvm::Value* expected, llvm::Value* desired);

  // emit_thread.cpp: indices, barriers, print and raise
  llvm::Value* emit_thread_query(const ir::Operation& operation);
  llvm::Value* read_register(llvm::Intrinsic::ID intrinsic, unsigned first, unsigned end);
  llvm::Value* emit_block_vote(const ir::Operation& operation);
  void emit_fence(const ir::Operation& operation);
  void emit_print(const ir::Operation& operation);
  void emit_raise(const ir::Operation& operation);
  llvm::Value* read_block_index(unsigned dimension);
  llvm::Value* read_thread_index(unsigned dimension);
  llvm::Value* read_block_extent(unsigned dimension);
  void end_thread();

  // emit_warp.cpp, emit_grid.cpp
  bool emit_warp(const ir::Operation& operation);
  llvm::Value* emit_shuffle(const ir::Operation& operation);
  llvm::Value* emit_match(const ir::Operation& operation);
  bool emit_hinted(const ir::Operation& operation);
  llvm::Value* as_register(llvm::Value* bits, DType dtype);
  bool emit_library(const ir::Operation& operation);
  llvm::Value* grid_counter();
  void emit_grid_barrier();

  // emit_absent.cpp: lanes that a warp operation names and that do not come
  bool looks_for_absent_lanes() const;
  llvm::Value* word_of_warp();
  void clear_lanes_at_end();
  void note_lane_at_end();
  void wait_for_lanes(llvm::Value* mask);
  void check_named_lanes(const ir::Operation& operation);

  // emit_check.cpp
  bool emit_check(const ir::Operation& operation);
  void emit_report(const ir::Operation& operation, llvm::ArrayRef<llvm::Value*> values);
  llvm::Value* sink_buffer(llvm::Type* pointer, std::size_t bytes);
  llvm::Value* emit_checked_element(const ir::Operation& operation);
  void emit_report_if(const ir::Operation& operation);

  Components& components(const ir::Operation* operation);
  llvm::Value* single(const ir::Operation* operation);  // a value of one component
  llvm::Value* operand(const ir::Operation& operation, std::size_t index);
  void define(const ir::Operation& operation, Components value);
  // The pointer as one of type `type`, for views that forget where their memory lies.
  llvm::Value* as_pointer(llvm::Value* pointer, const ir::Type& type);
  llvm::AllocaInst* entry_alloca(llvm::Type* type, llvm::Align alignment, const llvm::Twine& name);
  llvm::BasicBlock* new_block(const char* name);
  void locate(const ir::Operation& operation);
  [[noreturn]] void fail(const ir::Operation& operation, const std::string& message) const;

  ModuleState& state_;
  const ir::Function& source_;
  llvm::Function& function_;
  llvm::IRBuilder<> builder_;
  OpEmitter ops_;
  llvm::DenseMap<const ir::Operation*, Components> values_;
  std::vector<llvm::SmallVector<llvm::AllocaInst*, 2>> variables_;  // one alloca a component
  std::vector<Level> levels_;
};

}  // namespace phalanx::codegen::nvptx
