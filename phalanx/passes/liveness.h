// Live variable analysis: a walk from the end that knows, at each `set`, which variables are read
// afterwards.
#pragma once

#include <vector>

#include "phalanx/ir/ir.h"

namespace phalanx::passes {

using Live = std::vector<bool>;  // for each variable: its value is read later

class Liveness {
 public:
  explicit Liveness(ir::Function& function) : function_(function) {}
  virtual ~Liveness() = default;
  Liveness& operator=(const Liveness&) = delete;

  void run();

 protected:
  Liveness(const Liveness&) = default;

  // Called once for each `set`, from the last to the first; false removes it.
  virtual bool visit_set(ir::Operation& set, const Live& live_after) = 0;

 private:
  // What is live where the breaks and continues of a loop or block lead to.
  struct Target {
    Live after;
    Live at_step;
  };

  Live no_variables() const { return Live(function_.variables.size()); }
  Live walk(ir::Region& region, Live live);
  void walk_operation(ir::Operation& operation, Live& live);
  Live walk_loop(ir::Operation& loop, const Live& after);
  Live walk_body(ir::Operation& loop, const Live& after, const Live& at_head);
  Live read_in(const ir::Operation& loop) const;

  ir::Function& function_;
  std::vector<Target> targets_;
  unsigned loop_depth_ = 0;
  bool is_visiting_ = false;  // the fixed point is reached
};

}  // namespace phalanx::passes
