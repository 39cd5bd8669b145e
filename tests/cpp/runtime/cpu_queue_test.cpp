// Queued streams of the CPU device: what they overlap, and what waits for them.
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstring>
#include <mutex>
#include <optional>
#include <span>
#include <thread>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/runtime/cpu/cpu_executable.h"
#include "phalanx/runtime/runtime.h"

namespace phalanx::runtime {
namespace {

// Holds up a kernel until the test opens it.
class Gate {
 public:
  ~Gate() { open(); }
  void open() {
    const std::lock_guard lock(mutex_);
    is_open_ = true;
    opened_.notify_all();
  }
  void pass() {
    std::unique_lock lock(mutex_);
    opened_.wait(lock, [&] { return is_open_; });
  }

 private:
  std::mutex mutex_;
  std::condition_variable opened_;
  bool is_open_ = false;
};

struct Steps {
  Gate gate;
  std::atomic<int> done{0};
};

template <typename T>
T& data_of(const CpuLaunch* launch) {
  void* data = nullptr;
  std::memcpy(&data, launch->parameters, sizeof(data));
  return *static_cast<T*>(data);
}

void pass_gate(const CpuLaunch* launch, std::uint64_t, std::uint64_t, std::byte*) {
  auto& steps = data_of<Steps>(launch);
  steps.gate.pass();
  ++steps.done;
}

void open_gate(const CpuLaunch* launch, std::uint64_t, std::uint64_t, std::byte*) {
  data_of<Steps>(launch).gate.open();
}

void run_until_stopped(const CpuLaunch* launch, std::uint64_t, std::uint64_t, std::byte*) {
  auto& steps = data_of<Steps>(launch);
  steps.gate.open();
  while (!launch->is_stopped(launch)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  ++steps.done;
}

void count(const CpuLaunch* launch, std::uint64_t, std::uint64_t, std::byte*) {
  ++data_of<Steps>(launch).done;
}

void fail(const CpuLaunch*, std::uint64_t, std::uint64_t, std::byte*) {
  throw ValueError("of the step");
}

struct CpuQueues : testing::Test {
  Steps steps;  // destroyed, and so opened, after the runtime has waited for its queues
  std::optional<Runtime> runtime{std::in_place, RuntimeOptions{"cpu", 2}};
  Device& device = runtime->cpu();
  std::shared_ptr<Stream> queue = device.create_stream(StreamKind::queued);

  void TearDown() override { steps.gate.open(); }

  void launch(CpuKernel entry, Stream& stream) {
    const void* data = &steps;
    Binary binary;
    binary.entry().parameter_bytes = sizeof(data);
    const auto kernel = cpu::make_cpu_executable(entry, std::move(binary), "kernel", nullptr);
    device.launch(*kernel, {}, std::as_bytes(std::span(&data, 1)), stream);
  }

  std::byte* host_of(const Buffer& buffer) { return static_cast<std::byte*>(buffer.host()); }
};

TEST_F(CpuQueues, ReturnBeforeTheirWorkIsDoneAndKeepItsOrder) {
  launch(&pass_gate, *queue);
  std::vector<int> seen;
  queue->add_callback([&] { seen.push_back(steps.done); });
  launch(&count, *queue);
  queue->add_callback([&] { seen.push_back(steps.done); });
  EXPECT_FALSE(queue->query());
  EXPECT_EQ(steps.done, 0);
  steps.gate.open();
  queue->synchronize();
  EXPECT_TRUE(queue->query());
  EXPECT_EQ(seen, (std::vector{1, 2}));
}

TEST_F(CpuQueues, RunBesideEachOther) {
  const auto other = device.create_stream(StreamKind::queued);
  launch(&pass_gate, *queue);
  launch(&open_gate, *other);  // would never be reached after the one before
  queue->synchronize();
  EXPECT_EQ(steps.done, 1);
}

TEST_F(CpuQueues, CopyPinnedMemoryLaterAndPageableMemoryAtOnce) {
  const Buffer pinned = device.allocate(64, MemoryKind::pinned);
  const Buffer target = device.allocate(64, MemoryKind::device, queue);
  std::array<std::byte, 64> plain{};
  launch(&pass_gate, *queue);
  std::memset(pinned.host(), 1, 64);
  device.copy_to_device(target.address(), pinned.host(), 64, *queue);
  {
    const auto held = device.pin(plain.data(), plain.size(), false);
    device.copy_to_host(plain.data() + 8, target.address(), 8, *queue);
  }
  EXPECT_EQ(plain[8], std::byte{0});
  std::atomic<bool> has_returned{false};
  std::thread copier([&] {
    device.copy_to_host(plain.data(), target.address(), 4, *queue);
    has_returned = true;
  });
  std::this_thread::sleep_for(std::chrono::milliseconds(5));
  EXPECT_FALSE(has_returned);
  steps.gate.open();
  copier.join();
  EXPECT_EQ(plain[0], std::byte{1});
  EXPECT_EQ(plain[8], std::byte{1});
  EXPECT_EQ(plain[16], std::byte{0});
}

TEST_F(CpuQueues, FillLater) {
  const Buffer target = device.allocate(8);
  std::memset(target.host(), 0, 8);
  launch(&pass_gate, *queue);
  device.fill(target.address(), std::array{std::byte{3}}, 8, *queue);
  EXPECT_EQ(host_of(target)[7], std::byte{0});
  steps.gate.open();
  queue->synchronize();
  EXPECT_EQ(host_of(target)[7], std::byte{3});
}

TEST_F(CpuQueues, AreWaitedForByTheDefaultStreamAndNotByOthers) {
  launch(&pass_gate, *queue);
  launch(&count, *device.create_stream(StreamKind::non_blocking));
  EXPECT_EQ(steps.done, 1);
  std::thread opener([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    steps.gate.open();
  });
  int before = 0;
  device.default_stream()->synchronize();
  before = steps.done;
  opener.join();
  EXPECT_EQ(before, 2);
}

TEST_F(CpuQueues, ReachTheirEventsInOrder) {
  const auto event = device.create_event();
  const auto later = device.create_event();
  EXPECT_TRUE(event->query());
  launch(&pass_gate, *queue);
  event->record(*queue);
  EXPECT_FALSE(event->query());
  const auto other = device.create_stream(StreamKind::queued);
  other->wait(*event);
  later->record(*other);
  EXPECT_FALSE(later->query());
  EXPECT_THROW(static_cast<void>(later->elapsed_ms_since(*event)), ValueError);
  steps.gate.open();
  later->synchronize();
  EXPECT_TRUE(event->query());
  EXPECT_GE(later->elapsed_ms_since(*event), 0.0F);
}

TEST_F(CpuQueues, HoldUpStreamsThatWaitForTheirEvents) {
  const auto at_once = device.create_stream(StreamKind::non_blocking);
  const auto event = device.create_event();
  launch(&pass_gate, *queue);
  event->record(*queue);
  std::thread opener([&] { steps.gate.open(); });
  at_once->wait(*event);
  EXPECT_EQ(steps.done, 1);
  opener.join();
}

TEST_F(CpuQueues, KeepMemoryThatTheirWorkUses) {
  for (const bool is_home : {true, false}) {
    Steps own;
    const auto stream = device.create_stream(StreamKind::queued);
    Buffer buffer = device.allocate(1 << 20, MemoryKind::device, is_home ? stream : nullptr);
    const Address address = buffer.address();
    buffer.used_on(stream);
    stream->add_callback([&] { own.gate.pass(); });
    buffer.release();
    const Buffer next = device.allocate(1 << 20);
    EXPECT_NE(next.address(), address);
    own.gate.open();
    stream->synchronize();
    EXPECT_EQ(device.allocate(1 << 20).address(), address);
  }
}

TEST_F(CpuQueues, ThrowTheFirstErrorOnceAndGoOn) {
  launch(&fail, *queue);
  launch(&count, *queue);
  device.default_stream()->synchronize();
  EXPECT_EQ(steps.done, 1);
  EXPECT_THROW(queue->synchronize(), ValueError);
  EXPECT_NO_THROW(queue->synchronize());
  launch(&fail, *queue);
  EXPECT_THROW(device.synchronize(), ValueError);
}

TEST_F(CpuQueues, LeaveWorkOutThatTheUserInterrupts) {
  std::atomic<bool> is_pressed{false};
  runtime->set_interrupt_check([&] { return is_pressed.exchange(false); });
  const auto event = device.create_event();
  launch(&run_until_stopped, *queue);
  steps.gate.pass();  // it runs
  is_pressed = true;
  launch(&count, *queue);
  event->record(*queue);
  EXPECT_THROW(queue->synchronize(), Interrupted);
  EXPECT_EQ(steps.done, 1);  // what ran was told to stop, the rest did not run
  EXPECT_TRUE(event->query());
  launch(&count, *queue);
  queue->synchronize();
  EXPECT_EQ(steps.done, 2);
}

TEST_F(CpuQueues, LaunchGraphs) {
  const auto recording = device.start_recording();
  launch(&pass_gate, *recording);
  launch(&count, *recording);
  device.finish_recording(*recording)->launch(*queue);
  EXPECT_EQ(steps.done, 0);
  steps.gate.open();
  queue->synchronize();
  EXPECT_EQ(steps.done, 2);
}

TEST_F(CpuQueues, DoWhatTheyWereGivenAfterTheyWereDropped) {
  launch(&pass_gate, *queue);
  queue.reset();
  steps.gate.open();
  device.synchronize();
  EXPECT_EQ(steps.done, 1);
}

TEST_F(CpuQueues, RefuseToWaitForThemselves) {
  queue->add_callback([&] { queue->synchronize(); });
  EXPECT_THROW(queue->synchronize(), DeviceError);
}

TEST_F(CpuQueues, RefuseToWorkInForkedChildren) {
  launch(&count, *queue);
  queue->synchronize();
  const pid_t child = fork();
  if (child == 0) {
    int outcome = 1;
    try {
      launch(&count, *queue);
    } catch (const DeviceError&) {
      device.synchronize();  // the parent's queues do not hold it up
      outcome = 0;
    }
    _exit(outcome);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST_F(CpuQueues, AreWaitedForWhenTheDeviceGoes) {
  launch(&count, *queue);
  queue.reset();
  runtime.reset();
  EXPECT_EQ(steps.done, 1);
}

}  // namespace
}  // namespace phalanx::runtime
