// Groups whose rows come one after another: bins of sorted times.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "phalanx/base/export.h"
#include "phalanx/frames/aggregate.h"
#include "phalanx/frames/memory.h"
#include "phalanx/runtime/runtime.h"

namespace phalanx::frames {

// Group i has the rows from bounds[i] up to bounds[i + 1]. The first bound is 0.
struct Runs {
  std::span<const std::int64_t> bounds;

  std::int64_t groups() const { return static_cast<std::int64_t>(bounds.size()) - 1; }
  std::int64_t rows() const { return bounds.back(); }
};

// As aggregate, without a code for each row. Throws ValueError for bounds that go back too.
PHX_API std::vector<Aggregated> aggregate_runs(
    runtime::Runtime& runtime, const Runs& runs, std::span<const Aggregation> aggregations);

// How many of the sorted times are before each edge, those equal to it too where it is closed.
// Edges never go back.
PHX_API Memory<std::int64_t> rows_before(
    runtime::Runtime& runtime,
    std::span<const std::int64_t> times,
    std::span<const std::int64_t> edges,
    bool is_closed);

}  // namespace phalanx::frames
