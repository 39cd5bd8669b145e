#include "phalanx/cudac/usage.h"

#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>

namespace phalanx::cudac {

namespace {

const clang::VarDecl* named_variable(const clang::Expr* expression) {
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParens());
  return name == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(name->getDecl());
}

}  // namespace

// What is written to: a variable by its name keeps its own storage.
void Usage::add_target(const clang::Expr* target) {
  if (const clang::VarDecl* variable = named_variable(target))
    modified_.insert(variable);
  else
    add(target);
}

void Usage::add(const clang::Stmt* statement) {
  if (statement == nullptr)
    return;
  if (const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(statement);
      cast != nullptr && cast->getCastKind() == clang::CK_LValueToRValue &&
      named_variable(cast->getSubExpr()) != nullptr)
    return;  // it is read
  if (const auto* operation = llvm::dyn_cast<clang::BinaryOperator>(statement);
      operation != nullptr && operation->isAssignmentOp()) {
    add_target(operation->getLHS());
    add(operation->getRHS());
    return;
  }
  if (const auto* operation = llvm::dyn_cast<clang::UnaryOperator>(statement);
      operation != nullptr && operation->isIncrementDecrementOp()) {
    add_target(operation->getSubExpr());
    return;
  }
  if (const auto* lambda = llvm::dyn_cast<clang::LambdaExpr>(statement)) {
    // Its body is a function of its own: here are the values and references that it takes.
    for (const clang::Expr* captured : lambda->capture_inits()) add(captured);
    return;
  }
  if (const auto* expression = llvm::dyn_cast<clang::Expr>(statement)) {
    if (const clang::VarDecl* variable = named_variable(expression)) {
      addressed_.insert(variable);
      modified_.insert(variable);
      return;
    }
  }
  if (const auto* declaration = llvm::dyn_cast<clang::DeclStmt>(statement)) {
    for (const clang::Decl* each : declaration->decls()) {
      if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(each))
        add(variable->getInit());
    }
    return;
  }
  for (const clang::Stmt* child : statement->children()) add(child);
}

}  // namespace phalanx::cudac
