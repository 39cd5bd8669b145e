// The question "did the user press Ctrl-C?", polled by the thread that launched.
#pragma once

#include <functional>
#include <mutex>
#include <utility>

namespace phalanx::runtime::cpu {

class Interrupt {
 public:
  void set(std::function<bool()> check) {
    const std::lock_guard lock(mutex_);
    check_ = std::move(check);
  }

  bool is_requested() {
    std::function<bool()> check;
    {
      const std::lock_guard lock(mutex_);
      check = check_;
    }
    return check && check();
  }

 private:
  std::mutex mutex_;
  std::function<bool()> check_;
};

}  // namespace phalanx::runtime::cpu
