// An array in the memory of one device: a view of memory that several arrays may share.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "phalanx/base/export.h"
#include "phalanx/ir/type_key.h"
#include "phalanx/ir/types.h"
#include "phalanx/runtime/device.h"
#include "phalanx/views/extents.h"

namespace phalanx::views {

class PendingMemory;

// Either a buffer of ours or memory that `owner` keeps alive.
struct PHX_API SharedMemory {
  SharedMemory() = default;
  SharedMemory(const SharedMemory&) = delete;
  SharedMemory& operator=(const SharedMemory&) = delete;
  ~SharedMemory();

  runtime::Buffer buffer;
  std::shared_ptr<void> owner;
  PendingMemory* pending = nullptr;  // where the buffer goes at the end; null: back to the device
  std::atomic<std::uint64_t> last_use = 0;  // by a clock of who spills what was not used for long
  std::atomic<bool> is_exported = false;    // somebody may know the address: it stays where it is
};

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
  ir::TypeKey key = 0;  // of the array type, as arguments are typed

  std::size_t item_bytes() const { return ir::size_of(element); }
  std::size_t bytes() const {
    return static_cast<std::size_t>(element_count(shape)) * item_bytes();
  }
  ir::Layout layout() const { return layout_of(shape, strides, item_bytes()); }
  runtime::Stream& queue() const { return stream ? *stream : *device->default_stream(); }
};

// Of an array of that shape. Throws ValueError for negative extents, OutOfMemoryError for more
// bytes than int64 counts.
PHX_API std::int64_t checked_bytes(const Extents& shape, std::size_t item_bytes);

struct NewArray {
  ir::Type element;
  Extents shape;
  ir::Layout order = ir::Layout::c;
  runtime::MemoryKind kind = runtime::MemoryKind::device;
};

// Uninitialised memory. Throws ValueError for extents below 0 and OutOfMemoryError.
PHX_API DeviceArray allocate_array(
    ir::TypeTable& types,
    runtime::Device& device,
    const std::shared_ptr<runtime::Stream>& stream,
    NewArray array);

// Other shape, strides or element type over the same memory. Throws ValueError for a view that
// would leave the memory of an array of ours.
PHX_API DeviceArray view_array(
    ir::TypeTable& types,
    const DeviceArray& base,
    Extents shape,
    Extents strides,
    std::int64_t offset,
    std::optional<ir::Type> element);

struct ForeignArray {
  runtime::Address address = 0;
  ir::Type element;
  Extents shape;
  Extents strides;  // bytes
  bool is_read_only = false;
  std::shared_ptr<void> owner;  // keeps the memory
};

// Memory of another library. Throws ValueError for extents below 0.
PHX_API DeviceArray foreign_array(
    ir::TypeTable& types,
    runtime::Device& device,
    const std::shared_ptr<runtime::Stream>& stream,
    ForeignArray array);

}  // namespace phalanx::views
