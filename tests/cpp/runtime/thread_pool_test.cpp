#include "phalanx/runtime/cpu/thread_pool.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <mutex>
#include <set>
#include <stdexcept>
#include <thread>
#include <vector>

namespace phalanx::runtime::cpu {
namespace {

// Waits until `count` threads have come here: a task that only some threads reach would hang.
class Meeting {
 public:
  explicit Meeting(unsigned count) : missing_(count) {}
  void arrive() {
    --missing_;
    while (missing_ > 0) std::this_thread::yield();
  }

 private:
  std::atomic<int> missing_;
};

TEST(ThreadPoolTest, EachNumberIsTakenOnce) {
  ThreadPool pool(4);
  for (const unsigned count : {0U, 1U, 2U, 4U, 7U, 1000U}) {
    std::vector<std::atomic<int>> calls(count);
    pool.run(count, [&](unsigned number) { ++calls[number]; });
    EXPECT_TRUE(std::ranges::all_of(calls, [](const auto& n) { return n == 1; })) << count;
  }
}

TEST(ThreadPoolTest, AllThreadsWorkAtOnceEachWithANumberOfItsOwn) {
  ThreadPool pool(4);
  Meeting meeting(4);
  std::mutex mutex;
  std::multiset<unsigned> numbers;
  pool.run(4, [&](unsigned) {
    meeting.arrive();
    const std::lock_guard lock(mutex);
    numbers.insert(ThreadPool::thread_number());
  });
  EXPECT_EQ(numbers, (std::multiset<unsigned>{0, 1, 2, 3}));
}

TEST(ThreadPoolTest, ThreadsThatSleptAreWoken) {
  ThreadPool pool(2);
  for (int round = 0; round < 3; ++round) {
    Meeting meeting(2);
    pool.run(2, [&](unsigned) { meeting.arrive(); });
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
}

TEST(ThreadPoolTest, OneThreadDoesAll) {
  ThreadPool pool(1);
  std::set<std::thread::id> threads;
  pool.run(10, [&](unsigned) { threads.insert(std::this_thread::get_id()); });
  EXPECT_EQ(threads, std::set{std::this_thread::get_id()});
}

TEST(ThreadPoolTest, RunsWithinTasksEnd) {
  ThreadPool pool(3);
  std::atomic<int> calls{0};
  pool.run(6, [&](unsigned) {
    pool.run(5, [&](unsigned) { pool.run(2, [&](unsigned) { ++calls; }); });
  });
  EXPECT_EQ(calls, 60);
}

TEST(ThreadPoolTest, RunsOfSeveralThreadsShareThePool) {
  ThreadPool pool(3);
  std::atomic<int> calls{0};
  std::vector<std::thread> callers;
  for (int caller = 0; caller < 4; ++caller)
    callers.emplace_back([&] {
      for (int round = 0; round < 200; ++round) pool.run(7, [&](unsigned) { ++calls; });
    });
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(calls, 4 * 200 * 7);
}

TEST(ThreadPoolTest, AnExceptionComesBackAfterAllHaveLeft) {
  ThreadPool pool(4);
  for (unsigned thrower = 0; thrower < 4; ++thrower) {
    std::atomic<int> inside{0};
    const auto task = [&](unsigned number) {
      ++inside;
      std::this_thread::sleep_for(std::chrono::microseconds(100));
      --inside;
      if (number == thrower)
        throw std::runtime_error("task");
    };
    EXPECT_THROW(pool.run(100, task), std::runtime_error);
    EXPECT_EQ(inside, 0);
  }
  std::atomic<int> calls{0};
  pool.run(5, [&](unsigned) { ++calls; });
  EXPECT_EQ(calls, 5);
}

}  // namespace
}  // namespace phalanx::runtime::cpu
