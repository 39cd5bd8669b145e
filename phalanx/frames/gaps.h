// Runs of missing rows, and what they are filled with.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>

#include "phalanx/base/export.h"
#include "phalanx/frames/aggregate.h"
#include "phalanx/frames/column.h"
#include "phalanx/frames/memory.h"
#include "phalanx/runtime/runtime.h"

namespace phalanx::frames {

// What a missing row gets: the value before its gap, or the one after it, or one between both: by
// the rows' positions on a line, of the nearer row (of two as near the first), or the one before
// for gaps that end.
enum class GapRule : std::uint8_t { before, after, linear, nearest, zero };
PHX_API std::optional<GapRule> gap_rule_named(std::string_view name);

struct GapFill {
  GapRule rule = GapRule::before;
  const double* positions = nullptr;  // one a row, not falling; null: the rows' numbers
  // Which rows of a gap: so many after its begin, so many before its end, or both.
  bool counts_from_begin = true;
  bool counts_from_end = false;
  std::int64_t limit = std::numeric_limits<std::int64_t>::max();
  bool fills_inside = true;   // gaps between two values
  bool fills_outside = true;  // those before the first value and after the last
};

// The column with its gaps filled; `valid` has bytes where rows are missing still and the column
// had a mask. Throws TypeError where values between two are asked for and the dtype is an integer
// that is no time, or a bool.
PHX_API Aggregated fill_gaps(runtime::Runtime& runtime, const Column& column, const GapFill& fill);

// For each row the row whose value it gets, -1 for none. Rules before and after only.
PHX_API Memory<std::int64_t> rows_of_gaps(
    runtime::Runtime& runtime, const std::uint8_t* valid, std::int64_t rows, const GapFill& fill);

}  // namespace phalanx::frames
