// Objects whose destructors have to run: in the order in which they were made.
#pragma once

#include <cstddef>
#include <vector>

#include <clang/AST/DeclCXX.h>
#include <clang/AST/Expr.h>

#include "phalanx/cudac/lvalue.h"

namespace phalanx::cudac {

class FunctionConverter;

class Objects {
 public:
  explicit Objects(FunctionConverter& converter) : converter_(converter) {}

  std::size_t size() const { return objects_.size(); }
  // Nothing where there is nothing to do at its end.
  void add(const LValue& object);
  // A jump leaves the scopes of the objects from `first` on: the last one made is the first to go.
  void destroy_from(std::size_t first, const clang::VarDecl* but = nullptr);
  // The same at the end of their scopes.
  void end(std::size_t first);
  // What is returned is where the caller wants it: its destructor is the caller's.
  void name(const clang::VarDecl& variable);

 private:
  struct Object {
    const clang::CXXDestructorDecl* destructor;
    ir::Operation* address;
    clang::QualType type;
    const clang::VarDecl* variable = nullptr;
  };
  void destroy(const Object& object);

  FunctionConverter& converter_;
  std::vector<Object> objects_;
};

// True of what lies where the function's caller wants its result.
bool is_result(const FunctionConverter& converter, const clang::VarDecl& variable);
// Bases and members of the destructor's object end after its body.
void add_members(FunctionConverter& converter, const clang::CXXDestructorDecl& destructor);
// A temporary with the expression's value.
LValue made(FunctionConverter& converter, const clang::Expr* expression);
// A statement whose objects end with it.
void scoped(FunctionConverter& converter, const clang::Stmt* statement);

}  // namespace phalanx::cudac
