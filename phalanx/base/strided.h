// Arrays as memory: extents and byte strides, whatever the elements are. Which shapes fit each
// other is NumPy's to say, and room numpy's.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "phalanx/base/export.h"

namespace phalanx {

using Extents = std::vector<std::int64_t>;
using ExtentSpan = std::span<const std::int64_t>;

PHX_API std::int64_t element_count(ExtentSpan shape);

// The bytes that an array's elements lie in, relative to its first element: [low, high).
struct ByteRange {
  std::int64_t low = 0;
  std::int64_t high = 0;
};
PHX_API ByteRange byte_range(ExtentSpan shape, ExtentSpan strides, std::size_t item_bytes);

// Where the elements of an array are. What it points to has to live as long.
struct StridedMemory {
  std::uint64_t address = 0;  // of the first element
  ExtentSpan shape;
  ExtentSpan strides;
  std::size_t item_bytes = 0;
};
// False only where no byte is of both: the ranges do not meet, or every distance between items of
// the one and of the other leaves them apart (as of a[::2] and a[1::2]). That is exact for arrays
// of one dimension and equal steps; if strides that differ ever meet is a question of integer
// programming, and answered with true.
PHX_API bool may_share(const StridedMemory& a, const StridedMemory& b);

// The dimensions, the longest stride first, and of equal strides the first first.
PHX_API std::vector<std::size_t> by_stride(ExtentSpan strides);

// Nested loops, outermost first. Each has a byte stride in every array that they go over.
struct StridedLoops {
  Extents extents;
  std::vector<Extents> strides;  // of each array one row, as long as the extents
};
// The same elements in the same order in fewer loops: one that goes on, in all arrays, where the
// one within it ends is one with it. Loops of one round are like others here; whoever can do
// without their strides leaves them out before.
PHX_API StridedLoops merged(const StridedLoops& loops);

}  // namespace phalanx
