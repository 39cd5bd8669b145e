// Loops over the CPU's threads: each iteration once, and their ends before their time.
#include "phalanx/runtime/parallel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <utility>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/runtime/runtime.h"
#include "phalanx/runtime/thread_limit.h"

namespace phalanx::runtime {
namespace {

RuntimeOptions with_threads(unsigned threads) { return {.device = "cpu", .threads = threads}; }

struct Case {
  unsigned threads;
  std::uint64_t count;
  std::uint64_t grain;
};

class ParallelForTest : public ::testing::TestWithParam<Case> {};

TEST_P(ParallelForTest, TakesEachIterationOnceInChunksOfTheGrain) {
  const auto [threads, count, grain] = GetParam();
  Runtime runtime(with_threads(threads));
  std::vector<std::atomic<int>> calls(count);
  std::mutex mutex;
  std::vector<std::pair<std::uint64_t, std::uint64_t>> chunks;
  parallel_for(runtime, count, grain, [&](std::uint64_t first, std::uint64_t last) {
    for (std::uint64_t i = first; i < last; ++i) ++calls[i];
    const std::lock_guard lock(mutex);
    chunks.emplace_back(first, last);
  });
  EXPECT_TRUE(std::ranges::all_of(calls, [](const auto& n) { return n == 1; }));
  for (const auto& [first, last] : chunks) EXPECT_TRUE(last == count || last - first >= grain);
  if (count <= grain) {
    EXPECT_EQ(chunks.size(), count == 0 ? 0U : 1U);
  }
}

INSTANTIATE_TEST_SUITE_P(
    Loops,
    ParallelForTest,
    ::testing::Values(
        Case{1, 100, 1},
        Case{4, 0, 1},
        Case{4, 1, 0},
        Case{4, 7, 0},
        Case{4, 1000, 1},
        Case{4, 1000, 7},
        Case{4, 1000, 999},
        Case{4, 1000, 1000},
        Case{4, 1000, 5000},
        Case{3, 100003, 64}));

TEST(ParallelLoops, TakeOtherThreadsUpToTheLimitOfTheCaller) {
  Runtime runtime(with_threads(4));
  const auto threads_of = [&](unsigned limit, std::uint64_t grain) {
    set_thread_limit(limit);
    std::mutex mutex;
    std::set<std::thread::id> threads;
    parallel_for(runtime, 64, grain, [&](std::uint64_t, std::uint64_t) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
      const std::lock_guard lock(mutex);
      threads.insert(std::this_thread::get_id());
    });
    set_thread_limit(0);
    return threads;
  };
  EXPECT_GT(threads_of(0, 1).size(), 1U);
  EXPECT_LE(threads_of(2, 1).size(), 2U);
  EXPECT_EQ(threads_of(1, 1), std::set{std::this_thread::get_id()});
  EXPECT_EQ(threads_of(0, 64), std::set{std::this_thread::get_id()});
}

TEST(ParallelLoops, NestAndAreSharedByThreads) {
  Runtime runtime(with_threads(3));
  std::atomic<int> calls{0};
  const auto outer = [&] {
    parallel_for(runtime, 6, 1, [&](std::uint64_t first, std::uint64_t last) {
      for (std::uint64_t i = first; i < last; ++i)
        parallel_for(runtime, 50, 1, [&](std::uint64_t from, std::uint64_t to) {
          calls += static_cast<int>(to - from);
        });
    });
  };
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 4; ++caller) callers.emplace_back(outer);
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(calls, 4 * 6 * 50);
}

TEST(ParallelLoops, ThrowWhatABodyThrowsAfterAllHaveLeft) {
  Runtime runtime(with_threads(4));
  std::atomic<int> inside{0};
  std::atomic<int> calls{0};
  std::atomic<bool> is_throwing{false};
  const auto body = [&](std::uint64_t first, std::uint64_t) {
    ++inside;
    ++calls;
    while (first != 0 && !is_throwing) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    --inside;
    is_throwing = true;
    if (first == 0)
      throw std::runtime_error("body");
  };
  EXPECT_THROW(parallel_for(runtime, 1'000'000, 1, body), std::runtime_error);
  EXPECT_EQ(inside, 0);
  EXPECT_LT(calls, 4 * 64);  // all of its chunks
  std::atomic<std::uint64_t> done{0};
  parallel_for(
      runtime, 100, 1, [&](std::uint64_t first, std::uint64_t last) { done += last - first; });
  EXPECT_EQ(done, 100U);
}

TEST(ParallelLoops, EndBetweenTwoChunksWhenTheUserInterrupts) {
  for (const unsigned threads : {1U, 4U}) {
    Runtime runtime(with_threads(threads));
    std::atomic<int> asked{0};
    runtime.set_interrupt_check([&] { return ++asked > 0; });
    std::atomic<int> calls{0};
    const auto body = [&](std::uint64_t, std::uint64_t) {
      ++calls;
      std::this_thread::sleep_for(std::chrono::milliseconds(6));
    };
    EXPECT_THROW(parallel_for(runtime, 1'000'000, 1, body), Interrupted);
    EXPECT_EQ(asked, 1);
    EXPECT_LT(calls, static_cast<int>(64 * threads)) << "all of its chunks";
  }
}

// The thread that started the outermost loop may hold a lock that the question needs, as the GIL.
TEST(ParallelLoops, AskTheUserOnTheThreadThatStartedTheOutermost) {
  Runtime runtime(with_threads(3));
  std::atomic<int> asked{0};
  std::atomic<int> asked_elsewhere{0};
  const auto caller = std::this_thread::get_id();
  runtime.set_interrupt_check([&] {
    ++(std::this_thread::get_id() == caller ? asked : asked_elsewhere);
    return false;
  });
  parallel_for(runtime, 6, 1, [&](std::uint64_t, std::uint64_t) {
    parallel_for(runtime, 6, 1, [](std::uint64_t, std::uint64_t) {
      std::this_thread::sleep_for(std::chrono::milliseconds(12));
    });
  });
  EXPECT_GT(asked, 0);
  EXPECT_EQ(asked_elsewhere, 0);
}

}  // namespace
}  // namespace phalanx::runtime
