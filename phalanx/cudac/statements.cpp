// Statements: blocks, branches, loops, jumps.
#include "phalanx/cudac/function_converter.h"
#include "phalanx/cudac/intrinsics.h"
#include "phalanx/ir/idioms.h"

namespace phalanx::cudac {

namespace {

void declarations(FunctionConverter& c, const clang::DeclStmt* given) {
  for (const clang::Decl* each : given->decls()) {
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(each))
      c.declare(*variable);
    else if (llvm::isa<clang::DecompositionDecl>(each))
      c.refuse(each->getLocation(), "structured bindings are not supported in device code");
  }
}

void branch(FunctionConverter& c, const clang::IfStmt* given) {
  c.statement(given->getInit());
  if (given->getConditionVariableDeclStmt() != nullptr)
    c.statement(given->getConditionVariableDeclStmt());
  if (given->isConstexpr()) {
    if (const auto chosen = given->getNondiscardedCase(c.context())) {
      if (*chosen != nullptr)
        c.statement(*chosen);
      return;
    }
  }
  const ir::Builder::Branches branches = c.builder().if_(c.condition(given->getCond()));
  {
    const auto scope = c.builder().enter(branches.then);
    c.statement(given->getThen());
  }
  if (given->getElse() == nullptr)
    return;
  const auto scope = c.builder().enter(branches.otherwise);
  c.statement(given->getElse());
}

void while_loop(FunctionConverter& c, const clang::WhileStmt* given) {
  const ir::Builder::Loop loop = c.builder().loop();
  const auto scope = c.builder().enter(loop.body);
  c.jumps().begin({c.jumps().level(), c.jumps().level(), false});
  c.jumps().enter();
  if (given->getConditionVariableDeclStmt() != nullptr)
    c.statement(given->getConditionVariableDeclStmt());
  ir::leave_unless(c.builder(), c.condition(given->getCond()));
  c.statement(given->getBody());
  c.jumps().exit();
  c.jumps().end();
}

// `continue` goes to the test, which is behind the body: it leaves a block around that.
void do_loop(FunctionConverter& c, const clang::DoStmt* given) {
  const ir::Builder::Loop loop = c.builder().loop();
  const auto scope = c.builder().enter(loop.body);
  c.jumps().begin({c.jumps().level(), c.jumps().level() + 1, true});
  c.jumps().enter();
  {
    ir::Region& body = c.builder().block();
    const auto inside = c.builder().enter(body);
    c.jumps().enter();
    c.statement(given->getBody());
    c.jumps().exit();
  }
  c.jumps().end();
  ir::leave_unless(c.builder(), c.condition(given->getCond()));
  c.jumps().exit();
}

// True for a counter that goes on by the same step: i++, i += n.
bool is_counted(const clang::Expr* increment) {
  const auto* step = llvm::dyn_cast<clang::UnaryOperator>(increment);
  if (step != nullptr)
    return step->isIncrementDecrementOp();
  const auto* sum = llvm::dyn_cast<clang::CompoundAssignOperator>(increment);
  return sum != nullptr &&
         (sum->getOpcode() == clang::BO_AddAssign || sum->getOpcode() == clang::BO_SubAssign);
}

// Analyses look for the bodies of counted loops in the branch that goes on, and for those of others
// behind their test.
void loop_body(FunctionConverter& c, const clang::ForStmt* given) {
  if (given->getCond() == nullptr)
    return c.statement(given->getBody());
  ir::Region& goes_on = ir::leave_unless(c.builder(), c.condition(given->getCond()));
  if (given->getInc() == nullptr || !is_counted(given->getInc()->IgnoreParenImpCasts()))
    return c.statement(given->getBody());
  const auto inside = c.builder().enter(goes_on);
  c.statement(given->getBody());
}

void for_loop(FunctionConverter& c, const clang::ForStmt* given) {
  c.statement(given->getInit());
  const ir::Builder::Loop loop = c.builder().loop();
  {
    const auto scope = c.builder().enter(loop.body);
    c.jumps().begin({c.jumps().level(), c.jumps().level(), false});
    c.jumps().enter();
    if (given->getConditionVariableDeclStmt() != nullptr)
      c.statement(given->getConditionVariableDeclStmt());
    loop_body(c, given);
    c.jumps().end();
    c.jumps().exit();
  }
  if (given->getInc() == nullptr)
    return;
  const auto scope = c.builder().enter(loop.step);
  c.jumps().enter();
  c.discard(given->getInc());
  c.jumps().exit();
}

void range_loop(FunctionConverter& c, const clang::CXXForRangeStmt* given) {
  c.statement(given->getInit());
  c.statement(given->getRangeStmt());
  c.statement(given->getBeginStmt());
  c.statement(given->getEndStmt());
  const ir::Builder::Loop loop = c.builder().loop();
  {
    const auto scope = c.builder().enter(loop.body);
    c.jumps().begin({c.jumps().level(), c.jumps().level(), false});
    c.jumps().enter();
    {
      const auto inside =
          c.builder().enter(ir::leave_unless(c.builder(), c.condition(given->getCond())));
      c.statement(given->getLoopVarStmt());
      c.statement(given->getBody());
    }
    c.jumps().end();
    c.jumps().exit();
  }
  const auto scope = c.builder().enter(loop.step);
  c.jumps().enter();
  c.discard(given->getInc());
  c.jumps().exit();
}

void return_from(FunctionConverter& c, const clang::ReturnStmt* given) {
  const clang::Expr* value = given->getRetValue();
  const clang::QualType type = c.return_type();
  if (value == nullptr) {
    c.builder().return_();
  } else if (type->isVoidType()) {
    c.discard(value);
    c.builder().return_();
  } else if (type->isReferenceType()) {
    c.builder().return_(c.address(c.place(value)));
  } else if (is_scalar(c.context(), type)) {
    c.builder().return_(c.scalar(value));
  } else {
    c.make(value, c.at(c.result_address(), type));
    c.builder().return_();
  }
}

}  // namespace

void FunctionConverter::locate(const clang::Stmt* statement) {
  const Location where = module_.location(statement->getBeginLoc());
  if (where.line != 0)
    builder_.at(where);
}

void FunctionConverter::statement(const clang::Stmt* given) {
  if (given == nullptr || builder_.is_ended())
    return;
  locate(given);
  if (const auto* expression = llvm::dyn_cast<clang::Expr>(given))
    return discard(expression);
  switch (given->getStmtClass()) {
    case clang::Stmt::CompoundStmtClass:
      for (const clang::Stmt* each : given->children()) statement(each);
      return;
    case clang::Stmt::NullStmtClass:
      return;
    case clang::Stmt::DeclStmtClass:
      return declarations(*this, llvm::cast<clang::DeclStmt>(given));
    case clang::Stmt::IfStmtClass:
      return branch(*this, llvm::cast<clang::IfStmt>(given));
    case clang::Stmt::WhileStmtClass:
      return while_loop(*this, llvm::cast<clang::WhileStmt>(given));
    case clang::Stmt::DoStmtClass:
      return do_loop(*this, llvm::cast<clang::DoStmt>(given));
    case clang::Stmt::ForStmtClass:
      return for_loop(*this, llvm::cast<clang::ForStmt>(given));
    case clang::Stmt::CXXForRangeStmtClass:
      return range_loop(*this, llvm::cast<clang::CXXForRangeStmt>(given));
    case clang::Stmt::SwitchStmtClass:
      return switch_over(*this, llvm::cast<clang::SwitchStmt>(given));
    case clang::Stmt::ReturnStmtClass:
      return return_from(*this, llvm::cast<clang::ReturnStmt>(given));
    case clang::Stmt::AttributedStmtClass:
      return statement(llvm::cast<clang::AttributedStmt>(given)->getSubStmt());
    case clang::Stmt::LabelStmtClass:
      return statement(llvm::cast<clang::LabelStmt>(given)->getSubStmt());
    case clang::Stmt::BreakStmtClass:
      return jumps_.break_from(builder_);
    case clang::Stmt::ContinueStmtClass:
      return jumps_.continue_in(builder_);
    case clang::Stmt::GotoStmtClass:
    case clang::Stmt::IndirectGotoStmtClass:
      refuse(given->getBeginLoc(), "goto is not supported in device code: write a loop or an if");
    case clang::Stmt::GCCAsmStmtClass:
    case clang::Stmt::MSAsmStmtClass:
      refuse(
          given->getBeginLoc(), "inline assembly is NVIDIA's: it runs on a GPU through NVRTC only");
    case clang::Stmt::CaseStmtClass:
    case clang::Stmt::DefaultStmtClass:
      refuse(given->getBeginLoc(), "a case must be directly in its switch");
    default:
      refuse(
          given->getBeginLoc(),
          std::string("this statement is not supported in device code (") +
              given->getStmtClassName() + ")");
  }
}

}  // namespace phalanx::cudac
