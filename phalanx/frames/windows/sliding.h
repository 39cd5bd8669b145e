// A window of rows as two parts with a pivot between them, neither of which takes a row back.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "phalanx/frames/windows/folds.h"

namespace phalanx::frames::windows {

// The rows of one column, or of two, as a fold takes them.
struct Rows {
  const double* values;
  const double* second;

  template <typename Fold>
  void add(Fold& fold, std::int64_t row) const {
    if (std::isfinite(values[row]))
      fold.add(values[row]);
  }
  void add(PairFold& fold, std::int64_t row) const {
    if (std::isfinite(values[row]) && std::isfinite(second[row]))
      fold.add(values[row], second[row]);
  }
};

// The states of [begin, pivot) are stored for every begin, from a walk backward; that of
// [pivot, end) grows. When the window has left the pivot behind, the next one is its end. Each row
// is added twice, whatever the windows' widths (the queue of two stacks).
template <typename Fold>
void slide_folds(
    const Windows& windows,
    const WindowStatistic& statistic,
    std::int64_t first,
    std::int64_t last,
    double* results) {
  const Rows rows{statistic.values, statistic.second};
  std::vector<Fold> before;  // of the rows from `base` on
  std::int64_t base = 0;
  std::int64_t pivot = -1;
  std::int64_t reached = 0;
  Fold after;
  for (std::int64_t i = first; i < last; ++i) {
    const std::int64_t begin = windows.begin(i);
    const std::int64_t end = std::max(begin, windows.end(i));
    if (begin >= pivot) {
      base = begin;
      pivot = reached = end;
      const auto size = static_cast<std::size_t>(end - begin);
      if (before.size() < size + 1)
        before.resize(size + 1);
      Fold state;
      for (std::int64_t row = end - 1; row >= begin; --row) {
        rows.add(state, row);
        before[static_cast<std::size_t>(row - begin)] = state;
      }
      after = Fold();
    }
    for (; reached < end; ++reached) rows.add(after, reached);
    Fold state = begin < pivot ? before[static_cast<std::size_t>(begin - base)] : Fold();
    state.merge(after);
    results[i] = state.count < statistic.min_periods ? none : state.result(statistic);
  }
}

// The first or the last value of each window.
void slide_ends(
    const Windows& windows,
    const WindowStatistic& statistic,
    std::int64_t first,
    std::int64_t last,
    double* results);

// Median, quantile, rank and nunique of the windows [first, last).
void slide_order(
    const Windows& windows,
    const WindowStatistic& statistic,
    std::int64_t first,
    std::int64_t last,
    double* results);

}  // namespace phalanx::frames::windows
