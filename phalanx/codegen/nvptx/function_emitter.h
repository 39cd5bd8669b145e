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

  // What the emitters of operations work with: emit_parts.h
  ModuleState& state() { return state_; }
  const ModuleState& state() const { return state_; }
  const ir::Function& source() const { return source_; }
  llvm::IRBuilder<>& builder() { return builder_; }
  OpEmitter& ops() { return ops_; }
  Components& components(const ir::Operation* operation);
  llvm::Value* operand(const ir::Operation& operation, std::size_t index);  // its first component
  void define(const ir::Operation& operation, Components value);
  llvm::AllocaInst* entry_alloca(llvm::Type* type, llvm::Align alignment, const llvm::Twine& name);
  llvm::BasicBlock* new_block(const char* name);
  [[noreturn]] static void fail(const ir::Operation& operation, const std::string& message);

 private:
  // Where break and continue of one enclosing loop or block go; a block has no `step`.
  struct Level {
    llvm::BasicBlock* exit;
    llvm::BasicBlock* step;
  };

  void bind_parameters();
  Components slots_to_components(const ir::Type& type, unsigned& argument);
  void make_variables();
  bool emit_region(const ir::Region& region);  // false if control does not reach its end
  void emit(const ir::Operation& operation);
  void locate(const ir::Operation& operation);

  bool emit_control(const ir::Operation& operation);
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
  llvm::Value* single(const ir::Operation* operation);  // a value of one component

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
