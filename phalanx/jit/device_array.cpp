#include "phalanx/jit/device_array.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "phalanx/base/errors.h"
#include "phalanx/jit/pending_memory.h"

namespace phalanx::jit {

namespace {

std::string text_of(const Extents& extents) {
  std::string text = "(";
  for (const std::int64_t extent : extents) text += std::to_string(extent) + ", ";
  if (extents.size() > 1)
    text.resize(text.size() - 2);
  return text + ")";
}

std::int64_t checked_bytes(const Extents& shape, std::size_t item_bytes) {
  auto bytes = static_cast<std::int64_t>(item_bytes);
  for (const std::int64_t extent : shape) {
    if (extent < 0)
      throw ValueError("an array's extents cannot be negative: " + text_of(shape));
    if (__builtin_mul_overflow(bytes, extent, &bytes))
      throw OutOfMemoryError(
          "an array of shape " + text_of(shape) + " is too large for any device");
  }
  return bytes;
}

void finish(TypeTable& types, DeviceArray& array) {
  array.key = types.array_key(
      array.element,
      static_cast<unsigned>(array.shape.size()),
      array.layout(),
      !array.is_read_only);
}

}  // namespace

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

std::int64_t element_count(const Extents& shape) {
  return std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>());
}

ByteRange byte_range(const Extents& shape, const Extents& strides, std::size_t item_bytes) {
  if (element_count(shape) == 0)
    return {};
  ByteRange range{0, static_cast<std::int64_t>(item_bytes)};
  for (std::size_t i = 0; i < shape.size(); ++i) {
    const std::int64_t span = (shape[i] - 1) * strides[i];
    (span < 0 ? range.low : range.high) += span;
  }
  return range;
}

SharedMemory::~SharedMemory() {
  if (pending != nullptr)
    pending->add(std::move(buffer));
}

DeviceArray allocate_array(
    TypeTable& types,
    runtime::Device& device,
    const std::shared_ptr<runtime::Stream>& stream,
    ir::Type element,
    Extents shape,
    ir::Layout layout,
    runtime::MemoryKind kind) {
  DeviceArray array;
  array.element = std::move(element);
  array.shape = std::move(shape);
  const std::int64_t bytes = checked_bytes(array.shape, array.item_bytes());
  array.strides = contiguous_strides(array.shape, array.item_bytes(), layout);
  array.memory = std::make_shared<SharedMemory>();
  array.memory->buffer = device.allocate(static_cast<std::size_t>(bytes), kind, stream);
  array.address = array.memory->buffer.address();
  array.host = array.memory->buffer.host();
  array.device = &device;
  array.stream = stream;
  finish(types, array);
  return array;
}

DeviceArray view_array(
    TypeTable& types,
    const DeviceArray& base,
    Extents shape,
    Extents strides,
    std::int64_t offset,
    std::optional<ir::Type> element) {
  DeviceArray array = base;
  if (element)
    array.element = std::move(*element);
  array.shape = std::move(shape);
  array.strides = std::move(strides);
  if (array.shape.size() != array.strides.size())
    throw ValueError("a view needs as many strides as extents");
  checked_bytes(array.shape, array.item_bytes());
  array.address += static_cast<runtime::Address>(offset);
  if (array.host != nullptr)
    array.host = static_cast<std::byte*>(array.host) + offset;
  if (const runtime::Buffer& buffer = base.memory->buffer; !buffer.empty()) {
    const auto start = static_cast<std::int64_t>(array.address - buffer.address());
    const ByteRange range = byte_range(array.shape, array.strides, array.item_bytes());
    if (range.low < range.high &&
        (start + range.low < 0 || start + range.high > static_cast<std::int64_t>(buffer.size())))
      throw ValueError(
          "a view of shape " + text_of(array.shape) + ", strides " + text_of(array.strides) +
          " and offset " + std::to_string(offset) + " leaves its array's memory");
  }
  finish(types, array);
  return array;
}

DeviceArray foreign_array(
    TypeTable& types,
    runtime::Device& device,
    const std::shared_ptr<runtime::Stream>& stream,
    runtime::Address address,
    ir::Type element,
    Extents shape,
    Extents strides,
    bool is_read_only,
    std::shared_ptr<void> owner) {
  DeviceArray array;
  array.element = std::move(element);
  array.shape = std::move(shape);
  checked_bytes(array.shape, array.item_bytes());
  array.strides = std::move(strides);
  array.is_read_only = is_read_only;
  array.memory = std::make_shared<SharedMemory>();
  array.memory->owner = std::move(owner);
  array.address = address;
  if (device.kind() == DeviceKind::cpu)
    array.host =
        reinterpret_cast<void*>(address);  // NOLINT: the CPU device's addresses are pointers
  array.device = &device;
  array.stream = stream;
  finish(types, array);
  return array;
}

}  // namespace phalanx::jit
