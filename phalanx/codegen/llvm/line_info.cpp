#include "phalanx/codegen/llvm/line_info.h"

#include <filesystem>

#include <llvm/BinaryFormat/Dwarf.h>

namespace phalanx::codegen {

llvm::DIFile* LineInfo::file_of(const std::string& path) {
  llvm::DIFile*& file = files_[path];
  if (file == nullptr) {
    const std::filesystem::path parts(path);
    file = builder_.createFile(parts.filename().string(), parts.parent_path().string());
  }
  return file;
}

void LineInfo::describe(llvm::Function& function, const ir::Function& source) {
  if (source.source == nullptr)
    return;
  llvm::Module& module = *function.getParent();
  llvm::DIFile* file = file_of(source.source->path);
  if (!has_unit_) {
    has_unit_ = true;
    builder_.createCompileUnit(
        llvm::dwarf::DW_LANG_Python,
        file,
        "phalanx",
        /*isOptimized=*/detail_ != LineDetail::full,
        "",
        0,
        "",
        detail_ == LineDetail::directives ? llvm::DICompileUnit::DebugDirectivesOnly
                                          : llvm::DICompileUnit::FullDebug);
    module.addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
  }
  llvm::DISubroutineType* type = builder_.createSubroutineType(builder_.getOrCreateTypeArray({}));
  const unsigned line = source.source->first_line;
  function.setSubprogram(builder_.createFunction(
      file,
      source.name,
      // Debuggers call functions by that where there is one; in objects all kernels have the same.
      detail_ == LineDetail::optimized ? llvm::StringRef() : function.getName(),
      file,
      line,
      type,
      line,
      llvm::DINode::FlagZero,
      llvm::DISubprogram::SPFlagDefinition | llvm::DISubprogram::SPFlagOptimized));
}

}  // namespace phalanx::codegen
