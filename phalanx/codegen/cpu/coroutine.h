// A warp as a coroutine (Conway, 1963; LLVM's CoroSplit) that suspends at each barrier: the general
// form of kernels with barriers, for any control flow around them.
#pragma once

#include "phalanx/codegen/cpu/emitter.h"
#include "phalanx/codegen/cpu/warp_code.h"

namespace phalanx::codegen::cpu {

// What a coroutine has beside the warp's code: where it suspends and where it ends.
class Coroutine {
 public:
  // ptr (context, warp index, mask bits, the warp's scratch, memory of its frame).
  Coroutine(llvm::Module& module, llvm::IRBuilder<>& builder, const char* name, unsigned lanes);

  llvm::Function& function() const { return *function_; }
  llvm::Value* context() const { return function_->getArg(0); }
  llvm::Value* warp_index() const { return function_->getArg(1); }
  llvm::Value* mask_bits() const { return function_->getArg(2); }
  llvm::Value* scratch() const { return function_->getArg(3); }

  void suspend();
  // After the last of the warp's code; the builder is where its lanes come together.
  void finish();

 private:
  llvm::Value* emit_suspend(bool is_final);

  llvm::IRBuilder<>& builder_;
  llvm::Function* function_ = nullptr;
  llvm::Value* handle_ = nullptr;
  llvm::BasicBlock* suspended_ = nullptr;
};

// Splits every coroutine of the module at its suspension points, before any other pass: allocas
// then stay one slot of the frame each.
void split_coroutines(llvm::Module& module, llvm::TargetMachine* machine);

// Bytes of the frame of a split coroutine.
std::uint64_t frame_bytes(const llvm::Module& module, llvm::StringRef coroutine);

}  // namespace phalanx::codegen::cpu
