#include "phalanx/runtime/cpu/team.h"

#include "phalanx/runtime/fork.h"

// oneTBB is not built for ThreadSanitizer, which would report every hand-over of work. With plain
// threads it sees all that our own code does.
#if defined(__SANITIZE_THREAD__)

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

namespace phalanx::runtime::cpu {

struct Team::State {
  unsigned threads;
};

Team::Team(unsigned threads) : state_(std::make_unique<State>(State{threads})) {}
Team::~Team() = default;

void Team::run(unsigned count, const std::function<void(unsigned)>& task) {
  std::atomic<unsigned> next{0};
  const auto work = [&] {
    for (unsigned i = next++; i < count; i = next++) task(i);
  };
  std::vector<std::jthread> helpers;
  for (unsigned i = 1; i < std::min(count, state_->threads); ++i) helpers.emplace_back(work);
  work();
}

unsigned Team::place(unsigned number) { return number; }

}  // namespace phalanx::runtime::cpu

#else

#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/partitioner.h>
#include <tbb/task_arena.h>

#include <algorithm>

namespace phalanx::runtime::cpu {

struct Team::State {
  explicit State(int threads)
      : limit(
            tbb::global_control::max_allowed_parallelism,
            static_cast<std::size_t>(std::max(threads, tbb::info::default_concurrency()))),
        arena(threads) {}

  tbb::global_control limit;  // more threads than CPUs, when the user says so
  tbb::task_arena arena;
  std::uint64_t generation = fork_generation();
};

Team::Team(unsigned threads) : state_(std::make_unique<State>(static_cast<int>(threads))) {}

Team::~Team() {
  // In a forked child the threads are gone: taking the arena down would wait for them.
  if (state_->generation != fork_generation())
    static_cast<void>(state_.release());
}

void Team::run(unsigned count, const std::function<void(unsigned)>& task) {
  state_->arena.execute([&] {
    tbb::parallel_for(
        tbb::blocked_range<unsigned>(0, count, 1),
        [&task](const tbb::blocked_range<unsigned>& range) { task(range.begin()); },
        tbb::simple_partitioner{});
  });
}

unsigned Team::place(unsigned number) {
  const int slot = tbb::this_task_arena::current_thread_index();
  return slot < 0 ? number : static_cast<unsigned>(slot);
}

}  // namespace phalanx::runtime::cpu

#endif
