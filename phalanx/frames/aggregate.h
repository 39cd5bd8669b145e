// Numbers for each group out of its rows: sums, means, extremes, quantiles and the like.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "phalanx/base/export.h"
#include "phalanx/frames/column.h"
#include "phalanx/frames/memory.h"
#include "phalanx/runtime/runtime.h"

namespace phalanx::frames {

// The group of each row, -1 of none: int32 or int64, see Groups.
struct Codes {
  const void* codes = nullptr;
  bool is_wide = false;
  std::int64_t rows = 0;
  std::int64_t groups = 0;

  std::int64_t operator[](std::int64_t row) const {
    return is_wide ? static_cast<const std::int64_t*>(codes)[row]
                   : static_cast<const std::int32_t*>(codes)[row];
  }
  // Writes those of a block of rows.
  void read(std::int64_t first, std::int64_t count, std::int64_t* to) const;
};

enum class AggregateKind : std::uint8_t {
#define AGGREGATE(name, result) name,
#include "phalanx/frames/aggregates.def"
#undef AGGREGATE
};
PHX_API std::optional<AggregateKind> aggregate_named(std::string_view name);

// Between which of the two nearest values a quantile is.
enum class Interpolation : std::uint8_t { linear, lower, higher, nearest, midpoint };
PHX_API std::optional<Interpolation> interpolation_named(std::string_view name);

struct Aggregation {
  AggregateKind kind = AggregateKind::sum;
  Column column;
  Column second;  // of corr and cov; else without rows
  int ddof = 1;   // of var, std and cov: what is taken off the divisor
  double quantile = 0.5;
  Interpolation interpolation = Interpolation::linear;
};

// As pandas gives it for NumPy's dtypes.
PHX_API DType result_dtype(const Aggregation& aggregation);

// One number a group. Where there is none the byte of `valid` is 0 and the number NaN or 0.
struct Aggregated {
  DType dtype = DType::int64;
  Memory<std::byte> values;
  Memory<std::uint8_t> valid;  // without bytes where all have one
};

// Floats are summed in float64 with what rounding takes off (TwoSum); variances by Welford's rule.
// Throws ValueError for columns of another length than the codes, or codes that are no group's,
// and TypeError for dtypes that no column of frames has.
PHX_API std::vector<Aggregated> aggregate(
    runtime::Runtime& runtime, const Codes& codes, std::span<const Aggregation> aggregations);

// Memory for the results of all groups, and what is left out where all have a number.
Aggregated room_for(runtime::Runtime& runtime, const Aggregation& aggregation, std::int64_t groups);
void drop_full_mask(Aggregated& results);

// What aggregate throws of columns that do not fit the codes.
void check_aggregation(const Codes& codes, const Aggregation& aggregation);

// Throws ValueError where a code is less than -1 or not less than the number of groups.
PHX_API void check_codes(runtime::Runtime& runtime, const Codes& codes);

}  // namespace phalanx::frames
