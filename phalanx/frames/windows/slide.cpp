#include <array>
#include <atomic>
#include <string>

#include "phalanx/base/errors.h"
#include "phalanx/frames/parts.h"
#include "phalanx/frames/windows.h"
#include "phalanx/frames/windows/sliding.h"

namespace phalanx::frames {
namespace {

using Slide = void (*)(const Windows&, const WindowStatistic&, std::int64_t, std::int64_t, double*);

struct KindRow {
  std::string_view name;
};
constexpr std::array kind_table = {
#define WINDOW(name) KindRow{#name},
#include "phalanx/frames/windows/kinds.def"
#undef WINDOW
};

// The width of the widest window. Throws ValueError for windows that go back or out of the rows.
std::int64_t checked_width(runtime::Runtime& runtime, const Windows& windows) {
  if (windows.starts == nullptr)
    return std::clamp<std::int64_t>(windows.last - windows.first, 0, windows.rows);
  std::atomic<bool> fits{true};
  std::atomic<std::int64_t> widest{0};
  for_ranges(runtime, windows.count, [&](std::int64_t first, std::int64_t last) {
    bool all = true;
    std::int64_t width = 0;
    for (std::int64_t i = first; i < last; ++i) {
      const std::int64_t before = i == 0 ? 0 : windows.starts[i - 1];
      const std::int64_t end_before = i == 0 ? 0 : windows.ends[i - 1];
      all &= windows.starts[i] >= before && windows.ends[i] >= end_before &&
             windows.starts[i] <= windows.rows && windows.ends[i] <= windows.rows;
      width = std::max(width, windows.ends[i] - windows.starts[i]);
    }
    if (!all)
      fits = false;
    std::int64_t known = widest;
    while (known < width && !widest.compare_exchange_weak(known, width)) {
    }
  });
  if (!fits)
    throw ValueError("windows do not go back from one to the next, nor out of the rows");
  return widest;
}

bool is_of_order(WindowKind kind) {
  return kind == WindowKind::median || kind == WindowKind::quantile || kind == WindowKind::rank ||
         kind == WindowKind::nunique;
}

Slide slide_of(WindowKind kind) {
  using windows::ExtremeFold;
  using windows::slide_folds;
  switch (kind) {
    case WindowKind::count:
      return slide_folds<windows::CountFold>;
    case WindowKind::sum:
    case WindowKind::mean:
      return slide_folds<windows::SumFold>;
    case WindowKind::var:
    case WindowKind::std:
    case WindowKind::sem:
      return slide_folds<windows::VarianceFold>;
    case WindowKind::skew:
    case WindowKind::kurt:
      return slide_folds<windows::MomentsFold>;
    case WindowKind::min:
      return slide_folds<ExtremeFold<-1>>;
    case WindowKind::max:
      return slide_folds<ExtremeFold<1>>;
    case WindowKind::cov:
    case WindowKind::corr:
      return slide_folds<windows::PairFold>;
    case WindowKind::first:
    case WindowKind::last:
      return windows::slide_ends;
    default:
      return windows::slide_order;
  }
}

// How many windows a thread takes at once. A chunk begins with a walk through its first window,
// which is to be little of it.
std::int64_t chunk_of(const Windows& windows, WindowKind kind, std::int64_t width) {
  constexpr std::int64_t least = 1 << 13;
  const std::int64_t times = is_of_order(kind) ? 4 : 8;
  const std::int64_t step = std::max<std::int64_t>(windows.step, 1);
  return std::max(least, times * width / step);
}

}  // namespace

std::optional<WindowKind> window_kind_named(std::string_view name) {
  const auto* const found = std::ranges::find(kind_table, name, &KindRow::name);
  if (found == kind_table.end())
    return std::nullopt;
  return static_cast<WindowKind>(found - kind_table.begin());
}

std::vector<Memory<double>> slide(
    runtime::Runtime& runtime,
    const Windows& windows,
    std::span<const WindowStatistic> statistics) {
  const std::int64_t width = checked_width(runtime, windows);
  struct Chunk {
    std::size_t statistic;
    std::int64_t first;
    std::int64_t last;
  };
  std::vector<Chunk> chunks;
  std::vector<Memory<double>> results;
  for (std::size_t i = 0; i < statistics.size(); ++i) {
    results.emplace_back(runtime, windows.count);
    const std::int64_t size = chunk_of(windows, statistics[i].kind, width);
    for (std::int64_t first = 0; first < windows.count; first += size)
      chunks.push_back({i, first, std::min(windows.count, first + size)});
  }
  for_each_task(runtime, static_cast<std::int64_t>(chunks.size()), [&](std::int64_t task) {
    const Chunk& chunk = chunks[static_cast<std::size_t>(task)];
    const WindowStatistic& statistic = statistics[chunk.statistic];
    slide_of(statistic.kind)(
        windows, statistic, chunk.first, chunk.last, results[chunk.statistic].data());
  });
  return results;
}

}  // namespace phalanx::frames
