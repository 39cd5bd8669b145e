#include "phalanx/arrays/other_shapes.h"

#include <utility>

#include "phalanx/arrays/nest.h"
#include "phalanx/views/extents.h"

namespace phalanx::arrays {
namespace {

// Byte strides under which the same memory has another shape; nothing where it must be copied. Each
// group of new dimensions takes the place of a group of old ones of as many elements, which must
// follow each other without gaps.
std::optional<Extents> strides_of_reshape(
    const Extents& shape, const Extents& strides, const Extents& wanted) {
  const Nest old = collapse(
      {.extents = Strides(shape.begin(), shape.end()),
       .strides = {Strides(strides.begin(), strides.end())}});
  Extents result(wanted.size(), 0);
  std::size_t loop = old.extents.size();
  std::int64_t left = 1;  // elements of the old loop that no new dimension has yet
  std::int64_t stride = 0;
  for (std::size_t i = wanted.size(); i-- > 0;) {
    if (wanted[i] == 1)
      continue;
    if (left == 1) {
      if (loop == 0)
        return std::nullopt;
      left = old.extents[--loop];
      stride = old.strides[0][loop];
    }
    if (left % wanted[i] != 0)
      return std::nullopt;
    result[i] = stride;
    stride *= wanted[i];
    left /= wanted[i];
  }
  return result;
}

}  // namespace

views::DeviceArray view_of(
    jit::Engine& engine,
    const views::DeviceArray& base,
    const Extents& shape,
    const std::vector<Axis>& axes) {
  Extents strides(shape.size(), 0);
  std::int64_t offset = 0;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    offset += axes[i].start * base.strides[i];
    if (axes[i].dimension != Axis::none)
      strides[static_cast<std::size_t>(axes[i].dimension)] += axes[i].step * base.strides[i];
  }
  if (element_count(shape) == 0)
    offset = 0;
  return views::view_array(engine.types(), base, shape, std::move(strides), offset, {});
}

views::DeviceArray with_strides(
    jit::Engine& engine, const views::DeviceArray& array, const Extents& shape, Extents strides) {
  return views::view_array(engine.types(), array, shape, std::move(strides), 0, {});
}

std::optional<views::DeviceArray> reshaped(
    jit::Engine& engine, const views::DeviceArray& array, const Extents& shape) {
  const std::size_t item = array.item_bytes();
  if (views::is_contiguous(array.shape, array.strides, item, ir::Layout::c))
    return with_strides(
        engine, array, shape, views::contiguous_strides(shape, item, ir::Layout::c));
  auto strides = strides_of_reshape(array.shape, array.strides, shape);
  if (!strides)
    return std::nullopt;
  return with_strides(engine, array, shape, std::move(*strides));
}

views::DeviceArray array_without_memory(
    jit::Engine& engine,
    runtime::Device& device,
    const ir::Type& element,
    const Extents& shape,
    bool is_read_only) {
  return views::foreign_array(
      engine.types(),
      device,
      nullptr,
      {.element = element,
       .shape = shape,
       .strides = views::contiguous_strides(shape, ir::size_of(element), ir::Layout::c),
       .is_read_only = is_read_only,
       .owner = {}});
}

}  // namespace phalanx::arrays
