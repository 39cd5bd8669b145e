// Copy propagation (with what LLVM's mem2reg does between joins): reads of a variable whose value
// is known become that value. What differs at a join stays a variable; the IR has no phi functions.
#include "phalanx/passes/known_values.h"
#include "phalanx/passes/passes.h"
#include "phalanx/passes/rewrite.h"

namespace phalanx::passes {

using ir::Function;
using ir::Op;
using ir::Operation;

namespace {

class Promoter : public KnownValues {
 public:
  using KnownValues::KnownValues;

 protected:
  bool visit(std::unique_ptr<Operation>& operation, const Known& known) override;

 private:
  Replacements replacements_;
};

bool Promoter::visit(std::unique_ptr<Operation>& operation, const Known& known) {
  replacements_.apply(*operation);
  // Setting a variable to what it holds is nothing.
  if (operation->op == Op::set)
    return known[operation->variable] != operation->operands[0];
  if (operation->op != Op::get || known[operation->variable] == nullptr)
    return true;
  Operation* value = known[operation->variable];
  if (value->name.empty())
    value->name = operation->name;
  replacements_.replace(std::move(operation), value);
  return false;
}

}  // namespace

void promote_variables(ir::Module& module) {
  for_each_function(module, [](Function& function) { Promoter(function).run(function); });
}

}  // namespace phalanx::passes
