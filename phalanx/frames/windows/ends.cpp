#include <algorithm>

#include "phalanx/frames/windows/sliding.h"

namespace phalanx::frames::windows {

void slide_ends(
    const Windows& windows,
    const WindowStatistic& statistic,
    std::int64_t first,
    std::int64_t last,
    double* results) {
  const double* const values = statistic.values;
  const auto is_there = [&](std::int64_t row) { return std::isfinite(values[row]); };
  std::int64_t entered = first < last ? windows.begin(first) : 0;
  std::int64_t left = entered;
  std::int64_t count = 0;
  std::int64_t earliest = entered;  // the first row from the window's begin on that has a value
  std::int64_t latest = -1;         // the last one before its end
  for (std::int64_t i = first; i < last; ++i) {
    const std::int64_t begin = windows.begin(i);
    const std::int64_t end = std::max(begin, windows.end(i));
    if (begin > entered) {
      entered = left = begin;
      count = 0;
    }
    for (; entered < end; ++entered) {
      if (is_there(entered)) {
        ++count;
        latest = entered;
      }
    }
    for (; left < begin; ++left) count -= is_there(left) ? 1 : 0;
    earliest = std::max(earliest, begin);
    while (earliest < end && !is_there(earliest)) ++earliest;
    const bool has_value = count > 0 && count >= statistic.min_periods;
    const std::int64_t row = statistic.kind == WindowKind::first ? earliest : latest;
    results[i] = has_value ? values[row] : none;
  }
}

}  // namespace phalanx::frames::windows
