#include "phalanx/jit/background.h"

#include <pthread.h>

#include <cstddef>
#include <deque>
#include <mutex>
#include <utility>
#include <vector>

#include "phalanx/base/library_call.h"
#include "phalanx/jit/pending.h"
#include "phalanx/runtime/signals_blocked.h"

namespace phalanx::jit {

namespace {

constexpr std::size_t stack_bytes = std::size_t{64}
                                    << 20U;  // LLVM walks nested branches recursively

thread_local bool is_background_thread = false;

struct Job {
  const void* owner;
  std::function<void()> work;
};

struct Queue {
  std::mutex fork_mutex;  // held while the thread works; taken before the other one
  std::mutex mutex;       // guards the rest
  std::deque<Job> jobs;
  std::vector<std::deque<Job>> of_parents;  // what was to do where this process was forked
  bool has_thread = false;
  const void* owner = nullptr;  // of what is running
  Pending running;
};

// Never destroyed: the thread may use it while the process ends.
Queue& queue() {
  static auto& made = *new Queue();
  return made;
}

void before_fork() {
  queue().fork_mutex.lock();
  queue().mutex.lock();
}

void after_fork() {
  queue().mutex.unlock();
  queue().fork_mutex.unlock();
}

// The parent does what was to do. Here the kernels that wait for it are never dropped, which would
// run code of their owners amid a fork.
void after_fork_in_child() {
  Queue& here = queue();
  here.of_parents.push_back(std::exchange(here.jobs, {}));
  here.has_thread = false;
  here.owner = nullptr;
  here.running = {};
  after_fork();
}

// False where there is nothing left to do, so that the thread ends.
bool do_next_job(Queue& here) {
  // First of all: at the end of the process nobody may wait for a job that has begun and sleeps.
  const LibraryCall llvm;
  Job job;
  {
    const std::lock_guard lock(here.mutex);
    if (here.jobs.empty()) {
      here.has_thread = false;
      return false;
    }
    job = std::move(here.jobs.front());
    here.jobs.pop_front();
    here.owner = job.owner;
    here.running.start();
  }
  {
    const std::lock_guard no_fork(here.fork_mutex);
    job.work();
  }
  job.work = nullptr;
  const std::lock_guard lock(here.mutex);
  here.owner = nullptr;
  here.running.finish();
  return true;
}

void* work_off_queue(void* given) {
  is_background_thread = true;
  auto& here = *static_cast<Queue*>(given);
  while (do_next_job(here)) {
  }
  return nullptr;
}

bool start_thread(Queue& here) {
  static const int registered = ::pthread_atfork(&before_fork, &after_fork, &after_fork_in_child);
  static_cast<void>(registered);
  const runtime::SignalsBlocked blocked;
  pthread_attr_t attributes;
  ::pthread_attr_init(&attributes);
  ::pthread_attr_setstacksize(&attributes, stack_bytes);
  ::pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
  pthread_t thread{};
  const bool is_started = ::pthread_create(&thread, &attributes, &work_off_queue, &here) == 0;
  ::pthread_attr_destroy(&attributes);
  return is_started;
}

}  // namespace

bool start_in_background(const void* owner, std::function<void()> work) {
  Queue& here = queue();
  const std::lock_guard lock(here.mutex);
  if (!here.has_thread)
    here.has_thread = start_thread(here);
  if (here.has_thread)
    here.jobs.push_back({owner, std::move(work)});
  return here.has_thread;
}

void end_background_work(const void* owner) noexcept {
  Queue& here = queue();
  std::vector<Job> dropped;  // without the lock
  std::unique_lock lock(here.mutex);
  std::deque<Job> others;
  for (Job& job : here.jobs) {
    if (job.owner == owner)
      dropped.push_back(std::move(job));
    else
      others.push_back(std::move(job));
  }
  here.jobs = std::move(others);
  while (here.owner == owner && !is_background_thread) here.running.wait(lock);
  lock.unlock();
}

ForkAllowed::ForkAllowed() {
  if (is_background_thread)
    queue().fork_mutex.unlock();
}

ForkAllowed::~ForkAllowed() {
  if (is_background_thread)
    queue().fork_mutex.lock();
}

}  // namespace phalanx::jit
