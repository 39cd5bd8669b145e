#include "phalanx/frames/gaps.h"

#include <algorithm>
#include <array>
#include <type_traits>

#include "phalanx/base/errors.h"
#include "phalanx/frames/images.h"
#include "phalanx/frames/parts.h"

namespace phalanx::frames {
namespace {

// The missing rows [first, last), with values on both sides but at the ends of the column.
struct Gap {
  std::int64_t first;
  std::int64_t last;
  bool has_before;
  bool has_after;
};

// Those rows of a gap that a rule fills: [first, middle) and [later, last).
struct Filled {
  std::int64_t middle;
  std::int64_t later;
};

Filled filled_rows(const Gap& gap, const GapFill& fill) {
  const bool is_inside = gap.has_before && gap.has_after;
  if (is_inside ? !fill.fills_inside : !fill.fills_outside)
    return {gap.first, gap.last};
  const std::int64_t most = std::min(fill.limit, gap.last - gap.first);
  const bool is_whole = fill.limit == std::numeric_limits<std::int64_t>::max();
  if (fill.counts_from_begin && fill.counts_from_end && is_whole)
    return {gap.last, gap.last};
  const std::int64_t middle =
      fill.counts_from_begin && gap.has_before ? gap.first + most : gap.first;
  const std::int64_t later = fill.counts_from_end && gap.has_after ? gap.last - most : gap.last;
  return {middle, std::max(middle, later)};
}

// Calls `whole(row)` for rows with values and `gap(...)` for gaps. Each part of the rows takes the
// gaps that begin in it, to their ends.
template <typename IsMissing, typename Whole, typename OfGap>
void walk(
    runtime::Runtime& runtime,
    std::int64_t rows,
    const IsMissing& is_missing,
    const Whole& whole,
    const OfGap& of_gap) {
  for_ranges(runtime, rows, [&](std::int64_t row, std::int64_t last) {
    if (row > 0)
      while (row < last && is_missing(row) && is_missing(row - 1)) ++row;
    while (row < last) {
      if (!is_missing(row)) {
        whole(row++);
        continue;
      }
      std::int64_t end = row + 1;
      while (end < rows && is_missing(end)) ++end;
      of_gap(Gap{row, end, row > 0, end < rows});
      row = end;
    }
  });
}

template <typename T>
class Filling {
 public:
  Filling(runtime::Runtime& runtime, const Column& column, const GapFill& fill, Aggregated& to)
      : runtime_(runtime),
        column_(column),
        fill_(fill),
        missing_(column),
        values_(static_cast<const T*>(column.values)),
        results_(reinterpret_cast<T*>(to.values.data())),
        valid_(to.valid.size() == 0 ? nullptr : to.valid.data()) {}

  void run() {
    walk(
        runtime_,
        column_.rows,
        [&](std::int64_t row) { return missing_.can_be() && missing_(row); },
        [&](std::int64_t row) { put(row, values_[row], true); },
        [&](const Gap& gap) { fill(gap); });
  }

 private:
  void put(std::int64_t row, T value, bool has_value) {
    results_[row] = value;
    if (valid_ != nullptr)
      valid_[row] = has_value ? 1 : 0;
  }
  void fill(const Gap& gap) {
    const Filled filled = filled_rows(gap, fill_);
    for (std::int64_t row = gap.first; row < gap.last; ++row) {
      if (row == filled.middle)
        for (; row < filled.later; ++row) put(row, values_[row], false);
      if (row < gap.last)
        fill(gap, row);
    }
  }
  void fill(const Gap& gap, std::int64_t row) {
    const bool takes_before = fill_.rule == GapRule::before || fill_.rule == GapRule::zero;
    const bool is_between = fill_.rule != GapRule::before && fill_.rule != GapRule::after;
    if (!gap.has_before && !gap.has_after)
      return put(row, values_[row], false);
    if (is_between && gap.has_before && gap.has_after)
      return put(row, between(gap, row), true);
    const bool is_before = is_between ? gap.has_before : takes_before;
    if (is_before ? !gap.has_before : !gap.has_after)
      return put(row, values_[row], false);
    put(row, values_[is_before ? gap.first - 1 : gap.last], true);
  }
  double position(std::int64_t row) const {
    return fill_.positions == nullptr ? static_cast<double>(row) : fill_.positions[row];
  }
  T between(const Gap& gap, std::int64_t row) const {
    const T before = values_[gap.first - 1];
    const T after = values_[gap.last];
    const double start = position(gap.first - 1);
    const double end = position(gap.last);
    const double here = position(row);
    if (fill_.rule == GapRule::zero)
      return here < end ? before : after;
    if (fill_.rule == GapRule::nearest)
      return here - start <= end - here ? before : after;
    const double slope = (static_cast<double>(after) - static_cast<double>(before)) / (end - start);
    return static_cast<T>(slope * (here - start) + static_cast<double>(before));
  }

  runtime::Runtime& runtime_;
  const Column& column_;
  const GapFill& fill_;
  Missing<T> missing_;
  const T* values_;
  T* results_;
  std::uint8_t* valid_;
};

}  // namespace

std::optional<GapRule> gap_rule_named(std::string_view name) {
  constexpr std::array<std::string_view, 5> names = {
      "before", "after", "linear", "nearest", "zero"};
  const auto* const found = std::ranges::find(names, name);
  if (found == names.end())
    return std::nullopt;
  return static_cast<GapRule>(found - names.begin());
}

Aggregated fill_gaps(runtime::Runtime& runtime, const Column& column, const GapFill& fill) {
  check_column(column);
  const bool is_linear = fill.rule == GapRule::linear;
  if (is_linear && !is_floating(column.dtype) && !column.has_nat)
    throw TypeError("there are no values between integers or bools: cast them to float64");
  Aggregated made = {
      column.dtype,
      Memory<std::byte>(runtime, column.rows * static_cast<std::int64_t>(size_of(column.dtype))),
      Memory<std::uint8_t>(runtime, column.valid == nullptr ? 0 : column.rows)};
  with_type(column.dtype, [&]<typename T>(T) { Filling<T>(runtime, column, fill, made).run(); });
  return made;
}

Memory<std::int64_t> rows_of_gaps(
    runtime::Runtime& runtime, const std::uint8_t* valid, std::int64_t rows, const GapFill& fill) {
  if (fill.rule != GapRule::before && fill.rule != GapRule::after)
    throw ValueError("rows are taken from before gaps or after them");
  Memory<std::int64_t> made(runtime, rows);
  walk(
      runtime,
      rows,
      [&](std::int64_t row) { return valid[row] == 0; },
      [&](std::int64_t row) { made[row] = row; },
      [&](const Gap& gap) {
        const bool is_before = fill.rule == GapRule::before;
        const std::int64_t source = is_before ? gap.first - 1 : gap.last;
        const bool has_source = is_before ? gap.has_before : gap.has_after;
        const Filled filled = filled_rows(gap, fill);
        for (std::int64_t row = gap.first; row < gap.last; ++row) {
          const bool is_filled = row < filled.middle || row >= filled.later;
          made[row] = has_source && is_filled ? source : -1;
        }
      });
  return made;
}

}  // namespace phalanx::frames
