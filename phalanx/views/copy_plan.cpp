#include "phalanx/views/copy_plan.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <ranges>
#include <utility>

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

bool goes_on_after(const CopyLoop& outer, const CopyLoop& inner) {
  return outer.to == inner.to * inner.extent && outer.from == inner.from * inner.extent;
}

// The dimensions of a shape, the longest stride first, and of equal strides the first first.
std::vector<std::size_t> by_stride(const Extents& strides) {
  std::vector<std::size_t> order(strides.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
    return std::abs(strides[a]) > std::abs(strides[b]);
  });
  return order;
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
  std::vector<CopyLoop> merged;  // innermost first
  for (const CopyLoop& loop : std::views::reverse(loops)) {
    if (!merged.empty() && goes_on_after(loop, merged.back()))
      merged.back().extent *= loop.extent;
    else
      merged.push_back(loop);
  }
  plan.run = static_cast<std::size_t>(merged.front().extent);
  plan.loops.assign(merged.rbegin(), merged.rend() - 1);
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
  const ByteRange of_a = byte_range(shape, a.strides, item_bytes);
  const ByteRange of_b = byte_range(shape, b.strides, item_bytes);
  const auto apart = static_cast<std::int64_t>(b.first - a.first);
  return of_a.low < apart + of_b.high && apart + of_b.low < of_a.high;
}

}  // namespace phalanx::views
