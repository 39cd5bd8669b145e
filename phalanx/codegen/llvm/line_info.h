// Locations in the user's source as LLVM debug locations: PTX's .loc directives, DWARF in objects.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include <llvm/IR/DIBuilder.h>
#include <llvm/IR/Module.h>

#include "phalanx/ir/ir.h"

namespace phalanx::codegen {

enum class LineDetail : std::uint8_t {
  directives,  // PTX's lines alone
  optimized,   // sections of debug information, for code that is optimised
  full,        // the same for code that is not
};

class LineInfo {
 public:
  LineInfo(llvm::Module& module, LineDetail detail) : builder_(module), detail_(detail) {}

  // Gives the function a subprogram; its operations' locations are then kept.
  void describe(llvm::Function& function, const ir::Function& source);
  // Where lines of another file are, that the subprogram has taken over.
  llvm::DIScope* part_of(llvm::DISubprogram& subprogram, const std::string& path) {
    return builder_.createLexicalBlockFile(&subprogram, file_of(path));
  }
  void finish() { builder_.finalize(); }

 private:
  llvm::DIFile* file_of(const std::string& path);

  llvm::DIBuilder builder_;
  std::map<std::string, llvm::DIFile*> files_;
  LineDetail detail_;
  bool has_unit_ = false;
};

}  // namespace phalanx::codegen
