#include "phalanx/passes/liveness.h"

#include <ranges>
#include <utility>

namespace phalanx::passes {

using ir::Op;
using ir::Operation;
using ir::Region;

namespace {

// Nested deeper, a loop's first guess is taken instead of searching the best: each level of exact
// search doubles the work.
constexpr unsigned deepest_exact_loop = 4;

void unite(Live& into, const Live& other) {
  for (std::size_t i = 0; i < into.size(); ++i) into[i] = into[i] || other[i];
}

}  // namespace

void Liveness::run() {
  is_visiting_ = true;
  walk(function_.body, no_variables());
}

// From what is live after the region to what is live before it.
Live Liveness::walk(Region& region, Live live) {
  bool found = false;
  for (auto& operation : std::views::reverse(region)) {
    if (operation->op != Op::set) {
      walk_operation(*operation, live);
    } else if (is_visiting_ && !visit_set(*operation, live)) {
      operation.reset();
      found = true;
    } else {
      live[operation->variable] = false;
    }
  }
  if (found)
    std::erase(region, nullptr);
  return live;
}

void Liveness::walk_operation(Operation& operation, Live& live) {
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
      live = no_variables();
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

Live Liveness::read_in(const Operation& loop) const {
  Live read = no_variables();
  for (const Region& region : loop.regions) {
    ir::for_each(region, [&](const Operation& operation) {
      if (operation.op == Op::get)
        read[operation.variable] = true;
    });
  }
  return read;
}

Live Liveness::walk_body(Operation& loop, const Live& after, const Live& at_head) {
  targets_.push_back({.after = after, .at_step = {}});
  targets_.back().at_step = walk(loop.regions[1], at_head);
  Live live = walk(loop.regions[0], targets_.back().at_step);
  targets_.pop_back();
  return live;
}

Live Liveness::walk_loop(Operation& loop, const Live& after) {
  ++loop_depth_;
  Live at_head = no_variables();
  const bool was_visiting = std::exchange(is_visiting_, false);
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
  is_visiting_ = was_visiting;
  if (is_visiting_)
    walk_body(loop, after, at_head);
  --loop_depth_;
  return at_head;
}

}  // namespace phalanx::passes
