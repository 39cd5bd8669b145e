#include "phalanx/views/extents.h"

namespace phalanx::views {

Extents contiguous_strides(const Extents& shape, std::size_t item_bytes, ir::Layout layout) {
  Extents strides(shape.size());
  if (element_count(shape) == 0)
    return strides;  // all 0, as NumPy has them
  auto stride = static_cast<std::int64_t>(item_bytes);
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const std::size_t dimension = layout == ir::Layout::f ? i : shape.size() - 1 - i;
    strides[dimension] = stride;
    stride *= shape[dimension];
  }
  return strides;
}

bool is_contiguous(
    const Extents& shape, const Extents& strides, std::size_t item_bytes, ir::Layout layout) {
  if (element_count(shape) == 0)
    return true;
  auto stride = static_cast<std::int64_t>(item_bytes);
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const std::size_t dimension = layout == ir::Layout::f ? i : shape.size() - 1 - i;
    // The stride of an extent of 1 is never used.
    if (shape[dimension] == 1)
      continue;
    if (strides[dimension] != stride)
      return false;
    stride *= shape[dimension];
  }
  return true;
}

ir::Layout layout_of(const Extents& shape, const Extents& strides, std::size_t item_bytes) {
  if (is_contiguous(shape, strides, item_bytes, ir::Layout::c))
    return ir::Layout::c;
  return is_contiguous(shape, strides, item_bytes, ir::Layout::f) ? ir::Layout::f : ir::Layout::any;
}

}  // namespace phalanx::views
