// Shapes and strides of arrays, and what memory they reach over.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "phalanx/base/export.h"
#include "phalanx/ir/types.h"

namespace phalanx::views {

using Extents = std::vector<std::int64_t>;

// Byte strides of a contiguous array.
PHX_API Extents contiguous_strides(const Extents& shape, std::size_t item_bytes, ir::Layout layout);
// How NumPy flags such an array, as Numba types it: C before F before any.
PHX_API ir::Layout layout_of(const Extents& shape, const Extents& strides, std::size_t item_bytes);
PHX_API bool is_contiguous(
    const Extents& shape, const Extents& strides, std::size_t item_bytes, ir::Layout layout);
PHX_API std::int64_t element_count(const Extents& shape);

// The bytes that an array's elements lie in, relative to its first element: [low, high).
struct ByteRange {
  std::int64_t low = 0;
  std::int64_t high = 0;
};
PHX_API ByteRange byte_range(const Extents& shape, const Extents& strides, std::size_t item_bytes);

}  // namespace phalanx::views
