#include "phalanx/numpy/broadcast.h"

#include <algorithm>
#include <cstdlib>
#include <numeric>
#include <string>
#include <utility>

namespace phalanx::numpy {
namespace {

// As NumPy writes shapes: tuples without spaces.
std::string to_string(ExtentSpan shape) {
  std::string text;
  for (const std::int64_t extent : shape)
    text += (text.empty() ? "" : ",") + std::to_string(extent);
  return "(" + text + (shape.size() == 1 ? ",)" : ")");
}

std::string message_of(std::span<const Extents> shapes) {
  std::string text = std::string(misfit_message) + " with shapes ";
  for (const Extents& shape : shapes) text += to_string(shape) + " ";
  return text;
}

// Which of two dimensions the arrays have inside, as far as they know: one that an array is
// stretched along says nothing.
enum class Inside : std::uint8_t { first, second, unknown };
Inside inside_of(
    std::size_t first, std::size_t second, ExtentSpan shape, std::span<const Extents> strides) {
  const auto stride = [&](const Extents& row, std::size_t dimension) {
    return shape[dimension] == 1 ? 0 : std::abs(row[dimension]);
  };
  Inside inside = Inside::unknown;
  for (const Extents& row : strides) {
    const std::int64_t a = stride(row, first);
    const std::int64_t b = stride(row, second);
    if (a == 0 || b == 0)
      continue;
    // C's order wins where arrays disagree: the second, which is later in it, is inside.
    if (b <= a)
      inside = Inside::second;
    else if (inside == Inside::unknown)
      inside = Inside::first;
  }
  return inside;
}

}  // namespace

BroadcastError::BroadcastError(std::vector<Extents> shapes)
    : ShapeError(message_of(shapes)),
      shapes_(std::make_shared<const std::vector<Extents>>(std::move(shapes))) {}

Extents broadcast(std::span<const Extents> shapes) {
  std::size_t ndim = 0;
  for (const Extents& shape : shapes) ndim = std::max(ndim, shape.size());
  Extents result(ndim, 1);
  for (const Extents& shape : shapes) {
    const std::size_t missing = ndim - shape.size();
    for (std::size_t i = 0; i < shape.size(); ++i) {
      std::int64_t& known = result[missing + i];
      if (shape[i] == 1)
        continue;
      if (known != 1 && known != shape[i])
        throw BroadcastError({shapes.begin(), shapes.end()});
      known = shape[i];
    }
  }
  return result;
}

Extents stretched_strides(ExtentSpan own_shape, ExtentSpan own_strides, ExtentSpan shape) {
  Extents strides(shape.size(), 0);
  for (std::size_t back = 1; back <= own_shape.size(); ++back) {
    const std::int64_t extent = own_shape[own_shape.size() - back];
    if (extent == 1)
      continue;
    if (back > shape.size() || shape[shape.size() - back] != extent)
      throw BroadcastError({{own_shape.begin(), own_shape.end()}, {shape.begin(), shape.end()}});
    strides[shape.size() - back] = own_strides[own_strides.size() - back];
  }
  return strides;
}

StridedLoops collapse(ExtentSpan shape, std::span<const Extents> strides) {
  StridedLoops loops{.extents = {}, .strides = std::vector<Extents>(strides.size())};
  std::vector<std::size_t> order(shape.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (!strides.empty())
    order = by_stride(strides.back());
  for (const std::size_t i : order) {
    if (shape[i] == 1)
      continue;
    loops.extents.push_back(shape[i]);
    for (std::size_t row = 0; row < strides.size(); ++row)
      loops.strides[row].push_back(strides[row][i]);
  }
  loops = merged(loops);
  if (loops.extents.empty()) {
    loops.extents = {1};
    for (Extents& row : loops.strides) row = {0};
  }
  return loops;
}

// An insertion sort, as NumPy's is: the relation is not transitive, so that another sort would give
// other orders.
std::vector<std::size_t> kept_order(ExtentSpan shape, std::span<const Extents> strides) {
  std::vector<std::size_t> order;  // innermost first
  for (std::size_t dimension = shape.size(); dimension-- > 0;) {
    std::size_t at = order.size();
    for (std::size_t i = order.size(); i-- > 0;) {
      const Inside inside = inside_of(dimension, order[i], shape, strides);
      if (inside == Inside::second)
        break;
      if (inside == Inside::first)
        at = i;
    }
    order.insert(order.begin() + static_cast<std::ptrdiff_t>(at), dimension);
  }
  std::ranges::reverse(order);
  return order;
}

}  // namespace phalanx::numpy
