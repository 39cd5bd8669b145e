#include "phalanx/arrays/dimension_map.h"

namespace phalanx::arrays {

DimensionMap identity_map(std::size_t dimensions) {
  DimensionMap map(dimensions);
  for (std::size_t i = 0; i < dimensions; ++i)
    map[i] = {.dimension = static_cast<std::int32_t>(i), .start = 0, .step = 1};
  return map;
}

DimensionMap composed(const DimensionMap& map, const std::vector<Axis>& axes) {
  DimensionMap base(axes.size());
  for (std::size_t i = 0; i < base.size(); ++i) {
    const Axis& axis = axes[i];
    base[i] = {.dimension = Axis::none, .start = axis.start, .step = 0};
    if (axis.dimension != Axis::none) {
      const Axis& outer = map[static_cast<std::size_t>(axis.dimension)];
      base[i] = {
          .dimension = outer.dimension,
          .start = axis.start + axis.step * outer.start,
          .step = axis.step * outer.step};
    }
  }
  return base;
}

DimensionMap broadcast(
    const DimensionMap& map, std::span<const std::int64_t> shape, const Extents& operand) {
  const std::size_t first = shape.size() - operand.size();
  DimensionMap result(operand.size());
  for (std::size_t i = 0; i < operand.size(); ++i) {
    if (operand[i] != 1 || shape[first + i] == 1)
      result[i] = map[first + i];
  }
  return result;
}

DimensionMap map_of_folded(
    const DimensionMap& map,
    const std::vector<bool>& is_reduced,
    const Extents& folded,
    const std::vector<bool>& is_row,
    std::span<const std::int64_t> space) {
  DimensionMap result(is_reduced.size());
  std::size_t kept = 0;
  std::size_t row = 0;
  for (std::size_t i = 0; i < is_reduced.size(); ++i) {
    if (!is_reduced[i]) {
      result[i] = map[kept++];
    } else if (folded[i] != 1) {
      while (!is_row[row] || space[row] == 1) ++row;
      result[i] = {.dimension = static_cast<std::int32_t>(row++), .start = 0, .step = 1};
    }
  }
  return result;
}

}  // namespace phalanx::arrays
