#include "phalanx/runtime/cpu/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "phalanx/base/thread_local.h"
#include "phalanx/runtime/fork.h"
#include "phalanx/runtime/signals_blocked.h"

namespace phalanx::runtime::cpu {

namespace {

// Waking a thread takes the system 5 to 50 us: one that has just finished looks for the next run
// this long before it sleeps, and the caller looks this long for the end of the last task.
constexpr std::chrono::microseconds spin_time{20};

PHX_THREAD_LOCAL unsigned number_of_thread = 0;

// One call of run(); lives on its caller's stack.
struct Job {
  const std::function<void(unsigned)>& task;
  const unsigned count;
  std::atomic<unsigned> next{0};     // the first number that is not taken
  std::atomic<unsigned> helpers{0};  // threads of the pool at work on it; written under the mutex
  std::once_flag failed;
  std::exception_ptr failure;

  bool has_work() const { return next.load(std::memory_order_relaxed) < count; }

  void take_part() {
    for (unsigned number = next++; number < count; number = next++) {
      try {
        task(number);
      } catch (...) {
        std::call_once(failed, [&] { failure = std::current_exception(); });
        next = count;
      }
    }
  }
};

template <typename Condition>
void spin_until(const Condition& condition) {
  const auto end = std::chrono::steady_clock::now() + spin_time;
  while (!condition() && std::chrono::steady_clock::now() < end) __builtin_ia32_pause();
}

}  // namespace

class ThreadPool::State {
 public:
  explicit State(unsigned threads) : helpers_(std::max(threads, 1U) - 1) {}
  ~State();
  State(const State&) = delete;
  State& operator=(const State&) = delete;

  void run(Job& job);
  bool is_of_this_process() const { return generation_ == fork_generation(); }

 private:
  void start();
  void work(unsigned number);
  Job* job_with_work() const;
  void submit(Job& job);
  void finish(Job& job);

  const std::uint64_t generation_ = fork_generation();
  std::mutex mutex_;  // of all below
  std::condition_variable submitted_;
  std::condition_variable left_;  // a thread of the pool left a job
  std::vector<Job*> jobs_;
  bool stopping_ = false;
  std::atomic<std::uint64_t> submissions_{0};
  std::vector<std::thread> threads_;
  const unsigned helpers_;
};

ThreadPool::State::~State() {
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  submitted_.notify_all();
  for (std::thread& thread : threads_) thread.join();
}

void ThreadPool::State::start() {
  if (!threads_.empty())
    return;
  const SignalsBlocked blocked;  // a new thread has its creator's mask
  try {
    for (unsigned number = 1; number <= helpers_; ++number)
      threads_.emplace_back([this, number] { work(number); });
  } catch (const std::system_error&) {
    // The user's limit of threads is reached: those that there are do the work.
  }
}

// The last one submitted goes first: a task that waits for a run of its own holds up another.
Job* ThreadPool::State::job_with_work() const {
  const auto found = std::ranges::find_if(jobs_.rbegin(), jobs_.rend(), &Job::has_work);
  return found == jobs_.rend() ? nullptr : *found;
}

void ThreadPool::State::work(unsigned number) {
  number_of_thread = number;
  std::unique_lock lock(mutex_);
  while (!stopping_) {
    if (Job* const job = job_with_work()) {
      ++job->helpers;
      lock.unlock();
      job->take_part();
      lock.lock();
      if (--job->helpers == 0)
        left_.notify_all();
      continue;
    }
    const std::uint64_t seen = submissions_;
    lock.unlock();
    spin_until([&] { return submissions_ != seen; });
    lock.lock();
    submitted_.wait(lock, [&] { return stopping_ || submissions_ != seen; });
  }
}

void ThreadPool::State::submit(Job& job) {
  {
    const std::lock_guard lock(mutex_);
    start();
    jobs_.push_back(&job);
    ++submissions_;
  }
  if (job.count > helpers_)
    return submitted_.notify_all();
  for (unsigned helper = 1; helper < job.count; ++helper) submitted_.notify_one();
}

// No thread finds the job any more, and those that did have left it.
void ThreadPool::State::finish(Job& job) {
  {
    const std::lock_guard lock(mutex_);
    std::erase(jobs_, &job);
  }
  spin_until([&] { return job.helpers == 0; });
  std::unique_lock lock(mutex_);
  left_.wait(lock, [&] { return job.helpers == 0; });
}

void ThreadPool::State::run(Job& job) {
  submit(job);
  job.take_part();
  finish(job);
}

ThreadPool::ThreadPool(unsigned threads) : state_(std::make_unique<State>(threads)) {}

ThreadPool::~ThreadPool() {
  // In a forked child the threads are gone: no thread can join them.
  if (!state_->is_of_this_process())
    static_cast<void>(state_.release());
}

void ThreadPool::run(unsigned count, const std::function<void(unsigned)>& task) {
  Job job{.task = task, .count = count};
  if (count > 1)
    state_->run(job);
  else
    job.take_part();
  if (job.failure)
    std::rethrow_exception(job.failure);
}

unsigned ThreadPool::thread_number() { return number_of_thread; }

}  // namespace phalanx::runtime::cpu
