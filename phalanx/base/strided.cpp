#include "phalanx/base/strided.h"

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <numeric>

namespace phalanx {
namespace {

// What divides every distance between two elements of the array, and `known`; 0 divides 0 alone.
std::int64_t common_step(const StridedMemory& array, std::int64_t known) {
  for (std::size_t i = 0; i < array.shape.size(); ++i) {
    if (array.shape[i] != 1)
      known = std::gcd(known, array.strides[i]);
  }
  return known;
}

}  // namespace

std::int64_t element_count(ExtentSpan shape) {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

ByteRange byte_range(ExtentSpan shape, ExtentSpan strides, std::size_t item_bytes) {
  if (element_count(shape) == 0)
    return {};
  ByteRange range{0, static_cast<std::int64_t>(item_bytes)};
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const std::int64_t span = (shape[i] - 1) * strides[i];
    (span < 0 ? range.low : range.high) += span;
  }
  return range;
}

bool may_share(const StridedMemory& a, const StridedMemory& b) {
  if (element_count(a.shape) == 0 || element_count(b.shape) == 0)
    return false;
  const ByteRange of_a = byte_range(a.shape, a.strides, a.item_bytes);
  const ByteRange of_b = byte_range(b.shape, b.strides, b.item_bytes);
  const auto apart = static_cast<std::int64_t>(b.address - a.address);
  if (of_a.high <= apart + of_b.low || apart + of_b.high <= of_a.low)
    return false;
  const std::int64_t step = common_step(b, common_step(a, 0));
  if (step == 0)
    return true;  // one item each, and their ranges meet
  // Items of `b` begin so many bytes, and any number of steps, after those of `a`.
  const std::int64_t after = ((apart % step) + step) % step;
  return after < static_cast<std::int64_t>(a.item_bytes) ||
         after + static_cast<std::int64_t>(b.item_bytes) > step;
}

std::vector<std::size_t> by_stride(ExtentSpan strides) {
  std::vector<std::size_t> order(strides.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(
      order, std::ranges::greater(), [&](std::size_t i) { return std::abs(strides[i]); });
  return order;
}

StridedLoops merged(const StridedLoops& loops) {
  StridedLoops made;
  made.strides.resize(loops.strides.size());
  const auto goes_on_after_last = [&](std::size_t outer) {
    for (std::size_t row = 0; row < loops.strides.size(); ++row) {
      if (loops.strides[row][outer] != made.strides[row].back() * made.extents.back())
        return false;
    }
    return true;
  };
  // From the innermost out, and turned around at last.
  for (std::size_t i = loops.extents.size(); i-- > 0;) {
    if (!made.extents.empty() && goes_on_after_last(i)) {
      made.extents.back() *= loops.extents[i];
      continue;
    }
    made.extents.push_back(loops.extents[i]);
    for (std::size_t row = 0; row < loops.strides.size(); ++row)
      made.strides[row].push_back(loops.strides[row][i]);
  }
  std::ranges::reverse(made.extents);
  for (Extents& row : made.strides) std::ranges::reverse(row);
  return made;
}

}  // namespace phalanx
