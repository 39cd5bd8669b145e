#include "phalanx/runtime/cpu/work_queue.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "phalanx/base/errors.h"
#include "phalanx/runtime/cpu/stop.h"
#include "phalanx/runtime/fork.h"
#include "phalanx/runtime/signals_blocked.h"
#include "phalanx/runtime/thread_limit.h"

namespace phalanx::runtime::cpu {

WorkQueue::WorkQueue(std::shared_ptr<Interrupt> user)
    : user_(std::move(user)), generation_(fork_generation()) {
  own_.set([this] { return is_cancelled(); });
}

bool WorkQueue::is_here() const {
  return generation_ == fork_generation() && thread_.load() != std::this_thread::get_id();
}

void WorkQueue::check_process() const {
  if (generation_ != fork_generation())
    throw DeviceError(
        "the stream was made before the process forked, and its thread is the parent's: make the "
        "stream in the child");
}

// The thread keeps the queue, so that work that was added is done though nobody asks for it.
void WorkQueue::start() {
  const SignalsBlocked blocked;
  std::thread thread([self = shared_from_this()] { self->run(); });
  thread_ = thread.get_id();
  thread.detach();
}

WorkQueue::Position WorkQueue::add(Step step, bool is_duty) {
  check_process();
  const std::lock_guard lock(mutex_);
  if (thread_.load() == std::thread::id()) {
    try {
      start();
    } catch (const std::system_error&) {
      throw DeviceError(
          "the system gives no thread for a stream that overlaps; cuda.stream() without "
          "overlap=True needs none");
    }
  }
  entries_.push_back({std::move(step), is_duty, thread_limit()});
  added_or_closed_.notify_one();
  return ++added_;
}

void WorkQueue::run() {
  std::unique_lock lock(mutex_);
  while (true) {
    added_or_closed_.wait(lock, [&] { return !entries_.empty() || is_closed_; });
    if (entries_.empty())
      return;
    Entry entry = std::move(entries_.front());
    entries_.pop_front();
    const bool is_left_out = !entry.is_duty && done_ < cancelled_;
    lock.unlock();
    std::exception_ptr error;
    try {
      set_thread_limit(entry.threads);
      if (!is_left_out)
        entry.step(&own_);
    } catch (const Interrupted&) {
      // The thread that interrupted it throws it there.
    } catch (...) {
      error = std::current_exception();
    }
    entry.step = nullptr;  // what it holds is let go before the queue is past it
    lock.lock();
    if (!error_)
      error_ = error;
    ++done_;
    done_one_.notify_all();
  }
}

bool WorkQueue::is_cancelled() {
  const std::lock_guard lock(mutex_);
  return done_ < cancelled_;
}

WorkQueue::Position WorkQueue::last() {
  const std::lock_guard lock(mutex_);
  return added_;
}

bool WorkQueue::is_past(Position position) {
  check_process();
  const std::lock_guard lock(mutex_);
  return done_ >= position;
}

void WorkQueue::wait(Position position, Interrupt& asked) {
  check_process();
  std::unique_lock lock(mutex_);
  if (done_ >= position)
    return;
  if (thread_.load() == std::this_thread::get_id())
    throw DeviceError("a callback of a stream must not wait for its own stream");
  const auto is_past = [&] { return done_ >= position; };
  while (!done_one_.wait_for(lock, Stop::interval, is_past)) {
    lock.unlock();
    const bool is_interrupted = asked.is_requested();
    lock.lock();
    if (!is_interrupted)
      continue;
    cancelled_ = std::max(cancelled_, position);
    done_one_.wait(lock, is_past);
    throw Interrupted("the stream was interrupted; not all of its work was done");
  }
}

void WorkQueue::throw_error() {
  std::exception_ptr error;
  {
    const std::lock_guard lock(mutex_);
    std::swap(error, error_);
  }
  if (error)
    std::rethrow_exception(error);
}

void WorkQueue::close() {
  if (generation_ != fork_generation())
    return;
  const std::lock_guard lock(mutex_);
  is_closed_ = true;
  added_or_closed_.notify_one();
}

std::shared_ptr<WorkQueue> WorkQueues::make(std::shared_ptr<Interrupt> user) {
  auto queue = std::make_shared<WorkQueue>(std::move(user));
  const std::lock_guard lock(mutex_);
  queues_.push_back(queue);
  has_queues_ = true;
  return queue;
}

std::vector<std::shared_ptr<WorkQueue>> WorkQueues::alive() {
  std::vector<std::shared_ptr<WorkQueue>> found;
  const std::lock_guard lock(mutex_);
  std::erase_if(queues_, [](const auto& queue) { return queue.expired(); });
  for (const auto& queue : queues_) {
    if (auto held = queue.lock(); held && held->is_here())
      found.push_back(std::move(held));
  }
  has_queues_ = !queues_.empty();
  return found;
}

void WorkQueues::wait() {
  for (const auto& queue : alive()) queue->wait(queue->last());
}

void WorkQueues::synchronize() {
  const auto queues = alive();
  for (const auto& queue : queues) queue->wait(queue->last());
  for (const auto& queue : queues) queue->throw_error();
}

void WorkQueues::finish_with(const std::shared_ptr<void>& held) noexcept {
  Interrupt never;
  for (const auto& queue : alive()) {
    try {
      queue->wait(queue->last(), never);
    } catch (const Error&) {
      try {
        queue->add_duty([held] {});
      } catch (const Error&) {
        // A forked child, in which nothing of the queue runs.
      }
    }
  }
}

void WorkQueues::finish() noexcept {
  Interrupt never;
  for (const auto& queue : alive()) queue->wait(queue->last(), never);
}

}  // namespace phalanx::runtime::cpu
