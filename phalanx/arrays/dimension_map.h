// Where the dimensions of a node are in the space of a kernel that computes it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "phalanx/arrays/node.h"
#include "phalanx/base/inline_vector.h"

namespace phalanx::arrays {

using DimensionMap = InlineVector<Axis, 4>;  // an axis of the space for each dimension

DimensionMap identity_map(std::size_t dimensions);
// Of a view's base, from that of the view.
DimensionMap composed(const DimensionMap& map, const std::vector<Axis>& axes);
// Of an operand that is broadcast to the shape. The last dimensions go with each other; extents of
// 1 are repeated.
DimensionMap broadcast(
    const DimensionMap& map, std::span<const std::int64_t> shape, const Extents& operand);
// Of what a reduction folds, from that of its result: the dimensions that are folded become those
// of the space that are along a row, in order.
DimensionMap map_of_folded(
    const DimensionMap& map,
    const std::vector<bool>& is_reduced,
    const Extents& folded,
    const std::vector<bool>& is_row,
    std::span<const std::int64_t> space);

}  // namespace phalanx::arrays
