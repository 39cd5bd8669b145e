#include "phalanx/views/device_array.h"

#include <string>
#include <utility>

#include "phalanx/base/errors.h"
#include "phalanx/views/pending_memory.h"

namespace phalanx::views {

namespace {

std::string text_of(const Extents& extents) {
  std::string text = "(";
  for (const std::int64_t extent : extents) text += std::to_string(extent) + ", ";
  if (extents.size() > 1)
    text.resize(text.size() - 2);
  return text + ")";
}

}  // namespace

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

namespace {

void finish(ir::TypeTable& types, DeviceArray& array) {
  array.key = types.array_key(
      array.element,
      static_cast<unsigned>(array.shape.size()),
      array.layout(),
      !array.is_read_only);
}

}  // namespace

SharedMemory::~SharedMemory() {
  if (pending != nullptr)
    pending->add(std::move(buffer));
}

DeviceArray allocate_array(
    ir::TypeTable& types,
    runtime::Device& device,
    const std::shared_ptr<runtime::Stream>& stream,
    NewArray wanted) {
  DeviceArray array;
  array.element = std::move(wanted.element);
  array.shape = std::move(wanted.shape);
  const std::int64_t bytes = checked_bytes(array.shape, array.item_bytes());
  array.strides = contiguous_strides(array.shape, array.item_bytes(), wanted.order);
  array.memory = std::make_shared<SharedMemory>();
  array.memory->buffer = device.allocate(static_cast<std::size_t>(bytes), wanted.kind, stream);
  array.address = array.memory->buffer.address();
  array.host = array.memory->buffer.host();
  array.device = &device;
  array.stream = stream;
  finish(types, array);
  return array;
}

DeviceArray view_array(
    ir::TypeTable& types,
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
    ir::TypeTable& types,
    runtime::Device& device,
    const std::shared_ptr<runtime::Stream>& stream,
    ForeignArray foreign) {
  DeviceArray array;
  array.element = std::move(foreign.element);
  array.shape = std::move(foreign.shape);
  checked_bytes(array.shape, array.item_bytes());
  array.strides = std::move(foreign.strides);
  array.is_read_only = foreign.is_read_only;
  array.memory = std::make_shared<SharedMemory>();
  array.memory->owner = std::move(foreign.owner);
  array.address = foreign.address;
  if (device.is_host())                                   // whose addresses are pointers
    array.host = reinterpret_cast<void*>(array.address);  // NOLINT(performance-no-int-to-ptr)
  array.device = &device;
  array.stream = stream;
  finish(types, array);
  return array;
}

}  // namespace phalanx::views
