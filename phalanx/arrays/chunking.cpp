#include "phalanx/arrays/chunking.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <utility>

#include "phalanx/base/strided.h"

namespace phalanx::arrays {
namespace {

// Chunks may read so many times what they need: rows above and below, operands of other orders.
constexpr std::int64_t most_rereads = 2;

ExtentSpan span_of(const Strides& strides) { return {strides.data(), strides.size()}; }

std::int64_t product_of(const Strides& extents) { return element_count(span_of(extents)); }

ByteRange range_of(const Access& access, const Strides& first, const Strides& extents) {
  ByteRange range =
      byte_range(span_of(extents), span_of(access.strides), access.memory->item_bytes());
  std::int64_t start = access.offset;
  for (std::size_t i = 0; i < first.size(); ++i) start += first[i] * access.strides[i];
  return {.low = range.low + start, .high = range.high + start};
}

ByteRange joined(const ByteRange& a, const ByteRange& b) {
  return {.low = std::min(a.low, b.low), .high = std::max(a.high, b.high)};
}

std::int64_t bytes_of(const ByteRange& range) { return range.high - range.low; }

// What chunks of those extents read.
std::vector<Window> windows_of(const Program& program, const Strides& extents) {
  const Strides first(extents.size());
  std::vector<Window> windows;
  std::vector<ByteRange> ranges;
  for (std::size_t i = 0; i < program.accesses.size(); ++i) {
    const Access& access = program.accesses[i];
    if (!access.spilled)
      continue;
    const ByteRange own = range_of(access, first, extents);
    const auto joins = [&](std::size_t window) {
      const Access& other = program.accesses[windows[window].accesses.front()];
      return other.spilled->source == access.spilled->source && other.strides == access.strides &&
             own.low < ranges[window].high && ranges[window].low < own.high;
    };
    std::size_t window = 0;
    while (window < windows.size() && !joins(window)) ++window;
    if (window == windows.size()) {
      windows.emplace_back();
      ranges.push_back(own);
    }
    windows[window].accesses.push_back(i);
    ranges[window] = joined(ranges[window], own);
    windows[window].most_bytes = static_cast<std::size_t>(bytes_of(ranges[window]));
  }
  return windows;
}

}  // namespace

std::optional<Chunking> Chunking::find(const Program& program, const ChunkLimits& limits) {
  const auto has_places = [](const Access& access) { return access.spilled && access.is_gathered; };
  if (product_of(program.space) == 0 || std::ranges::any_of(program.accesses, has_places))
    return std::nullopt;
  Chunking chunking;
  chunking.space_ = program.space;
  chunking.order_ = limits.order;
  chunking.extents_ = program.space;
  if (!chunking.cut(program, limits))
    return std::nullopt;
  for (std::size_t i = 0; i < program.space.size(); ++i)
    chunking.counts_.push_back(
        (program.space[i] + chunking.extents_[i] - 1) / chunking.extents_[i]);
  chunking.item_bytes_ = limits.item_bytes;
  chunking.result_bytes_ =
      static_cast<std::size_t>(product_of(chunking.extents_)) * limits.item_bytes;
  if (!chunking.reads_little(program) || !chunking.writes_one_range(limits.is_folded))
    return std::nullopt;
  return chunking;
}

// What chunks need that are so long along the last dimension which is cut.
std::size_t Chunking::bytes_at(
    const Program& program, const ChunkLimits& limits, std::int64_t extent) {
  if (last_ < order_.size())
    extents_[order_[last_]] = extent;
  windows_ = windows_of(program, extents_);
  std::size_t bytes = static_cast<std::size_t>(product_of(extents_)) * limits.item_bytes;
  for (const Window& window : windows_) bytes += window.most_bytes;
  return bytes;
}

// Cuts one dimension after the other to single indices, until some of the last one's fit.
bool Chunking::cut(const Program& program, const ChunkLimits& limits) {
  if (order_.empty())
    return bytes_at(program, limits, 1) <= limits.most_bytes;
  for (last_ = 0; last_ < order_.size(); ++last_) {
    const std::size_t dimension = order_[last_];
    const std::int64_t whole = space_[dimension];
    const std::size_t bytes = bytes_at(program, limits, whole);
    if (bytes <= limits.most_bytes)
      return true;
    if (!limits.is_whole.empty() && limits.is_whole[dimension] && whole > 1)
      return false;
    const std::size_t least = bytes_at(program, limits, 1);
    if (least > limits.most_bytes)
      continue;
    const std::size_t each = std::max<std::size_t>(bytes_at(program, limits, 2) - least, 1);
    const auto more = static_cast<std::int64_t>((limits.most_bytes - least) / each);
    std::int64_t extent = std::min(1 + more, whole);
    while (bytes_at(program, limits, extent) > limits.most_bytes) extent /= 2;
    return true;
  }
  return false;
}

bool Chunking::reads_little(const Program& program) const {
  const Chunk all{.first = Strides(space_.size()), .extents = space_, .number = {}};
  std::int64_t needed = 0;
  std::int64_t read = 0;
  for (const Window& window : windows_) {
    // A window that stays where it is, while the last dimensions move, is read once for all these.
    std::int64_t times = 1;
    std::int64_t passed = 1;
    for (std::size_t i = 0; i < order_.size() && i <= last_; ++i) {
      passed *= counts_[order_[i]];
      if (program.accesses[window.accesses.front()].strides[order_[i]] != 0)
        times = passed;
    }
    needed += bytes_of(range_of(program, window, all));
    read += times * static_cast<std::int64_t>(window.most_bytes);
  }
  return read <= most_rereads * needed;
}

// Of the dimensions that are kept, in C order: single indices, one range, and whole ones.
bool Chunking::writes_one_range(const std::vector<bool>& is_folded) const {
  bool has_range = false;
  for (std::size_t i = 0; i < is_folded.size(); ++i) {
    if (is_folded[i])
      continue;
    if (has_range && extents_[i] != space_[i])
      return false;
    has_range = has_range || extents_[i] != 1;
  }
  return true;
}

ByteRange Chunking::results_of(const Chunk& chunk) const {
  const Strides strides = strides_in_order(span_of(space_), order_, item_bytes_);
  std::int64_t first = 0;
  for (std::size_t i = 0; i < strides.size(); ++i) first += chunk.first[i] * strides[i];
  const auto item = static_cast<std::int64_t>(item_bytes_);
  return {.low = first, .high = first + product_of(chunk.extents) * item};
}

std::int64_t Chunking::count() const { return product_of(counts_); }

Chunk Chunking::chunk(std::int64_t number) const {
  Chunk chunk{
      .first = Strides(space_.size()),
      .extents = Strides(space_.size()),
      .number = Strides(space_.size())};
  for (std::size_t i = order_.size(); i-- > 0;) {
    const std::size_t dimension = order_[i];
    const std::int64_t place = number % counts_[dimension];
    number /= counts_[dimension];
    const std::int64_t first = place * extents_[dimension];
    chunk.number[dimension] = place;
    chunk.first[dimension] = first;
    chunk.extents[dimension] = std::min(extents_[dimension], space_[dimension] - first);
  }
  return chunk;
}

ByteRange Chunking::range_of(
    const Program& program, const Window& window, const Chunk& chunk) const {
  std::optional<ByteRange> all;
  for (const std::size_t each : window.accesses) {
    const ByteRange own = arrays::range_of(program.accesses[each], chunk.first, chunk.extents);
    all = all ? joined(*all, own) : own;
  }
  return all.value_or(ByteRange());
}

Program part_of(const Program& program, const Chunk& chunk) {
  Program part = program;
  part.space = chunk.extents;
  for (Access& access : part.accesses) {
    for (std::size_t i = 0; i < chunk.first.size(); ++i)
      access.offset += chunk.first[i] * access.strides[i];
  }
  for (PositionsUse& use : part.positions) {
    for (std::size_t i = 0; i < chunk.first.size(); ++i) use.start += chunk.first[i] * use.steps[i];
  }
  return part;
}

}  // namespace phalanx::arrays
