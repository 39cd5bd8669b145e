// switch: a chain of tests. A case that falls through has what follows it in its own branch too.
#include "phalanx/cudac/function_converter.h"
#include "phalanx/cudac/intrinsics.h"

namespace phalanx::cudac {

namespace {

constexpr std::size_t most_statements = 4096;  // of all branches

// The statements of a switch, and where a value or `default` leads among them.
struct Section {
  std::vector<const clang::CaseStmt*> cases;
  bool is_default = false;
  std::size_t first = 0;  // statement
};

struct Sections {
  std::vector<Section> sections;
  std::vector<const clang::Stmt*> statements;
};

// Labels come before statements: case 1: case 2: x = 1;
void add_labelled(const clang::Stmt* statement, Sections& result) {
  Section section;
  section.first = result.statements.size();
  while (const auto* label = llvm::dyn_cast<clang::SwitchCase>(statement)) {
    if (const auto* each = llvm::dyn_cast<clang::CaseStmt>(label))
      section.cases.push_back(each);
    else
      section.is_default = true;
    statement = label->getSubStmt();
  }
  if (section.is_default || !section.cases.empty())
    result.sections.push_back(std::move(section));
  result.statements.push_back(statement);
}

Value case_test(FunctionConverter& c, Value value, const clang::CaseStmt& given) {
  const DType dtype = value->type.dtype();
  const auto number = [&](const clang::Expr* expression) {
    const llvm::APSInt known = expression->EvaluateKnownConstInt(c.context());
    return c.builder().constant(dtype, bits_of(known));
  };
  if (!given.caseStmtIsGNURange())
    return c.builder().elementwise(ir::Op::equal, {value, number(given.getLHS())});
  return c.builder().elementwise(
      ir::Op::bitwise_and,
      {c.builder().elementwise(ir::Op::greater_equal, {value, number(given.getLHS())}),
       c.builder().elementwise(ir::Op::less_equal, {value, number(given.getRHS())})});
}

}  // namespace

void switch_over(FunctionConverter& c, const clang::SwitchStmt* given) {
  c.statement(given->getInit());
  if (given->getConditionVariableDeclStmt() != nullptr)
    c.statement(given->getConditionVariableDeclStmt());
  Value value = c.scalar(given->getCond());
  Sections parts;
  if (const auto* body = llvm::dyn_cast<clang::CompoundStmt>(given->getBody())) {
    for (const clang::Stmt* each : body->body()) add_labelled(each, parts);
  } else {
    add_labelled(given->getBody(), parts);
  }

  declare_early(c, parts.statements);
  ir::Region& region = c.builder().block();
  const auto scope = c.builder().enter(region);
  c.jumps().begin({c.jumps().level(), -1, false, c.jumps().objects().size()});
  c.jumps().enter();
  std::size_t emitted = 0;
  const auto run_from = [&](const Section& section) {
    const std::size_t objects = c.jumps().objects().size();
    for (std::size_t i = section.first; i < parts.statements.size() && !c.builder().is_ended();
         ++i) {
      if (++emitted > most_statements)
        c.refuse(
            given->getBeginLoc(),
            "the branches of this switch have over 4096 statements together, where those that "
            "fall through count for each case: read the values from an array, or make several "
            "switches of it");
      c.statement(parts.statements[i]);
    }
    c.jumps().objects().end(objects);
    if (!c.builder().is_ended())
      c.jumps().break_from(c.builder());
  };
  const Section* otherwise = nullptr;
  for (const Section& section : parts.sections) {
    if (section.is_default)
      otherwise = &section;
    if (section.cases.empty())
      continue;
    Value is_taken = nullptr;
    for (const clang::CaseStmt* each : section.cases) {
      Value is_equal = case_test(c, value, *each);
      is_taken = is_taken == nullptr
                     ? is_equal
                     : c.builder().elementwise(ir::Op::bitwise_or, {is_taken, is_equal});
    }
    const ir::Builder::Branches branches = c.builder().if_(is_taken);
    const auto inside = c.builder().enter(branches.then);
    run_from(section);
  }
  if (otherwise != nullptr)
    run_from(*otherwise);
  c.jumps().exit();
  c.jumps().end();
}

}  // namespace phalanx::cudac
