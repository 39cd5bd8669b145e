// A set of threads that work on one task together: oneTBB behind one function.
#pragma once

#include <functional>
#include <memory>

namespace phalanx::runtime::cpu {

class Team {
 public:
  explicit Team(unsigned threads);  // the calling one included; the others start at the first run
  ~Team();
  Team(const Team&) = delete;
  Team& operator=(const Team&) = delete;

  // Calls `task` with each number below `count`, on as many threads as are free; the calling one
  // takes part. Returns when all calls have; throws what one of them threw.
  void run(unsigned count, const std::function<void(unsigned)>& task);

  // Called in a task, with its number: a number of the thread, which mostly stays the same from run
  // to run, so that the thread can go on with what is in its cache.
  static unsigned place(unsigned number);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace phalanx::runtime::cpu
