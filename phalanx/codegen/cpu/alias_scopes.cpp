#include "phalanx/codegen/cpu/alias_scopes.h"

#include <llvm/ADT/STLExtras.h>
#include <llvm/IR/LLVMContext.h>
#include <llvm/IR/MDBuilder.h>
#include <llvm/IR/Metadata.h>

namespace phalanx::codegen::cpu {

namespace {

constexpr const char* shared_name = "shared";

}  // namespace

AliasScopes::AliasScopes(llvm::LLVMContext& context) {
  constexpr const char* names[count] = {"spill", "shared", "local", "global", "header"};
  llvm::MDBuilder builder(context);
  llvm::MDNode* domain = builder.createAnonymousAliasScopeDomain("memory");
  for (unsigned i = 0; i < count; ++i)
    scopes_[i] = builder.createAnonymousAliasScope(domain, names[i]);
  for (llvm::MDNode*& each : memories_)
    each = builder.createAnonymousAliasScope(domain, "numbered");
}

// An access of `kind` overlaps with none of the other kinds, and one of a numbered memory with none
// of the other numbers.
void AliasScopes::set(llvm::Instruction& access, unsigned kind, std::int64_t memory) const {
  llvm::LLVMContext& context = access.getContext();
  llvm::SmallVector<llvm::Metadata*, count + memories> others;
  llvm::SmallVector<llvm::Metadata*, 2> own = {scopes_[kind]};
  for (unsigned i = 0; i < count; ++i) {
    if (i != kind)
      others.push_back(scopes_[i]);
  }
  if (memory > 0 && memory <= memories) {
    for (std::int64_t i = 0; i < memories; ++i) {
      if (i + 1 == memory)
        own.push_back(memories_[i]);
      else
        others.push_back(memories_[i]);
    }
  }
  access.setMetadata(llvm::LLVMContext::MD_alias_scope, llvm::MDNode::get(context, own));
  access.setMetadata(llvm::LLVMContext::MD_noalias, llvm::MDNode::get(context, others));
}

void AliasScopes::mark_spill(llvm::Instruction& access) const { set(access, spill); }

bool AliasScopes::is_shared(const llvm::Instruction& access) {
  const llvm::MDNode* scopes = access.getMetadata(llvm::LLVMContext::MD_alias_scope);
  if (scopes == nullptr)
    return false;
  // All: accesses that LLVM has joined have both ones' scopes.
  return llvm::all_of(scopes->operands(), [](const llvm::MDOperand& scope) {
    return llvm::AliasScopeNode(llvm::cast<llvm::MDNode>(scope)).getName() == shared_name;
  });
}

void AliasScopes::mark(llvm::Instruction& access, ir::Space space, std::int64_t memory) const {
  switch (space) {
    case ir::Space::shared:
      return set(access, shared);
    case ir::Space::local:
      return set(access, local);
    case ir::Space::global:
      return memory == list_header ? set(access, header) : set(access, global, memory);
    case ir::Space::generic:
    case ir::Space::constant:
      break;
  }
  access.setMetadata(
      llvm::LLVMContext::MD_noalias, llvm::MDNode::get(access.getContext(), {scopes_[spill]}));
}

}  // namespace phalanx::codegen::cpu
