// What moving windows of rows have: sums, moments, extremes, order statistics; decaying means.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "phalanx/base/export.h"
#include "phalanx/frames/aggregate.h"
#include "phalanx/frames/in_groups.h"
#include "phalanx/frames/memory.h"
#include "phalanx/runtime/runtime.h"

namespace phalanx::frames {

// The rows [begin(i), end(i)) of each window. Neither goes back from one window to the next.
struct Windows {
  std::int64_t rows = 0;   // of the columns
  std::int64_t count = 0;  // of windows
  const std::int64_t* starts = nullptr;
  const std::int64_t* ends = nullptr;
  // Where there are no arrays: window i has the rows from first + i * step up to last + i * step,
  // of which some may be before the first row or after the last.
  std::int64_t first = 0;
  std::int64_t last = 0;
  std::int64_t step = 1;

  std::int64_t begin(std::int64_t i) const {
    return starts != nullptr ? starts[i] : std::clamp<std::int64_t>(first + i * step, 0, rows);
  }
  std::int64_t end(std::int64_t i) const {
    return ends != nullptr ? ends[i] : std::clamp<std::int64_t>(last + i * step, 0, rows);
  }
};

// Windows of time of rows that are sorted, up or down, between one of `bounds` and the next; these
// are rows, from 0 to their number.
struct Spans {
  const std::int64_t* times = nullptr;
  std::span<const std::int64_t> bounds;
  std::int64_t width = 0;
  bool has_start = false;  // a row as old as the window is in it
  bool has_end = true;     // rows at its other end are in it: if not centered the row itself
  bool is_centered = false;
};
struct Edges {
  Memory<std::int64_t> starts;
  Memory<std::int64_t> ends;
};
// The windows as rows. One that is not centered ends with its row, even if rows of the same time
// follow; without its end it has no row of that time.
PHX_API Edges edges_of_spans(runtime::Runtime& runtime, const Spans& spans);

enum class WindowKind : std::uint8_t {
#define WINDOW(name) name,
#include "phalanx/frames/windows/kinds.def"
#undef WINDOW
};
PHX_API std::optional<WindowKind> window_kind_named(std::string_view name);

// What is wanted of the windows. NaN and infinities are missing.
struct WindowStatistic {
  WindowKind kind = WindowKind::sum;
  const double* values = nullptr;
  const double* second = nullptr;  // of cov and corr
  std::int64_t min_periods = 1;    // windows with fewer values give NaN
  int ddof = 1;                    // of var, std, sem and cov
  double quantile = 0.5;
  Interpolation interpolation = Interpolation::linear;
  RankMethod rank = RankMethod::average;  // of each window's last row among all of it
  bool is_descending = false;
  bool is_fraction = false;  // ranks as parts of the number of values
};

// One number a window for each statistic. Sums and moments are merged from both sides of a row in
// the window, never taken back, so that no digits are lost as large values leave it.
// Throws ValueError for windows that go back or out of the rows.
PHX_API std::vector<Memory<double>> slide(
    runtime::Runtime& runtime, const Windows& windows, std::span<const WindowStatistic> statistics);

// Exponentially weighted means, sums and covariances over runs of rows that begin anew at each of
// `bounds` but the last, which is the end.
struct Decay {
  enum class Kind : std::uint8_t { mean, sum, cov };
  Kind kind = Kind::mean;
  const double* values = nullptr;
  const double* second = nullptr;  // of cov: the values themselves give the variance
  const double* gaps = nullptr;    // rows - 1 spans of time between rows, or null: all are 1
  std::int64_t rows = 0;
  std::span<const std::int64_t> bounds;
  double com = 1;  // the factor of one step is com / (1 + com)
  bool is_adjusted = true;
  bool ignores_missing = false;  // a missing row is no step
  bool is_biased = false;        // of cov
  std::int64_t min_periods = 1;
};
PHX_API std::vector<Memory<double>> decay(
    runtime::Runtime& runtime, std::span<const Decay> requests);

}  // namespace phalanx::frames
