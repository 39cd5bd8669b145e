#include "phalanx/runtime/fork.h"

#include <pthread.h>

#include <atomic>

namespace phalanx::runtime {

namespace {

// The handler takes no argument, so that the count must be static: it is a fact of the process.
std::atomic<std::uint64_t>& generation() {
  static std::atomic<std::uint64_t> count{0};
  return count;
}

void count_child() { generation().fetch_add(1, std::memory_order_relaxed); }

}  // namespace

[[gnu::hot]] std::uint64_t fork_generation() {
  static const int registered = pthread_atfork(nullptr, nullptr, &count_child);
  static_cast<void>(registered);
  return generation().load(std::memory_order_relaxed);
}

}  // namespace phalanx::runtime
