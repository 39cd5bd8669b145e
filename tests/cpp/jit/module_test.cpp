// Modules of several kernels that share globals, by the standard compiler: on the CPU device, on
// the fake driver, which is given one image, and on a GPU.
#include "phalanx/jit/module.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <string>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/codegen/codegen.h"
#include "phalanx/ir/parser.h"
#include "phalanx/ir/verifier.h"
#include "phalanx/jit/from_cpp.h"
#include "tests/cpp/jit/temporary_directory.h"
#include "tests/support/fake_driver.h"

namespace phalanx::jit {
namespace {

// count adds up how often each of 0 to 7 is in x; weigh gives y[i] = filter[i % 2] * counts[i];
// clear forgets. Each for as many threads as there are elements.
constexpr std::string_view text = R"(
global @filter: f32 [2] constant "0000803f00000040"
global @counts: i32 [8] "0a00000000000000000000000000000000000000000000000000000000000000"
global @unused: f64 []

device @position() -> i64 {
  %thread = thread_index 0 : i32
  %extent = block_extent 0 : i32
  %block = block_index 0 : i32
  %first = multiply %extent, %block : i32
  %i = add %first, %thread : i32
  %i64 = cast %i : i64
  return %i64
}

kernel @count(%x: array<const i32, 1, C, global>) {
  %i = call @position : i64
  %n = array_shape 0, %x : i64
  %is_inside = less %i, %n : bool
  if %is_inside {
    %counts = global_array 1 : array<i32, 1, C, global>
    %key32 = array_load %x, %i : i32
    %key = cast %key32 : i64
    %p = array_element %counts, %key : ptr<i32, global>
    %one = constant 1 : i32
    %old = atomic "add", %p, %one : i32
  }
  return
}

kernel @weigh(%y: array<f32, 1, C, global>) {
  %i = call @position : i64
  %counts = global_array 1 : array<i32, 1, C, global>
  %filter = global_array 0 : array<const f32, 1, C, constant>
  %one = constant 1 : i64
  %low = bitwise_and %i, %one : i64
  %w = array_load %filter, %low : f32
  %count = array_load %counts, %i : i32
  %c = cast %count : f32
  %product = multiply %w, %c : f32
  array_store %y, %i, %product
  return
}

kernel @clear() {
  %i = call @position : i64
  %counts = global_array 1 : array<i32, 1, C, global>
  %zero = constant 0 : i32
  array_store %counts, %i, %zero
  return
}
)";

std::shared_ptr<ir::Module> source_of(std::string_view ir) { return ir::parse(ir); }

std::shared_ptr<Module> module_of(Engine& engine) { return make_module(engine, source_of(text)); }

// A view of one dimension in a parameter block.
struct View {
  runtime::Address data = 0;
  std::int64_t extent = 0;
};

template <typename Number>
class OnDevice {
 public:
  OnDevice(runtime::Device& device, const std::vector<Number>& values)
      : device_(&device), count_(values.size()), buffer_(device.allocate(count_ * sizeof(Number))) {
    device.copy_to_device(
        buffer_.address(), values.data(), count_ * sizeof(Number), *device.default_stream());
  }
  View view() const { return {buffer_.address(), static_cast<std::int64_t>(count_)}; }
  std::vector<Number> values() const { return read(*device_, buffer_.address(), count_); }

  static std::vector<Number> read(
      runtime::Device& device, runtime::Address address, std::size_t count) {
    std::vector<Number> back(count);
    runtime::Stream& stream = *device.default_stream();
    device.copy_to_host(back.data(), address, count * sizeof(Number), stream);
    stream.synchronize();
    return back;
  }

 private:
  runtime::Device* device_;
  std::size_t count_;
  runtime::Buffer buffer_;
};

void launch(
    const Module& module,
    const std::string& kernel,
    runtime::Device& device,
    const runtime::LaunchConfig& config,
    std::span<const std::byte> parameters = {}) {
  const auto code = module.kernel(kernel)->executable(device, config.block, config.grid);
  device.launch(*code, config, parameters, *device.default_stream());
}

std::span<const std::byte> bytes_of(const View& view) { return std::as_bytes(std::span(&view, 1)); }

// What the kernels leave in the globals is what the others find, whatever blocks they run in.
void check(Module& module, runtime::Device& device) {
  std::vector<std::int32_t> expected = {10, 0, 0, 0, 0, 0, 0, 0};
  const runtime::GlobalMemory counts = module.global(device, "counts");
  ASSERT_EQ(counts.bytes, 8 * sizeof(std::int32_t));
  const auto counted = [&] { return OnDevice<std::int32_t>::read(device, counts.address, 8); };
  ASSERT_EQ(counted(), expected);

  std::vector<std::int32_t> x(1000);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<std::int32_t>(i * i % 8);
  const OnDevice there(device, x);
  for (const std::uint32_t threads : {1U, 33U, 256U}) {
    const auto blocks = static_cast<std::uint32_t>((x.size() + threads - 1) / threads);
    launch(module, "count", device, {.grid = {blocks}, .block = {threads}}, bytes_of(there.view()));
    for (const std::int32_t each : x) ++expected[static_cast<std::size_t>(each)];
    ASSERT_EQ(counted(), expected) << threads;
  }

  const OnDevice y(device, std::vector<float>(8));
  std::vector<float> filter = {1, 2};
  const runtime::GlobalMemory constant = module.global(device, "filter");
  for (int round = 0; round < 2; ++round) {
    launch(module, "weigh", device, {.block = {8}}, bytes_of(y.view()));
    std::vector<float> weighed(8);
    for (std::size_t i = 0; i < 8; ++i)
      weighed[i] = filter[i % 2] * static_cast<float>(expected[i]);
    ASSERT_EQ(y.values(), weighed) << round;
    filter = {-3, 0.5};  // the host may write constant memory between launches
    device.copy_to_device(constant.address, filter.data(), 8, *device.default_stream());
  }
  launch(module, "clear", device, {.block = {8}});
  ASSERT_EQ(counted(), std::vector<std::int32_t>(8));
}

TEST(Module, KernelsOnTheCpuDeviceShareTheirGlobals) {
  Engine engine(CacheOptions{.enabled = false});
  check(*module_of(engine), engine.runtime().cpu());
}

TEST(Module, GlobalsAreTheModulesOwn) {
  Engine engine(CacheOptions{.enabled = false});
  runtime::Device& cpu = engine.runtime().cpu();
  const auto one = module_of(engine);
  const auto other = module_of(engine);
  EXPECT_NE(one->global(cpu, "counts").address, other->global(cpu, "counts").address);
  launch(*one, "clear", cpu, {.block = {8}});
  const auto* counts = reinterpret_cast<const std::int32_t*>(other->global(cpu, "counts").address);
  EXPECT_EQ(counts[0], 10);
}

TEST(Module, LoadedCodeKeepsTheGlobals) {
  Engine engine(CacheOptions{.enabled = false});
  runtime::Device& cpu = engine.runtime().cpu();
  auto module = module_of(engine);
  const auto clear = module->kernel("clear")->executable(cpu, {.x = 8});
  const auto* counts = reinterpret_cast<const std::int32_t*>(module->global(cpu, "counts").address);
  module.reset();
  EXPECT_EQ(counts[0], 10);
  cpu.launch(*clear, {.block = {8}}, {}, *cpu.default_stream());
  EXPECT_EQ(counts[0], 0);
}

TEST(Module, ALaterEngineFindsTheKernelsOnDisk) {
  const TemporaryDirectory temporary;
  const CacheOptions cache{.directory = (temporary.path() / "cache").string()};
  {
    Engine first(cache);
    check(*module_of(first), first.runtime().cpu());
    EXPECT_GT(first.statistics().count(Stage::codegen), 0U);
  }
  Engine later(cache);
  check(*module_of(later), later.runtime().cpu());
  EXPECT_EQ(later.statistics().count(Stage::codegen), 0U);
}

template <typename Action>
std::string error_of(Action action) {
  try {
    action();
  } catch (const ValueError& error) {
    return error.what();
  }
  return "";
}

TEST(Module, NamesWhatItHas) {
  Engine engine(CacheOptions{.enabled = false});
  runtime::Device& cpu = engine.runtime().cpu();
  const auto module = module_of(engine);
  EXPECT_EQ(module->kernel_names(), (std::vector<std::string>{"count", "weigh", "clear"}));
  EXPECT_EQ(
      error_of([&] { module->kernel("cuont"); }),
      "the module has no kernel 'cuont'; it has count, weigh, clear");
  EXPECT_EQ(
      error_of([&] { module->kernel("position"); }),
      "the module has no kernel 'position'; it has count, weigh, clear");
  EXPECT_EQ(
      error_of([&] { module->global(cpu, "count"); }),
      "the module has no global 'count'; it has filter, counts, unused");
  EXPECT_EQ(module->global(cpu, "unused").bytes, 8U);
}

TEST(Module, RefusesWhatIsNone) {
  Engine engine(CacheOptions{.enabled = false});
  EXPECT_EQ(
      error_of([&] { make_module(engine, source_of("global @x: f32 [1]")); }),
      "a module to compile has one kernel at least, this one has none");
  EXPECT_THROW(
      make_module(engine, source_of("global @x: f32 [1] \"00\"\nkernel @k() { return }")),
      ir::VerifyError);
  EXPECT_EQ(
      error_of(
          [&] { make_kernel(engine, source_of("global @x: f32 []\nkernel @k() { return }")); }),
      "a module with globals is for make_module, which says where they are");
}

TEST(Module, IsOneImageOnAGpu) {
  support::FakeDriver fake;
  std::vector<support::FakeLaunch> launches;
  fake.any_kernel = [&](const support::FakeLaunch& launch) {
    launches.push_back(launch);
    return 0;
  };
  fake.globals["phalanx_global_counts"].resize(32);
  Engine engine(
      CacheOptions{.enabled = false},
      Compiler::standard(),
      runtime::RuntimeOptions{.driver = &fake.table()});
  runtime::Device& gpu = engine.runtime().cuda(0);
  const auto module = module_of(engine);
  const std::size_t before = fake.live_modules();
  const View x = {0x1000, 5};
  launch(*module, "count", gpu, {.block = {32}}, bytes_of(x));
  launch(*module, "clear", gpu, {.block = {8}});
  launch(*module, "weigh", gpu, {.block = {8}}, bytes_of(x));
  gpu.synchronize();
  EXPECT_EQ(launches.size(), 3U);
  EXPECT_EQ(launches[0].parameters.size(), sizeof(View));
  EXPECT_EQ(launches[1].parameters.size(), 0U);
  EXPECT_EQ(engine.statistics().count(Stage::codegen), 1U);
  EXPECT_EQ(fake.live_modules(), before + 1);
  const runtime::GlobalMemory counts = module->global(gpu, "counts");
  EXPECT_EQ(
      counts.address,
      reinterpret_cast<runtime::Address>(fake.globals["phalanx_global_counts"].data()));
  EXPECT_EQ(counts.bytes, 32U);
}

// Of each kernel what a launch must know of it, in one image.
TEST(Module, HasEntriesOfTheirOwn) {
  const auto source = source_of(
      "kernel @small(%n: i64) { return }\n"
      "kernel @all(%x: array<f32, 1, any, global>) {\n  cooperative\n  return\n}");
  const Target target = codegen::target_of(DeviceKind::cuda, 90);
  const Binary image = codegen::compile(*source, target, {});
  ASSERT_EQ(image.entries.size(), 2U);
  EXPECT_EQ(image.entries[0].symbol, "small");
  EXPECT_EQ(image.entries[0].parameter_bytes, 8U);
  EXPECT_FALSE(image.entries[0].is_cooperative);
  EXPECT_EQ(image.entries[1].symbol, "all");
  EXPECT_EQ(image.entries[1].parameter_bytes, 24U);
  EXPECT_TRUE(image.entries[1].is_cooperative);
}

TEST(RealGpuModule, KernelsShareTheirGlobals) {
  Engine engine(CacheOptions{.enabled = false});
  if (engine.runtime().cuda_device_count() == 0)
    GTEST_SKIP() << engine.runtime().driver_info().problem;
  check(*module_of(engine), engine.runtime().cuda(0));
}

}  // namespace
}  // namespace phalanx::jit
