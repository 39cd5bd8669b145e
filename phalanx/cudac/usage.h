// What a function does to its variables, looked up before it is converted.
#pragma once

#include <unordered_set>
#include <vector>

#include <clang/AST/Decl.h>
#include <clang/AST/Stmt.h>

namespace phalanx::cudac {

class Usage {
 public:
  void add(const clang::Stmt* statement);
  void add_body(const clang::Stmt* body);

  // It is seen through a pointer or a reference, so that it must lie in memory.
  bool is_addressed(const clang::VarDecl* variable) const { return addressed_.contains(variable); }
  // Its value changes after its declaration.
  bool is_modified(const clang::VarDecl* variable) const { return modified_.contains(variable); }
  // The __shared__ variables of the file that it names, in the order in which it does.
  const std::vector<const clang::VarDecl*>& shared_of_file() const { return shared_of_file_; }

 private:
  void add_target(const clang::Expr* target);
  void add_shared(const clang::Stmt* statement);

  std::unordered_set<const clang::VarDecl*> addressed_;
  std::unordered_set<const clang::VarDecl*> modified_;
  std::vector<const clang::VarDecl*> shared_of_file_;
};

}  // namespace phalanx::cudac
