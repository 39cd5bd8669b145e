// The engine without Python: kernels made with ir::Builder, compiled by the standard compiler, run
// on the CPU device and on a GPU and compared with plain loops. On the fake driver PTX is made and
// the launches are looked at.
#include <gtest/gtest.h>

#include <cstring>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "phalanx/ir/abi.h"
#include "phalanx/ir/build_memory.h"
#include "phalanx/ir/build_threads.h"
#include "phalanx/ir/builder.h"
#include "phalanx/ir/idioms.h"
#include "phalanx/jit/kernel.h"
#include "tests/cpp/jit/temporary_directory.h"
#include "tests/support/fake_driver.h"

namespace phalanx::jit {
namespace {

using ir::Builder;
using ir::Op;
using ir::Type;

constexpr std::uint32_t block_threads = 256;

const Type input_type = Type::array(DType::float32, 1, ir::Layout::c, ir::Space::global, false);
const Type output_type = Type::array(DType::float32, 1, ir::Layout::c, ir::Space::global);

// A view of one dimension in a parameter block.
struct View {
  runtime::Address data = 0;
  std::int64_t extent = 0;
};

struct SaxpyParameters {
  View x;
  View y;
  float a = 0;
};

struct SumParameters {
  View x;
  View sums;
};

Builder::Value global_index(Builder& builder) {
  const auto query = [&](Op op) {
    return builder.cast(ir::thread_query(builder, op, 0), DType::int64);
  };
  auto* const first =
      builder.elementwise(Op::multiply, {query(Op::block_index), query(Op::block_extent)});
  return builder.elementwise(Op::add, {first, query(Op::thread_index)});
}

// y[i] += a * x[i], for the threads that have an element.
std::shared_ptr<ir::Module> make_saxpy() {
  auto module = std::make_shared<ir::Module>();
  Builder builder(ir::add_function(
      *module,
      "saxpy",
      ir::FunctionKind::kernel,
      {{"x", input_type}, {"y", output_type}, {"a", DType::float32}}));
  auto* const x = builder.parameter(0);
  auto* const y = builder.parameter(1);
  auto* const i = global_index(builder);
  const auto guard = builder.if_(builder.elementwise(Op::less, {i, builder.array_shape(y, 0)}));
  {
    const auto inside = builder.enter(guard.then);
    auto* const product =
        builder.elementwise(Op::multiply, {builder.parameter(2), builder.array_load(x, {i})});
    builder.array_store(
        y, {i}, builder.elementwise(Op::add, {builder.array_load(y, {i}), product}));
  }
  builder.return_();
  return module;
}

// sums[block] = the sum of the block's elements of x: a tree in shared memory.
std::shared_ptr<ir::Module> make_block_sum() {
  auto module = std::make_shared<ir::Module>();
  Builder builder(ir::add_function(
      *module, "block_sum", ir::FunctionKind::kernel, {{"x", input_type}, {"sums", output_type}}));
  auto* const x = builder.parameter(0);
  auto* const tile = ir::shared_array(builder, DType::float32, {block_threads});
  auto* const thread = builder.cast(ir::thread_query(builder, Op::thread_index, 0), DType::int64);
  auto* const i = global_index(builder);
  const auto load = [&](Builder::Value at) { return builder.array_load(tile, {at}); };

  builder.array_store(tile, {thread}, builder.constant(DType::float32, 0.0));
  const auto guard = builder.if_(builder.elementwise(Op::less, {i, builder.array_shape(x, 0)}));
  {
    const auto inside = builder.enter(guard.then);
    builder.array_store(tile, {thread}, builder.array_load(x, {i}));
  }
  const ir::VariableId half = builder.variable("half", DType::int64);
  builder.set(half, builder.integer(block_threads / 2));
  const Builder::Loop loop = builder.loop();
  {
    const auto body = builder.enter(loop.body);
    auto* const width = builder.get(half);
    const auto done = builder.if_(builder.elementwise(Op::equal, {width, builder.integer(0)}));
    {
      const auto leaving = builder.enter(done.then);
      builder.break_();
    }
    ir::barrier(builder);
    const auto adds = builder.if_(builder.elementwise(Op::less, {thread, width}));
    const auto adding = builder.enter(adds.then);
    auto* const other = load(builder.elementwise(Op::add, {thread, width}));
    builder.array_store(tile, {thread}, builder.elementwise(Op::add, {load(thread), other}));
  }
  {
    const auto step = builder.enter(loop.step);
    builder.set(
        half, builder.elementwise(Op::right_shift, {builder.get(half), builder.integer(1)}));
  }
  const auto is_first = builder.if_(builder.elementwise(Op::equal, {thread, builder.integer(0)}));
  {
    const auto inside = builder.enter(is_first.then);
    auto* const block = builder.cast(ir::thread_query(builder, Op::block_index, 0), DType::int64);
    builder.array_store(builder.parameter(1), {block}, load(thread));
  }
  builder.return_();
  return module;
}

// y[i] = x[i % threads of a block], by way of shared memory, in a grid-stride loop: code for one
// size of blocks is better.
std::shared_ptr<ir::Module> make_tiles() {
  auto module = std::make_shared<ir::Module>();
  Builder builder(ir::add_function(
      *module, "tiles", ir::FunctionKind::kernel, {{"x", input_type}, {"y", output_type}}));
  auto* const tile = ir::shared_array(builder, DType::float32, {1024});
  auto* const thread = builder.cast(ir::thread_query(builder, Op::thread_index, 0), DType::int64);
  builder.array_store(tile, {thread}, builder.array_load(builder.parameter(0), {thread}));
  ir::barrier(builder);
  auto* const step = ir::grid_threads(builder, 0);
  const ir::CountedLoop loop = ir::begin_counted_loop(
      builder, "i", ir::global_index(builder, 0), builder.array_shape(builder.parameter(1), 0));
  {
    const auto body = builder.enter(*loop.body);
    builder.array_store(builder.parameter(1), {loop.index}, builder.array_load(tile, {thread}));
  }
  ir::step_counted_loop(builder, loop, step);
  builder.return_();
  return module;
}

KernelDescription described(const std::string& name, std::vector<Type> types) {
  KernelDescription description;
  description.name = name;
  description.types = std::move(types);
  const auto bytes = std::as_bytes(std::span(name));
  description.key.assign(bytes.begin(), bytes.end());
  return description;
}

std::unique_ptr<Kernel> saxpy_of(Engine& engine) {
  return std::make_unique<Kernel>(
      engine, described("saxpy", {input_type, output_type, DType::float32}), make_saxpy);
}

std::unique_ptr<Kernel> block_sum_of(Engine& engine) {
  return std::make_unique<Kernel>(
      engine, described("block_sum", {input_type, output_type}), make_block_sum);
}

std::uint32_t blocks_for(std::size_t count, std::uint32_t threads) {
  return static_cast<std::uint32_t>((count + threads - 1) / threads);
}

// Whole numbers: float32 holds their sums, so results are equal and not just close.
std::vector<float> numbers(std::size_t count, std::size_t modulus) {
  std::vector<float> made(count);
  for (std::size_t i = 0; i < count; ++i) made[i] = static_cast<float>((i * 7 + 3) % modulus);
  return made;
}

// An array on a device.
class OnDevice {
 public:
  OnDevice(runtime::Device& device, const std::vector<float>& values)
      : device_(&device), count_(values.size()), buffer_(device.allocate(count_ * sizeof(float))) {
    device.copy_to_device(
        buffer_.address(), values.data(), count_ * sizeof(float), *device.default_stream());
  }
  View view() const { return {buffer_.address(), static_cast<std::int64_t>(count_)}; }
  std::vector<float> values() const {
    std::vector<float> back(count_);
    runtime::Stream& stream = *device_->default_stream();
    device_->copy_to_host(back.data(), buffer_.address(), count_ * sizeof(float), stream);
    stream.synchronize();
    return back;
  }

 private:
  runtime::Device* device_;
  std::size_t count_;
  runtime::Buffer buffer_;
};

template <typename Parameters>
void launch(
    const Kernel& kernel,
    runtime::Executable& executable,
    runtime::Device& device,
    const runtime::LaunchConfig& config,
    const Parameters& parameters) {
  const auto bytes = std::as_bytes(std::span(&parameters, 1)).first(kernel.layout().bytes);
  device.launch(executable, config, bytes, *device.default_stream());
}

template <typename Parameters>
void launch(
    Kernel& kernel,
    runtime::Device& device,
    const runtime::LaunchConfig& config,
    const Parameters& parameters) {
  const auto executable = kernel.executable(device, config.block, config.grid);
  launch(kernel, *executable, device, config, parameters);
}

void check_saxpy(Kernel& kernel, runtime::Device& device) {
  for (const std::uint32_t threads : {1U, 32U, 96U, 256U}) {
    for (const std::size_t count : {1UL, 255UL, 256UL, 257UL, 10'000UL}) {
      SCOPED_TRACE(std::to_string(count) + " elements, blocks of " + std::to_string(threads));
      const std::vector<float> x = numbers(count, 1000);
      std::vector<float> expected = numbers(count, 77);
      const OnDevice there(device, x);
      const OnDevice result(device, expected);
      for (std::size_t i = 0; i < count; ++i) expected[i] += 3 * x[i];
      launch(
          kernel,
          device,
          {.grid = {blocks_for(count, threads)}, .block = {threads}},
          SaxpyParameters{there.view(), result.view(), 3});
      ASSERT_EQ(result.values(), expected);
    }
  }
}

void check_block_sum(Kernel& kernel, runtime::Device& device) {
  for (const std::size_t count : {1UL, 255UL, 256UL, 257UL, 10'000UL}) {
    SCOPED_TRACE(std::to_string(count) + " elements");
    const std::vector<float> x = numbers(count, 1000);
    std::vector<float> expected(blocks_for(count, block_threads));
    const OnDevice there(device, x);
    const OnDevice result(device, std::vector<float>(expected.size(), -1));
    for (std::size_t i = 0; i < count; ++i) expected[i / block_threads] += x[i];
    launch(
        kernel,
        device,
        {.grid = {static_cast<std::uint32_t>(expected.size())}, .block = {block_threads}},
        SumParameters{there.view(), result.view()});
    ASSERT_EQ(result.values(), expected);
  }
}

TEST(EndToEnd, TheCpuDeviceDoesAGuardedSaxpy) {
  Engine engine(CacheOptions{.enabled = false});
  check_saxpy(*saxpy_of(engine), engine.runtime().cpu());
}

TEST(EndToEnd, TheCpuDeviceAddsUpBlocksInSharedMemory) {
  Engine engine(CacheOptions{.enabled = false});
  check_block_sum(*block_sum_of(engine), engine.runtime().cpu());
}

void check_tiles(
    const Kernel& kernel,
    runtime::Executable& executable,
    runtime::Device& device,
    std::uint32_t threads) {
  const std::vector<float> x = numbers(1024, 1000);
  std::vector<float> expected(10'000);
  const OnDevice there(device, x);
  const OnDevice result(device, std::vector<float>(expected.size(), -1));
  for (std::size_t i = 0; i < expected.size(); ++i) expected[i] = x[i % threads];
  launch(
      kernel,
      executable,
      device,
      {.grid = {2}, .block = {threads}},
      SumParameters{there.view(), result.view()});
  ASSERT_EQ(result.values(), expected);
}

TEST(EndToEnd, SubstitutesComputeWhatTheSpecialCodeDoes) {
  Engine engine(CacheOptions{.enabled = false});
  runtime::Device& cpu = engine.runtime().cpu();
  const auto kernel =
      std::make_shared<Kernel>(engine, described("tiles", {input_type, output_type}), make_tiles);
  ASSERT_NE(kernel->ready(cpu, {256})->entry().block[0], 0U) << "no code for one size of blocks";
  for (const std::uint32_t threads : {64U, 96U, 128U, 512U}) {
    const auto substitute = kernel->ready(cpu, {threads});
    EXPECT_EQ(substitute->entry().block[0], 0U);
    check_tiles(*kernel, *substitute, cpu, threads);
    const auto special = kernel->executable(cpu, {threads});
    EXPECT_EQ(special->entry().block[0], threads);
    check_tiles(*kernel, *special, cpu, threads);
  }
}

TEST(EndToEnd, ThreadsCompileVariantsOfOneModuleAtOnce) {
  Engine engine(CacheOptions{.enabled = false});
  runtime::Device& cpu = engine.runtime().cpu();
  const auto kernel =
      std::make_shared<Kernel>(engine, described("tiles", {input_type, output_type}), make_tiles);
  kernel->executable(cpu, {256});  // so that nobody waits to see what the code is for
  std::vector<std::thread> threads;
  for (const std::uint32_t count : {32U, 64U, 96U, 128U}) {
    threads.emplace_back(
        [&, count] { check_tiles(*kernel, *kernel->executable(cpu, {count}), cpu, count); });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(engine.statistics().count(Stage::codegen), 5U);
  EXPECT_EQ(engine.statistics().count(Stage::front_end), 1U);
}

TEST(EndToEnd, ALaterEngineRunsWhatTheFirstLeftOnDisk) {
  const TemporaryDirectory temporary;
  const CacheOptions cache{.directory = (temporary.path() / "cache").string()};
  {
    Engine first(cache);
    check_block_sum(*block_sum_of(first), first.runtime().cpu());
    EXPECT_EQ(first.statistics().count(Stage::codegen), 1U);
  }
  Engine later(cache);
  check_block_sum(*block_sum_of(later), later.runtime().cpu());
  EXPECT_EQ(later.statistics().count(Stage::codegen), 0U);
  EXPECT_EQ(later.statistics().count(Stage::front_end), 0U);
  EXPECT_EQ(later.statistics().count(Stage::disk), 1U);
}

// The fake driver assembles and loads any PTX; what it would run is noted.
class EndToEndPtx : public testing::Test {
 protected:
  EndToEndPtx() {
    fake.any_kernel = [this](const support::FakeLaunch& launch) {
      launches.push_back(launch);
      return 0;
    };
  }
  runtime::Device& device() { return engine.runtime().cuda(0); }

  // What the one launch was given.
  template <typename Parameters>
  Parameters given() {
    device().synchronize();
    EXPECT_EQ(launches.size(), 1U);
    Parameters parameters;
    EXPECT_LE(launches.at(0).parameters.size(), sizeof(parameters));
    std::memcpy(&parameters, launches.at(0).parameters.data(), launches.at(0).parameters.size());
    return parameters;
  }

  support::FakeDriver fake;
  std::vector<support::FakeLaunch> launches;
  Engine engine{
      CacheOptions{.enabled = false},
      Compiler::standard(),
      runtime::RuntimeOptions{.driver = &fake.table()}};
};

TEST_F(EndToEndPtx, ASaxpyIsLaunchedWithItsArrays) {
  const auto kernel = saxpy_of(engine);
  const OnDevice x(device(), numbers(1000, 10));
  const OnDevice y(device(), numbers(1000, 20));
  launch(
      *kernel,
      device(),
      {.grid = {4}, .block = {block_threads}},
      SaxpyParameters{x.view(), y.view(), 2.5F});
  const auto given = this->given<SaxpyParameters>();
  EXPECT_EQ(launches[0].grid[0], 4U);
  EXPECT_EQ(launches[0].block[0], block_threads);
  EXPECT_EQ(given.x.data, x.view().data);
  EXPECT_EQ(given.y.data, y.view().data);
  EXPECT_EQ(given.y.extent, 1000);
  EXPECT_EQ(given.a, 2.5F);
  const std::string ptx = kernel->assembly(device());
  EXPECT_NE(ptx.find("fma.rn.f32"), std::string::npos) << ptx;
  EXPECT_EQ(ptx.find("bar.sync"), std::string::npos) << ptx;
}

TEST_F(EndToEndPtx, ABlockSumHasSharedMemoryAndBarriers) {
  const auto kernel = block_sum_of(engine);
  const OnDevice x(device(), numbers(1000, 10));
  const OnDevice sums(device(), std::vector<float>(4));
  launch(
      *kernel,
      device(),
      {.grid = {4}, .block = {block_threads}},
      SumParameters{x.view(), sums.view()});
  const auto given = this->given<SumParameters>();
  EXPECT_EQ(given.x.data, x.view().data);
  EXPECT_EQ(given.x.extent, 1000);
  EXPECT_EQ(given.sums.data, sums.view().data);
  EXPECT_EQ(given.sums.extent, 4);
  const std::string ptx = kernel->assembly(device());
  EXPECT_NE(ptx.find("bar.sync"), std::string::npos) << ptx;
  EXPECT_NE(ptx.find(".shared"), std::string::npos) << ptx;
}

class RealGpuEndToEnd : public testing::Test {
 protected:
  void SetUp() override {
    if (engine.runtime().cuda_device_count() == 0)
      GTEST_SKIP() << engine.runtime().driver_info().problem;
  }

  Engine engine{CacheOptions{.enabled = false}, Compiler::standard(), runtime::RuntimeOptions{}};
};

TEST_F(RealGpuEndToEnd, DoesAGuardedSaxpy) {
  check_saxpy(*saxpy_of(engine), engine.runtime().cuda(0));
}

TEST_F(RealGpuEndToEnd, AddsUpBlocksInSharedMemory) {
  check_block_sum(*block_sum_of(engine), engine.runtime().cuda(0));
}

}  // namespace
}  // namespace phalanx::jit
