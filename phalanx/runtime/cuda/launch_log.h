// The kernels launched on a stream since it was last known to be idle.
#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

namespace phalanx::runtime::cuda {

class CudaExecutable;

// Written at each launch, read when something failed. Threads that share a stream may mix up
// entries, never break them.
class LaunchLog {
 public:
  static constexpr std::size_t capacity = 8;

  void add(const std::string* name) {  // an interned name
    const std::uint32_t count = count_.load(std::memory_order_relaxed);
    if (count != 0 && names_[(count - 1) % capacity].load(std::memory_order_relaxed) == name)
      return;
    names_[count % capacity].store(name, std::memory_order_relaxed);
    count_.store(count + 1, std::memory_order_relaxed);
  }

  // A kernel that raises or prints is looked at when the stream is idle.
  void add_reporting(std::shared_ptr<CudaExecutable> kernel) {
    const std::lock_guard lock(mutex_);
    if (std::ranges::find(reporting_, kernel) == reporting_.end())
      reporting_.push_back(std::move(kernel));
  }

  // The stream is idle: forgets the names, hands over the kernels that may have something to
  // report.
  std::vector<std::shared_ptr<CudaExecutable>> drain() {
    count_.store(0, std::memory_order_relaxed);
    const std::lock_guard lock(mutex_);
    return std::exchange(reporting_, {});
  }

  std::vector<const std::string*> names() const {
    std::vector<const std::string*> result;
    const std::uint32_t count = count_.load(std::memory_order_relaxed);
    for (std::size_t i = 0; i < count && i < capacity; ++i)
      if (const std::string* name = names_[i].load(std::memory_order_relaxed); name != nullptr)
        result.push_back(name);
    return result;
  }

 private:
  std::array<std::atomic<const std::string*>, capacity> names_{};
  std::atomic<std::uint32_t> count_{0};
  std::mutex mutex_;
  std::vector<std::shared_ptr<CudaExecutable>> reporting_;
};

}  // namespace phalanx::runtime::cuda
