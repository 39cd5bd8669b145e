#include "phalanx/views/copy_plan.h"

#include <algorithm>
#include <cstdlib>
#include <ranges>
#include <utility>
#include <vector>

namespace phalanx::views {

namespace {

// Upwards in the target's memory; the order of the elements does not matter.
void turn_upwards(CopyLoop& loop, CopyPlan& plan) {
  if (loop.to > 0 || (loop.to == 0 && loop.from >= 0))
    return;
  plan.to += static_cast<runtime::Address>((loop.extent - 1) * loop.to);
  plan.from += static_cast<runtime::Address>((loop.extent - 1) * loop.from);
  loop.to = -loop.to;
  loop.from = -loop.from;
}

}  // namespace

std::int64_t CopyPlan::runs() const {
  std::int64_t count = 1;
  for (const CopyLoop& loop : loops) count *= loop.extent;
  return count;
}

std::size_t CopyPlan::unit(std::size_t most) const {
  std::uint64_t bits = most | run | to | from;
  for (const CopyLoop& loop : loops)
    bits |= static_cast<std::uint64_t>(loop.to) | static_cast<std::uint64_t>(loop.from);
  return bits & (~bits + 1);
}

CopyPlan plan_copy(
    const Extents& shape, const Elements& to, const Elements& from, std::size_t item_bytes) {
  CopyPlan plan{.to = to.first, .from = from.first};
  std::vector<CopyLoop> loops;
  for (std::size_t i = 0; i < shape.size(); ++i) {
    if (shape[i] == 1)
      continue;
    loops.push_back({shape[i], to.strides[i], from.strides[i]});
    turn_upwards(loops.back(), plan);
  }
  std::ranges::stable_sort(loops, [](const CopyLoop& a, const CopyLoop& b) {
    return std::pair(a.to, std::abs(a.from)) > std::pair(b.to, std::abs(b.from));
  });
  // The bytes of an item are a loop too, the innermost.
  loops.push_back({static_cast<std::int64_t>(item_bytes), 1, 1});
  StridedLoops apart{.extents = {}, .strides = {{}, {}}};
  for (const CopyLoop& loop : loops) {
    apart.extents.push_back(loop.extent);
    apart.strides[0].push_back(loop.to);
    apart.strides[1].push_back(loop.from);
  }
  const StridedLoops joined = merged(apart);
  for (std::size_t i = 0; i + 1 < joined.extents.size(); ++i)
    plan.loops.push_back({joined.extents[i], joined.strides[0][i], joined.strides[1][i]});
  plan.run = static_cast<std::size_t>(joined.extents.back());
  return plan;
}

Extents packed_strides(const Extents& shape, const Extents& strides, std::size_t item_bytes) {
  if (plan_copy(shape, {0, strides}, {0, strides}, item_bytes).is_one_run())
    return strides;
  const std::vector<std::size_t> order = by_stride(strides);
  Extents packed(shape.size());
  auto stride = static_cast<std::int64_t>(item_bytes);
  for (const std::size_t dimension : std::views::reverse(order)) {
    packed[dimension] = stride;
    stride *= shape[dimension];
  }
  return packed;
}

bool may_overlap(
    const Extents& shape, const Elements& a, const Elements& b, std::size_t item_bytes) {
  return may_share(
      {a.first, shape, a.strides, item_bytes}, {b.first, shape, b.strides, item_bytes});
}

}  // namespace phalanx::views
