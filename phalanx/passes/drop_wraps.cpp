#include <array>
#include <vector>

#include "phalanx/passes/passes.h"
#include "phalanx/passes/ranges.h"
#include "phalanx/passes/rewrite.h"

namespace phalanx::passes {

using ir::Function;
using ir::Op;
using ir::Operation;
using ir::Region;

namespace {

// Lower bounds that a variable is tried with, best first: lengths and counts, indices, and the
// "nothing yet" of stacks. After the last, nothing is known.
constexpr std::array<std::int64_t, 4> tried = {1, 0, -1, Interval::none_low};

class WrapDropper {
 public:
  explicit WrapDropper(Function& function);
  void run();

 private:
  void walk(Region& region);
  void walk_operation(Operation& operation);
  void walk_if(Operation& operation);
  void check_set(const Operation& set);

  Function& function_;
  std::vector<std::size_t> level_;  // of each variable, in `tried`
  std::vector<Interval> variables_;
  Ranges ranges_;
  Replacements replacements_;
  bool is_settled_ = true;
  bool is_dropping_ = false;
};

// Every variable starts with the best bound. Each walk takes bounds away that a `set` breaks,
// until none does: then they hold by induction over the sets that were run.
WrapDropper::WrapDropper(Function& function)
    : function_(function),
      level_(function.variables.size(), 0),
      variables_(function.variables.size(), Interval{.low = tried[0]}),
      ranges_(variables_) {
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    if (!is_linear_type(function.variables[i].type)) {
      level_[i] = tried.size() - 1;
      variables_[i] = {};
    }
  }
}

void WrapDropper::run() {
  bool has_wrap = false;
  ir::for_each(function_.body, [&](const Operation& operation) {
    has_wrap = has_wrap || operation.op == Op::wrap_index;
  });
  if (!has_wrap)
    return;
  do {
    is_settled_ = true;
    walk(function_.body);
  } while (!is_settled_);
  is_dropping_ = true;
  walk(function_.body);
}

void WrapDropper::check_set(const Operation& set) {
  std::size_t& level = level_[set.variable];
  if (level + 1 == tried.size())
    return;
  const Interval value = ranges_.of(set.operands[0]);
  while (value.low < tried.at(level)) {
    ++level;
    is_settled_ = false;
  }
  variables_[set.variable].low = tried.at(level);
}

void WrapDropper::walk_if(Operation& operation) {
  const Operation* condition = operation.operands[0];
  for (std::size_t i = 0; i < 2; ++i) {
    const std::size_t before = ranges_.facts();
    ranges_.assume(condition, i == 0);
    walk(operation.regions[i]);
    ranges_.cut_back(before);
  }
  // Behind the `if`, the condition holds where its other branch leaves, and the reverse.
  if (ir::ends_flow(operation.regions[1]))
    ranges_.assume(condition, true);
  if (ir::ends_flow(operation.regions[0]))
    ranges_.assume(condition, false);
}

void WrapDropper::walk_operation(Operation& operation) {
  replacements_.apply(operation);
  if (operation.op == Op::set) {
    check_set(operation);
  } else if (operation.op == Op::wrap_index) {
    if (is_dropping_ && ranges_.of(operation.operands[0]).is_natural())
      replacements_.replace(&operation, operation.operands[0]);
  } else if (operation.op == Op::if_) {
    walk_if(operation);
  } else {
    for (Region& nested : operation.regions) walk(nested);
  }
}

void WrapDropper::walk(Region& region) {
  const std::size_t before = ranges_.facts();
  for (auto& operation : region) walk_operation(*operation);
  ranges_.cut_back(before);
}

}  // namespace

void drop_wraps(ir::Module& module) {
  for_each_function(module, [](Function& function) { WrapDropper(function).run(); });
}

}  // namespace phalanx::passes
