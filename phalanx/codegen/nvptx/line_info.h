// Locations in the user's source as LLVM debug locations, which become PTX's .loc directives.
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
  // `is_full`: for a debugger too, with sections of debug information.
  LineInfo(llvm::Module& module, bool is_full) : builder_(module), is_full_(is_full) {}

  // Gives the function a subprogram; its operations' locations are then kept.
  void describe(llvm::Function& function, const ir::Function& source);
  void finish() { builder_.finalize(); }

 private:
  llvm::DIFile* file_of(const std::string& path);

  llvm::DIBuilder builder_;
  std::map<std::string, llvm::DIFile*> files_;
  bool is_full_;
  bool has_unit_ = false;
};

}  // namespace phalanx::codegen::nvptx
