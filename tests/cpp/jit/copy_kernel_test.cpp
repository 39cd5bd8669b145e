// The engine compiles the kernels that copies of strided arrays need.
#include "phalanx/views/copy_kernels.h"

#include <gtest/gtest.h>

#include <cstring>
#include <numeric>
#include <vector>

#include "phalanx/jit/engine.h"
#include "phalanx/jit/kernel.h"
#include "tests/support/fake_driver.h"

namespace phalanx::jit {
namespace {

class CopyKernelTest : public ::testing::Test {
 protected:
  CopyKernelTest()
      : engine(
            CacheOptions{.enabled = false},
            Compiler::standard(),
            runtime::RuntimeOptions{.driver = with(fake)}) {}

  static const runtime::cuda::Driver* with(support::FakeDriver& fake) {
    fake.any_kernel = [](const support::FakeLaunch&) { return runtime::cuda::Result{0}; };
    return &fake.table();
  }

  support::FakeDriver fake;
  Engine engine;
};

class CopyKernelsOfAKind : public CopyKernelTest,
                           public ::testing::WithParamInterface<views::CopyKernelKind> {};

// Machine code of the CPU device does what the loops say: every second unit is written.
TEST_P(CopyKernelsOfAKind, CopyEachUnitOnTheCpuDevice) {
  const views::CopyKernelKind kind = GetParam();
  const auto unit = static_cast<std::int64_t>(kind.unit);
  std::vector<views::CopyLoop> loops;
  std::int64_t stride = unit;
  std::int64_t count = 1;
  for (std::size_t loop = 0; loop < kind.loops; ++loop) {
    const auto extent = static_cast<std::int64_t>(loop + 3);
    loops.push_back({extent, 2 * stride, stride});
    stride *= extent;
    count *= extent;
  }
  std::vector<std::byte> source(static_cast<std::size_t>(stride));
  for (std::size_t i = 0; i < source.size(); ++i) source[i] = static_cast<std::byte>(i * 11 + 1);
  std::vector<std::byte> target(2 * source.size());
  std::vector<std::byte> expected = target;
  for (std::int64_t i = 0; i < count; ++i)
    std::memcpy(expected.data() + 2 * i * unit, source.data() + i * unit, kind.unit);

  std::vector<std::uint64_t> parameters = {
      reinterpret_cast<std::uintptr_t>(target.data()),
      reinterpret_cast<std::uintptr_t>(source.data()),
      static_cast<std::uint64_t>(count)};
  for (const views::CopyLoop& loop : loops) {
    for (const std::int64_t number : {loop.extent, loop.to, loop.from})
      parameters.push_back(static_cast<std::uint64_t>(number));
  }
  views::KernelSource kernel = views::copy_kernel(kind);
  Kernel compiled(engine, {.name = kernel.name, .types = kernel.types}, kernel.module);
  runtime::Device& device = engine.runtime().cpu();
  const runtime::LaunchConfig config{.grid = {2}, .block = {32}};
  device.launch(
      *compiled.executable(device, config.block),
      config,
      std::as_bytes(std::span(parameters)),
      *device.default_stream());
  EXPECT_EQ(target, expected);
}

INSTANTIATE_TEST_SUITE_P(
    All,
    CopyKernelsOfAKind,
    ::testing::Values(
        views::CopyKernelKind{1, 1, false},
        views::CopyKernelKind{2, 2, false},
        views::CopyKernelKind{4, 3, true},
        views::CopyKernelKind{8, 5, false}));

// A transposing copy on a GPU compiles one kernel for all its sizes, and nobody is warned of it.
TEST_F(CopyKernelTest, IsCompiledOnceForAllSizes) {
  runtime::Device& gpu = engine.runtime().cuda(0);
  const auto make = [&](std::int64_t rows, ir::Layout order) {
    return views::allocate_array(engine.types(), gpu, nullptr, {DType::float32, {rows, 5}, order});
  };
  for (const std::int64_t rows : {3, 70}) {
    const views::DeviceArray target = make(rows, ir::Layout::f);
    engine.copier().copy(target, make(rows, ir::Layout::c), target.queue());
    gpu.synchronize();
  }
  EXPECT_EQ(fake.calls("module_load"), 1);
  EXPECT_EQ(fake.calls("launch"), 2);
  EXPECT_TRUE(engine.take_warnings().empty());
}

}  // namespace
}  // namespace phalanx::jit
