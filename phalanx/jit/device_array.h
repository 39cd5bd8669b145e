// An array in the memory of one device: a view of memory that several arrays may share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "phalanx/ir/types.h"
#include "phalanx/jit/type_key.h"
#include "phalanx/runtime/device.h"

namespace phalanx::jit {

class PendingMemory;

// Either a buffer of ours or memory that `owner` keeps alive.
struct SharedMemory {
  SharedMemory() = default;
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  ~SharedMemory();

  runtime::Buffer buffer;
  std::shared_ptr<void> owner;
  PendingMemory* pending = nullptr;  // where the buffer goes at the end; null: back to the device
};

using Extents = std::vector<std::int64_t>;

// Byte strides of a contiguous array.
Extents contiguous_strides(const Extents& shape, std::size_t item_bytes, ir::Layout layout);
// How NumPy flags such an array, as Numba types it: C before F before any.
ir::Layout layout_of(const Extents& shape, const Extents& strides, std::size_t item_bytes);
bool is_contiguous(
    const Extents& shape, const Extents& strides, std::size_t item_bytes, ir::Layout layout);
std::int64_t element_count(const Extents& shape);

// The bytes that an array's elements lie in, relative to its first element: [low, high).
struct ByteRange {
  std::int64_t low = 0;
  std::int64_t high = 0;
};
ByteRange byte_range(const Extents& shape, const Extents& strides, std::size_t item_bytes);

struct DeviceArray {
  std::shared_ptr<SharedMemory> memory;
  runtime::Device* device = nullptr;
  std::shared_ptr<runtime::Stream> stream;  // null: the device's default stream
  runtime::Address address = 0;
  void* host = nullptr;  // where the host reaches the first element; null where it cannot
  Extents shape;
  Extents strides;  // bytes
  ir::Type element;
  bool is_read_only = false;
  TypeKey key = 0;  // of the array type, as arguments are typed

  std::size_t item_bytes() const { return ir::size_of(element); }
  std::size_t bytes() const {
    return static_cast<std::size_t>(element_count(shape)) * item_bytes();
  }
  ir::Layout layout() const { return layout_of(shape, strides, item_bytes()); }
  runtime::Stream& queue() const { return stream ? *stream : *device->default_stream(); }
};

// Uninitialised memory. Throws ValueError for extents below 0 and OutOfMemoryError.
DeviceArray allocate_array(
    TypeTable& types,
    runtime::Device& device,
    const std::shared_ptr<runtime::Stream>& stream,
    ir::Type element,
    Extents shape,
    ir::Layout layout,
    runtime::MemoryKind kind = runtime::MemoryKind::device);

// Other shape, strides or element type over the same memory. Throws ValueError for a view that
// would leave the memory of an array of ours.
DeviceArray view_array(
    TypeTable& types,
    const DeviceArray& base,
    Extents shape,
    Extents strides,
    std::int64_t offset,
    std::optional<ir::Type> element);

// Memory of somebody else, which `owner` keeps alive.
DeviceArray foreign_array(
    TypeTable& types,
    runtime::Device& device,
    const std::shared_ptr<runtime::Stream>& stream,
    runtime::Address address,
    ir::Type element,
    Extents shape,
    Extents strides,
    bool is_read_only,
    std::shared_ptr<void> owner);

// A host array as the bindings found it.
struct HostArray {
  void* data = nullptr;
  Extents shape;
  Extents strides;
  std::size_t item_bytes = 0;
};

// Copies whole arrays of one shape and item size, whatever their strides. With `wait`, the copy is
// done on return; without, pinned host memory must stay as it is until the stream has come so far.
void copy_from_host(
    const DeviceArray& target, const HostArray& source, runtime::Stream& stream, bool wait);
void copy_to_host(
    const DeviceArray& source, const HostArray& target, runtime::Stream& stream, bool wait);
void copy_array(const DeviceArray& target, const DeviceArray& source, runtime::Stream& stream);
void fill_array(
    const DeviceArray& target, std::span<const std::byte> item, runtime::Stream& stream);

}  // namespace phalanx::jit
