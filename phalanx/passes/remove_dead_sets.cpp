#include <utility>
#include <vector>

#include "phalanx/passes/passes.h"
#include "phalanx/passes/rewrite.h"

namespace phalanx::passes {

using ir::Function;
using ir::Op;
using ir::Operation;
using ir::Region;

namespace {

// Nested deeper, a loop's first guess is taken instead of searching the best: each level of exact
// search doubles the work.
constexpr unsigned deepest_exact_loop = 4;

using Live = std::vector<bool>;  // for each variable: its value is read later

// What is live where the breaks and continues of a loop or block lead to.
struct Target {
  Live after;
  Live at_step;
};

void unite(Live& into, const Live& other) {
  for (std::size_t i = 0; i < into.size(); ++i) into[i] = into[i] || other[i];
}

class DeadSets {
 public:
  explicit DeadSets(Function& function) : function_(function) {}

  void run() {
    is_removing_ = true;
    walk(function_.body, nobody());
  }

 private:
  Live nobody() const { return Live(function_.variables.size()); }
  Live walk(Region& region, Live live);
  void walk_operation(Operation& operation, Live& live);
  Live walk_loop(Operation& loop, const Live& after);
  Live walk_body(Operation& loop, const Live& after, const Live& at_head);
  Live read_in(const Operation& loop) const;

  Function& function_;
  std::vector<Target> targets_;
  unsigned loop_depth_ = 0;
  bool is_removing_ = false;
};

// From what is live behind the region to what is live before it.
Live DeadSets::walk(Region& region, Live live) {
  bool found = false;
  for (auto it = region.rbegin(); it != region.rend(); ++it) {
    Operation& operation = **it;
    if (operation.op != Op::set) {
      walk_operation(operation, live);
    } else if (live[operation.variable]) {
      live[operation.variable] = false;
    } else if (is_removing_) {
      it->reset();
      found = true;
    }
  }
  if (found)
    std::erase(region, nullptr);
  return live;
}

void DeadSets::walk_operation(Operation& operation, Live& live) {
  const auto target = [&]() -> const Target& {
    return targets_[targets_.size() - 1 - static_cast<std::size_t>(operation.index)];
  };
  switch (operation.op) {
    case Op::get:
      live[operation.variable] = true;
      break;
    case Op::break_:
      live = target().after;
      break;
    case Op::continue_:
      live = target().at_step;
      break;
    case Op::return_:
    case Op::raise:
      live = nobody();
      break;
    case Op::if_: {
      Live otherwise = walk(operation.regions[1], live);
      live = walk(operation.regions[0], std::move(live));
      unite(live, otherwise);
      break;
    }
    case Op::block:
      targets_.push_back({.after = live, .at_step = {}});
      live = walk(operation.regions[0], std::move(live));
      targets_.pop_back();
      break;
    case Op::loop:
      live = walk_loop(operation, live);
      break;
    default:
      break;
  }
}

Live DeadSets::read_in(const Operation& loop) const {
  Live read = nobody();
  for (const Region& region : loop.regions) {
    ir::for_each(region, [&](const Operation& operation) {
      if (operation.op == Op::get)
        read[operation.variable] = true;
    });
  }
  return read;
}

Live DeadSets::walk_body(Operation& loop, const Live& after, const Live& at_head) {
  targets_.push_back({.after = after, .at_step = {}});
  targets_.back().at_step = walk(loop.regions[1], at_head);
  Live live = walk(loop.regions[0], targets_.back().at_step);
  targets_.pop_back();
  return live;
}

Live DeadSets::walk_loop(Operation& loop, const Live& after) {
  ++loop_depth_;
  Live at_head = nobody();
  const bool was_removing = std::exchange(is_removing_, false);
  if (loop_depth_ > deepest_exact_loop) {
    at_head = read_in(loop);
    unite(at_head, after);
  } else {
    // What is read in a round is live at the end of the round before.
    for (Live before; before != at_head;) {
      before = at_head;
      unite(at_head, walk_body(loop, after, at_head));
    }
  }
  is_removing_ = was_removing;
  if (is_removing_)
    walk_body(loop, after, at_head);
  --loop_depth_;
  return at_head;
}

}  // namespace

void remove_dead_sets(ir::Module& module) {
  for_each_function(module, [](Function& function) { DeadSets(function).run(); });
}

}  // namespace phalanx::passes
