// The CUDA device on a real GPU: skipped where there is none. Kernels are PTX written by hand.
//
// --gtest_also_run_disabled_tests prints what allocations, launches, copies and loads take.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/runtime/runtime.h"

namespace phalanx::runtime {
namespace {

constexpr std::string_view code = R"(
.version 7.0
.target sm_52
.address_size 64

.visible .global .align 4 .b8 phalanx_error[840];
.extern .shared .align 16 .b8 dynamic_shared[];

// data[i] *= factor, for i < n
.visible .entry scale(.param .u64 data, .param .u32 n, .param .f32 factor)
{
  .reg .pred %p;
  .reg .b32 %r<6>;
  .reg .b64 %d<4>;
  .reg .f32 %f<3>;
  ld.param.u64 %d0, [data];
  ld.param.u32 %r0, [n];
  ld.param.f32 %f0, [factor];
  mov.u32 %r1, %ctaid.x;
  mov.u32 %r2, %ntid.x;
  mov.u32 %r3, %tid.x;
  mad.lo.u32 %r4, %r1, %r2, %r3;
  setp.ge.u32 %p, %r4, %r0;
  @%p ret;
  cvta.to.global.u64 %d1, %d0;
  mul.wide.u32 %d2, %r4, 4;
  add.u64 %d3, %d1, %d2;
  ld.global.f32 %f1, [%d3];
  mul.f32 %f2, %f1, %f0;
  st.global.f32 [%d3], %f2;
  ret;
}

// *data = the dynamic shared word at `offset`, which was 77 before
.visible .entry shared_word(.param .u64 data, .param .u32 offset)
{
  .reg .b32 %r<5>;
  .reg .b64 %d<3>;
  ld.param.u64 %d0, [data];
  ld.param.u32 %r0, [offset];
  mov.u32 %r1, dynamic_shared;
  add.u32 %r2, %r1, %r0;
  mov.u32 %r3, 77;
  st.shared.u32 [%r2], %r3;
  bar.sync 0;
  ld.shared.u32 %r4, [%r2];
  cvta.to.global.u64 %d1, %d0;
  st.global.u32 [%d1], %r4;
  ret;
}

// Thread (3, 0, 0) of block (2, 0, 0) raises the exception of site 1.
.visible .entry raises()
{
  .reg .pred %p<3>;
  .reg .b32 %r<6>;
  .reg .b64 %d<2>;
  mov.u32 %r0, %ctaid.x;
  mov.u32 %r1, %tid.x;
  setp.ne.u32 %p0, %r0, 2;
  setp.ne.u32 %p1, %r1, 3;
  or.pred %p2, %p0, %p1;
  @%p2 ret;
  mov.u64 %d0, phalanx_error;
  atom.global.add.u32 %r2, [%d0], 1;
  atom.global.cas.b32 %r2, [%d0+8], 0, 1;
  st.global.u32 [%d0+20], %r0;
  st.global.u32 [%d0+32], %r1;
  ret;
}

// Writes to an address that nobody has.
.visible .entry writes_nowhere()
{
  .reg .b32 %r<2>;
  .reg .b64 %d<2>;
  mov.u64 %d0, 64;
  mov.u32 %r0, 1;
  st.global.u32 [%d0], %r0;
  ret;
}

.visible .entry empty(.param .u64 a, .param .u64 b, .param .u64 c, .param .u32 n)
{
  ret;
}
)";

Binary binary_of(const std::string& entry, std::uint32_t parameter_bytes) {
  Binary binary;
  binary.kind = BinaryKind::ptx;
  binary.entry().symbol = entry;
  binary.entry().parameter_bytes = parameter_bytes;
  binary.code.resize(code.size() + 1);
  std::memcpy(binary.code.data(), code.data(), code.size());
  return binary;
}

struct ScaleParameters {
  std::uint64_t data = 0;
  std::uint32_t n = 0;
  float factor = 0;
};

template <typename T>
std::span<const std::byte> bytes_of(const T& value) {
  return std::as_bytes(std::span(&value, 1));
}

struct RealGpu : ::testing::Test {
  Runtime runtime{RuntimeOptions{}};

  void SetUp() override {
    if (runtime.cuda_device_count() == 0)
      GTEST_SKIP() << runtime.driver_info().problem;
  }

  Device& device() { return runtime.cuda(0); }
  Stream& stream() { return *device().default_stream(); }
};

std::vector<float> numbers(std::size_t count) {
  std::vector<float> result(count);
  for (std::size_t i = 0; i < count; ++i) result[i] = static_cast<float>(i % 1000) + 0.25F;
  return result;
}

TEST_F(RealGpu, RunsAKernelOnCopiedData) {
  const auto scale = device().load(binary_of("scale", sizeof(ScaleParameters)), "scale");
  EXPECT_GT(scale->attributes().registers, 0U);
  for (const std::size_t count : {1UL, 1000UL, 200'000UL, 5'000'001UL}) {
    const std::vector<float> data = numbers(count);
    const std::size_t bytes = count * sizeof(float);
    const Buffer buffer = device().allocate(bytes);
    device().copy_to_device(buffer.address(), data.data(), bytes, stream());
    const ScaleParameters parameters{buffer.address(), static_cast<std::uint32_t>(count), 3};
    const auto blocks = static_cast<std::uint32_t>((count + 255) / 256);
    device().launch(*scale, {{blocks, 1, 1}, {256, 1, 1}}, bytes_of(parameters), stream());
    std::vector<float> back(count);
    device().copy_to_host(back.data(), buffer.address(), bytes, stream());
    for (std::size_t i = 0; i < count; ++i) ASSERT_EQ(back[i], 3 * data[i]) << i;
  }
}

TEST_F(RealGpu, KeepsTheOrderOfStreamsAndFrees) {
  const auto scale = device().load(binary_of("scale", sizeof(ScaleParameters)), "scale");
  constexpr std::size_t count = 1'000'000;
  const std::vector<float> data = numbers(count);
  for (int round = 0; round < 50; ++round) {
    const auto a = device().create_stream(StreamKind::non_blocking);
    const auto b = device().create_stream(StreamKind::non_blocking);
    Buffer buffer = device().allocate(count * sizeof(float), MemoryKind::device, a);
    device().copy_to_device(buffer.address(), data.data(), count * sizeof(float), *a);
    const auto event = device().create_event(false);
    event->record(*a);
    b->wait(*event);
    const ScaleParameters parameters{buffer.address(), count, 2};
    buffer.used_on(b);
    device().launch(*scale, {{3907, 1, 1}, {256, 1, 1}}, bytes_of(parameters), *b);
    const Buffer back = device().allocate(count * sizeof(float), MemoryKind::pinned, b);
    device().copy_to_host(back.host(), buffer.address(), count * sizeof(float), *b);
    buffer.release();
    const Buffer other = device().allocate(count * sizeof(float), MemoryKind::device, a);
    const float zero = 0;
    device().fill(other.address(), bytes_of(zero), count, *a);
    b->synchronize();
    a->synchronize();
    const auto* result = static_cast<const float*>(back.host());
    ASSERT_TRUE(
        std::equal(data.begin(), data.end(), result, [](float x, float y) { return 2 * x == y; }));
  }
}

TEST_F(RealGpu, GivesABlockMoreThanTheUsualSharedMemory) {
  const std::uint64_t bytes = device().limits().max_shared_bytes;
  const auto kernel = device().load(binary_of("shared_word", 12), "shared_word");
  const Buffer buffer = device().allocate(4);
  struct {
    std::uint64_t data;
    std::uint32_t offset;
  } parameters{buffer.address(), static_cast<std::uint32_t>(bytes - 4)};
  const LaunchConfig config{{1, 1, 1}, {32, 1, 1}, static_cast<std::uint32_t>(bytes), false};
  device().launch(*kernel, config, bytes_of(parameters).first(12), stream());
  std::uint32_t word = 0;
  device().copy_to_host(&word, buffer.address(), 4, stream());
  EXPECT_EQ(word, 77U);
}

TEST_F(RealGpu, ThrowsWhatAKernelRaised) {
  Binary binary = binary_of("raises", 0);
  binary.fault_sites = {fault_site(nullptr, {.line = 1}, Raise{"ValueError", "no"})};
  const auto kernel = device().load(binary, "raises");
  for (int round = 0; round < 2; ++round) {
    device().launch(*kernel, {{4, 1, 1}, {32, 1, 1}}, {}, stream());
    try {
      stream().synchronize();
      FAIL() << "nothing was thrown";
    } catch (const KernelError& error) {
      EXPECT_EQ(std::get<Raise>(error.faults().at(0).site.what).message, "no");
      EXPECT_EQ(error.faults().at(0).block[0], 2U);
      EXPECT_EQ(error.faults().at(0).thread[0], 3U);
    }
    EXPECT_NO_THROW(stream().synchronize());
  }
}

TEST_F(RealGpu, FillsWithPatternsOfEverySize) {
  const auto expect_filled = [this](auto value) {
    constexpr std::size_t count = 1001;
    const Buffer buffer = device().allocate(count * sizeof(value));
    device().fill(buffer.address(), bytes_of(value), count, stream());
    std::vector<decltype(value)> back(count);
    device().copy_to_host(back.data(), buffer.address(), count * sizeof(value), stream());
    EXPECT_EQ(std::count(back.begin(), back.end(), value), count) << sizeof(value);
  };
  expect_filled(std::uint8_t{0xab});
  expect_filled(std::uint16_t{0xabcd});
  expect_filled(1.5F);
  expect_filled(0.1);
  expect_filled(std::array<std::uint32_t, 4>{1, 2, 3, 4});
}

TEST_F(RealGpu, ReachesMappedAndManagedMemory) {
  const auto scale = device().load(binary_of("scale", sizeof(ScaleParameters)), "scale");
  for (const MemoryKind kind : {MemoryKind::mapped, MemoryKind::managed}) {
    const Buffer buffer = device().allocate(64 * sizeof(float), kind);
    auto* data = static_cast<float*>(buffer.host());
    std::iota(data, data + 64, 1.0F);
    const ScaleParameters parameters{buffer.address(), 64, 2};
    device().launch(*scale, {{1, 1, 1}, {64, 1, 1}}, bytes_of(parameters), stream());
    stream().synchronize();
    EXPECT_EQ(data[63], 128.0F);
  }
}

TEST_F(RealGpu, SuggestsBlocksAndTimesEvents) {
  const auto scale = device().load(binary_of("scale", sizeof(ScaleParameters)), "scale");
  EXPECT_GE(device().suggest_block(*scale, 0).block, 32U);
  EXPECT_LE(device().suggest_block(*scale, 0, 96).block, 96U);
  EXPECT_GE(device().active_blocks_per_multiprocessor(*scale, 256, 0), 1U);
  const auto start = device().create_event();
  const auto end = device().create_event();
  start->record(stream());
  end->record(stream());
  end->synchronize();
  EXPECT_GE(end->elapsed_ms_since(*start), 0.0F);
}

TEST_F(RealGpu, SaysWhoHoldsTheMemoryWhenThereIsNotEnough) {
  try {
    static_cast<void>(device().allocate(device().limits().total_memory * 2));
    FAIL() << "nothing was thrown";
  } catch (const OutOfMemoryError& error) {
    EXPECT_NE(std::string(error.what()).find("held by: Phalanx"), std::string::npos)
        << error.what();
  }
  EXPECT_EQ(device().allocate(1024).size(), 1024U);
}

TEST_F(RealGpu, ShowsTheAssemblersLog) {
  Binary binary = binary_of("scale", 16);
  const std::string wrong = ".version 7.0\n.target sm_52\n.address_size 64\nnonsense;\n";
  binary.code.resize(wrong.size() + 1);
  std::memcpy(binary.code.data(), wrong.c_str(), wrong.size() + 1);
  try {
    static_cast<void>(device().load(binary, "wrong"));
    FAIL() << "nothing was thrown";
  } catch (const DeviceError& error) {
    EXPECT_NE(std::string(error.what()).find("nonsense"), std::string::npos) << error.what();
  }
}

// In a process of its own, as it loses the context: ends with 0 when all errors are as promised.
[[noreturn]] void lose_the_context(Device& device) {
  const auto kernel = device.load(binary_of("writes_nowhere", 0), "writes_nowhere");
  Stream& stream = *device.default_stream();
  device.launch(*kernel, {}, {}, stream);
  std::string first;
  std::string later;
  try {
    stream.synchronize();
  } catch (const DeviceError& error) {
    first = error.what();
  }
  try {
    static_cast<void>(device.allocate(64));
  } catch (const DeviceError& error) {
    later = error.what();
  }
  std::fprintf(stderr, "first: %s\nlater: %s\n", first.c_str(), later.c_str());
  const bool is_right = first.find("in kernel writes_nowhere") != std::string::npos &&
                        later.find("the CUDA context is lost") != std::string::npos;
  std::_Exit(is_right ? 0 : 1);
}

TEST_F(RealGpu, NamesTheKernelOfAnIllegalAccess) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(lose_the_context(device()), ::testing::ExitedWithCode(0), "");
}

// What things take

using Clock = std::chrono::steady_clock;

template <typename Action>
double seconds_of(Action action) {
  const Clock::time_point start = Clock::now();
  action();
  return std::chrono::duration<double>(Clock::now() - start).count();
}

// The median of `rounds`; what comes `after` each is not counted.
template <typename Action, typename After>
double median_seconds(int rounds, Action action, After after) {
  std::vector<double> times;
  for (int i = 0; i < rounds; ++i) {
    times.push_back(seconds_of(action));
    after();
  }
  std::ranges::nth_element(times, times.begin() + rounds / 2);
  return times[static_cast<std::size_t>(rounds / 2)];
}

TEST_F(RealGpu, DISABLED_PrintsWhatStartingTakes) {
  std::printf("context        %8.2f ms\n", 1e3 * seconds_of([&] { device().memory_info(); }));
  Binary cubin;
  const Binary ptx = binary_of("empty", 28);
  std::printf("PTX to cubin   %8.2f ms\n", 1e3 * seconds_of([&] {
                                             cubin = device().cuda()->assemble(ptx, {}, {});
                                           }));
  std::printf("load of cubin  %8.2f ms\n", 1e3 * seconds_of([&] {
                                             static_cast<void>(device().load(cubin, "empty"));
                                           }));
}

TEST_F(RealGpu, DISABLED_PrintsWhatLaunchesAndAllocationsTake) {
  const auto empty = device().load(binary_of("empty", 28), "empty");
  const std::array<std::byte, 28> parameters{};
  constexpr int count = 500;  // below the length of the driver's queue
  const auto drain = [&] { stream().synchronize(); };
  const auto launch_all = [&] {
    for (int i = 0; i < count; ++i)
      device().launch(*empty, {{1, 1, 1}, {128, 1, 1}}, parameters, stream());
  };
  const auto allocate_all = [&] {
    for (int i = 0; i < count; ++i) static_cast<void>(device().allocate(std::size_t{1} << 20));
  };
  std::printf("launch         %8.2f us\n", 1e6 * median_seconds(21, launch_all, drain) / count);
  std::printf("allocate, free %8.2f us\n", 1e6 * median_seconds(21, allocate_all, drain) / count);
}

TEST_F(RealGpu, DISABLED_PrintsHowFastCopiesAre) {
  constexpr std::size_t bytes = std::size_t{256} << 20;
  const Buffer there = device().allocate(bytes);
  const Buffer pinned = device().allocate(bytes, MemoryKind::pinned);
  std::vector<std::byte> pageable(bytes, std::byte{1});
  const auto print = [&](const char* what, auto copy) {
    const auto copy_and_wait = [&] {
      copy();
      stream().synchronize();
    };
    const double seconds = median_seconds(7, copy_and_wait, [] {});
    std::printf("%-28s %7.1f GB/s\n", what, static_cast<double>(bytes) / seconds / 1e9);
  };
  const Address address = there.address();
  print("to the GPU, pinned", [&] {
    device().copy_to_device(address, pinned.host(), bytes, stream());
  });
  print("to the GPU, pageable", [&] {
    device().copy_to_device(address, pageable.data(), bytes, stream());
  });
  print("to the host, pinned", [&] {
    device().copy_to_host(pinned.host(), address, bytes, stream());
  });
  print("to the host, pageable", [&] {
    device().copy_to_host(pageable.data(), address, bytes, stream());
  });
}

}  // namespace
}  // namespace phalanx::runtime
