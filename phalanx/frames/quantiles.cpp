#include "phalanx/frames/quantiles.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>

#include "phalanx/base/errors.h"
#include "phalanx/frames/by_group.h"
#include "phalanx/frames/images.h"
#include "phalanx/frames/key_words.h"

namespace phalanx::frames {
namespace {

// The codes, -1 where the column has no value.
template <typename T>
Memory<std::int64_t> codes_of_values(
    runtime::Runtime& runtime, const Codes& codes, const Column& column) {
  Memory<std::int64_t> made(runtime, codes.rows);
  const Missing<T> missing(column);
  for_ranges(runtime, codes.rows, [&](std::int64_t first, std::int64_t last) {
    codes.read(first, last - first, made.data() + first);
    for (std::int64_t row = first; missing.can_be() && row < last; ++row)
      if (missing(row))
        made[row] = -1;
  });
  return made;
}

// Of sorted values from `lower` on, whose next is `upper`; `between` is from 0 to 1.
template <typename Result, typename T>
Result interpolate(Interpolation kind, T lower, T upper, double between, bool is_odd) {
  const auto from = static_cast<double>(lower);
  const auto step = static_cast<double>(upper) - from;
  switch (kind) {
    case Interpolation::lower:
      return static_cast<Result>(lower);
    case Interpolation::higher:
      return static_cast<Result>(upper);
    case Interpolation::nearest:  // of two as near, the one at the even place
      return static_cast<Result>(between > 0.5 || (between == 0.5 && is_odd) ? upper : lower);
    case Interpolation::midpoint:
      return static_cast<Result>(from + step / 2);
    default:
      return static_cast<Result>(from + step * between);
  }
}

// Reorders the values.
template <typename Result, typename T>
Result quantile_of(T* first, T* last, double quantile, Interpolation kind) {
  const double place = quantile * static_cast<double>(last - first - 1);
  const auto index = static_cast<std::int64_t>(place);
  const double between = place - static_cast<double>(index);
  T* const lower = first + index;
  std::nth_element(first, lower, last);
  if (between == 0 || lower + 1 == last)
    return static_cast<Result>(*lower);
  const T upper = *std::min_element(lower + 1, last);
  return interpolate<Result>(kind, *lower, upper, between, index % 2 != 0);
}

// The mean of the two in the middle, as pandas takes it, which has no interpolation's rounding.
template <typename Result, typename T>
Result median_of(T* first, T* last) {
  const std::int64_t count = last - first;
  T* const middle = first + count / 2;
  std::nth_element(first, middle, last);
  if (count % 2 != 0)
    return static_cast<Result>(*middle);
  const T below = *std::max_element(first, middle);
  return static_cast<Result>((static_cast<double>(below) + static_cast<double>(*middle)) / 2);
}

template <typename T, typename Result>
void fill_quantiles(
    runtime::Runtime& runtime,
    const Codes& codes,
    const Aggregation& aggregation,
    Aggregated& results) {
  const Memory<std::int64_t> of_values = codes_of_values<T>(runtime, codes, aggregation.column);
  const ByGroup order(runtime, {of_values.data(), true, codes.rows, codes.groups});
  const T* const values = static_cast<const T*>(aggregation.column.values);
  Memory<T> arranged(runtime, codes.rows);
  order.arrange<T>(
      [values](std::int64_t first, std::int64_t count, T* to) {
        std::copy_n(values + first, count, to);
      },
      arranged.data());
  auto* const to = reinterpret_cast<Result*>(results.values.data());
  // Groups differ in size: few a task, where they are many rows.
  const std::int64_t tasks = std::min(codes.groups, usable_threads(runtime) * 16);
  for_each_task(runtime, tasks, [&](std::int64_t task) {
    for (std::int64_t group = codes.groups * task / tasks;
         group < codes.groups * (task + 1) / tasks;
         ++group) {
      T* const first = arranged.data() + order.starts()[group];
      T* const last = arranged.data() + order.starts()[group + 1];
      results.valid[group] = first == last ? 0 : 1;
      if (first == last)
        to[group] =
            std::is_floating_point_v<Result> ? std::numeric_limits<Result>::quiet_NaN() : Result(0);
      else if (aggregation.kind == AggregateKind::median)
        to[group] = median_of<Result>(first, last);
      else
        to[group] =
            quantile_of<Result>(first, last, aggregation.quantile, aggregation.interpolation);
    }
  });
}

}  // namespace

bool needs_values_at_once(AggregateKind kind) {
  return kind == AggregateKind::median || kind == AggregateKind::quantile ||
         kind == AggregateKind::nunique;
}

void aggregate_values(
    runtime::Runtime& runtime,
    const Codes& codes,
    const Aggregation& aggregation,
    Aggregated& results) {
  if (aggregation.kind == AggregateKind::nunique) {
    const Memory<std::int64_t> counts = count_distinct(runtime, codes, {aggregation.column});
    std::copy_n(
        counts.data(), codes.groups, reinterpret_cast<std::int64_t*>(results.values.data()));
    std::fill_n(results.valid.data(), codes.groups, std::uint8_t{1});
    return;
  }
  with_type(aggregation.column.dtype, [&]<typename T>(T) {
    if (results.dtype == DType::float64)
      fill_quantiles<T, double>(runtime, codes, aggregation, results);
    else if (results.dtype == DType::float32)  // the median's
      fill_quantiles<T, float>(runtime, codes, aggregation, results);
    else
      fill_quantiles<T, std::int64_t>(runtime, codes, aggregation, results);
  });
}

// Groups of code and value are one for each different value of a group.
Memory<std::int64_t> count_distinct(
    runtime::Runtime& runtime, const Codes& codes, const Key& values) {
  check_codes(runtime, codes);
  const Column column = {
      codes.is_wide ? DType::int64 : DType::int32, codes.codes, nullptr, codes.rows};
  const Key keys[] = {{column, true}, values};
  const Groups distinct = group_rows(runtime, keys, true);
  Memory<std::int64_t> counts(runtime, codes.groups);
  std::fill_n(counts.data(), codes.groups, 0);
  for (std::int64_t i = 0; i < distinct.count; ++i) ++counts[codes[distinct.first_rows[i]]];
  return counts;
}

}  // namespace phalanx::frames
