// Warp operations of the interpreter: threads wait at one until all that its mask names are there.
#include <bit>

#include "interpreter_warp.h"

namespace phalanx::test {

using ir::Op;
using ir::Operation;

namespace {

// The threads of one warp that wait at one operation for the same others: with another mask, a
// thread may be there in another round of a loop.
struct Group {
  const Operation* operation;
  std::uint32_t mask = 0;  // of active_mask: none
  std::uint32_t members = 0;
};

std::vector<Group> groups_of(std::span<Thread> warp) {
  std::vector<Group> groups;
  for (std::size_t lane = 0; lane < warp.size(); ++lane) {
    const Operation* waiting = warp[lane].waiting(Thread::State::at_warp_operation);
    if (waiting == nullptr)
      continue;
    const bool has_mask = waiting->op != Op::active_mask;
    const auto mask = has_mask ? static_cast<std::uint32_t>(warp[lane].operand(0)[0]) : 0;
    auto group = std::find_if(groups.begin(), groups.end(), [&](const Group& each) {
      return each.operation == waiting && each.mask == mask;
    });
    if (group == groups.end())
      group = groups.insert(groups.end(), {.operation = waiting, .mask = mask});
    group->members |= 1U << lane;
  }
  return groups;
}

Words vote(std::span<Thread> warp, ir::Vote kind, std::uint32_t asked) {
  std::uint32_t yes = 0;
  for (std::size_t lane = 0; lane < warp.size(); ++lane) {
    if ((asked >> lane & 1) != 0 && warp[lane].operand(1)[0] != 0)
      yes |= 1U << lane;
  }
  if (kind == ir::Vote::ballot)
    return {static_cast<std::uint64_t>(static_cast<std::int32_t>(yes))};
  const bool is_all = yes == asked;
  const bool is_any = yes != 0;
  return {kind == ir::Vote::all ? is_all : kind == ir::Vote::any ? is_any : is_all || !is_any};
}

// A missing thread's value is not defined: the own value is used instead.
Words shuffle(std::span<Thread> warp, ir::Shuffle mode, std::size_t lane, std::uint32_t group) {
  constexpr std::size_t last = 31;
  const std::size_t amount = warp[lane].operand(2)[0] & last;
  std::size_t source = mode == ir::Shuffle::index         ? amount
                       : mode == ir::Shuffle::bitwise_xor ? lane ^ amount
                                                          : lane + amount;
  if (mode == ir::Shuffle::up)
    source = lane - amount;
  const bool is_there = source <= last && (group >> source & 1) != 0;
  return warp[is_there ? source : lane].operand(1);
}

Words match(std::span<Thread> warp, ir::Match kind, std::size_t lane, std::uint32_t asked) {
  std::uint32_t equal = 0;
  for (std::size_t other = 0; other < warp.size(); ++other) {
    if ((asked >> other & 1) != 0 && warp[other].operand(1) == warp[lane].operand(1))
      equal |= 1U << other;
  }
  if (kind == ir::Match::all)
    equal = equal == asked ? asked : 0;
  return {static_cast<std::uint64_t>(static_cast<std::int32_t>(equal))};
}

Words result_of(std::span<Thread> warp, const Group& group, std::size_t lane) {
  const Operation& operation = *group.operation;
  if (operation.op == Op::active_mask)
    return {static_cast<std::uint64_t>(static_cast<std::int32_t>(group.members))};
  switch (operation.op) {
    case Op::vote:
      return vote(warp, std::get<ir::Vote>(operation.detail), group.mask & group.members);
    case Op::shuffle:
      return shuffle(warp, std::get<ir::Shuffle>(operation.detail), lane, group.members);
    case Op::match:
      return match(warp, std::get<ir::Match>(operation.detail), lane, group.mask & group.members);
    default:  // warp_barrier
      return {};
  }
}

// Lets those go on whose peers are all there; true if there were any.
bool resolve_group(std::span<Thread> warp, const Group& group, std::uint32_t alive) {
  std::vector<std::pair<std::size_t, Words>> results;
  for (std::size_t lane = 0; lane < warp.size(); ++lane) {
    if ((group.members >> lane & 1) == 0)
      continue;
    if ((group.mask & alive & ~group.members) == 0)
      results.emplace_back(lane, result_of(warp, group, lane));
  }
  for (auto& [lane, words] : results) warp[lane].resolve(std::move(words));
  return !results.empty();
}

}  // namespace

bool resolve_warp(std::span<Thread> warp) {
  std::uint32_t alive = 0;
  for (std::size_t lane = 0; lane < warp.size(); ++lane) {
    if (warp[lane].state() != Thread::State::finished)
      alive |= 1U << lane;
  }
  // A thread that asks for the active mask waits until no other can come.
  bool has_resolved = false;
  const std::vector<Group> groups = groups_of(warp);
  for (const Group& group : groups) {
    if (group.operation->op != Op::active_mask)
      has_resolved |= resolve_group(warp, group, alive);
  }
  for (const Group& group : groups) {
    if (!has_resolved && group.operation->op == Op::active_mask)
      has_resolved = resolve_group(warp, group, alive);
  }
  return has_resolved;
}

}  // namespace phalanx::test
