// Aggregations that need all values of a group at once.
#pragma once

#include "phalanx/frames/aggregate.h"
#include "phalanx/frames/column.h"

namespace phalanx::frames {

// True for medians, quantiles and numbers of different values.
bool needs_values_at_once(AggregateKind kind);

void aggregate_values(
    runtime::Runtime& runtime,
    const Codes& codes,
    const Aggregation& aggregation,
    Aggregated& results);

// How many different values each group has that are not missing. Throws as aggregate does.
PHX_API Memory<std::int64_t> count_distinct(
    runtime::Runtime& runtime, const Codes& codes, const Key& values);

}  // namespace phalanx::frames
