#include "phalanx/codegen/cpu/kernel_copy.h"

#include <utility>

namespace phalanx::codegen::cpu {

using ir::Operation;
using ir::Region;

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
  result->name = original.name;
  copies_[&original] = result.get();
  for (const Region& nested : original.regions) result->regions.push_back(copy(nested));
  return result;
}

KernelCopy::KernelCopy(const ir::Module& source) {
  module.constants = source.constants;
  module.result = source.result;
  module.sources = source.sources;
  for (const auto& original : source.functions) {
    auto function = std::make_unique<ir::Function>();
    function->name = original->name;
    function->kind = original->kind;
    function->result = original->result;
    function->returns_status = original->returns_status;
    function->variables = original->variables;
    function->source = original->source;
    copies_.replace(*original, *function);
    module.functions.push_back(std::move(function));
  }
  for (std::size_t i = 0; i < source.functions.size(); ++i) {
    module.functions[i]->parameters = copies_.copy(source.functions[i]->parameters);
    module.functions[i]->body = copies_.copy(source.functions[i]->body);
  }
}

std::unique_ptr<Operation> make_operation(
    ir::Op op, const ir::Type& type, std::vector<Operation*> operands) {
  auto made = std::make_unique<Operation>();
  made->op = op;
  made->type = type;
  made->operands = std::move(operands);
  return made;
}

}  // namespace phalanx::codegen::cpu
