// Available values of variables (the dataflow analysis of copy propagation): a walk that knows, at
// each operation, which value each variable holds.
#pragma once

#include <vector>

#include "phalanx/ir/ir.h"

namespace phalanx::passes {

// For each variable the value it is known to hold; nullptr where it is not known.
using Known = std::vector<ir::Operation*>;

class KnownValues {
 public:
  explicit KnownValues(const ir::Function& function) : variables_(function.variables.size()) {}
  virtual ~KnownValues() = default;

  void run(ir::Function& function);

 protected:
  KnownValues(const KnownValues&) = default;
  KnownValues& operator=(const KnownValues&) = default;

  // Called for each operation before its regions; false removes it, which then has no effect.
  // `known` is what holds before it.
  virtual bool visit(std::unique_ptr<ir::Operation>& operation, const Known& known) = 0;

 private:
  void walk(ir::Region& region, Known& known);
  void walk_nested(ir::Operation& operation, Known& known);
  void walk_if(ir::Operation& operation, Known& known);
  void forget_set(const ir::Region& region, Known& known) const;

  std::size_t variables_;
};

}  // namespace phalanx::passes
