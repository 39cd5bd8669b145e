// Check mode: reads of local variables that the path taken gave no value. A variable of CUDA C that
// is declared without one begins as `undefined`; a flag beside it says whether it was assigned
// since, which promotion makes a constant of wherever that is known. Kernels in Python have flags
// of their front end.
#include <unordered_map>

#include "phalanx/ir/build_calls.h"
#include "phalanx/ir/builder.h"
#include "phalanx/passes/passes.h"
#include "phalanx/passes/rewrite.h"

namespace phalanx::passes {

using ir::Op;
using ir::Operation;
using ir::VariableId;

namespace {

bool is_declaration(const Operation& operation) {
  return operation.op == Op::set && operation.operands[0]->op == Op::undefined;
}

class Reporter {
 public:
  explicit Reporter(ir::Function& function) : function_(function), builder_(function) {}

  void run() {
    ir::for_each(function_.body, [&](const Operation& operation) {
      if (is_declaration(operation) && !function_.variables[operation.variable].name.empty())
        flags_[operation.variable] = 0;
    });
    for (auto& [variable, flag] : flags_) flag = builder_.variable("", DType::boolean);
    if (flags_.empty())
      return;
    rewrite_around(
        function_.body,
        [&](Operation& operation, ir::Region& before) { report(operation, before); },
        [&](Operation& operation, ir::Region& after) { note(operation, after); });
  }

 private:
  void report(const Operation& operation, ir::Region& before) {
    const auto flag = flags_.find(operation.variable);
    if (operation.op != Op::get || flag == flags_.end())
      return;
    const auto scope = builder_.enter(before);
    builder_.at(operation.location);
    ir::report_if(
        builder_,
        builder_.elementwise(Op::logical_not, {builder_.get(flag->second)}),
        {.check = Check::unassigned, .subject = function_.variables[operation.variable].name});
  }

  void note(const Operation& operation, ir::Region& after) {
    const auto flag = flags_.find(operation.variable);
    if (operation.op != Op::set || flag == flags_.end())
      return;
    const auto scope = builder_.enter(after);
    builder_.at(operation.location);
    builder_.set(flag->second, builder_.boolean(!is_declaration(operation)));
  }

  ir::Function& function_;
  ir::Builder builder_;
  std::unordered_map<VariableId, VariableId> flags_;  // of variables that begin without a value
};

}  // namespace

void report_unassigned(ir::Module& module, Checks checks) {
  if (!checks.has(Check::unassigned))
    return;
  for_each_function(module, [](ir::Function& function) { Reporter(function).run(); });
}

}  // namespace phalanx::passes
