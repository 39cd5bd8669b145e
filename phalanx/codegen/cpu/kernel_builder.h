// Builds the LLVM module of a kernel: the entry that the launcher calls and what it needs.
#pragma once

#include "phalanx/codegen/cpu/emitter.h"
#include "phalanx/codegen/cpu/warp_code.h"

namespace phalanx::codegen::cpu {

inline constexpr const char* entry_name = "phalanx_kernel";

class KernelBuilder {
 public:
  explicit KernelBuilder(Compilation& compilation);

  void build();

 private:
  llvm::Function* make_entry();
  void emit_block_loop(const std::function<void()>& emit_block);
  void emit_warp_loop();
  void emit_full_warp(const WarpPosition& position);
  void define_parameters(Emitter& emitter);
  void emit_masked_call(llvm::Value* warp_index, llvm::Value* mask_bits);
  llvm::Function* masked_function();
  void emit_masked_function();

  Compilation& compilation_;
  FunctionShapes shapes_;
  llvm::IRBuilder<> builder_;
  llvm::Function* function_ = nullptr;
  llvm::Function* masked_ = nullptr;
  llvm::AllocaInst* context_slot_ = nullptr;
  LaunchState launch_;
};

// Attributes of every function that holds generated code.
void set_attributes(llvm::Function& function, const Compilation& compilation);

}  // namespace phalanx::codegen::cpu
