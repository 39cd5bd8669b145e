// switch: a chain of tests. A case that falls through has what follows it in its own branch too.
#include "phalanx/cudac/function_converter.h"

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

// Labels stand in front of statements: case 1: case 2: x = 1;
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

}  // namespace

void FunctionConverter::switch_over(const clang::SwitchStmt* given) {
  statement(given->getInit());
  if (given->getConditionVariableDeclStmt() != nullptr)
    statement(given->getConditionVariableDeclStmt());
  const Value value = scalar(given->getCond());
  Sections parts;
  if (const auto* body = llvm::dyn_cast<clang::CompoundStmt>(given->getBody())) {
    for (const clang::Stmt* each : body->body()) add_labelled(each, parts);
  } else {
    add_labelled(given->getBody(), parts);
  }

  ir::Region& region = builder_.block();
  const auto scope = builder_.enter(region);
  jumps_.push_back({level_, -1, false});
  ++level_;
  std::size_t emitted = 0;
  const auto run_from = [&](const Section& section) {
    for (std::size_t i = section.first; i < parts.statements.size() && !builder_.is_ended(); ++i) {
      if (++emitted > most_statements)
        refuse(given->getBeginLoc(), "this switch has too many cases that fall through");
      statement(parts.statements[i]);
    }
    if (!builder_.is_ended())
      leave(jumps_.back().break_level);
  };
  const Section* otherwise = nullptr;
  for (const Section& section : parts.sections) {
    if (section.is_default)
      otherwise = &section;
    if (section.cases.empty())
      continue;
    Value is_taken = nullptr;
    for (const clang::CaseStmt* each : section.cases) {
      const Value is_equal = case_test(value, *each);
      is_taken = is_taken == nullptr
                     ? is_equal
                     : builder_.elementwise(ir::Op::bitwise_or, {is_taken, is_equal});
    }
    const ir::Builder::Branches branches = builder_.if_(is_taken);
    const auto inside = builder_.enter(branches.then);
    run_from(section);
  }
  if (otherwise != nullptr)
    run_from(*otherwise);
  --level_;
  jumps_.pop_back();
}

Value FunctionConverter::case_test(Value value, const clang::CaseStmt& given) {
  const DType dtype = value->type.dtype();
  const auto number = [&](const clang::Expr* expression) {
    const llvm::APSInt known = expression->EvaluateKnownConstInt(context());
    return builder_.constant(dtype, known.getExtValue());
  };
  if (!given.caseStmtIsGNURange())
    return builder_.elementwise(ir::Op::equal, {value, number(given.getLHS())});
  return builder_.elementwise(
      ir::Op::bitwise_and,
      {builder_.elementwise(ir::Op::greater_equal, {value, number(given.getLHS())}),
       builder_.elementwise(ir::Op::less_equal, {value, number(given.getRHS())})});
}

}  // namespace phalanx::cudac
