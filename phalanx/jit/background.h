// A thread for what no caller waits for: one a process, while there is something to do.
#pragma once

#include <functional>

namespace phalanx::jit {

// Does `work`, which must not throw, after what was given before. False where the system gives no
// thread. A forked child forgets what was given to its parent.
bool start_in_background(const void* owner, std::function<void()> work);

// Drops what the owner has given and waits for what has begun, unless that is what calls it.
void end_background_work(const void* owner) noexcept;

// The process is not forked while that thread works: the locks that it holds, in LLVM too, would be
// held in the child for ever. While one of these lives on the thread, it holds none and a fork does
// not wait. Does nothing on other threads.
class ForkAllowed {
 public:
  ForkAllowed();
  ForkAllowed(const ForkAllowed&) = delete;
  ForkAllowed& operator=(const ForkAllowed&) = delete;
  ~ForkAllowed();
};

}  // namespace phalanx::jit
