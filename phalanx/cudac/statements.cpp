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
  }
}

void branch(FunctionConverter& c, const clang::IfStmt* given) {
  c.statement(given->getInit());
  if (given->getConditionVariableDeclStmt() != nullptr)
    c.statement(given->getConditionVariableDeclStmt());
  if (given->isConstexpr()) {
    if (const auto chosen = given->getNondiscardedCase(c.context())) {
      if (*chosen != nullptr)
        scoped(c, *chosen);
      return;
    }
  }
  const ir::Builder::Branches branches = c.builder().if_(c.condition(given->getCond()));
  {
    const auto scope = c.builder().enter(branches.then);
    scoped(c, given->getThen());
  }
  if (given->getElse() == nullptr)
    return;
  const auto scope = c.builder().enter(branches.otherwise);
  scoped(c, given->getElse());
}

// The test at the begin of a loop. What its variable holds ends where the loop is left.
ir::Region& leave_unless(FunctionConverter& c, const clang::Expr* test, std::size_t objects) {
  const ir::Builder::Branches branches = c.builder().if_(c.condition(test));
  const auto scope = c.builder().enter(branches.otherwise);
  c.jumps().objects().destroy_from(objects);
  c.builder().break_();
  return branches.then;
}

void while_loop(FunctionConverter& c, const clang::WhileStmt* given) {
  const ir::Builder::Loop loop = c.builder().loop();
  const auto scope = c.builder().enter(loop.body);
  c.jumps().begin({c.jumps().level(), c.jumps().level(), false, c.jumps().objects().size()});
  c.jumps().enter();
  const std::size_t objects = c.jumps().objects().size();
  if (given->getConditionVariableDeclStmt() != nullptr)
    c.statement(given->getConditionVariableDeclStmt());
  leave_unless(c, given->getCond(), objects);
  scoped(c, given->getBody());
  c.jumps().objects().end(objects);
  c.jumps().exit();
  c.jumps().end();
}

// `continue` goes to the test, which is behind the body: it leaves a block around that.
void do_loop(FunctionConverter& c, const clang::DoStmt* given) {
  const ir::Builder::Loop loop = c.builder().loop();
  const auto scope = c.builder().enter(loop.body);
  c.jumps().begin({c.jumps().level(), c.jumps().level() + 1, true, c.jumps().objects().size()});
  c.jumps().enter();
  {
    ir::Region& body = c.builder().block();
    const auto inside = c.builder().enter(body);
    c.jumps().enter();
    scoped(c, given->getBody());
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
    return scoped(c, given->getBody());
  ir::Region& goes_on = leave_unless(c, given->getCond(), c.jumps().objects().size());
  if (given->getInc() == nullptr || !is_counted(given->getInc()->IgnoreParenImpCasts()))
    return scoped(c, given->getBody());
  const auto inside = c.builder().enter(goes_on);
  scoped(c, given->getBody());
}

// True of for (; Lock lock{...}; step): the object ends behind the step.
bool has_object_in_test(const clang::ForStmt* given) {
  const clang::VarDecl* variable = given->getConditionVariable();
  return variable != nullptr && variable->getType().isDestructedType() != clang::QualType::DK_none;
}

// The step is in the loop's body, where the object is: `continue` leaves a block before it.
void for_loop_with_object(FunctionConverter& c, const clang::ForStmt* given) {
  const ir::Builder::Loop loop = c.builder().loop();
  const auto scope = c.builder().enter(loop.body);
  const std::int64_t level = c.jumps().level();
  c.jumps().enter();
  const std::size_t before = c.jumps().objects().size();
  c.statement(given->getConditionVariableDeclStmt());
  leave_unless(c, given->getCond(), before);
  c.jumps().begin({level, level + 1, true, before, c.jumps().objects().size()});
  {
    ir::Region& body = c.builder().block();
    const auto inside = c.builder().enter(body);
    c.jumps().enter();
    scoped(c, given->getBody());
    c.jumps().exit();
  }
  c.jumps().end();
  if (given->getInc() != nullptr)
    c.discard(given->getInc());
  c.jumps().objects().end(before);
  c.jumps().exit();
}

void for_loop(FunctionConverter& c, const clang::ForStmt* given) {
  c.statement(given->getInit());
  if (has_object_in_test(given))
    return for_loop_with_object(c, given);
  const ir::Builder::Loop loop = c.builder().loop();
  {
    const auto scope = c.builder().enter(loop.body);
    c.jumps().begin({c.jumps().level(), c.jumps().level(), false, c.jumps().objects().size()});
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
    c.jumps().begin({c.jumps().level(), c.jumps().level(), false, c.jumps().objects().size()});
    c.jumps().enter();
    {
      const auto inside =
          c.builder().enter(ir::leave_unless(c.builder(), c.condition(given->getCond())));
      const std::size_t first = c.jumps().objects().size();
      c.statement(given->getLoopVarStmt());
      scoped(c, given->getBody());
      c.jumps().objects().end(first);
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
  const clang::VarDecl* kept = given->getNRVOCandidate();
  if (kept != nullptr && !is_result(c, *kept))
    kept = nullptr;
  Value result = nullptr;
  if (value == nullptr) {
    // Of a constructor too, for example.
  } else if (type->isVoidType()) {
    c.discard(value);
  } else if (type->isReferenceType()) {
    result = c.address(c.place(value));
  } else if (is_scalar(c.context(), type)) {
    result = c.scalar(value);
  } else if (kept == nullptr) {
    c.make(value, c.at(c.result_address(), type));
  }
  c.jumps().objects().destroy_from(0, kept);
  c.builder().return_(result);
}

// C lets a jump leave any number of statements, and enter those of a block that it is in.
void go_to(FunctionConverter& c, const clang::GotoStmt* given) {
  const Jumps::Label* target = c.jumps().find(*given->getLabel());
  if (target == nullptr)
    c.refuse(
        given->getBeginLoc(),
        "this goto enters a statement that it is not in, which device code cannot do: write a loop "
        "or an if");
  c.jumps().objects().destroy_from(target->objects);
  c.jumps().go_to(c.builder(), *target);
}

// What later stages do with statements takes the square of how deep they are in each other.
class DepthGuard {
 public:
  DepthGuard(FunctionConverter& c, const clang::Stmt* statement) : c_(c) {
    constexpr unsigned deepest = 480;  // the IR has two regions for a loop, and 1000 at most
    if (++c.jumps().depth() > deepest)
      c.refuse(
          statement->getBeginLoc(),
          "statements are more than 480 deep within each other: make functions of the inner ones");
  }
  DepthGuard(const DepthGuard&) = delete;
  DepthGuard& operator=(const DepthGuard&) = delete;
  ~DepthGuard() { --c_.jumps().depth(); }

 private:
  FunctionConverter& c_;
};

void emit_statement(FunctionConverter& c, const clang::Stmt* given) {
  c.locate(given);
  if (const auto* expression = llvm::dyn_cast<clang::Expr>(given))
    return c.discard(expression);
  switch (given->getStmtClass()) {
    case clang::Stmt::CompoundStmtClass:
      return compound(c, llvm::cast<clang::CompoundStmt>(given));
    case clang::Stmt::NullStmtClass:
      return;
    case clang::Stmt::DeclStmtClass:
      return declarations(c, llvm::cast<clang::DeclStmt>(given));
    case clang::Stmt::IfStmtClass:
      return branch(c, llvm::cast<clang::IfStmt>(given));
    case clang::Stmt::WhileStmtClass:
      return while_loop(c, llvm::cast<clang::WhileStmt>(given));
    case clang::Stmt::DoStmtClass:
      return do_loop(c, llvm::cast<clang::DoStmt>(given));
    case clang::Stmt::ForStmtClass:
      return for_loop(c, llvm::cast<clang::ForStmt>(given));
    case clang::Stmt::CXXForRangeStmtClass:
      return range_loop(c, llvm::cast<clang::CXXForRangeStmt>(given));
    case clang::Stmt::SwitchStmtClass:
      return switch_over(c, llvm::cast<clang::SwitchStmt>(given));
    case clang::Stmt::ReturnStmtClass:
      return return_from(c, llvm::cast<clang::ReturnStmt>(given));
    case clang::Stmt::AttributedStmtClass:
      return c.statement(llvm::cast<clang::AttributedStmt>(given)->getSubStmt());
    case clang::Stmt::LabelStmtClass:
      return c.statement(llvm::cast<clang::LabelStmt>(given)->getSubStmt());
    case clang::Stmt::BreakStmtClass:
      c.jumps().objects().destroy_from(c.jumps().innermost().objects);
      return c.jumps().break_from(c.builder());
    case clang::Stmt::ContinueStmtClass:
      c.jumps().objects().destroy_from(c.jumps().innermost_loop().continue_objects);
      return c.jumps().continue_in(c.builder());
    case clang::Stmt::GotoStmtClass:
      return go_to(c, llvm::cast<clang::GotoStmt>(given));
    case clang::Stmt::IndirectGotoStmtClass:
      c.refuse(
          given->getBeginLoc(),
          "device code cannot jump to the address of a label: write a switch");
    case clang::Stmt::GCCAsmStmtClass:
      return assembly(c, llvm::cast<clang::GCCAsmStmt>(given));
    case clang::Stmt::CaseStmtClass:
    case clang::Stmt::DefaultStmtClass:
      c.refuse(given->getBeginLoc(), "a case must be directly in its switch");
    default:
      c.refuse(
          given->getBeginLoc(),
          std::string("this statement is not supported in device code (") +
              given->getStmtClassName() + ")");
  }
}

}  // namespace

void FunctionConverter::locate(const clang::Stmt* statement) {
  current_.where = statement->getBeginLoc();
  const Location where = module_.location(current_.where);
  if (where.line != 0)
    builder_.at(where);
}

void FunctionConverter::statement(const clang::Stmt* given) {
  if (given == nullptr || builder_.is_ended())
    return;
  Objects& objects = jumps_.objects();
  const std::size_t first = objects.size();
  const DepthGuard deeper(*this, given);
  emit_statement(*this, given);
  const bool goes_on = llvm::isa<clang::DeclStmt, clang::LabelStmt, clang::AttributedStmt>(given);
  if (!goes_on)
    objects.end(first);
}

}  // namespace phalanx::cudac
