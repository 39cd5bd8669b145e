// Cloning of IR (as LLVM's CloneFunction and CloneModule).
#pragma once

#include <memory>
#include <unordered_map>
#include <vector>

#include "phalanx/base/export.h"
#include "phalanx/ir/ir.h"

namespace phalanx::ir {

// Copies operations; those copied later use the copies of those copied before.
class OperationCopies {
 public:
  Region copy(const Region& original);
  std::unique_ptr<Operation> copy(const Operation& original);

  // What replaces `original` from now on.
  void replace(const Operation& original, Operation& by) { copies_[&original] = &by; }
  void replace(const Function& original, Function& by) { callees_[&original] = &by; }
  Operation* of(const Operation& original) const { return copies_.at(&original); }

 private:
  std::unordered_map<const Operation*, Operation*> copies_;
  std::unordered_map<const Function*, Function*> callees_;
};

// A copy of a module's functions, or of some that call no others; knows the copy of each operation.
class ModuleCopy {
 public:
  explicit ModuleCopy(const Module& source);
  ModuleCopy(const Module& source, const std::vector<const Function*>& functions);

  Operation* of(const Operation& original) const { return copies_.of(original); }

  Module module;

 private:
  OperationCopies copies_;
};

// The function and what it calls, directly or not, in the module's order.
PHX_API std::vector<const Function*> reachable_from(const Module& module, const Function& function);

PHX_API Module clone(const Module& module);

// A copy of one kernel with what it calls, and with all constants and globals of the module.
PHX_API Module slice(const Module& module, const Function& kernel);

// Calls visit(module) for each kernel: with the module itself where that has one kernel, else with
// the kernel's slice.
template <typename Visitor>
void for_each_kernel(const Module& module, const Visitor& visit) {
  const std::vector<Function*> kernels = module.kernels();
  if (kernels.size() < 2)
    return visit(module);
  for (const Function* kernel : kernels) visit(slice(module, *kernel));
}

// An operation that names no variable.
std::unique_ptr<Operation> make_operation(
    Op op, const Type& type, std::vector<Operation*> operands);

}  // namespace phalanx::ir
