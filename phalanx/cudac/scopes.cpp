// Compound statements: those that a goto leads through have blocks and loops for it.
#include <algorithm>

#include "phalanx/cudac/function_converter.h"
#include "phalanx/cudac/gotos.h"
#include "phalanx/cudac/intrinsics.h"

namespace phalanx::cudac {

namespace {

// A variable that is declared without a value: a jump may pass over it.
bool has_no_value(const clang::VarDecl& variable) {
  if (variable.getType()->isReferenceType() ||
      variable.getType().isDestructedType() != clang::QualType::DK_none)
    return false;
  const auto* made = llvm::dyn_cast_or_null<clang::CXXConstructExpr>(variable.getInit());
  return variable.getInit() == nullptr ||
         (made != nullptr && made->getNumArgs() == 0 && made->getConstructor()->isTrivial());
}

}  // namespace

void declare_early(FunctionConverter& c, std::vector<const clang::Stmt*>& statements) {
  for (const clang::Stmt*& each : statements) {
    const auto* declared = llvm::dyn_cast_or_null<clang::DeclStmt>(each);
    if (declared == nullptr)
      continue;
    const bool is_bare = std::ranges::all_of(declared->decls(), [](const clang::Decl* part) {
      const auto* variable = llvm::dyn_cast<clang::VarDecl>(part);
      return variable == nullptr || has_no_value(*variable);
    });
    if (!is_bare)
      continue;
    c.statement(each);
    each = nullptr;
  }
}

namespace {

class Statements {
 public:
  Statements(FunctionConverter& c, const clang::CompoundStmt& whole)
      : c_(c), all_(whole.body_begin(), whole.body_end()), plan_(plan_gotos(all_)) {
    if (plan_.impossible != nullptr)
      c.refuse(
          plan_.impossible->getBeginLoc(),
          "this goto enters a loop that another goto makes, which device code cannot do: write a "
          "loop or an if");
  }

  void run() {
    if (!plan_.ranges.empty())
      declare_early(c_, all_);
    run(0, all_.size());
  }

 private:
  void run(std::size_t first, std::size_t last) {
    while (first < last) {
      const auto next = std::ranges::find(plan_.ranges, first, &GotoRange::first);
      if (next == plan_.ranges.end()) {
        c_.statement(all_[first++]);
        continue;
      }
      const GotoRange range = *next;
      plan_.ranges.erase(next);
      enter(range);
      first = range.last;
    }
  }

  void enter(const GotoRange& range) {
    const std::size_t objects = c_.jumps().objects().size();
    ir::Region& region = range.is_loop ? c_.builder().loop().body : c_.builder().block();
    const auto scope = c_.builder().enter(region);
    c_.jumps().begin(*range.label, {c_.jumps().level(), range.is_loop, objects});
    c_.jumps().enter();
    run(range.first, range.last);
    if (range.is_loop) {
      c_.jumps().objects().end(objects);
      if (!c_.builder().is_ended())
        c_.builder().break_();
    }
    c_.jumps().exit();
    c_.jumps().end(*range.label);
  }

  FunctionConverter& c_;
  std::vector<const clang::Stmt*> all_;
  GotoPlan plan_;
};

}  // namespace

void compound(FunctionConverter& c, const clang::CompoundStmt* given) {
  Statements(c, *given).run();
}

}  // namespace phalanx::cudac
