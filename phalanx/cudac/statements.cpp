// Statements: blocks, branches, loops, jumps.
#include "phalanx/cudac/function_converter.h"
#include "phalanx/ir/idioms.h"

namespace phalanx::cudac {

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
      return declarations(llvm::cast<clang::DeclStmt>(given));
    case clang::Stmt::IfStmtClass:
      return branch(llvm::cast<clang::IfStmt>(given));
    case clang::Stmt::WhileStmtClass:
      return while_loop(llvm::cast<clang::WhileStmt>(given));
    case clang::Stmt::DoStmtClass:
      return do_loop(llvm::cast<clang::DoStmt>(given));
    case clang::Stmt::ForStmtClass:
      return for_loop(llvm::cast<clang::ForStmt>(given));
    case clang::Stmt::CXXForRangeStmtClass:
      return range_loop(llvm::cast<clang::CXXForRangeStmt>(given));
    case clang::Stmt::SwitchStmtClass:
      return switch_over(llvm::cast<clang::SwitchStmt>(given));
    case clang::Stmt::ReturnStmtClass:
      return return_from(llvm::cast<clang::ReturnStmt>(given));
    case clang::Stmt::AttributedStmtClass:
      return statement(llvm::cast<clang::AttributedStmt>(given)->getSubStmt());
    case clang::Stmt::LabelStmtClass:
      return statement(llvm::cast<clang::LabelStmt>(given)->getSubStmt());
    case clang::Stmt::BreakStmtClass:
      return leave(jumps_.back().break_level);
    case clang::Stmt::ContinueStmtClass:
      return continue_loop();
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

void FunctionConverter::declarations(const clang::DeclStmt* given) {
  for (const clang::Decl* each : given->decls()) {
    if (const auto* variable = llvm::dyn_cast<clang::VarDecl>(each))
      declare(*variable);
    else if (llvm::isa<clang::DecompositionDecl>(each))
      refuse(each->getLocation(), "structured bindings are not supported in device code");
  }
}

// A break out of the loop or block that is `target_level` levels deep.
void FunctionConverter::leave(std::int64_t target_level) {
  builder_.break_(level_ - target_level - 1);
}

void FunctionConverter::continue_loop() {
  for (std::size_t i = jumps_.size(); i > 0; --i) {
    const Jumps& jumps = jumps_[i - 1];
    if (jumps.continue_level < 0)
      continue;  // a switch
    if (jumps.continues_by_break)
      leave(jumps.continue_level);
    else
      builder_.continue_(level_ - jumps.continue_level - 1);
    return;
  }
}

void FunctionConverter::branch(const clang::IfStmt* given) {
  statement(given->getInit());
  if (given->getConditionVariableDeclStmt() != nullptr)
    statement(given->getConditionVariableDeclStmt());
  if (given->isConstexpr()) {
    if (const auto chosen = given->getNondiscardedCase(context())) {
      if (*chosen != nullptr)
        statement(*chosen);
      return;
    }
  }
  const ir::Builder::Branches branches = builder_.if_(condition(given->getCond()));
  {
    const auto scope = builder_.enter(branches.then);
    statement(given->getThen());
  }
  if (given->getElse() == nullptr)
    return;
  const auto scope = builder_.enter(branches.otherwise);
  statement(given->getElse());
}

void FunctionConverter::while_loop(const clang::WhileStmt* given) {
  const ir::Builder::Loop loop = builder_.loop();
  const auto scope = builder_.enter(loop.body);
  jumps_.push_back({level_, level_, false});
  ++level_;
  if (given->getConditionVariableDeclStmt() != nullptr)
    statement(given->getConditionVariableDeclStmt());
  {
    const auto inside = builder_.enter(ir::leave_unless(builder_, condition(given->getCond())));
    statement(given->getBody());
  }
  --level_;
  jumps_.pop_back();
}

// `continue` goes to the test, which is behind the body: it leaves a block around that.
void FunctionConverter::do_loop(const clang::DoStmt* given) {
  const ir::Builder::Loop loop = builder_.loop();
  const auto scope = builder_.enter(loop.body);
  jumps_.push_back({level_, level_ + 1, true});
  ++level_;
  {
    ir::Region& body = builder_.block();
    const auto inside = builder_.enter(body);
    ++level_;
    statement(given->getBody());
    --level_;
  }
  jumps_.pop_back();
  ir::leave_unless(builder_, condition(given->getCond()));
  --level_;
}

void FunctionConverter::for_loop(const clang::ForStmt* given) {
  statement(given->getInit());
  const ir::Builder::Loop loop = builder_.loop();
  {
    const auto scope = builder_.enter(loop.body);
    jumps_.push_back({level_, level_, false});
    ++level_;
    if (given->getConditionVariableDeclStmt() != nullptr)
      statement(given->getConditionVariableDeclStmt());
    if (given->getCond() == nullptr) {
      statement(given->getBody());
    } else {
      const auto inside = builder_.enter(ir::leave_unless(builder_, condition(given->getCond())));
      statement(given->getBody());
    }
    jumps_.pop_back();
    --level_;
  }
  if (given->getInc() == nullptr)
    return;
  const auto scope = builder_.enter(loop.step);
  ++level_;
  discard(given->getInc());
  --level_;
}

void FunctionConverter::range_loop(const clang::CXXForRangeStmt* given) {
  statement(given->getInit());
  statement(given->getRangeStmt());
  statement(given->getBeginStmt());
  statement(given->getEndStmt());
  const ir::Builder::Loop loop = builder_.loop();
  {
    const auto scope = builder_.enter(loop.body);
    jumps_.push_back({level_, level_, false});
    ++level_;
    {
      const auto inside = builder_.enter(ir::leave_unless(builder_, condition(given->getCond())));
      statement(given->getLoopVarStmt());
      statement(given->getBody());
    }
    jumps_.pop_back();
    --level_;
  }
  const auto scope = builder_.enter(loop.step);
  ++level_;
  discard(given->getInc());
  --level_;
}

void FunctionConverter::return_from(const clang::ReturnStmt* given) {
  const clang::Expr* value = given->getRetValue();
  const clang::QualType type = declaration_.getReturnType();
  if (value == nullptr) {
    builder_.return_();
  } else if (type->isVoidType()) {
    discard(value);
    builder_.return_();
  } else if (type->isReferenceType()) {
    builder_.return_(address(place(value)));
  } else if (is_scalar(context(), type)) {
    builder_.return_(scalar(value));
  } else {
    make(value, at(result_, type));
    builder_.return_();
  }
}

}  // namespace phalanx::cudac
