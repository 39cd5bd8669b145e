// A thread that does steps in the order in which they were added: what a queued stream is made of.
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <deque>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <utility>
#include <vector>

#include "phalanx/runtime/cpu/interrupt.h"

namespace phalanx::runtime::cpu {

// `interrupt`: asked whether to stop; null: the user is.
using Step = std::function<void(Interrupt* interrupt)>;

class WorkQueue : public std::enable_shared_from_this<WorkQueue> {
 public:
  // A point in the queue: the number of steps that were added up to it.
  using Position = std::uint64_t;

  // `user`: asked for Ctrl-C by threads that wait for the queue.
  explicit WorkQueue(std::shared_ptr<Interrupt> user);

  // Work is left out after an interruption. What others rely on is done in any case: to give memory
  // back, to mark an event. Throws DeviceError in a forked child, which has no thread of the queue.
  Position add_work(Step step) { return add(std::move(step), false); }
  Position add_duty(std::function<void()> duty) {
    return add([duty = std::move(duty)](Interrupt*) { duty(); }, true);
  }

  Position last();
  bool is_past(Position position);
  // Throws Interrupted when `asked` says so: the work up to the position is stopped or left out
  // then. Throws DeviceError on the queue's own thread, which would wait for itself.
  void wait(Position position, Interrupt& asked);
  void wait(Position position) { wait(position, *user_); }
  // Throws the first error of the steps up to now, once.
  void throw_error();

  // The thread ends when it has done what was added; nothing is added any more.
  void close();

  bool is_here() const;  // its thread lives in this process, and is not the calling one

 private:
  struct Entry {
    Step step;
    bool is_duty;
    unsigned threads;  // the limit of the thread that added it
  };

  Position add(Step step, bool is_duty);
  void start();
  void check_process() const;
  void run();
  bool is_cancelled();

  std::shared_ptr<Interrupt> user_;
  Interrupt own_;             // of the running step: its work was interrupted
  std::uint64_t generation_;  // of forks
  std::mutex mutex_;
  std::condition_variable added_or_closed_;
  std::condition_variable done_one_;
  std::deque<Entry> entries_;
  Position added_ = 0;
  Position done_ = 0;
  Position cancelled_ = 0;  // work up to here is left out
  bool is_closed_ = false;
  std::exception_ptr error_;
  std::atomic<std::thread::id> thread_;
};

// All queues of a device. Threads may call it at the same time.
class WorkQueues {
 public:
  std::shared_ptr<WorkQueue> make(std::shared_ptr<Interrupt> user);
  // Cheap where there is none: asked before all work of the default stream.
  bool has_queues() const { return has_queues_.load(std::memory_order_acquire); }
  // Until what was added up to now is done; throws Interrupted, and no errors of the work.
  void wait();
  void synchronize();      // wait(), and throws the first error
  void finish() noexcept;  // as wait(), without asking the user
  // As finish(); a queue that cannot be waited for, as its own thread asks, has `held` until then.
  void finish_with(const std::shared_ptr<void>& held) noexcept;

 private:
  std::vector<std::shared_ptr<WorkQueue>> alive();

  std::mutex mutex_;
  std::vector<std::weak_ptr<WorkQueue>> queues_;
  std::atomic<bool> has_queues_{false};
};

}  // namespace phalanx::runtime::cpu
