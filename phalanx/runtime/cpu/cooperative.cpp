#include "phalanx/runtime/cpu/cooperative.h"

#include <atomic>
#include <barrier>
#include <system_error>
#include <thread>
#include <vector>

#include <fmt/format.h>

#include "phalanx/base/errors.h"
#include "phalanx/runtime/cpu/scratch.h"

namespace phalanx::runtime::cpu {

namespace {

using GridBarrier = std::barrier<>;

void wait_for_grid(void* grid) { static_cast<GridBarrier*>(grid)->arrive_and_wait(); }

// Holds the threads of the blocks until all of them are there.
class Latch {
 public:
  bool pass() {  // whether to go on
    state_.wait(State::closed);
    return state_.load() == State::open;
  }
  void open() { set(State::open); }
  void cancel() { set(State::cancelled); }

 private:
  enum class State { closed, open, cancelled };

  void set(State state) {
    state_.store(state);
    state_.notify_all();
  }

  std::atomic<State> state_{State::closed};
};

void check_blocks(const Work& work, std::string_view kernel) {
  if (work.blocks > max_cooperative_blocks)
    throw ValueError(fmt::format(
        "launch of {}: {} blocks are more than the {} that can run on the CPU device at once, "
        "which a cooperative launch needs",
        kernel,
        work.blocks,
        max_cooperative_blocks));
}

}  // namespace

void run_cooperative(const Work& work, std::string_view kernel) {
  check_blocks(work, kernel);
  GridBarrier grid(static_cast<std::ptrdiff_t>(work.blocks));
  CpuLaunch launch = *work.launch;
  launch.wait_for_grid = wait_for_grid;
  launch.grid_state = &grid;
  const auto run_block = [&](std::uint64_t block) {
    work.entry(&launch, block, block + 1, thread_scratch(work.scratch_bytes));
    grid.arrive_and_drop();  // the others no longer wait for it
  };

  Latch latch;
  std::vector<std::jthread> threads;
  threads.reserve(work.blocks - 1);
  try {
    for (std::uint64_t block = 1; block < work.blocks; ++block)
      threads.emplace_back([&, block] {
        if (latch.pass())
          run_block(block);
      });
  } catch (const std::system_error&) {
    latch.cancel();
    throw DeviceError(
        fmt::format(
            "launch of {}: its {} blocks need a thread each to wait for each other, and the system "
            "gave {} only; launch fewer blocks or raise the limit of threads (ulimit -u)",
            kernel,
            work.blocks,
            threads.size() + 1),
        0);
  }
  latch.open();
  run_block(0);
}

}  // namespace phalanx::runtime::cpu
