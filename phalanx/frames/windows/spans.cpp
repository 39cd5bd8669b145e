#include <algorithm>
#include <vector>

#include "phalanx/frames/parts.h"
#include "phalanx/frames/windows.h"

namespace phalanx::frames {
namespace {

// Rows of one run, with times that grow: those that fall are turned.
class Run {
 public:
  Run(const Spans& spans, std::int64_t first, std::int64_t last)
      : spans_(spans),
        first_(first),
        last_(last),
        is_falling_(last > first && spans.times[last - 1] < spans.times[first]) {}

  void find(std::int64_t row, std::int64_t end, Edges& edges) const {
    const std::int64_t back = spans_.is_centered ? spans_.width / 2 : spans_.width;
    std::int64_t start = first_after(time(row) - back, spans_.has_start);
    // Without the row itself none of its time is in its window.
    const std::int64_t ahead = spans_.is_centered ? back : 0;
    const bool is_sought = spans_.is_centered || !spans_.has_end;
    std::int64_t stop = is_sought ? first_after(time(row) + ahead, !spans_.has_end) : row + 1;
    for (; row < end; ++row) {
      const std::int64_t from = time(row) - back;
      while (start < row && !is_after(start, from, spans_.has_start)) ++start;
      edges.starts[row] = row == first_ ? row : std::min(start, row);
      if (is_sought)
        while (stop < last_ && !is_after(stop, time(row) + ahead, !spans_.has_end)) ++stop;
      else
        stop = row + 1;
      edges.ends[row] = std::max(edges.starts[row], stop);
    }
  }

 private:
  std::int64_t time(std::int64_t row) const {
    return is_falling_ ? -spans_.times[row] : spans_.times[row];
  }
  bool is_after(std::int64_t row, std::int64_t bound, bool or_equal) const {
    return time(row) > bound || (or_equal && time(row) == bound);
  }
  std::int64_t first_after(std::int64_t bound, bool or_equal) const {
    std::int64_t low = first_;
    std::int64_t high = last_;
    while (low < high) {
      const std::int64_t middle = low + (high - low) / 2;
      if (is_after(middle, bound, or_equal))
        high = middle;
      else
        low = middle + 1;
    }
    return low;
  }

  const Spans& spans_;
  std::int64_t first_;
  std::int64_t last_;
  bool is_falling_;
};

}  // namespace

Edges edges_of_spans(runtime::Runtime& runtime, const Spans& spans) {
  const std::int64_t rows = spans.bounds.back();
  Edges edges{Memory<std::int64_t>(runtime, rows), Memory<std::int64_t>(runtime, rows)};
  for_ranges(runtime, rows, [&](std::int64_t row, std::int64_t last) {
    const auto next = std::ranges::upper_bound(spans.bounds, row);
    auto run = static_cast<std::size_t>(next - spans.bounds.begin()) - 1;
    while (row < last) {
      const std::int64_t end = spans.bounds[run + 1];
      Run(spans, spans.bounds[run], end).find(row, std::min(last, end), edges);
      row = std::min(last, end);
      for (++run; run + 1 < spans.bounds.size() && spans.bounds[run + 1] <= row;) ++run;
    }
  });
  return edges;
}

}  // namespace phalanx::frames
