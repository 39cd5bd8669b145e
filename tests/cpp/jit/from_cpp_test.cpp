// What C++ programs make kernels and launches of.
#include "phalanx/jit/from_cpp.h"

#include <gtest/gtest.h>

#include <complex>
#include <span>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/ir/build_threads.h"
#include "phalanx/ir/builder.h"
#include "phalanx/ir/verifier.h"
#include "phalanx/jit/launch.h"
#include "phalanx/jit/plan.h"
#include "tests/cpp/jit/temporary_directory.h"

namespace phalanx::jit {
namespace {

static_assert(dtype_of<bool>() == DType::boolean);
static_assert(dtype_of<char>() == DType::int8 && dtype_of<unsigned long>() == DType::uint64);
static_assert(dtype_of<float>() == DType::float32 && dtype_of<double>() == DType::float64);
static_assert(dtype_of<std::complex<float>>() == DType::complex64);
static_assert(dtype_of<std::complex<double>>() == DType::complex128);

// kernel fill(x, value): x[threadIdx.x] = value + added
std::shared_ptr<ir::Module> fill_module(std::int64_t added) {
  auto module = std::make_shared<ir::Module>();
  const auto array = ir::Type::array(DType::int64, 1, ir::Layout::c, ir::Space::global);
  ir::Builder builder(ir::add_function(
      *module, "fill", ir::FunctionKind::kernel, {{"x", array}, {"value", DType::int64}}));
  auto* const index =
      builder.cast(ir::thread_query(builder, ir::Op::thread_index, 0), DType::int64);
  auto* const sum =
      builder.elementwise(ir::Op::add, {builder.parameter(1), builder.integer(added)});
  builder.array_store(builder.parameter(0), {index}, sum);
  builder.return_();
  return module;
}

// What the kernel leaves in an array of four.
std::vector<std::int64_t> filled(Engine& engine, std::int64_t added, std::int64_t value) {
  runtime::Device& device = engine.runtime().cpu();
  const auto kernel = make_kernel(engine, fill_module(added));
  const views::DeviceArray array = views::allocate_array(
      engine.types(), device, nullptr, {.element = DType::int64, .shape = {4}});
  const std::vector<Argument> arguments = {argument_of(array), argument_of(value)};
  const Plan plan({arguments[0].key, arguments[1].key}, kernel);
  const LaunchSite site = {
      .config = {.block = {4}}, .device = &device, .stream = device.default_stream()};
  const auto executable = kernel->executable(device, site.config.block, site.config.grid);
  launch(plan, *executable, site, arguments);
  site.stream->synchronize();
  const auto* const first = static_cast<const std::int64_t*>(array.host);
  return {first, first + 4};
}

TEST(FromCpp, KernelsOfOneNameAreKnownByTheirText) {
  const TemporaryDirectory temporary;
  const CacheOptions cache{.directory = (temporary.path() / "cache").string()};
  const auto compiled = [&](std::int64_t added) {
    Engine engine(cache);
    EXPECT_EQ(filled(engine, added, 40), std::vector<std::int64_t>(4, 40 + added));
    return engine.statistics().count(Stage::codegen);
  };
  EXPECT_EQ(compiled(1), 1U);
  EXPECT_EQ(compiled(2), 1U);  // not what is on disk for the first
  EXPECT_EQ(compiled(2), 0U);
}

TEST(FromCpp, ModulesThatAreNoKernelsAreRefused) {
  Engine engine(CacheOptions{.enabled = false});
  EXPECT_THROW(make_kernel(engine, std::make_shared<ir::Module>()), ValueError);
  auto two = fill_module(1);
  ir::add_function(*two, "other", ir::FunctionKind::kernel, {});
  EXPECT_THROW(make_kernel(engine, two), ValueError);
}

TEST(FromCpp, BrokenIrIsRefusedBeforeItIsCompiled) {
  Engine engine(CacheOptions{.enabled = false});
  auto broken = fill_module(1);
  broken->kernel().body.front()->index = 7;  // no such dimension
  EXPECT_THROW(make_kernel(engine, broken), ir::VerifyError);
}

}  // namespace
}  // namespace phalanx::jit
