// Memory of one GPU, allocated and given back in the order of streams.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

#include "phalanx/runtime/cuda/context.h"

namespace phalanx::runtime::cuda {

// The driver's pool of our own: it keeps what is given back, so that the next array costs about a
// microsecond. Where the device has no pools, plain allocations that wait for the device.
class MemoryPool {
 public:
  MemoryPool(Context& context, DeviceHandle device, int ordinal);
  ~MemoryPool();
  MemoryPool(const MemoryPool&) = delete;
  MemoryPool& operator=(const MemoryPool&) = delete;

  // Throws OutOfMemoryError that says how much was requested, is free, and who holds the rest.
  DevicePointer allocate(std::size_t bytes, StreamHandle stream);
  void free(DevicePointer memory, std::size_t bytes, StreamHandle stream) noexcept;
  void trim();
  void give_access(int ordinal);  // to another GPU's kernels

  std::uint64_t used() const { return used_.load(std::memory_order_relaxed); }
  std::uint64_t cached() const;

 private:
  Result try_allocate(DevicePointer& memory, std::size_t bytes, StreamHandle stream);
  [[noreturn]] void throw_out_of_memory(std::size_t bytes);
  std::uint64_t pool_number(PoolAttribute attribute) const;

  Context& context_;
  int ordinal_;
  PoolHandle pool_ = nullptr;
  std::atomic<std::uint64_t> used_{0};
  std::atomic<std::uint64_t> live_{0};  // allocations
};

}  // namespace phalanx::runtime::cuda
