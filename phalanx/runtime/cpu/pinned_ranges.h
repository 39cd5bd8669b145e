// Memory of the host that programs promised to leave as it is until copies of it are done.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>

namespace phalanx::runtime::cpu {

// Threads may call it at the same time. A range may be added again, and is removed as often.
class PinnedRanges {
 public:
  void add(const void* first, std::size_t bytes) {
    const std::lock_guard lock(mutex_);
    ranges_.emplace(address(first), bytes);
  }

  void remove(const void* first) {
    const std::lock_guard lock(mutex_);
    if (const auto found = ranges_.find(address(first)); found != ranges_.end())
      ranges_.erase(found);
  }

  // True if all of the bytes lie in one range.
  bool contain(const void* first, std::size_t bytes) const {
    const std::uintptr_t begin = address(first);
    const std::lock_guard lock(mutex_);
    for (auto at = ranges_.upper_bound(begin); at != ranges_.begin();) {
      --at;
      if (begin - at->first + bytes <= at->second)
        return true;
    }
    return false;
  }

 private:
  static std::uintptr_t address(const void* memory) {
    return reinterpret_cast<std::uintptr_t>(memory);
  }

  mutable std::mutex mutex_;
  std::multimap<std::uintptr_t, std::size_t> ranges_;  // by their beginning
};

}  // namespace phalanx::runtime::cpu
