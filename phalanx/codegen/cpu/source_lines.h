// Lines of the user's source as debug information of an object, for profilers and debuggers.
//
// While code is emitted, one builder serves several functions: locations are marks, which name the
// function of the IR. In the end each LLVM function gets a subprogram, and its marks become
// locations in that.
#pragma once

#include <map>
#include <utility>

#include <llvm/IR/DebugLoc.h>
#include <llvm/IR/Module.h>

#include "phalanx/codegen/llvm/line_info.h"
#include "phalanx/ir/ir.h"

namespace phalanx::codegen::cpu {

class SourceLines {
 public:
  explicit SourceLines(llvm::Module& module)
      : module_(module), info_(module, LineDetail::optimized) {}

  // The mark of an operation of that function; none where its source is not known. The function
  // must live until finish().
  llvm::DebugLoc at(const ir::Function& function, const Location& location);
  // Once, when all code is there.
  void finish();

 private:
  struct Origin {
    const ir::Function* function = nullptr;
    const SourceFile* file = nullptr;  // null: the function's own
    auto operator<=>(const Origin&) const = default;
  };

  void describe(llvm::Function& function);
  const Origin* origin_of(const llvm::Instruction& instruction) const;

  llvm::Module& module_;
  LineInfo info_;
  std::map<Origin, llvm::DISubprogram*> marks_;
  std::map<const llvm::Metadata*, Origin> origins_;
};

}  // namespace phalanx::codegen::cpu
