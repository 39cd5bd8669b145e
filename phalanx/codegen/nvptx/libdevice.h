// Calls of libdevice, and its linking into a module.
#pragma once

#include <llvm/IR/Module.h>

#include "phalanx/codegen/llvm/emit_op.h"

namespace phalanx::codegen::nvptx {

class LibdeviceMath : public MathLibrary {
 public:
  // `approximates`: float32 functions may be approximate.
  LibdeviceMath(llvm::Module& module, bool approximates)
      : module_(&module), approximates_(approximates) {}

  llvm::Value* call(
      llvm::IRBuilderBase& builder,
      ir::Op op,
      DType dtype,
      std::span<llvm::Value* const> operands) override;

  void use() { is_used_ = true; }  // a function was called by its name
  bool is_used() const { return is_used_; }

 private:
  llvm::Module* module_;
  bool approximates_;
  bool is_used_ = false;
};

// Links in what the module calls, and nothing else; all of it becomes internal. Throws CompileError
// if libdevice is missing or damaged.
void link_libdevice(llvm::Module& module);

}  // namespace phalanx::codegen::nvptx
