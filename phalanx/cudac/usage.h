// What a function does to its variables, looked up before it is converted.
#pragma once

#include <unordered_set>

#include <clang/AST/Decl.h>
#include <clang/AST/Stmt.h>

namespace phalanx::cudac {

class Usage {
 public:
  void add(const clang::Stmt* statement);

  // It is seen through a pointer or a reference, so that it must lie in memory.
  bool is_addressed(const clang::VarDecl* variable) const { return addressed_.contains(variable); }
  // Its value changes after its declaration.
  bool is_modified(const clang::VarDecl* variable) const { return modified_.contains(variable); }

 private:
  void add_target(const clang::Expr* target);

  std::unordered_set<const clang::VarDecl*> addressed_;
  std::unordered_set<const clang::VarDecl*> modified_;
};

}  // namespace phalanx::cudac
