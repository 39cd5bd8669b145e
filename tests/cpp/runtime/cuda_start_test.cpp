// Finding the driver and its GPUs, and what is said when they cannot be used.
#include <sys/wait.h>
#include <unistd.h>

#include "tests/cpp/runtime/cuda_fixture.h"

namespace phalanx::runtime {
namespace {

using CudaStart = CudaFixture;

TEST_F(CudaStart, CallsNothingBeforeADeviceIsAskedFor) {
  EXPECT_EQ(fake.calls("init"), 0);
  EXPECT_EQ(runtime->cuda_device_count(), 1);
  EXPECT_EQ(fake.calls("init"), 1);
  EXPECT_EQ(fake.calls("context_retain"), 0);
}

TEST_F(CudaStart, ReadsLimitsWithoutAContext) {
  const DeviceLimits& limits = device().limits();
  EXPECT_EQ(limits.compute_capability, 90U);
  EXPECT_EQ(limits.max_shared_bytes, 227U * 1024);
  EXPECT_EQ(limits.multiprocessors, 132U);
  EXPECT_EQ(limits.total_memory, 64U << 20);
  EXPECT_EQ(device().name(), "Fake GPU");
  EXPECT_EQ(device().cuda()->attribute(cuda::device_warp_size), 32);
  EXPECT_EQ(device().cuda()->attribute(12345), std::nullopt);
  EXPECT_EQ(fake.calls("context_retain"), 0);
}

TEST_F(CudaStart, RetainsThePrimaryContextOnceAndReleasesIt) {
  static_cast<void>(device().allocate(16));
  static_cast<void>(device().create_stream(StreamKind::blocking));
  EXPECT_EQ(fake.calls("context_retain"), 1);
  runtime.reset();
  EXPECT_EQ(fake.retained_contexts(), 0);
}

TEST_F(CudaStart, LeavesAnotherLibrarysContextCurrent) {
  const cuda::Driver& driver = fake.table();
  const auto theirs = reinterpret_cast<cuda::ContextHandle>(std::uintptr_t{0x999});
  driver.context_set_current(theirs);
  static_cast<void>(device().allocate(16));
  cuda::ContextHandle now = nullptr;
  driver.context_get_current(&now);
  EXPECT_EQ(now, theirs);
}

TEST_F(CudaStart, PrefersTheGpuUnlessToldOtherwise) {
  EXPECT_EQ(runtime->default_device().kind(), DeviceKind::cuda);
  Runtime on_cpu({.device = "cpu", .driver = &fake.table()});
  EXPECT_EQ(on_cpu.default_device().kind(), DeviceKind::cpu);
  fake.devices = 3;
  Runtime on_third({.device = "cuda:2", .driver = &fake.table()});
  EXPECT_EQ(on_third.default_device().ordinal(), 2);
}

TEST_F(CudaStart, FallsBackToTheCpuWhenThereIsNoGpu) {
  fake.devices = 0;
  EXPECT_EQ(runtime->default_device().kind(), DeviceKind::cpu);
  EXPECT_EQ(runtime->cuda_device_count(), 0);
  const std::string text = message_of<DeviceError>([&] { runtime->cuda(0); });
  EXPECT_NE(text.find("finds no GPU"), std::string::npos) << text;
}

TEST_F(CudaStart, SaysThatTheDriverIsTooOldAndWhatIsNeeded) {
  fake.version = 11020;
  EXPECT_FALSE(runtime->driver_info().usable);
  const std::string text = message_of<DeviceError>([&] { runtime->cuda(0); });
  EXPECT_NE(text.find("too old"), std::string::npos) << text;
  EXPECT_NE(text.find("11.8 or newer"), std::string::npos) << text;
  EXPECT_NE(text.find("found CUDA 11.2"), std::string::npos) << text;
}

TEST_F(CudaStart, SaysThatThereIsNoSuchGpu) {
  const std::string text = message_of<DeviceError>([&] { runtime->cuda(4); });
  EXPECT_EQ(text, "there is no GPU number 4: 1 found");
}

TEST(CudaDriver, SaysThatThereIsNoDriver) {
  const cuda::LoadedDriver loaded = cuda::load_driver("libno-such-driver.so.1");
  EXPECT_NE(loaded.problem.find("no NVIDIA driver was found"), std::string::npos);
  EXPECT_NE(loaded.problem.find("libno-such-driver.so.1"), std::string::npos);
}

TEST(CudaDriver, RefusesALibraryThatLacksFunctions) {
  const cuda::LoadedDriver loaded = cuda::load_driver("libm.so.6");
  EXPECT_NE(loaded.problem.find("cuInit is missing"), std::string::npos) << loaded.problem;
}

TEST(CudaDriver, NamesCallsAsTheDriverDoes) {
  EXPECT_EQ(cuda::symbol_of("memory_allocate(&pointer, bytes)"), "cuMemAlloc");
  EXPECT_EQ(cuda::symbol_of("stream_synchronize(handle_)"), "cuStreamSynchronize");
}

// Runs `action` in a forked child; its result is the child's exit status.
template <typename Action>
int in_child(Action action) {
  const pid_t child = fork();
  if (child == 0)
    _exit(action());
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_F(CudaStart, RefusesToWorkInAForkedChild) {
  Buffer buffer = device().allocate(16);
  const auto refuses = [&](auto action) {
    return message_of<DeviceError>(action).find("spawn start method") != std::string::npos;
  };
  const int outcome = in_child([&] {
    if (!refuses([&] { static_cast<void>(device().allocate(16)); }))
      return 1;
    if (!refuses([&] { runtime->cuda(0); }))
      return 2;
    if (!refuses([&] { runtime->default_device(); }))
      return 3;
    const int frees = fake.calls("pool_free");
    buffer.release();  // must not reach the driver
    return fake.calls("pool_free") == frees ? 0 : 4;
  });
  EXPECT_EQ(outcome, 0);
  EXPECT_NE(buffer.address(), 0U);
}

TEST_F(CudaStart, StartsInAForkedChildWhenTheParentNeverUsedIt) {
  EXPECT_EQ(in_child([&] { return runtime->cuda(0).allocate(16).size() == 16 ? 0 : 1; }), 0);
}

}  // namespace
}  // namespace phalanx::runtime
