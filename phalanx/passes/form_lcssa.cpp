// Loop-closed form (LLVM's LCSSA): a counter of a loop that is read after the loop is handed out by
// the jumps that leave. Inside, all threads that are still in the loop have the same.
#include <algorithm>

#include "phalanx/ir/builder.h"
#include "phalanx/passes/passes.h"
#include "phalanx/passes/rewrite.h"

namespace phalanx::passes {

using ir::Function;
using ir::Op;
using ir::Operation;
using ir::Region;
using ir::VariableId;

namespace {

// into[at]: `to` becomes what `from` is.
void insert_copy(Function& function, Region& into, std::size_t at, VariableId from, VariableId to) {
  ir::Builder builder(function, into, at);
  builder.set(to, builder.get(from));
}

// True if the last operation of a branch right in a loop leaves the loop.
bool leaves(const Region& branch) {
  if (branch.empty())
    return false;
  const Operation& last = *branch.back();
  return last.op == Op::break_ || last.op == Op::return_ ||
         (last.op == Op::continue_ && last.index > 0);
}

// The other branch of an `if` one of whose branches leaves the loop: all remaining threads take
// it.
Region* rest_in(Operation& operation) {
  if (operation.op != Op::if_)
    return nullptr;
  if (leaves(operation.regions[1]))
    return &operation.regions[0];
  return leaves(operation.regions[0]) ? &operation.regions[1] : nullptr;
}

// Calls visit for what every pass through the loop comes by that does not leave.
template <typename Visitor>
void for_each_straight(Region& region, const Visitor& visit) {
  for (const auto& operation : region) {
    visit(*operation);
    if (Region* rest = rest_in(*operation))
      for_each_straight(*rest, visit);
  }
}

// Moves such branches after their `if`, where their position says so.
void lift_rests(Region& region) {
  for (std::size_t i = 0; i < region.size(); ++i) {
    if (Region* rest = rest_in(*region[i])) {
      Region lifted;
      lifted.swap(*rest);
      splice(region, i + 1, std::move(lifted));
    }
  }
}

class LoopCloser {
 public:
  explicit LoopCloser(Function& function) : function_(function) {}

  void run() {
    ir::for_each(function_.body, [&](Operation& operation) {
      if (operation.op == Op::get)
        ++all_reads(operation.variable);
    });
    visit(function_.body);
  }

 private:
  // What a loop does with a variable.
  struct Use {
    unsigned reads = 0;
    unsigned counts = 0;  // sets that add a constant, which every pass comes by
    unsigned others = 0;  // sets
  };

  unsigned& all_reads(VariableId variable) {
    if (reads_.size() <= variable)
      reads_.resize(function_.variables.size() + 1);
    return reads_[variable];
  }

  void visit(Region& region) {
    for (std::size_t i = 0; i < region.size(); ++i) {
      for (Region& nested : region[i]->regions) visit(nested);
      if (region[i]->op == Op::loop)
        i += close(region, i);
    }
  }

  // Yields how many operations are now before the loop that did not.
  std::size_t close(Region& region, std::size_t at) {
    Operation& loop = *region[at];
    std::size_t inserted = 0;
    const auto uses = uses_in(loop);
    for (VariableId v = 0; v < uses.size(); ++v) {
      const Use& use = uses[v];
      if (use.counts == 0 || use.others != 0 || all_reads(v) == use.reads)
        continue;
      const auto inner = static_cast<VariableId>(function_.variables.size());
      function_.variables.push_back(function_.variables[v]);
      function_.variables.back().name += "_inside";
      lift_rests(loop.regions[0]);
      rename(loop, v, inner);
      for (Region& nested : loop.regions) hand_out(nested, 0, inner, v);
      insert_copy(function_, region, at + inserted, v, inner);
      inserted += 2;
    }
    return inserted;
  }

  std::vector<Use> uses_in(Operation& loop) const {
    std::vector<Use> uses(function_.variables.size());
    for (Region& region : loop.regions) {
      ir::for_each(region, [&](const Operation& operation) {
        if (operation.op == Op::get)
          ++uses[operation.variable].reads;
        else if (operation.op == Op::set)
          ++uses[operation.variable].others;
      });
      for_each_straight(region, [&](const Operation& operation) {
        if (operation.op != Op::set || !is_count(operation))
          return;
        --uses[operation.variable].others;
        ++uses[operation.variable].counts;
      });
    }
    return uses;
  }

  static bool is_count(const Operation& set) {
    const Operation& value = *set.operands[0];
    const bool is_sum = value.op == Op::add || value.op == Op::subtract;
    if (!is_sum || !value.type.is_scalar() || !is_integer(value.type.dtype()))
      return false;
    const Operation& old = *value.operands[0];
    return old.op == Op::get && old.variable == set.variable &&
           value.operands[1]->op == Op::constant;
  }

  static void rename(Operation& loop, VariableId from, VariableId to) {
    for (Region& region : loop.regions)
      ir::for_each(region, [&](Operation& operation) {
        if ((operation.op == Op::get || operation.op == Op::set) && operation.variable == from)
          operation.variable = to;
      });
  }

  // Before each jump out of the loop, which is `levels` structured operations out.
  void hand_out(Region& region, std::int64_t levels, VariableId inner, VariableId outer) {
    for (std::size_t i = 0; i < region.size(); ++i) {
      Operation& operation = *region[i];
      const bool is_nested = operation.op == Op::loop || operation.op == Op::block;
      for (Region& nested : operation.regions)
        hand_out(nested, levels + (is_nested ? 1 : 0), inner, outer);
      const bool leaves = (operation.op == Op::break_ && operation.index >= levels) ||
                          (operation.op == Op::continue_ && operation.index > levels);
      if (!leaves)
        continue;
      insert_copy(function_, region, i, inner, outer);
      i += 2;
    }
  }

  Function& function_;
  std::vector<unsigned> reads_;  // of each variable, in the function as it came
};

}  // namespace

void form_lcssa(ir::Module& module) {
  for_each_function(module, [](Function& function) { LoopCloser(function).run(); });
}

}  // namespace phalanx::passes
