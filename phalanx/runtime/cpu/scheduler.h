// Spreads the blocks of a grid over the CPU's cores.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>

#include "phalanx/base/cpu_kernel.h"
#include "phalanx/runtime/cpu/block_order.h"
#include "phalanx/runtime/cpu/interrupt.h"
#include "phalanx/runtime/cpu/stop.h"
#include "phalanx/runtime/cpu/thread_pool.h"

namespace phalanx::runtime::cpu {

struct Work {
  CpuKernel entry = nullptr;
  CpuLaunch* launch = nullptr;
  bool can_stop = false;  // inside of blocks too
  std::uint64_t blocks = 0;
  BlockOrder order;
  std::size_t scratch_bytes = 0;
  Interrupt* interrupt = nullptr;  // asked whether to stop; null: the user is
  // Nanoseconds of one thread of a block, as the launches before took; 0: not known. Updated.
  std::atomic<float>* cost = nullptr;
};

class Scheduler {
 public:
  // `threads`: 0 means as many as the affinity mask of the first launching thread allows.
  Scheduler(unsigned threads, std::shared_ptr<Interrupt> interrupt);
  ~Scheduler();
  Scheduler(const Scheduler&) = delete;
  Scheduler& operator=(const Scheduler&) = delete;

  // Returns when all blocks are done. Throws Interrupted when the user said so; then some blocks
  // did not run or did not end, and none is running any more.
  void run(const Work& work);
  // The same, where `body` runs the blocks in a way of its own.
  void run(const Work& work, const std::function<void(Stop& stop)>& body);

  // parallel_for() of runtime/parallel.h.
  void run_loop(
      std::uint64_t count,
      std::uint64_t grain,
      const std::function<void(std::uint64_t first, std::uint64_t last)>& body);

  unsigned threads();  // that run blocks, the calling one included

 private:
  ThreadPool& pool();
  unsigned usable_threads();  // by the calling thread
  void run_all(const Work& work, Stop& stop);
  void run_parallel(const Work& work, std::uint64_t first, unsigned most_workers, Stop& stop);

  unsigned requested_threads_;
  std::shared_ptr<Interrupt> interrupt_;
  std::mutex mutex_;
  std::atomic<unsigned> threads_{0};
  std::unique_ptr<ThreadPool> pool_;
  std::uint64_t generation_ = 0;  // of forks, when the pool was made
};

}  // namespace phalanx::runtime::cpu
