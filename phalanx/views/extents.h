// Shapes and strides of arrays, and what memory they reach over.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "phalanx/ir/types.h"

namespace phalanx::views {

using Extents = std::vector<std::int64_t>;

// Byte strides of a contiguous array.
Extents contiguous_strides(const Extents& shape, std::size_t item_bytes, ir::Layout layout);
// How NumPy flags such an array, as Numba types it: C before F before any.
ir::Layout layout_of(const Extents& shape, const Extents& strides, std::size_t item_bytes);
bool is_contiguous(
    const Extents& shape, const Extents& strides, std::size_t item_bytes, ir::Layout layout);
std::int64_t element_count(const Extents& shape);

// The bytes that an array's elements lie in, relative to its first element: [low, high).
struct ByteRange {
  std::int64_t low = 0;
  std::int64_t high = 0;
};
ByteRange byte_range(const Extents& shape, const Extents& strides, std::size_t item_bytes);

}  // namespace phalanx::views
