// Places in the user's source as LLVM debug locations, which become PTX's .loc directives.
#pragma once

#include <map>
#include <memory>
#include <string>

#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/Module.h>

#include "phalanx/ir/ir.h"

namespace phalanx::codegen::nvptx {

class LineInfo {
 public:
  explicit LineInfo(llvm::Module& module) : builder_(module) {}

  // Gives the function a subprogram; its operations' locations are then kept.
  void describe(llvm::Function& function, const ir::Function& source);
  void finish() { builder_.finalize(); }

 private:
  llvm::DIFile* file_of(const std::string& path);

  llvm::DIBuilder builder_;
  std::map<std::string, llvm::DIFile*> files_;
  bool has_unit_ = false;
};

}  // namespace phalanx::codegen::nvptx
