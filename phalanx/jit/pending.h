// Work that one thread does while others wait for it.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

#include "phalanx/base/library_call.h"
#include "phalanx/runtime/fork.h"

namespace phalanx::jit {

// Guarded by the lock of what the work makes, which nobody holds while he works or waits.
class Pending {
 public:
  // False in a forked child for the work of its parent's threads: the child has none of them.
  bool is_running() const {
    return is_done_ != nullptr && generation_ == runtime::fork_generation();
  }

  void start() {
    is_done_ = std::make_shared<std::atomic<int>>(0);
    generation_ = runtime::fork_generation();
  }

  void finish() {
    *is_done_ = 1;
    is_done_->notify_all();
    is_done_.reset();
  }

  // Releases the lock until the work that is running now has ended, well or not.
  void wait(std::unique_lock<std::mutex>& lock) const {
    const auto is_done = is_done_;
    lock.unlock();
    {
      const LibraryPause outside;
      is_done->wait(0);
    }
    lock.lock();
  }

 private:
  std::shared_ptr<std::atomic<int>> is_done_;  // null: nobody works
  std::uint64_t generation_ = 0;               // of the process that does
};

}  // namespace phalanx::jit
