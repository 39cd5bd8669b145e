#include "phalanx/runtime/cpu/scheduler.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "phalanx/runtime/thread_limit.h"

namespace phalanx::runtime::cpu {
namespace {

// How often each block ran, and on which thread; the blocks from `slow_from` on take a while.
struct Record : CpuLaunch {
  std::vector<std::atomic<int>> runs;
  std::vector<std::thread::id> threads;
  std::uint64_t slow_from = ~std::uint64_t{0};

  explicit Record(std::size_t blocks) : runs(blocks), threads(blocks) {
    std::fill(std::begin(block), std::end(block), 1U);
  }
};

void note_blocks(const CpuLaunch* launch, std::uint64_t first, std::uint64_t last, std::byte*) {
  auto& record = *const_cast<Record*>(static_cast<const Record*>(launch));
  for (std::uint64_t block = first; block < last; ++block) {
    record.runs[block]++;
    record.threads[block] = std::this_thread::get_id();
    if (block >= record.slow_from)
      std::this_thread::sleep_for(std::chrono::microseconds(200));
  }
}

class SchedulerTest : public testing::Test {
 protected:
  void run(Record& record) {
    Work work;
    work.entry = note_blocks;
    work.launch = &record;
    work.blocks = record.runs.size();
    work.cost = &cost_;
    scheduler_.run(work);
  }

  static void expect_once_each(const Record& record) {
    for (std::size_t block = 0; block < record.runs.size(); ++block)
      EXPECT_EQ(record.runs[block], 1) << "block " << block;
  }

  Scheduler scheduler_{4, std::make_shared<Interrupt>()};
  std::atomic<float> cost_{0};
};

TEST_F(SchedulerTest, EveryBlockRunsOnce) {
  for (const std::size_t blocks : {1U, 2U, 3U, 5U, 31U, 1001U, 40000U}) {
    cost_ = 0;
    Record record(blocks);
    run(record);
    run(record);  // with a cost that is known
    for (std::size_t block = 0; block < blocks; ++block) EXPECT_EQ(record.runs[block], 2);
  }
}

TEST_F(SchedulerTest, ThreadsThatAreThroughHelpTheOthers) {
  Record record(400);
  record.slow_from = 300;  // all of it in the run of one thread
  cost_ = 1e5;
  run(record);
  expect_once_each(record);
  std::vector<std::thread::id> slow(record.threads.begin() + 300, record.threads.end());
  std::sort(slow.begin(), slow.end());
  EXPECT_GT(std::unique(slow.begin(), slow.end()) - slow.begin(), 1);
}

TEST_F(SchedulerTest, ALimitOfOneThreadKeepsAllBlocksOnTheCaller) {
  set_thread_limit(1);
  Record record(100);
  cost_ = 1e5;
  run(record);
  set_thread_limit(0);
  expect_once_each(record);
  for (const std::thread::id id : record.threads) EXPECT_EQ(id, std::this_thread::get_id());
}

}  // namespace
}  // namespace phalanx::runtime::cpu
