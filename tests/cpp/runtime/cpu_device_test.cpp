// The CPU device: memory, copies, and launches of hand-written kernels.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <mutex>
#include <numeric>
#include <set>
#include <thread>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/runtime/runtime.h"

namespace phalanx::runtime {
namespace {

// The parameter block of the kernels here: one pointer.
struct Parameters {
  void* data = nullptr;
};

template <typename T>
T& data_of(const CpuLaunch* launch) {
  Parameters parameters;
  std::memcpy(&parameters, launch->parameters, sizeof(parameters));
  return *static_cast<T*>(parameters.data);
}

struct Fixture : testing::Test {
  Runtime runtime{RuntimeOptions{"cpu", 4}};
  Device& device = runtime.cpu();

  void launch(CpuKernel entry, LaunchConfig config, void* data, Binary binary = {}) {
    const Parameters parameters{data};
    binary.parameter_bytes = sizeof(parameters);
    const auto kernel = make_cpu_executable(entry, std::move(binary), "kernel", nullptr);
    device.launch(
        *kernel, config, std::as_bytes(std::span(&parameters, 1)), *device.default_stream());
  }
};

using CpuDeviceTest = Fixture;

using Counts = std::vector<std::atomic<int>>;

void count_blocks(const CpuLaunch* launch, std::uint64_t first, std::uint64_t last, std::byte*) {
  for (std::uint64_t block = first; block < last; ++block)
    data_of<Counts>(launch)[block].fetch_add(1);
}

TEST_F(CpuDeviceTest, RunsEveryBlockOnce) {
  for (const std::uint32_t blocks : {1U, 2U, 3U, 64U, 1000U, 100000U}) {
    Counts counts(blocks);
    launch(&count_blocks, {{blocks, 1, 1}, {32, 1, 1}, 0, false}, &counts);
    for (const auto& count : counts) ASSERT_EQ(count.load(), 1);
  }
}

TEST_F(CpuDeviceTest, RunsEveryBlockOnceWhenTheKernelIsKnown) {
  // The second and later launches know how long a block takes, and stay on the calling thread.
  Counts counts(500);
  const Parameters parameters{&counts};
  Binary binary;
  binary.parameter_bytes = sizeof(parameters);
  const auto kernel = make_cpu_executable(&count_blocks, binary, "kernel", nullptr);
  for (int round = 1; round <= 20; ++round) {
    device.launch(
        *kernel,
        {{10, 10, 5}, {32, 1, 1}, 0, false},
        std::as_bytes(std::span(&parameters, 1)),
        *device.default_stream());
    for (const auto& count : counts) ASSERT_EQ(count.load(), round);
  }
}

struct Seen {
  std::mutex mutex;
  std::set<std::thread::id> threads;
};

void note_thread(const CpuLaunch* launch, std::uint64_t, std::uint64_t, std::byte*) {
  Seen& seen = data_of<Seen>(launch);
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  const std::lock_guard lock(seen.mutex);
  seen.threads.insert(std::this_thread::get_id());
}

TEST_F(CpuDeviceTest, RunsOneBlockOnTheCallingThread) {
  Seen seen;
  launch(&note_thread, {{1, 1, 1}, {1, 1, 1}, 0, false}, &seen);
  EXPECT_EQ(seen.threads, std::set{std::this_thread::get_id()});
}

TEST_F(CpuDeviceTest, SpreadsSlowBlocksOverThreads) {
  Seen seen;
  launch(&note_thread, {{16, 1, 1}, {1, 1, 1}, 0, false}, &seen);
  EXPECT_GT(seen.threads.size(), 1U);
  EXPECT_LE(seen.threads.size(), 4U);
}

TEST_F(CpuDeviceTest, StaysOnOneThreadWhenToldTo) {
  Runtime single(RuntimeOptions{"cpu", 1});
  EXPECT_EQ(single.cpu().limits().multiprocessors, 1U);
  Seen seen;
  const Parameters parameters{&seen};
  const auto kernel = make_cpu_executable(&note_thread, Binary{}, "kernel", nullptr);
  single.cpu().launch(
      *kernel,
      {{4, 1, 1}, {1, 1, 1}, 0, false},
      std::as_bytes(std::span(&parameters, 1)),
      *single.cpu().default_stream());
  EXPECT_EQ(seen.threads, std::set{std::this_thread::get_id()});
}

}  // namespace
}  // namespace phalanx::runtime
