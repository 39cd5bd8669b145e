// Abstract interpretation over intervals (Cousot and Cousot, 1977): a walk over a function that
// knows, at each operation, which numbers integers can be.
#pragma once

#include <vector>

#include "phalanx/ir/ir.h"
#include "phalanx/passes/ranges.h"

namespace phalanx::passes {

// First finds bounds of the variables that hold wherever they are read, then visits.
class RangeWalk {
 public:
  explicit RangeWalk(ir::Function& function);
  virtual ~RangeWalk() = default;
  RangeWalk(const RangeWalk&) = delete;
  RangeWalk& operator=(const RangeWalk&) = delete;

  void run();

 protected:
  // Each operation in order, before the regions in it; what is put into `before` will be in
  // front of it.
  virtual void visit(ir::Operation& operation, ir::Region& before) = 0;
  // The same when the regions in it are done; what is put into `after` will are after it.
  virtual void leave(ir::Operation& /*operation*/, ir::Region& /*after*/) {}

  ir::Function& function() { return function_; }
  Ranges& ranges() { return ranges_; }

 private:
  void walk(ir::Region& region);
  void walk_operation(ir::Operation& operation);
  void walk_if(ir::Operation& operation);
  void check_set(const ir::Operation& set);

  ir::Function& function_;
  std::vector<std::size_t> level_;  // of each variable, in the list of tried bounds
  std::vector<Interval> variables_;
  Ranges ranges_;
  bool has_converged_ = true;
  bool is_visiting_ = false;
};

}  // namespace phalanx::passes
