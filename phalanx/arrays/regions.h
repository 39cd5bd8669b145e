// Parts of a kernel's space in which concatenations are one of their operands each: there they are
// views of it, which fuse as all views do.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "phalanx/arrays/dimension_map.h"
#include "phalanx/arrays/node.h"
#include "phalanx/views/extents.h"

namespace phalanx::arrays {

struct Region {
  Extents start;
  Extents extents;
};

constexpr std::size_t most_regions = 16;

struct Regions {
  // Beside each other, in C order: one where there is nothing to cut, none of an empty space.
  // Nothing where they are more than `most_regions`.
  std::optional<std::vector<Region>> all;
  std::size_t kernels = 0;  // that would write the concatenations to memory, and read that
};

// Of an elementwise value that is computed by kernels of its own: what cannot be in them is taken
// as computed before.
Regions regions_of(const Node& node);

// True if it takes longer to write the concatenations to memory than to cut the value, which is
// computed on that device.
bool pays_to_cut(const Node& node, runtime::Device& device);

// The operand that the concatenation is at all indices of a space, which is a region.
const Part& part_at(const Concatenation& concatenation, const DimensionMap& map, ExtentSpan space);

}  // namespace phalanx::arrays
