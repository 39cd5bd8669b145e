// Threads that wait for work and do it together.
#pragma once

#include <functional>
#include <memory>

namespace phalanx::runtime::cpu {

class ThreadPool {
 public:
  explicit ThreadPool(unsigned threads);  // the calling one included; the others start at first use
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  // Calls `task` with each number below `count`, on as many threads as are free; the calling one
  // takes part, so that calls from several threads and from within tasks always come to an end.
  // Returns when all calls have; throws what one of them threw, then some may not have been made.
  void run(unsigned count, const std::function<void(unsigned)>& task);

  // The number of the calling thread: 1 and up for the threads of a pool, 0 for any other. A task
  // that takes its share of the work by it finds in the core's cache what the last run left there.
  static unsigned thread_number();

 private:
  class State;
  std::unique_ptr<State> state_;
};

}  // namespace phalanx::runtime::cpu
