// From types to launches without Python: IR from the builder, the real compiler, the CPU device.
#include "phalanx/jit/dispatch.h"
#include "phalanx/ir/build_threads.h"

#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <cstring>
#include <functional>
#include <future>
#include <span>
#include <thread>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/ir/builder.h"
#include "phalanx/jit/context.h"

namespace phalanx::jit {
namespace {

ir::Type array_of(DType dtype) {
  return ir::Type::array(dtype, 1, ir::Layout::c, ir::Space::global);
}

// kernel scale(x, factor): x[threadIdx.x] *= factor
std::shared_ptr<ir::Module> scale_module(const std::vector<ir::Type>& types) {
  auto module = std::make_shared<ir::Module>();
  ir::Builder builder(ir::add_function(
      *module,
      "scale",
      ir::FunctionKind::kernel,
      {{.name = "x", .type = types[0]}, {.name = "factor", .type = types[1]}}));
  const DType dtype = types[0].element().dtype();
  auto* const index =
      builder.cast(ir::thread_query(builder, ir::Op::thread_index, 0), DType::int64);
  auto* const element = builder.array_load(builder.parameter(0), {index});
  auto* const factor = builder.cast(builder.parameter(1), dtype);
  builder.array_store(
      builder.parameter(0), {index}, builder.elementwise(ir::Op::multiply, {element, factor}));
  builder.return_();
  return module;
}

template <typename T>
struct Vector {
  explicit Vector(std::vector<T> given) : values(std::move(given)), shape(values.size()) {}
  Argument argument(DType dtype) {
    Argument row{};
    row.key = ir::key::array(dtype, 1, ir::Layout::c, true);
    row.array = {values.data(), &shape, &stride};
    return row;
  }

  std::vector<T> values;
  std::int64_t shape;
  std::int64_t stride = sizeof(T);
};

Argument integer(std::int64_t value) {
  Argument row{};
  row.key = ir::key::scalar(DType::int64);
  row.bits[0] = static_cast<std::uint64_t>(value);
  return row;
}

class DispatchTest : public testing::Test {
 protected:
  DispatchTest() { set_current_device(engine.runtime().cpu()); }

  std::shared_ptr<Dispatch> dispatch() {
    const auto source = [this]() -> Engine& { return engine; };
    return std::make_shared<Dispatch>(source, "scale", [this](const std::vector<ir::Type>& types) {
      ++made;
      return std::make_shared<Kernel>(
          engine, KernelDescription{.name = "scale", .types = types, .use_cache = false}, [types] {
            return scale_module(types);
          });
    });
  }

  template <typename T>
  void run(ConfiguredDispatch& configured, Vector<T>& vector, DType dtype, std::int64_t factor) {
    std::array arguments = {vector.argument(dtype), integer(factor)};
    const auto ready = configured.prepare(arguments);
    launch(*ready->plan, *ready->executable, ready->site, arguments);
    ready->site.stream->synchronize();
  }

  Engine engine{CacheOptions{.enabled = false}};
  std::atomic<int> made = 0;
};

const runtime::LaunchConfig four_threads = {.block = {4, 1, 1}};

TEST_F(DispatchTest, EachTupleOfTypesHasAKernelOfItsOwn) {
  const auto scale = dispatch();
  ConfiguredDispatch configured(scale, four_threads, nullptr);
  Vector<std::int32_t> integers({1, 2, 3, 4});
  Vector<double> numbers({0.5, 1.5, 2.5, 3.5});
  run(configured, integers, DType::int32, 3);
  run(configured, numbers, DType::float64, 2);
  run(configured, integers, DType::int32, 2);
  EXPECT_EQ(integers.values, (std::vector<std::int32_t>{6, 12, 18, 24}));
  EXPECT_EQ(numbers.values, (std::vector<double>{1, 3, 5, 7}));
  EXPECT_EQ(made, 2);
  ASSERT_EQ(scale->kernels().size(), 2U);
  EXPECT_EQ(scale->kernels()[1].types[0], array_of(DType::float64));
}

TEST_F(DispatchTest, KernelsAreMadeAnewAfterTheyWereForgotten) {
  const auto scale = dispatch();
  ConfiguredDispatch configured(scale, four_threads, nullptr);
  Vector<std::int64_t> vector({1, 2, 3, 4});
  run(configured, vector, DType::int64, 2);
  scale->forget();
  EXPECT_TRUE(scale->kernels().empty());
  run(configured, vector, DType::int64, 2);
  EXPECT_EQ(vector.values, (std::vector<std::int64_t>{4, 8, 12, 16}));
  EXPECT_EQ(made, 2);
}

// Something that happens while a kernel is made, as another thread may do it.
class DispatchMeanwhile : public DispatchTest {
 protected:
  std::shared_ptr<Dispatch> dispatch_with(std::function<void(Dispatch&)> meanwhile) {
    const auto made_by = dispatch();
    auto blocking = std::make_shared<Dispatch>(
        [this]() -> Engine& { return engine; },
        "scale",
        [this, made_by](const std::vector<ir::Type>& types) {
          is_inside.set_value();
          goes_on.get_future().wait();
          return made_by->kernel_for(types);
        });
    changer = std::thread([this, blocking, meanwhile = std::move(meanwhile)] {
      is_inside.get_future().wait();
      meanwhile(*blocking);
      goes_on.set_value();
    });
    return blocking;
  }

  std::promise<void> is_inside;
  std::promise<void> goes_on;
  std::thread changer;
};

TEST_F(DispatchMeanwhile, AKernelThatIsForgottenWhileItIsMadeIsNotKept) {
  const auto scale = dispatch_with([](Dispatch& changed) { changed.forget(); });
  EXPECT_NE(scale->kernel_for({array_of(DType::int64), ir::Type(DType::int64)}), nullptr);
  changer.join();
  EXPECT_TRUE(scale->kernels().empty());
}

TEST_F(DispatchMeanwhile, AKernelOfSignaturesThatAreGoneIsNotKept) {
  const auto scale = dispatch_with([](Dispatch& changed) {
    changed.set_signatures({{array_of(DType::float64), ir::Type(DType::float64)}});
  });
  Vector<std::int64_t> vector({1, 2, 3, 4});
  EXPECT_NE(scale->plan_for(std::array{vector.argument(DType::int64), integer(2)}), nullptr);
  changer.join();
  EXPECT_TRUE(scale->kernels().empty());
  EXPECT_THROW(scale->plan_for(std::array{vector.argument(DType::int64), integer(2)}), TypeError);
}

TEST_F(DispatchTest, DeclaredSignaturesAreTheOnlyOnes) {
  const auto scale = dispatch();
  scale->set_signatures({{array_of(DType::float32), ir::Type(DType::float32)}});
  ConfiguredDispatch configured(scale, four_threads, nullptr);
  Vector<float> vector({1, 2, 3, 4});
  run(configured, vector, DType::float32, 2);
  EXPECT_EQ(vector.values, (std::vector<float>{2, 4, 6, 8}));
  Vector<double> others({1, 2, 3, 4});
  EXPECT_THROW(run(configured, others, DType::float64, 2), TypeError);
  EXPECT_EQ(made, 1);
}

// Each thread launches with other types and sizes through one configuration.
TEST_F(DispatchTest, ThreadsShareAConfiguration) {
  const auto scale = dispatch();
  ConfiguredDispatch configured(scale, four_threads, nullptr);
  const auto work = [&](bool is_float) {
    set_current_device(engine.runtime().cpu());
    for (int i = 0; i < 200; ++i) {
      if (is_float) {
        Vector<double> vector({1, 2, 3, 4});
        run(configured, vector, DType::float64, 5);
        EXPECT_EQ(vector.values, (std::vector<double>{5, 10, 15, 20}));
      } else {
        Vector<std::int64_t> vector({1, 2, 3, 4});
        run(configured, vector, DType::int64, 7);
        EXPECT_EQ(vector.values, (std::vector<std::int64_t>{7, 14, 21, 28}));
      }
      if (i % 64 == 63 && is_float)
        scale->forget();
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(work, i % 2 == 0);
  for (std::thread& thread : threads) thread.join();
}

TEST_F(DispatchTest, DisabledDevicesSayWhy) {
  engine.disable_devices("this process was forked");
  ConfiguredDispatch configured(dispatch(), four_threads, nullptr);
  Vector<std::int64_t> vector({1, 2, 3, 4});
  try {
    run(configured, vector, DType::int64, 2);
    FAIL();
  } catch (const DeviceError& error) {
    EXPECT_STREQ(error.what(), "this process was forked");
  }
}

TEST_F(DispatchTest, LinkedCodeIsPartOfTheCacheKey) {
  // Two kernels that differ in what decides their linked code only.
  const std::vector<ir::Type> types = {array_of(DType::int64), ir::Type(DType::int64)};
  const auto key_of = [&](const char* identity) {
    Linker linker;
    const auto bytes = std::as_bytes(std::span(identity, std::strlen(identity)));
    linker.identity.assign(bytes.begin(), bytes.end());
    return Kernel(
               engine,
               KernelDescription{.name = "scale", .types = types},
               [types] { return scale_module(types); },
               std::move(linker))
        .cache_key(engine.target_of(engine.runtime().cpu()), {}, 0);
  };
  EXPECT_EQ(key_of("a"), key_of("a"));
  EXPECT_NE(key_of("a"), key_of("b"));
}

}  // namespace
}  // namespace phalanx::jit
