// The tree of regions in preorder (ancestors by their numbers: Dietz, 1982): the parent of each
// operation, its target, and what its subtree contains.
#pragma once

#include <unordered_map>
#include <vector>

#include "phalanx/ir/ir.h"

namespace phalanx::codegen::cpu {

// An operation as a node of the tree of regions, with its preorder number.
struct NestingNode {
  const ir::Operation* parent = nullptr;  // null: the function's body
  unsigned region = 0;                    // of the parent
  unsigned position = 0;                  // in the region
  unsigned number = 0;                    // in the function, each before what is nested in it
  unsigned last = 0;  // the number of the last operation nested in it, or its own
  // break_, continue_: the loop or block it leaves or goes on with; null for all others.
  const ir::Operation* target = nullptr;
  bool has_barrier = false;  // here or in a nested region
  bool has_effect = false;   // writes memory, prints, raises, calls or waits
  bool touches_memory = false;
  bool is_used = false;  // as an operand
};

class Nesting {
 public:
  explicit Nesting(const ir::Function& function);

  const NestingNode& at(const ir::Operation& operation) const { return nodes_.at(&operation); }
  bool is_inside(const ir::Operation& operation, const ir::Operation* ancestor) const;
  const ir::Function& function() const { return function_; }
  // Every get and set of each variable, in order.
  const std::vector<const ir::Operation*>& touches(ir::VariableId variable) const {
    return touches_.at(variable);
  }
  // True if one of the operations with the numbers `first` to `last` reads the variable.
  bool is_read_between(ir::VariableId variable, unsigned first, unsigned last) const;
  bool is_read_outside(ir::VariableId variable, const ir::Operation& control) const;
  bool is_read_after(ir::VariableId variable, const ir::Operation& control) const;
  bool is_read_in(ir::VariableId variable, const ir::Region& region) const;

 private:
  void visit(const ir::Region& region, const ir::Operation* parent, unsigned number);
  const ir::Operation* find_target(const ir::Operation& jump) const;

  const ir::Function& function_;
  std::unordered_map<const ir::Operation*, NestingNode> nodes_;
  std::vector<std::vector<const ir::Operation*>> touches_;
  std::vector<std::vector<unsigned>> reads_;  // the numbers of each variable's gets, ascending
  unsigned count_ = 0;
};

bool is_jump(ir::Op op);        // break_, continue_, return_, raise
bool is_structured(ir::Op op);  // if_, loop, block

}  // namespace phalanx::codegen::cpu
