// The functions that one compilation consists of beside the kernel: the masked code of a warp, and
// device functions that could not be inlined.
#pragma once

#include "phalanx/codegen/cpu/emitter.h"

namespace phalanx::codegen::cpu {

// Where a warp runs, in memory: what a function needs that is called for one warp.
class WarpContext {
 public:
  WarpContext(llvm::IRBuilderBase& builder, llvm::Value* pointer)
      : builder_(builder), pointer_(pointer) {}
  static llvm::StructType* type(llvm::LLVMContext& context);

  void store(const LaunchState& launch, llvm::Value* warp_index);
  // The launch's state and the warp's index as seen from within the called function.
  LaunchState load(const SharedLayout& layout, const ir::Function& kernel);
  llvm::Value* load_warp_index();
  llvm::Value* load_first_thread();  // of coalesced blocks

 private:
  llvm::Value* field(unsigned index);

  llvm::IRBuilderBase& builder_;
  llvm::Value* pointer_;
};

// <0, 1, 2, ...> of i32.
llvm::Value* lane_numbers(llvm::IRBuilderBase& builder, unsigned lanes);

// Where the threads of warp `index` lie. `variant.shape` decides the form.
// The only thread of a CPU function.
WarpPosition single_thread(llvm::IRBuilderBase& builder, const LaunchState& launch);

WarpPosition position_of(
    llvm::IRBuilderBase& builder,
    const LaunchState& launch,
    const CpuVariant& variant,
    llvm::Value* index,
    llvm::Value* scratch);

// As contexts are made by callers: an alloca in the entry block.
llvm::AllocaInst* make_context_slot(llvm::Function& function);

}  // namespace phalanx::codegen::cpu
