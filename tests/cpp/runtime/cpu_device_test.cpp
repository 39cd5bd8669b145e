// The CPU device: memory, copies, and launches of hand-written kernels.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cstring>
#include <mutex>
#include <numeric>
#include <set>
#include <span>
#include <thread>
#include <utility>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/runtime/cpu/cpu_executable.h"
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
    binary.entry().parameter_bytes = sizeof(parameters);
    const auto kernel = cpu::make_cpu_executable(entry, std::move(binary), "kernel", nullptr);
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
  binary.entry().parameter_bytes = sizeof(parameters);
  const auto kernel = cpu::make_cpu_executable(&count_blocks, binary, "kernel", nullptr);
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
  const auto kernel = cpu::make_cpu_executable(&note_thread, Binary{}, "kernel", nullptr);
  single.cpu().launch(
      *kernel,
      {{4, 1, 1}, {1, 1, 1}, 0, false},
      std::as_bytes(std::span(&parameters, 1)),
      *single.cpu().default_stream());
  EXPECT_EQ(seen.threads, std::set{std::this_thread::get_id()});
}

TEST_F(CpuDeviceTest, RefusesShapesOverTheLimits) {
  const auto refusal = [&](LaunchConfig config) -> std::string {
    try {
      launch(&count_blocks, config, nullptr);
    } catch (const ValueError& error) {
      return error.what();
    }
    return {};
  };
  EXPECT_EQ(
      refusal({{1, 1, 1}, {1025, 1, 1}, 0, false}),
      "launch of kernel: a block of (1025, 1, 1) has 1025 threads; the device's limit is 1024");
  EXPECT_EQ(
      refusal({{1, 0, 1}, {1, 1, 1}, 0, false}),
      "launch of kernel: the grid is (1, 0, 1), but every extent must be at least 1");
  EXPECT_EQ(
      refusal({{1, 1, 1}, {0, 1, 1}, 0, false}),
      "launch of kernel: the block is (0, 1, 1), but every extent must be at least 1");
  EXPECT_EQ(
      refusal({{1, 1, 1}, {1, 1, 1}, 400000, false}),
      "launch of kernel: 400000 bytes of shared memory a block were asked for (0 static, 400000 "
      "dynamic); the device's limit is 232448");
}

// Scratch memory: whether each block finds an aligned buffer of the promised size to itself.
struct Scratch {
  std::size_t bytes = 0;
  std::atomic<int> faults{0};
};

void use_scratch(const CpuLaunch* launch, std::uint64_t first, std::uint64_t, std::byte* memory) {
  Scratch& scratch = data_of<Scratch>(launch);
  const auto mark = static_cast<unsigned char>(first);
  if (reinterpret_cast<std::uintptr_t>(memory) % 64 != 0)
    ++scratch.faults;
  std::memset(memory, mark, scratch.bytes);
  std::this_thread::yield();
  for (std::size_t i = 0; i < scratch.bytes; ++i)
    if (memory[i] != std::byte{mark})
      ++scratch.faults;
}

TEST_F(CpuDeviceTest, GivesEachThreadItsOwnScratch) {
  Binary binary;
  binary.entry().shared_bytes = 100;
  binary.entry().warp_bytes = 70;
  binary.entry().lanes = 32;
  Scratch scratch;
  scratch.bytes = 128 + 64 + 3 * 128;  // each part is rounded up to 64 bytes; 65 threads, 3 warps
  launch(&use_scratch, {{200, 1, 1}, {65, 1, 1}, 10, false}, &scratch, binary);
  EXPECT_EQ(scratch.faults.load(), 0);
  scratch.bytes = 128 + 50048 + 32 * 128;  // more than before
  launch(&use_scratch, {{200, 1, 1}, {1024, 1, 1}, 50000, false}, &scratch, binary);
  EXPECT_EQ(scratch.faults.load(), 0);
}

void raise_in_block_5(
    const CpuLaunch* launch, std::uint64_t first, std::uint64_t last, std::byte*) {
  for (std::uint64_t block = first; block < last; ++block) {
    if (block != 5)
      continue;
    std::uint32_t none = 0;
    ErrorRecord& record = launch->errors->records[0];
    if (std::atomic_ref(record.site).compare_exchange_strong(none, 1)) {
      launch->errors->count = 1;
      std::ranges::copy(std::array{5U, 0U, 0U}, record.block);
      std::ranges::copy(std::array{0U, 3U, 0U}, record.thread);
      record.order = 0;
    }
  }
}

TEST_F(CpuDeviceTest, ThrowsWhatAKernelRaised) {
  Binary binary;
  binary.fault_sites = {fault_site(nullptr, {.line = 4}, Raise{"ValueError", "no"})};
  try {
    launch(&raise_in_block_5, {{64, 1, 1}, {32, 4, 1}, 0, false}, nullptr, binary);
    FAIL() << "nothing was thrown";
  } catch (const KernelError& error) {
    EXPECT_STREQ(
        error.what(),
        "<unknown>:4: ValueError: no (raised in kernel kernel, block (5, 0, 0), thread (0, 3, 0))");
    EXPECT_EQ(error.faults().at(0).block[0], 5U);
  }
}

void expect_no_listener(const CpuLaunch* launch, std::uint64_t, std::uint64_t, std::byte*) {
  data_of<bool>(launch) = launch->errors == nullptr;
}

TEST_F(CpuDeviceTest, DoesNotListenToKernelsThatCannotRaise) {
  bool is_deaf = false;
  launch(&expect_no_listener, {}, &is_deaf);
  EXPECT_TRUE(is_deaf);
}

void work_a_while(const CpuLaunch* launch, std::uint64_t first, std::uint64_t last, std::byte*) {
  for (std::uint64_t block = first; block < last; ++block) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    data_of<std::atomic<int>>(launch).fetch_add(1);
  }
}

TEST_F(CpuDeviceTest, StopsWhenTheUserInterrupts) {
  const std::thread::id caller = std::this_thread::get_id();
  std::atomic<int> questions{0};
  runtime.set_interrupt_check([&] {
    EXPECT_EQ(std::this_thread::get_id(), caller);
    return ++questions == 3;
  });
  std::atomic<int> blocks{0};
  EXPECT_THROW(launch(&work_a_while, {{100000, 1, 1}, {1, 1, 1}, 0, false}, &blocks), Interrupted);
  EXPECT_EQ(questions.load(), 3);
  const int at_return = blocks.load();
  EXPECT_LT(at_return, 1000);  // 30 ms on four threads
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  EXPECT_EQ(blocks.load(), at_return);  // nobody works on
  runtime.set_interrupt_check({});
  blocks = 0;
  launch(&work_a_while, {{20, 1, 1}, {1, 1, 1}, 0, false}, &blocks);
  EXPECT_EQ(blocks.load(), 20);
}

TEST_F(CpuDeviceTest, WorksInAForkedChild) {
  Seen seen;
  launch(&note_thread, {{8, 1, 1}, {1, 1, 1}, 0, false}, &seen);
  for (int round = 0; round < 5; ++round) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(20);  // a child that hangs fails
      Counts counts(5000);
      launch(&count_blocks, {{5000, 1, 1}, {32, 1, 1}, 0, false}, &counts);
      bool fine = true;
      for (const auto& count : counts) fine = fine && count.load() == 1;
      Seen in_child;
      launch(&note_thread, {{16, 1, 1}, {1, 1, 1}, 0, false}, &in_child);
      _exit(fine && !in_child.threads.empty() ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << status;
  }
  Seen again;
  launch(&note_thread, {{16, 1, 1}, {1, 1, 1}, 0, false}, &again);
  EXPECT_GT(again.threads.size(), 1U);
}

TEST_F(CpuDeviceTest, LaunchesFromManyThreads) {
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) {
    threads.emplace_back([this] {
      for (int round = 0; round < 20; ++round) {
        Counts counts(3000);
        launch(&count_blocks, {{3000, 1, 1}, {32, 1, 1}, 0, false}, &counts);
        for (const auto& count : counts) ASSERT_EQ(count.load(), 1);
      }
    });
  }
  for (std::thread& thread : threads) thread.join();
}

TEST_F(CpuDeviceTest, KeepsCodeAliveAsLongAsTheKernel) {
  auto code = std::make_shared<int>(0);
  const std::weak_ptr<int> watch = code;
  auto kernel = cpu::make_cpu_executable(&count_blocks, {}, "kernel", std::move(code));
  EXPECT_FALSE(watch.expired());
  kernel.reset();
  EXPECT_TRUE(watch.expired());
}

TEST_F(CpuDeviceTest, CopiesAndFills) {
  std::vector<int> data(1000);
  std::iota(data.begin(), data.end(), 0);
  const std::size_t bytes = data.size() * sizeof(int);
  Stream& stream = *device.default_stream();
  const Buffer first = device.allocate(bytes);
  const Buffer second = device.allocate(bytes, MemoryKind::pinned);
  device.copy_to_device(first.address(), data.data(), bytes, stream);
  device.copy(second.address(), first.address(), bytes, stream);
  std::vector<int> back(data.size());
  device.copy_to_host(back.data(), second.address(), bytes, stream);
  EXPECT_EQ(back, data);
  const std::uint64_t pattern = 0x0123456789abcdef;
  device.fill(first.address(), std::as_bytes(std::span(&pattern, 1)), data.size() / 2, stream);
  const auto* filled = static_cast<const std::uint64_t*>(first.host());
  EXPECT_EQ(std::count(filled, filled + data.size() / 2, pattern), 500);
}

TEST_F(CpuDeviceTest, KeepsLargeBlocksForTheNextArray) {
  constexpr std::size_t bytes = 10U << 20;
  const std::uint64_t used = device.memory_info().used_here;
  Buffer buffer = device.allocate(bytes);
  const Address address = buffer.address();
  EXPECT_EQ(address % 64, 0U);
  EXPECT_EQ(device.memory_info().used_here, used + bytes);
  buffer.release();
  EXPECT_EQ(device.memory_info().cached_here, bytes);
  EXPECT_EQ(device.allocate(bytes - 100).address(), address);
  device.trim_pool();
  EXPECT_EQ(device.memory_info().cached_here, 0U);
}

TEST_F(CpuDeviceTest, RefusesMoreMemoryThanThereIs) {
  try {
    static_cast<void>(device.allocate(std::size_t{1} << 60));
    FAIL() << "nothing was thrown";
  } catch (const OutOfMemoryError& error) {
    EXPECT_NE(std::string(error.what()).find("1152921504606846976 bytes asked"), std::string::npos)
        << error.what();
  }
}

TEST_F(CpuDeviceTest, TimesEventsAndCallsBackAtOnce) {
  const auto stream = device.create_stream(StreamKind::blocking);
  const auto start = device.create_event();
  const auto end = device.create_event();
  EXPECT_THROW(end->elapsed_ms_since(*start), ValueError);
  start->record(*stream);
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  end->record(*stream);
  EXPECT_GE(end->elapsed_ms_since(*start), 2.0F);
  bool called = false;
  stream->add_callback([&] { called = true; });
  EXPECT_TRUE(called);
  EXPECT_TRUE(stream->query());
}

TEST_F(CpuDeviceTest, RefusesWhatAGpuRuns) {
  Binary ptx;
  ptx.kind = BinaryKind::ptx;
  EXPECT_THROW(device.load(ptx, "ptx"), TypeError);
  EXPECT_EQ(device.cuda(), nullptr);
  EXPECT_THROW(memory_sharing(device), DeviceError);
}

TEST_F(CpuDeviceTest, LoadsObjectsWithTheGivenLoader) {
  Counts counts(3);
  const Parameters parameters{&counts};
  Binary object;
  object.kind = BinaryKind::object;
  object.entry().symbol = "count";
  object.entry().parameter_bytes = sizeof(parameters);
  EXPECT_THROW(device.load(object, "count"), TypeError);  // without one
  auto code = std::make_shared<int>(0);
  const std::weak_ptr<int> watch = code;
  LoadOptions options;
  options.load_object = [&](const Binary& binary) {
    EXPECT_EQ(binary.entry().symbol, "count");
    return LoadedObject{&count_blocks, std::exchange(code, nullptr)};
  };
  auto kernel = device.load(object, "count", options);
  device.launch(
      *kernel,
      {{3, 1, 1}, {32, 1, 1}, 0, false},
      std::as_bytes(std::span(&parameters, 1)),
      *device.default_stream());
  for (const auto& count : counts) EXPECT_EQ(count.load(), 1);
  EXPECT_FALSE(watch.expired());
  kernel.reset();
  EXPECT_TRUE(watch.expired());
}

}  // namespace
}  // namespace phalanx::runtime
