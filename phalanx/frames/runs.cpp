#include "phalanx/frames/runs.h"

#include <algorithm>
#include <memory>

#include "phalanx/base/errors.h"
#include "phalanx/frames/accumulators.h"
#include "phalanx/frames/parts.h"
#include "phalanx/frames/quantiles.h"

namespace phalanx::frames {
namespace {

void check_runs(const Runs& runs) {
  if (runs.bounds.empty() || runs.bounds.front() != 0 || !std::ranges::is_sorted(runs.bounds))
    throw ValueError("bounds of runs begin with 0 and never go back");
}

// The group of each row, for what needs the values of a group at once.
Memory<std::int64_t> codes_of(runtime::Runtime& runtime, const Runs& runs) {
  Memory<std::int64_t> codes(runtime, runs.rows());
  for_ranges(runtime, runs.rows(), [&](std::int64_t row, std::int64_t last) {
    auto group = std::ranges::upper_bound(runs.bounds, row) - runs.bounds.begin() - 1;
    for (; row < last; ++group) {
      const std::int64_t end = std::min(last, runs.bounds[static_cast<std::size_t>(group) + 1]);
      std::fill(codes.data() + row, codes.data() + end, group);
      row = end;
    }
  });
  return codes;
}

// The groups that begin before a row.
std::int64_t groups_before(const Runs& runs, std::int64_t row) {
  const auto begins = runs.bounds.first(runs.bounds.size() - 1);
  return std::ranges::lower_bound(begins, row) - begins.begin();
}

}  // namespace

std::vector<Aggregated> aggregate_runs(
    runtime::Runtime& runtime, const Runs& runs, std::span<const Aggregation> aggregations) {
  check_runs(runs);
  const std::int64_t groups = runs.groups();
  // Threads share a run only by codes.
  const bool has_few = groups < 4 * usable_threads(runtime) && runs.rows() > 4 * rows_for_thread;
  const bool needs_codes =
      has_few || std::ranges::any_of(aggregations, needs_values_at_once, &Aggregation::kind);
  Memory<std::int64_t> wide;
  if (needs_codes)
    wide = codes_of(runtime, runs);
  const Codes codes = {wide.data(), true, runs.rows(), groups};
  if (has_few)
    return aggregate(runtime, codes, aggregations);
  const Parts parts(runtime, runs.rows(), 4);
  std::vector<Aggregated> made;
  for (const Aggregation& each : aggregations) {
    check_aggregation(codes, each);
    Aggregated& results = made.emplace_back(room_for(runtime, each, groups));
    if (needs_values_at_once(each.kind)) {
      aggregate_values(runtime, codes, each, results);
    } else {
      const std::unique_ptr<Accumulator> accumulator = make_accumulator(each, groups);
      for_each_task(runtime, parts.count(), [&](std::int64_t part) {
        const bool is_last = part + 1 == parts.count();
        const std::int64_t first = part == 0 ? 0 : groups_before(runs, parts.begin(part));
        const std::int64_t last = is_last ? groups : groups_before(runs, parts.end(part));
        accumulator->fold_runs(runs.bounds.data(), first, last, results);
      });
    }
    drop_full_mask(results);
  }
  return made;
}

Memory<std::int64_t> rows_before(
    runtime::Runtime& runtime,
    std::span<const std::int64_t> times,
    std::span<const std::int64_t> edges,
    bool is_closed) {
  Memory<std::int64_t> made(runtime, static_cast<std::int64_t>(edges.size()));
  const auto size = static_cast<std::int64_t>(times.size());
  const auto is_before = [&](std::int64_t row, std::int64_t edge) {
    const std::int64_t time = times[static_cast<std::size_t>(row)];
    return is_closed ? time <= edge : time < edge;
  };
  for_ranges(runtime, made.size(), [&](std::int64_t first, std::int64_t last) {
    std::int64_t row = 0;
    std::int64_t step = size;  // the last bin's length, which the next one's is nearly
    for (std::int64_t i = first; i < last; ++i) {
      const std::int64_t edge = edges[static_cast<std::size_t>(i)];
      // Rows before `low` are before the edge, those from `high` on are not.
      std::int64_t low = row;
      std::int64_t high = std::min(size, row + step);
      for (std::int64_t width = 1; high < size && is_before(high, edge); width *= 2) {
        low = high + 1;
        high = std::min(size, low + width);
      }
      if (low < high && is_before(high - 1, edge))
        low = high;
      while (low < high) {
        const std::int64_t middle = low + (high - low) / 2;
        if (is_before(middle, edge))
          low = middle + 1;
        else
          high = middle;
      }
      step = low - row;
      row = low;
      made[i] = row;
    }
  });
  return made;
}

}  // namespace phalanx::frames
