// The environment variables, and launch shapes from the user's numbers.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string>

#include "phalanx/base/environment.h"
#include "phalanx/base/errors.h"
#include "phalanx/runtime/cpu/topology.h"
#include "phalanx/runtime/device_label.h"
#include "phalanx/runtime/runtime.h"

namespace phalanx::runtime {
namespace {

// Sets a variable for the life of the object.
class Variable {
 public:
  Variable(const char* name, const char* value) : name_(name) { setenv(name, value, 1); }
  ~Variable() { unsetenv(name_); }
  Variable(const Variable&) = delete;
  Variable& operator=(const Variable&) = delete;

 private:
  const char* name_;
};

TEST(Environment, ReadsTextAndNumbers) {
  EXPECT_EQ(environment("PHALANX_TEST"), std::nullopt);
  {
    const Variable empty("PHALANX_TEST", "");
    EXPECT_EQ(environment("PHALANX_TEST"), std::nullopt);
    EXPECT_EQ(environment_number("PHALANX_TEST"), std::nullopt);
  }
  {
    const Variable number("PHALANX_TEST", "12");
    EXPECT_EQ(environment_number("PHALANX_TEST"), 12U);
  }
  for (const char* wrong : {"yes", "-1", "1.5", "4 ", "99999999999"}) {
    const Variable variable("PHALANX_TEST", wrong);
    EXPECT_THROW(environment_number("PHALANX_TEST"), ValueError) << wrong;
  }
}

TEST(Options, ComeFromTheEnvironment) {
  {
    const Variable device("PHALANX_DEVICE", "cuda:1");
    const Variable threads("PHALANX_NUM_THREADS", "3");
    const RuntimeOptions options = RuntimeOptions::from_environment();
    EXPECT_EQ(options.device, "cuda:1");
    EXPECT_EQ(options.threads, 3U);
  }
  EXPECT_EQ(RuntimeOptions::from_environment().device, "");
}

TEST(Options, ThatCannotBeUnderstoodAreRefused) {
  for (const char* wrong : {"gpu", "cuda:", "cuda:x", "cuda:-1", "cuda:1x", "CPU:0"}) {
    const Variable device("PHALANX_DEVICE", wrong);
    EXPECT_THROW(RuntimeOptions::from_environment(), ValueError) << wrong;
  }
  for (const char* wrong : {"0", "5000", "many"}) {
    const Variable threads("PHALANX_NUM_THREADS", wrong);
    EXPECT_THROW(RuntimeOptions::from_environment(), ValueError) << wrong;
  }
  for (const char* wrong : {"0", "65", "all"}) {
    const Variable devices("PHALANX_CPU_DEVICES", wrong);
    EXPECT_THROW(RuntimeOptions::from_environment(), ValueError) << wrong;
  }
}

TEST(Options, SetTheThreadsOfTheCpuDevice) {
  Runtime three(RuntimeOptions{"cpu", 3});
  EXPECT_EQ(three.cpu().limits().multiprocessors, 3U);
  Runtime all(RuntimeOptions{"cpu", 0});
  EXPECT_EQ(all.cpu().limits().multiprocessors, cpu::available_cpus());
  EXPECT_GE(cpu::available_cpus(), 1U);
}

TEST(Options, ShareTheCoresAmongCpuDevices) {
  const Variable devices("PHALANX_CPU_DEVICES", "3");
  RuntimeOptions options = RuntimeOptions::from_environment();
  EXPECT_EQ(options.cpu_devices, 3U);
  options.threads = 0;
  Runtime runtime(options);
  Device& last = runtime.device(DeviceKind::cpu, 2);
  EXPECT_EQ(last.ordinal(), 2);
  EXPECT_NE(&last, &runtime.cpu());
  EXPECT_EQ(last.limits().multiprocessors, std::max(1U, cpu::available_cpus() / 3));
  EXPECT_THROW(runtime.device(DeviceKind::cpu, 3), ValueError);
  EXPECT_EQ(label_of(last), "cpu:2");
  EXPECT_EQ(label_of(runtime.cpu()), "cpu");
}

TEST(Options, NameOneCpuDevice) {
  Runtime runtime(RuntimeOptions{"cpu", 1});
  EXPECT_EQ(&runtime.device(DeviceKind::cpu, 0), &runtime.default_device());
  EXPECT_THROW(runtime.device(DeviceKind::cpu, 1), ValueError);
}

std::string refusal_of(auto action) {
  try {
    action();
  } catch (const ValueError& error) {
    return error.what();
  }
  return {};
}

TEST(LaunchConfig, IsMadeOfTheUsersNumbers) {
  const std::array<std::int64_t, 2> grid = {7, 5};
  const std::array<std::int64_t, 1> block = {128};
  const LaunchConfig config = make_launch_config(grid, block, 64);
  EXPECT_EQ(config.grid, (Dim3{7, 5, 1}));
  EXPECT_EQ(config.block, (Dim3{128, 1, 1}));
  EXPECT_EQ(config.dynamic_shared_bytes, 64U);
}

TEST(LaunchConfig, RefusesImpossibleNumbers) {
  const std::array<std::int64_t, 1> one = {1};
  const std::array<std::int64_t, 2> zero = {4, 0};
  const std::array<std::int64_t, 1> negative = {-3};
  const std::array<std::int64_t, 1> huge = {std::int64_t{1} << 40};
  const std::array<std::int64_t, 4> four = {1, 1, 1, 1};
  EXPECT_EQ(
      refusal_of([&] { make_launch_config(zero, one, 0); }),
      "the grid: extent y is 0, but it must be at least 1");
  EXPECT_EQ(
      refusal_of([&] { make_launch_config(one, negative, 0); }),
      "the block: extent x is -3, but it must be at least 1");
  EXPECT_NE(refusal_of([&] { make_launch_config(huge, one, 0); }), "");
  EXPECT_EQ(
      refusal_of([&] { make_launch_config(four, one, 0); }),
      "the grid must have 1 to 3 extents, not 4");
  EXPECT_EQ(
      refusal_of([&] { make_launch_config({}, one, 0); }),
      "the grid must have 1 to 3 extents, not 0");
  EXPECT_NE(refusal_of([&] { make_launch_config(one, one, -1); }), "");
}

}  // namespace
}  // namespace phalanx::runtime
