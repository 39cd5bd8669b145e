#include "phalanx/codegen/cpu/source_lines.h"

#include <llvm/IR/DebugInfoMetadata.h>
#include <llvm/IR/InstIterator.h>

namespace phalanx::codegen::cpu {

namespace {

llvm::DISubprogram* new_mark(llvm::LLVMContext& context) {
  return llvm::DISubprogram::getDistinct(
      context,
      /*Scope=*/nullptr,
      /*Name=*/"",
      /*LinkageName=*/"",
      /*File=*/nullptr,
      /*Line=*/0,
      /*Type=*/nullptr,
      /*ScopeLine=*/0,
      /*ContainingType=*/nullptr,
      /*VirtualIndex=*/0,
      /*ThisAdjustment=*/0,
      llvm::DINode::FlagZero,
      llvm::DISubprogram::SPFlagZero,
      /*Unit=*/nullptr);
}

}  // namespace

llvm::DebugLoc SourceLines::at(const ir::Function& function, const Location& location) {
  if (function.source == nullptr || location.line == 0)
    return {};
  const bool is_own = location.file == function.source.get();
  const Origin origin = {.function = &function, .file = is_own ? nullptr : location.file};
  const auto [row, is_new] = marks_.try_emplace(origin);
  if (is_new) {
    row->second = new_mark(module_.getContext());
    origins_.emplace(row->second, origin);
  }
  return llvm::DILocation::get(
      module_.getContext(), location.line, location.column + 1, row->second);
}

const SourceLines::Origin* SourceLines::origin_of(const llvm::Instruction& instruction) const {
  const llvm::DebugLoc& location = instruction.getDebugLoc();
  return location ? &origins_.at(location.getScope()) : nullptr;
}

// What belongs to no operation, as loops over blocks, has the function's first line: calls must
// have one, or LLVM does not inline them.
void SourceLines::describe(llvm::Function& function) {
  const ir::Function* source = nullptr;
  for (const llvm::Instruction& each : llvm::instructions(function)) {
    if (const Origin* origin = origin_of(each); origin != nullptr && source == nullptr)
      source = origin->function;
  }
  if (source == nullptr)
    return;
  info_.describe(function, *source);
  llvm::DISubprogram& own = *function.getSubprogram();
  llvm::LLVMContext& context = module_.getContext();
  std::map<const SourceFile*, llvm::Metadata*> scopes = {{nullptr, &own}};
  for (llvm::Instruction& each : llvm::instructions(function)) {
    const Origin* origin = origin_of(each);
    if (origin == nullptr) {
      each.setDebugLoc(llvm::DILocation::get(context, own.getLine(), 0, &own));
      continue;
    }
    llvm::Metadata*& scope = scopes[origin->file];
    if (scope == nullptr)
      scope = info_.part_of(own, origin->file->path);
    const llvm::DebugLoc& mark = each.getDebugLoc();
    each.setDebugLoc(llvm::DILocation::get(context, mark.getLine(), mark.getCol(), scope));
  }
}

void SourceLines::finish() {
  for (llvm::Function& function : module_) {
    if (!function.isDeclaration())
      describe(function);
  }
  info_.finish();
}

}  // namespace phalanx::codegen::cpu
