// Memory of a device from an allocator that another library brings: PyTorch's, RMM's, CuPy's.
#pragma once

#include <cstddef>
#include <memory>

#include "phalanx/base/export.h"
#include "phalanx/runtime/buffer.h"

namespace phalanx::runtime {

// Device::set_memory_resource() takes it for memory of kind `device`. Threads call it at the same
// time.
class PHX_API MemoryResource {
 public:
  MemoryResource() = default;
  virtual ~MemoryResource() = default;
  MemoryResource(const MemoryResource&) = delete;
  MemoryResource& operator=(const MemoryResource&) = delete;

  // At least one byte, aligned to 256, for work that is put into `stream` from now on. Throws
  // OutOfMemoryError.
  virtual Address allocate(std::size_t bytes, Stream& stream) = 0;
  // The memory is free once the work that `stream` has so far is done.
  virtual void deallocate(Address memory, std::size_t bytes, Stream& stream) noexcept = 0;
};

// The C interface of PyTorch's pluggable allocators, which RMM offers too: `device` is the ordinal,
// `stream` the driver's CUstream.
struct AllocatorFunctions {
  void* (*allocate)(std::ptrdiff_t bytes, int device, void* stream) = nullptr;  // null: no memory
  void (*deallocate)(void* memory, std::ptrdiff_t bytes, int device, void* stream) = nullptr;
};

// Throws ValueError when a function is missing. The functions must not be unloaded while a buffer
// of theirs lives.
PHX_API std::shared_ptr<MemoryResource> make_memory_resource(const AllocatorFunctions& functions);

}  // namespace phalanx::runtime
