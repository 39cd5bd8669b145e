// Decides if a launch ends before it is done: polled between blocks, and in loops that can stop.
#pragma once

#include <atomic>
#include <chrono>
#include <thread>

#include "phalanx/runtime/cpu/interrupt.h"

namespace phalanx::runtime::cpu {

class Stop {
 public:
  // Made by the thread that launches: it alone can ask the user.
  explicit Stop(Interrupt& interrupt) : interrupt_(interrupt) {}
  Stop(const Stop&) = delete;
  Stop& operator=(const Stop&) = delete;

  bool is_set() const { return is_set_.load(std::memory_order_relaxed); }

  // Asks the user now and then, and says whether to stop.
  bool poll() {
    if (is_set() || std::this_thread::get_id() != caller_)
      return is_set();
    const Clock::time_point now = Clock::now();
    if (polled_ == Clock::time_point{})
      polled_ = now;  // not when it is made: most launches never ask
    if (now - polled_ < interval)
      return false;
    polled_ = now;
    if (interrupt_.is_requested())
      is_set_.store(true, std::memory_order_relaxed);
    return is_set();
  }

  static constexpr auto interval = std::chrono::milliseconds(10);

 private:
  using Clock = std::chrono::steady_clock;

  Interrupt& interrupt_;
  std::thread::id caller_ = std::this_thread::get_id();
  Clock::time_point polled_;
  std::atomic<bool> is_set_{false};
};

}  // namespace phalanx::runtime::cpu
