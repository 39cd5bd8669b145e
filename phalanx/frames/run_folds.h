// Folds of rows that follow one another: several states at once, so that no addition waits for the
// one before, and walks that end where the result is known.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "phalanx/frames/folds.h"

namespace phalanx::frames {

// Which rows have no value. All three are called with a row and its value.
struct NoneMissing {
  template <typename T>
  bool operator()(std::int64_t /*row*/, T /*value*/) const {
    return false;
  }
};
struct NanMissing {
  template <typename T>
  bool operator()(std::int64_t /*row*/, T value) const {
    if constexpr (std::is_floating_point_v<T>)
      return std::isnan(value);
    else
      return false;
  }
};

// 1 for folds that the last row decides, -1 for those that the first one does, 0 for others.
template <typename Fold>
inline constexpr int end_of = 0;
template <typename T, bool is_last>
inline constexpr int end_of<EndFold<T, is_last>> = is_last ? 1 : -1;
template <bool is_last>
inline constexpr int end_of<EndRowFold<is_last>> = is_last ? 1 : -1;

// Those whose results do not tell in which order rows came.
template <typename Fold>
inline constexpr bool has_lanes =
    std::is_same_v<Fold, SumFold<double>> || std::is_same_v<Fold, MeanFold<double>> ||
    std::is_same_v<Fold, VarFold>;

template <typename Fold>
inline constexpr int direction_of = 0;
template <int direction>
inline constexpr int direction_of<ExtremeFold<double, direction>> = direction;

inline constexpr std::int64_t fold_lanes = 4;

template <typename Fold, typename T, typename IsMissing>
void add_row(Fold& fold, const T* values, const IsMissing& is_missing, std::int64_t row) {
  if (!is_missing(row, values[row]))
    fold.add(static_cast<typename Fold::Value>(values[row]), row);
}

template <typename Fold, typename T, typename IsMissing>
Fold fold_ends(
    const T* values, const IsMissing& is_missing, std::int64_t first, std::int64_t last) {
  Fold fold;
  constexpr bool is_last = end_of < Fold >> 0;
  constexpr std::int64_t step = is_last ? -1 : 1;
  for (std::int64_t row = is_last ? last - 1 : first; first <= row && row < last; row += step) {
    if (!is_missing(row, values[row])) {
      fold.add(static_cast<typename Fold::Value>(values[row]), row);
      break;
    }
  }
  return fold;
}

template <typename Fold, typename T, typename IsMissing>
Fold fold_in_lanes(
    const T* values, const IsMissing& is_missing, std::int64_t row, std::int64_t last) {
  std::array<Fold, fold_lanes> lanes;
  for (; row + fold_lanes <= last; row += fold_lanes)
    for (std::int64_t lane = 0; lane < fold_lanes; ++lane)
      add_row(lanes[static_cast<std::size_t>(lane)], values, is_missing, row + lane);
  for (; row < last; ++row) add_row(lanes[0], values, is_missing, row);
  lanes[0].merge(lanes[1]);
  lanes[2].merge(lanes[3]);
  lanes[0].merge(lanes[2]);
  return lanes[0];
}

// The extreme of floats of which NaN, which no comparison finds, are all that is missing.
template <int direction, typename T>
double extreme_of(const T* values, std::int64_t row, std::int64_t last) {
  const auto better = [](double a, double b) {
    return direction > 0 ? (a > b ? a : b) : (a < b ? a : b);
  };
  std::array<double, fold_lanes> best;
  best.fill(-direction * std::numeric_limits<double>::infinity());
  for (; row + fold_lanes <= last; row += fold_lanes)
    for (std::size_t lane = 0; lane < fold_lanes; ++lane)
      best[lane] =
          better(static_cast<double>(values[row + static_cast<std::int64_t>(lane)]), best[lane]);
  for (; row < last; ++row) best[0] = better(static_cast<double>(values[row]), best[0]);
  return better(better(best[0], best[1]), better(best[2], best[3]));
}

// The state of the rows [first, last).
template <typename Fold, typename T, typename IsMissing>
Fold fold_run(const T* values, const IsMissing& is_missing, std::int64_t first, std::int64_t last) {
  if constexpr (end_of<Fold> != 0)
    return fold_ends<Fold>(values, is_missing, first, last);
  if constexpr (has_lanes<Fold>)
    return fold_in_lanes<Fold>(values, is_missing, first, last);
  Fold fold;
  if constexpr (direction_of<Fold> != 0 && std::is_same_v<IsMissing, NanMissing>) {
    fold.best = extreme_of<direction_of<Fold>>(values, first, last);
    // No value, or none but infinities, is told by a walk below.
    fold.has_best = fold.best != -direction_of<Fold> * std::numeric_limits<double>::infinity();
    if (fold.has_best)
      return fold;
  }
  for (; first < last; ++first) add_row(fold, values, is_missing, first);
  return fold;
}

}  // namespace phalanx::frames
