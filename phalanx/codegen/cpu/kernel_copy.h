// Cloning of IR (as LLVM's CloneFunction): copies that take the CPU's own shape.
#pragma once

#include <memory>
#include <unordered_map>

#include "phalanx/ir/ir.h"

namespace phalanx::codegen::cpu {

// Copies operations; those copied later use the copies of those copied before.
class OperationCopies {
 public:
  ir::Region copy(const ir::Region& original);
  std::unique_ptr<ir::Operation> copy(const ir::Operation& original);

  // What replaces `original` from now on.
  void replace(const ir::Operation& original, ir::Operation& by) { copies_[&original] = &by; }
  void replace(const ir::Function& original, ir::Function& by) { callees_[&original] = &by; }
  ir::Operation* of(const ir::Operation& original) const { return copies_.at(&original); }

 private:
  std::unordered_map<const ir::Operation*, ir::Operation*> copies_;
  std::unordered_map<const ir::Function*, ir::Function*> callees_;
};

// A copy of a kernel with what it calls; knows the copy of each operation.
class KernelCopy {
 public:
  explicit KernelCopy(const ir::Module& source);

  ir::Operation* of(const ir::Operation& original) const { return copies_.of(original); }

  ir::Module module;

 private:
  OperationCopies copies_;
};

// An operation that names no variable.
std::unique_ptr<ir::Operation> make_operation(
    ir::Op op, const ir::Type& type, std::vector<ir::Operation*> operands);

}  // namespace phalanx::codegen::cpu
