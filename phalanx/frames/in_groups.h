// A number for each row out of its group's rows: running sums, shifts, ranks; and rows by place.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "phalanx/base/export.h"
#include "phalanx/frames/aggregate.h"
#include "phalanx/frames/by_group.h"

namespace phalanx::frames {

enum class RunningKind : std::uint8_t { sum, product, min, max, count };
PHX_API std::optional<RunningKind> running_named(std::string_view name);

// What the rows of a group up to each make, in the rows' order: as pandas' cumsum and the like,
// and for `count`, which needs no column, the rows of the group before. Missing rows, and those in
// no group, have none. Throws as aggregate does.
PHX_API Aggregated
running(runtime::Runtime& runtime, const Codes& codes, const Column& column, RunningKind kind);

// The row `periods` rows before each in its group, after it where negative; -1 where there is none.
PHX_API Memory<std::int64_t> shifted_rows(
    runtime::Runtime& runtime, const Codes& codes, std::int64_t periods);

// Rows whose places in their groups are from `first` up to `last`, less than 0 from the end on, in
// the rows' order; `last`: none is the end.
PHX_API Memory<std::int64_t> rows_at_places(
    runtime::Runtime& runtime,
    const Codes& codes,
    std::int64_t first,
    std::optional<std::int64_t> last);

// The `count` rows of each group with the greatest values, or the least: the best first, of equal
// ones the first row first, the groups in order. Missing values are left out.
PHX_API RowsByGroup best_rows(
    runtime::Runtime& runtime,
    const Codes& codes,
    const Column& column,
    std::int64_t count,
    bool takes_greatest);

enum class RankMethod : std::uint8_t { average, min, max, first, dense };
PHX_API std::optional<RankMethod> rank_named(std::string_view name);

// The rank of each row's value in its group from 1 on, float64; none for missing ones.
PHX_API Aggregated rank_rows(
    runtime::Runtime& runtime,
    const Codes& codes,
    const Key& values,
    RankMethod method,
    bool is_descending);

}  // namespace phalanx::frames
