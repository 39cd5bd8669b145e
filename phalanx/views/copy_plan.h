// A copy of strided elements as the fewest loops over the longest runs of bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "phalanx/runtime/buffer.h"
#include "phalanx/views/extents.h"

namespace phalanx::views {

// Where elements lie: the first one's address, on a device or on the host, and byte strides.
struct Elements {
  runtime::Address first = 0;
  Extents strides;
};

// Both sides of a loop have byte strides.
struct CopyLoop {
  std::int64_t extent = 1;
  std::int64_t to = 0;
  std::int64_t from = 0;
};

struct CopyPlan {
  runtime::Address to = 0;  // of the first run
  runtime::Address from = 0;
  std::size_t run = 0;          // bytes that lie together on both sides
  std::vector<CopyLoop> loops;  // around the run, outermost first: the target's longest stride
  bool is_one_run() const { return loops.empty(); }
  std::int64_t runs() const;
  // The largest power of two, up to `most`, that divides the run, all strides and both addresses.
  std::size_t unit(std::size_t most) const;
};

// Loops follow the target's memory upwards, so that writes are in order; those that go on where the
// one within them ends are merged with it. There is at least one element.
CopyPlan plan_copy(
    const Extents& shape, const Elements& to, const Elements& from, std::size_t item_bytes);

// How the array lies between two memories: as it is where its elements leave no gaps and do not
// overlap, else without gaps and in the same order of dimensions.
Extents packed_strides(const Extents& shape, const Extents& strides, std::size_t item_bytes);

// True if some byte may be of both: see may_share.
bool may_overlap(
    const Extents& shape, const Elements& a, const Elements& b, std::size_t item_bytes);

}  // namespace phalanx::views
