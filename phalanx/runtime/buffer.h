// Owned memory of a device, or of the host where a device can reach it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "phalanx/base/export.h"

namespace phalanx::runtime {

class Device;
class MemoryResource;
class Stream;

using Address = std::uintptr_t;  // of memory on a device; on the CPU device a host pointer

enum class MemoryKind : std::uint8_t {
  device,   // from the device's stream-ordered pool
  pinned,   // of the host, page-locked: copies run at full speed and asynchronously
  mapped,   // as pinned, and kernels can read and write it
  managed,  // moves between host and device on demand
  shared,   // of the device, outside its pool: other processes can open it
};

class PHX_API Buffer {
 public:
  Buffer() = default;
  Buffer(Buffer&& other) noexcept { swap(other); }
  Buffer& operator=(Buffer&& other) noexcept {
    Buffer(std::move(other)).swap(*this);
    return *this;
  }
  Buffer(const Buffer&) = delete;
  Buffer& operator=(const Buffer&) = delete;
  ~Buffer() { release(); }

  Address address() const { return address_; }  // what kernels take; 0 for an empty buffer
  void* host() const { return host_; }          // null where the host cannot reach it
  std::size_t size() const { return size_; }
  MemoryKind kind() const { return kind_; }
  Device* device() const { return device_.get(); }
  bool empty() const { return size_ == 0; }

  // To be called before work that uses the memory is put into `stream`: the work waits until the
  // memory is there, and the memory is not given back before the work is done. Costs nothing for
  // the stream that the buffer was allocated on. Threads may call it at the same time.
  void used_on(const std::shared_ptr<Stream>& stream) {
    if (stream != stream_)
      note_use(stream);
  }

  // Gives the memory back now instead of in the destructor.
  void release() noexcept;

 private:
  friend class Device;

  void note_use(const std::shared_ptr<Stream>& stream);
  void swap(Buffer& other) noexcept;

  std::shared_ptr<Device> device_;
  std::shared_ptr<Stream> stream_;
  std::shared_ptr<MemoryResource> resource_;  // null: the device itself
  std::vector<std::shared_ptr<Stream>> other_streams_;
  Address address_ = 0;
  void* host_ = nullptr;
  std::size_t size_ = 0;
  MemoryKind kind_ = MemoryKind::device;
};

}  // namespace phalanx::runtime
