// Memory of arrays that are no longer used, kept a while before it is given back.
#pragma once

#include <atomic>
#include <cstddef>
#include <mutex>
#include <vector>

#include "phalanx/runtime/buffer.h"

namespace phalanx::views {

// More than either, and all of it is given back. The defaults keep nothing.
struct PendingLimits {
  std::atomic<std::size_t> count = 0;
  std::atomic<double> ratio = 0;  // of the device's memory
};

// One per device, used by many threads.
class PendingMemory {
 public:
  PendingMemory(runtime::Device& device, const PendingLimits& limits)
      : device_(&device), limits_(&limits) {}

  // Keeps the memory, or gives it back with what is kept already when that exceeds the limits.
  void add(runtime::Buffer buffer) noexcept;
  // Gives everything back, unless held.
  void clear() noexcept;
  // Nothing is given back until as many calls of `release`, whatever the limits say.
  void hold();
  void release() noexcept;

  std::size_t count() const;
  std::size_t bytes() const;
  std::size_t max_bytes();

 private:
  bool exceeds_limits();
  void clear_if_over() noexcept;

  runtime::Device* device_;
  const PendingLimits* limits_;
  mutable std::mutex mutex_;
  std::vector<runtime::Buffer> buffers_;
  std::size_t bytes_ = 0;
  unsigned holds_ = 0;
  std::atomic<std::size_t> total_ = 0;  // of the device; 0: not known yet
};

}  // namespace phalanx::views
