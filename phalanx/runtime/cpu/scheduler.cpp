#include "phalanx/runtime/cpu/scheduler.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <thread>
#include <utility>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/runtime/cpu/scratch.h"
#include "phalanx/runtime/cpu/topology.h"
#include "phalanx/runtime/fork.h"
#include "phalanx/runtime/thread_limit.h"

namespace phalanx::runtime::cpu {

namespace {

using Clock = std::chrono::steady_clock;

// Waking the workers takes some microseconds: a launch that is over before stays on its thread.
constexpr double serial_nanoseconds = 15e3;
// The longest chunk of work that a thread plans: between two, it looks whether to stop.
constexpr double longest_chunk_nanoseconds = 2e6;
// The same for a thread's first chunk, which is planned on what other launches took: with other
// arguments, a block may take a thousand times as long.
constexpr double longest_first_chunk_nanoseconds = 2e4;
// Handing out a chunk takes some ten nanoseconds.
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

// A static partition of a launch's blocks with work stealing (Blumofe and Leiserson, 1999). Each
// thread has a range of the blocks of its own, the same in every launch of as many blocks, so that
// it finds in its cache what it wrote there the last time. It takes them in order, in chunks that
// get smaller towards the end; when it is through it steals where most is left, so that all threads
// stop at about the same time.
class Partition {
 public:
  Partition(const Work& work, std::uint64_t first, unsigned workers, Stop& stop)
      : work_(work), first_cost_(block_cost(work)), stop_(stop), ranges_(workers) {
    const std::uint64_t blocks = work.blocks - first;
    const auto bound = [&](unsigned worker) {
      return first + blocks / workers * worker + std::min<std::uint64_t>(blocks % workers, worker);
    };
    for (unsigned worker = 0; worker < workers; ++worker) {
      ranges_[worker].next = bound(worker);
      ranges_[worker].last = bound(worker + 1);
    }
  }

  // What each thread does: it takes chunks until none is left.
  void take_part(unsigned worker) {
    BlockRange& own = ranges_[worker % ranges_.size()];
    const Clock::time_point start = Clock::now();
    Clock::time_point now = start;
    std::uint64_t done = 0;
    Limits limits = limits_of(first_cost_, longest_first_chunk_nanoseconds);
    while (!stop_.poll()) {
      const auto [first, last] = take(own, limits);
      if (first == last)
        break;
      run_blocks(work_, first, last);
      done += last - first;
      now = Clock::now();
      limits = limits_of(nanoseconds(now - start) / static_cast<double>(done));
    }
    if (done != 0)
      note_cost(work_, nanoseconds(now - start), done);
  }

 private:
  // The blocks of one thread that no thread has taken yet. They have a cache line of their own,
  // as other threads rarely look at them.
  struct alignas(64) BlockRange {
    std::atomic<std::uint64_t> next{0};
    std::uint64_t last = 0;

    std::uint64_t left() const {
      const std::uint64_t at = next.load(std::memory_order_relaxed);
      return at < last ? last - at : 0;
    }
  };

  // Blocks in a chunk of work.
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

  using Chunk = std::pair<std::uint64_t, std::uint64_t>;

  // An empty chunk when no block is left.
  // From the thread's own blocks, else stolen from the thread that has most left.
  Chunk take(BlockRange& own, const Limits& limits) {
    Chunk chunk = take_from(own, limits);
    while (chunk.first == chunk.second) {
      BlockRange& other = longest();
      if (other.left() == 0)
        break;
      // What its blocks take, those before do not tell.
      chunk = take_from(other, {.least = 1, .most = limits.most});
    }
    return chunk;
  }

  static Chunk take_from(BlockRange& range, const Limits& limits) {
    std::uint64_t first = range.next.load(std::memory_order_relaxed);
    while (first < range.last) {
      const std::uint64_t left = range.last - first;
      const std::uint64_t count = std::min(left, std::clamp(left / 4, limits.least, limits.most));
      if (range.next.compare_exchange_weak(first, first + count, std::memory_order_relaxed))
        return {first, first + count};
    }
    return {0, 0};
  }

  BlockRange& longest() { return *std::ranges::max_element(ranges_, {}, &BlockRange::left); }

  const Work& work_;
  double first_cost_;  // of a block, in nanoseconds, as launches before took; 0: not known
  Stop& stop_;
  std::vector<BlockRange> ranges_;  // by thread
};

// Chunks of a loop for each thread: enough to end at about the same time, and to stop soon.
constexpr std::uint64_t chunks_of_a_thread = 64;

// The threads that are at work: the launching one asks the user while it waits for the others.
class WaitGroup {
 public:
  void come() {
    const std::lock_guard lock(mutex_);
    ++count_;
  }
  void go() {
    const std::lock_guard lock(mutex_);
    if (--count_ == 0)
      changed_.notify_all();
  }
  void wait(Stop& stop) {
    std::unique_lock lock(mutex_);
    while (!changed_.wait_for(lock, Stop::interval, [&] { return count_ == 0; })) {
      lock.unlock();
      stop.poll();
      lock.lock();
    }
  }

 private:
  std::mutex mutex_;
  std::condition_variable changed_;
  int count_ = 0;
};

bool is_stopped(const CpuLaunch* launch) { return static_cast<Stop*>(launch->stop)->poll(); }

}  // namespace

Scheduler::Scheduler(unsigned threads, std::shared_ptr<Interrupt> interrupt)
    : requested_threads_(threads), interrupt_(std::move(interrupt)) {}

Scheduler::~Scheduler() = default;

unsigned Scheduler::threads() {
  unsigned count = threads_.load(std::memory_order_relaxed);
  if (count == 0) {
    count = requested_threads_ != 0 ? requested_threads_ : available_cpus();
    threads_.store(count, std::memory_order_relaxed);
  }
  return count;
}

unsigned Scheduler::usable_threads() {
  return thread_limit() == 0 ? threads() : std::min(threads(), thread_limit());
}

ThreadPool& Scheduler::pool() {
  const std::lock_guard lock(mutex_);
  if (!pool_ || generation_ != fork_generation()) {
    pool_ = std::make_unique<ThreadPool>(threads());
    generation_ = fork_generation();
  }
  return *pool_;
}

void Scheduler::run(const Work& work) {
  run(work, [&](Stop& stop) { run_all(work, stop); });
}

void Scheduler::run(const Work& work, const std::function<void(Stop& stop)>& body) {
  Stop stop(work.interrupt != nullptr ? *work.interrupt : *interrupt_);
  work.launch->stop = &stop;
  work.launch->is_stopped = &is_stopped;
  body(stop);
  if (stop.is_set())
    throw Interrupted(
        work.can_stop ? "the launch was interrupted; not all of its blocks ran to their end"
                      : "the launch was interrupted between two blocks; not all of them ran");
}

// What the launch takes decides how many threads are woken for it: each costs the launching one a
// call of the system. What blocks took in other launches tells it roughly, with other arguments and
// beside other threads; short launches ask their first blocks.
void Scheduler::run_all(const Work& work, Stop& stop) {
  if (work.blocks == 1) {
    run_blocks(work, 0, 1);
    return;
  }
  const double cost = block_cost(work);
  const double enough = serial_nanoseconds * usable_threads();
  const auto blocks = static_cast<double>(work.blocks);
  unsigned workers = usable_threads();
  std::uint64_t first = 0;
  if (cost > 0 && cost * blocks < std::max(enough, 2 * serial_nanoseconds)) {
    const auto few = static_cast<std::uint64_t>(shortest_chunk_nanoseconds / cost);
    const std::uint64_t part = (work.blocks + 7) / 8;
    std::uint64_t chunk = std::clamp<std::uint64_t>(few, 1, part);
    const Clock::time_point start = Clock::now();
    double elapsed = 0;
    double rest = 0;
    while (first < work.blocks && rest < serial_nanoseconds && !stop.is_set()) {
      const std::uint64_t last = std::min(first + chunk, work.blocks);
      run_blocks(work, first, last);
      first = last;
      elapsed = nanoseconds(Clock::now() - start);
      rest = elapsed * (blocks / static_cast<double>(first) - 1);
      chunk = rest < shortest_chunk_nanoseconds ? work.blocks : part;
    }
    note_cost(work, elapsed, first);
    const double wanted = rest / serial_nanoseconds + 1;
    workers = static_cast<unsigned>(std::min(wanted, static_cast<double>(workers)));
  }
  if (first < work.blocks)
    run_parallel(work, first, workers, stop);
}

void Scheduler::run_parallel(
    const Work& work, std::uint64_t first, unsigned most_workers, Stop& stop) {
  const auto workers =
      static_cast<unsigned>(std::min<std::uint64_t>(most_workers, work.blocks - first));
  Partition partition(work, first, workers, stop);
  if (workers == 1)
    return partition.take_part(0);
  if (!work.can_stop) {
    pool().run(workers, [&](unsigned) { partition.take_part(ThreadPool::thread_number()); });
    return;
  }
  WaitGroup wait_group;
  const std::thread::id caller = std::this_thread::get_id();
  pool().run(workers, [&](unsigned) {
    wait_group.come();
    partition.take_part(ThreadPool::thread_number());
    wait_group.go();
    if (std::this_thread::get_id() == caller)
      wait_group.wait(stop);
  });
}

void Scheduler::run_loop(
    std::uint64_t count,
    std::uint64_t grain,
    const std::function<void(std::uint64_t first, std::uint64_t last)>& body) {
  const std::uint64_t wanted = usable_threads() * chunks_of_a_thread;
  const std::uint64_t size = std::max({grain, count / wanted, std::uint64_t{1}});
  const std::uint64_t chunks = count / size + (count % size != 0 ? 1 : 0);
  const auto workers = static_cast<unsigned>(std::min<std::uint64_t>(usable_threads(), chunks));
  Stop stop(*interrupt_);
  // In a loop within a loop, the question is for the thread that started the outer one.
  const bool is_outermost = ThreadPool::thread_number() == 0;
  std::atomic<std::uint64_t> next{0};
  const auto take_part = [&](unsigned) {
    try {
      for (std::uint64_t chunk = next++; chunk < chunks; chunk = next++) {
        if (is_outermost ? stop.poll() : stop.is_set())
          return;
        body(chunk * size, chunk + 1 == chunks ? count : (chunk + 1) * size);
      }
    } catch (...) {
      next = chunks;  // the others take no more
      throw;
    }
  };
  if (workers <= 1)
    take_part(0);
  else
    pool().run(workers, take_part);
  if (stop.is_set())
    throw Interrupted("the loop was interrupted; not all of its iterations ran");
}

}  // namespace phalanx::runtime::cpu
