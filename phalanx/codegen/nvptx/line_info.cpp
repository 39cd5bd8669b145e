#include "phalanx/codegen/nvptx/line_info.h"

#include <filesystem>

#include <llvm/BinaryFormat/Dwarf.h>

namespace phalanx::codegen::nvptx {

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
        /*isOptimized=*/!is_full_,
        "",
        0,
        "",
        is_full_ ? llvm::DICompileUnit::FullDebug : llvm::DICompileUnit::DebugDirectivesOnly);
    module.addModuleFlag(llvm::Module::Warning, "Debug Info Version", llvm::DEBUG_METADATA_VERSION);
  }
  llvm::DISubroutineType* type = builder_.createSubroutineType(builder_.getOrCreateTypeArray({}));
  const unsigned line = source.source->first_line;
  function.setSubprogram(builder_.createFunction(
      file,
      source.name,
      function.getName(),
      file,
      line,
      type,
      line,
      llvm::DINode::FlagZero,
      llvm::DISubprogram::SPFlagDefinition | llvm::DISubprogram::SPFlagOptimized));
}

}  // namespace phalanx::codegen::nvptx
