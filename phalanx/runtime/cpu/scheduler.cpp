#include "phalanx/runtime/cpu/scheduler.h"

#include <algorithm>
#include <chrono>
#include <thread>
#include <utility>

#include "phalanx/base/errors.h"
#include "phalanx/runtime/cpu/scratch.h"
#include "phalanx/runtime/cpu/topology.h"
#include "phalanx/runtime/fork.h"

namespace phalanx::runtime::cpu {

namespace {

using Clock = std::chrono::steady_clock;

// Waking the workers takes some microseconds: a launch that is over before stays on its thread.
constexpr double serial_nanoseconds = 15e3;
// How often the launching thread asks for Ctrl-C, and the longest piece of work it plans between.
constexpr auto poll_interval = std::chrono::milliseconds(10);
constexpr double longest_chunk_nanoseconds = 2e6;
// The same for a thread's first piece, which is planned on what other launches took: with other
// arguments, a block may take a thousand times as long.
constexpr double longest_first_chunk_nanoseconds = 2e4;
// Handing out a piece takes some ten nanoseconds.
constexpr double shortest_chunk_nanoseconds = 2e3;

double nanoseconds(Clock::duration duration) {
  return std::chrono::duration<double, std::nano>(duration).count();
}

double threads_of(const CpuLaunch& launch) {
  return static_cast<double>(launch.block[0]) * launch.block[1] * launch.block[2];
}

// Runs the blocks at positions [first, last) of the order.
void run_blocks(const Work& work, std::uint64_t first, std::uint64_t last) {
  std::byte* const scratch = thread_scratch(work.scratch_bytes);
  if (work.order.is_as_numbered()) {
    work.entry(work.launch, first, last, scratch);
    return;
  }
  for (std::uint64_t position = first; position < last; ++position) {
    const std::uint64_t block = work.order.block_at(position);
    work.entry(work.launch, block, block + 1, scratch);
  }
}

// Nanoseconds of a block as the launches before took; 0: not known.
double block_cost(const Work& work) {
  return work.cost->load(std::memory_order_relaxed) * threads_of(*work.launch);
}

void note_cost(const Work& work, double nanoseconds, std::uint64_t blocks) {
  const double cost = nanoseconds / (static_cast<double>(blocks) * threads_of(*work.launch));
  work.cost->store(static_cast<float>(std::max(cost, 1e-6)), std::memory_order_relaxed);
}

// What the threads of one launch share. Blocks are handed out in order, in pieces that get smaller
// towards the end, so that all threads stop at about the same time.
class Share {
 public:
  Share(const Work& work, std::uint64_t first, unsigned workers, Interrupt& interrupt)
      : work_(work),
        workers_(workers),
        first_cost_(block_cost(work)),
        next_(first),
        caller_(std::this_thread::get_id()),
        interrupt_(interrupt) {}

  // What each thread does: it takes pieces until none is left.
  void take_part() {
    const bool polls = std::this_thread::get_id() == caller_;
    const Clock::time_point start = Clock::now();
    Clock::time_point now = start;
    Clock::time_point polled = start;
    std::uint64_t done = 0;
    Limits limits = limits_of(first_cost_, longest_first_chunk_nanoseconds);
    while (!is_stopped_.load(std::memory_order_relaxed)) {
      const auto [first, last] = take(limits);
      if (first == last)
        break;
      run_blocks(work_, first, last);
      done += last - first;
      now = Clock::now();
      limits = limits_of(nanoseconds(now - start) / static_cast<double>(done));
      if (polls && now - polled >= poll_interval) {
        polled = now;
        if (interrupt_.is_requested())
          is_stopped_.store(true, std::memory_order_relaxed);
      }
    }
    if (done != 0)
      note_cost(work_, nanoseconds(now - start), done);
  }

  bool is_stopped() const { return is_stopped_.load(std::memory_order_relaxed); }

 private:
  // Blocks in a piece of work.
  struct Limits {
    std::uint64_t least = 1;
    std::uint64_t most = 1;
  };

  // A block that was never timed goes alone.
  static Limits limits_of(
      double block_nanoseconds, double longest_nanoseconds = longest_chunk_nanoseconds) {
    if (block_nanoseconds <= 0)
      return {};
    const auto blocks_in = [block_nanoseconds](double nanoseconds) {
      return static_cast<std::uint64_t>(std::clamp(nanoseconds / block_nanoseconds, 1.0, 1e15));
    };
    return {blocks_in(shortest_chunk_nanoseconds), blocks_in(longest_nanoseconds)};
  }

  std::pair<std::uint64_t, std::uint64_t> take(const Limits& limits) {
    std::uint64_t first = next_.load(std::memory_order_relaxed);
    while (first < work_.blocks) {
      const std::uint64_t left = work_.blocks - first;
      const std::uint64_t fair = left / (4 * std::uint64_t{workers_});
      const std::uint64_t count = std::min(left, std::clamp(fair, limits.least, limits.most));
      if (next_.compare_exchange_weak(first, first + count, std::memory_order_relaxed))
        return {first, first + count};
    }
    return {0, 0};
  }

  const Work& work_;
  unsigned workers_;
  double first_cost_;  // of a block, in nanoseconds, as launches before took; 0: not known
  std::atomic<std::uint64_t> next_;
  std::atomic<bool> is_stopped_{false};
  std::thread::id caller_;
  Interrupt& interrupt_;
};

}  // namespace

Scheduler::Scheduler(unsigned threads, std::shared_ptr<Interrupt> interrupt)
    : asked_threads_(threads), interrupt_(std::move(interrupt)) {}

Scheduler::~Scheduler() = default;

unsigned Scheduler::threads() {
  unsigned count = threads_.load(std::memory_order_relaxed);
  if (count == 0) {
    count = asked_threads_ != 0 ? asked_threads_ : available_cpus();
    threads_.store(count, std::memory_order_relaxed);
  }
  return count;
}

Team& Scheduler::team() {
  const std::lock_guard lock(mutex_);
  if (!team_ || generation_ != fork_generation()) {
    team_ = std::make_unique<Team>(threads());
    generation_ = fork_generation();
  }
  return *team_;
}

void Scheduler::run(const Work& work) {
  if (work.blocks == 1) {
    run_blocks(work, 0, 1);
    return;
  }
  const double cost = block_cost(work);
  const bool is_short = cost > 0 && cost * static_cast<double>(work.blocks) < serial_nanoseconds;
  std::uint64_t first = 0;
  if (is_short) {
    // In pieces: the arguments may make this launch a longer one than those before.
    const std::uint64_t piece = (work.blocks + 7) / 8;
    const Clock::time_point start = Clock::now();
    double elapsed = 0;
    while (first < work.blocks && elapsed < 4 * serial_nanoseconds) {
      const std::uint64_t last = std::min(first + piece, work.blocks);
      run_blocks(work, first, last);
      first = last;
      elapsed = nanoseconds(Clock::now() - start);
    }
    note_cost(work, elapsed, first);
  }
  if (first < work.blocks)
    run_parallel(work, first);
}

void Scheduler::run_parallel(const Work& work, std::uint64_t first) {
  const unsigned workers =
      static_cast<unsigned>(std::min<std::uint64_t>(threads(), work.blocks - first));
  Share share(work, first, workers, *interrupt_);
  if (workers == 1) {
    share.take_part();
  } else {
    team().run(workers, [&share](unsigned) { share.take_part(); });
  }
  if (share.is_stopped())
    throw Interrupted("the launch was interrupted between two blocks; not all of them ran");
}

}  // namespace phalanx::runtime::cpu
