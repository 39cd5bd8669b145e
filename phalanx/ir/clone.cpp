#include "phalanx/ir/clone.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace phalanx::ir {

Region OperationCopies::copy(const Region& original) {
  Region result;
  result.reserve(original.size());
  for (const auto& operation : original) result.push_back(copy(*operation));
  return result;
}

std::unique_ptr<Operation> OperationCopies::copy(const Operation& original) {
  auto result = std::make_unique<Operation>();
  result->op = original.op;
  result->type = original.type;
  for (Operation* operand : original.operands) {
    const auto copied = copies_.find(operand);
    result->operands.push_back(copied == copies_.end() ? operand : copied->second);
  }
  result->location = original.location;
  result->constant = original.constant;
  result->index = original.index;
  result->variable = original.variable;
  result->detail = original.detail;
  result->text = original.text;
  result->shape = original.shape;
  const auto callee = callees_.find(original.callee);
  result->callee = callee == callees_.end() ? original.callee : callee->second;
  result->fast_math = original.fast_math;
  result->no_wrap = original.no_wrap;
  result->name = original.name;
  copies_[&original] = result.get();
  for (const Region& nested : original.regions) result->regions.push_back(copy(nested));
  return result;
}

namespace {

std::vector<const Function*> all_of(const Module& module) {
  std::vector<const Function*> functions;
  functions.reserve(module.functions.size());
  for (const auto& function : module.functions) functions.push_back(function.get());
  return functions;
}

}  // namespace

ModuleCopy::ModuleCopy(const Module& source) : ModuleCopy(source, all_of(source)) {}

ModuleCopy::ModuleCopy(const Module& source, const std::vector<const Function*>& functions) {
  module.constants = source.constants;
  module.globals = source.globals;
  module.result = source.result;
  module.sources = source.sources;
  for (const Function* original : functions) {
    auto function = std::make_unique<Function>();
    function->name = original->name;
    function->kind = original->kind;
    function->result = original->result;
    function->returns_status = original->returns_status;
    function->variables = original->variables;
    function->source = original->source;
    copies_.replace(*original, *function);
    module.functions.push_back(std::move(function));
  }
  for (std::size_t i = 0; i < functions.size(); ++i) {
    module.functions[i]->parameters = copies_.copy(functions[i]->parameters);
    module.functions[i]->body = copies_.copy(functions[i]->body);
  }
}

std::vector<const Function*> reachable_from(const Module& module, const Function& function) {
  std::unordered_set<const Function*> found = {&function};
  std::vector<const Function*> waiting = {&function};
  while (!waiting.empty()) {
    const Function* const next = waiting.back();
    waiting.pop_back();
    for_each(next->body, [&](const Operation& operation) {
      if (operation.callee != nullptr && found.insert(operation.callee).second)
        waiting.push_back(operation.callee);
    });
  }
  std::vector<const Function*> ordered = all_of(module);
  std::erase_if(ordered, [&](const Function* each) { return !found.contains(each); });
  return ordered;
}

Module clone(const Module& module) { return std::move(ModuleCopy(module).module); }

Module slice(const Module& module, const Function& kernel) {
  return std::move(ModuleCopy(module, reachable_from(module, kernel)).module);
}

std::unique_ptr<Operation> make_operation(
    Op op, const Type& type, std::vector<Operation*> operands) {
  auto made = std::make_unique<Operation>();
  made->op = op;
  made->type = type;
  made->operands = std::move(operands);
  return made;
}

}  // namespace phalanx::ir
