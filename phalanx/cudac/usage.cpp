#include "phalanx/cudac/usage.h"

#include <algorithm>

#include <clang/AST/Attr.h>
#include <clang/AST/Expr.h>
#include <clang/AST/ExprCXX.h>

namespace phalanx::cudac {

namespace {

const clang::VarDecl* named_variable(const clang::Expr* expression) {
  const auto* name = llvm::dyn_cast<clang::DeclRefExpr>(expression->IgnoreParens());
  return name == nullptr ? nullptr : llvm::dyn_cast<clang::VarDecl>(name->getDecl());
}

// The variable whose place an expression gives behind a change of it: (n = 1), ++n.
const clang::VarDecl* changed_variable(const clang::Stmt* given) {
  const auto* expression = llvm::dyn_cast_or_null<clang::Expr>(given);
  if (expression == nullptr || !expression->isGLValue())
    return nullptr;
  expression = expression->IgnoreParens();
  const clang::Expr* inner = nullptr;
  if (const auto* operation = llvm::dyn_cast<clang::BinaryOperator>(expression)) {
    if (operation->getOpcode() == clang::BO_Comma)
      return changed_variable(operation->getRHS());
    inner = operation->isAssignmentOp() ? operation->getLHS() : nullptr;
  } else if (const auto* step = llvm::dyn_cast<clang::UnaryOperator>(expression)) {
    inner = step->isIncrementDecrementOp() ? step->getSubExpr() : nullptr;
  }
  if (inner == nullptr)
    return nullptr;
  const clang::VarDecl* variable = named_variable(inner);
  return variable == nullptr ? changed_variable(inner) : variable;
}

// c ? x : y, where only the value is wanted; nullptr for others.
const clang::ConditionalOperator* read_choice(const clang::Stmt* statement) {
  const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(statement);
  return cast == nullptr || cast->getCastKind() != clang::CK_LValueToRValue
             ? nullptr
             : llvm::dyn_cast<clang::ConditionalOperator>(cast->getSubExpr()->IgnoreParens());
}

// True for what only reads the place that its operand gives, or drops it.
bool needs_no_address(const clang::Stmt* statement) {
  if (const auto* cast = llvm::dyn_cast<clang::CastExpr>(statement))
    return cast->getCastKind() == clang::CK_LValueToRValue ||
           cast->getCastKind() == clang::CK_ToVoid;
  const auto* comma = llvm::dyn_cast<clang::BinaryOperator>(statement);
  return (comma != nullptr && comma->getOpcode() == clang::BO_Comma) ||
         llvm::isa<clang::ParenExpr, clang::FullExpr>(statement) ||
         !llvm::isa<clang::Expr, clang::ReturnStmt>(statement);
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
  const auto keep = [&](const clang::Stmt* part) {
    if (const clang::VarDecl* variable = changed_variable(part))
      addressed_.insert(variable);
    add(part);
  };
  if (const auto* cast = llvm::dyn_cast<clang::ImplicitCastExpr>(statement);
      cast != nullptr && cast->getCastKind() == clang::CK_LValueToRValue &&
      named_variable(cast->getSubExpr()) != nullptr)
    return;  // it is read
  if (const auto* chosen = read_choice(statement)) {
    add(chosen->getCond());
    for (const clang::Expr* each : {chosen->getTrueExpr(), chosen->getFalseExpr()}) {
      if (named_variable(each) == nullptr)
        add(each);
    }
    return;
  }
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
    for (const clang::Expr* captured : lambda->capture_inits()) keep(captured);
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
        keep(variable->getInit());
    }
    return;
  }
  const bool is_place_dropped = needs_no_address(statement);
  for (const clang::Stmt* child : statement->children()) {
    if (is_place_dropped)
      add(child);
    else
      keep(child);
  }
}

void Usage::add_body(const clang::Stmt* body) {
  add(body);
  add_shared(body);
}

void Usage::add_shared(const clang::Stmt* statement) {
  if (statement == nullptr || llvm::isa<clang::LambdaExpr>(statement))
    return;  // whose body is a function of its own
  const auto* expression = llvm::dyn_cast<clang::Expr>(statement);
  const clang::VarDecl* variable = expression == nullptr ? nullptr : named_variable(expression);
  if (variable != nullptr && variable->isFileVarDecl() &&
      variable->hasAttr<clang::CUDASharedAttr>() &&
      std::ranges::find(shared_of_file_, variable) == shared_of_file_.end())
    shared_of_file_.push_back(variable);
  for (const clang::Stmt* child : statement->children()) add_shared(child);
}

}  // namespace phalanx::cudac
