// Launches on the CUDA device with arrays on either side, on the fake driver.
#include "phalanx/jit/launch.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <numeric>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/ir/parser.h"
#include "phalanx/views/device_array.h"
#include "tests/support/fake_driver.h"

namespace phalanx::jit {
namespace {

using support::FakeLaunch;

const ir::Type array_type = ir::Type::array(DType::int32, 1, ir::Layout::any, ir::Space::global);

// A parameter block of views of one dimension, as kernels see it.
struct View {
  std::int32_t* data;
  std::int64_t extent;
  std::int64_t stride;

  std::int32_t& operator[](std::int64_t i) const {
    return *reinterpret_cast<std::int32_t*>(reinterpret_cast<std::byte*>(data) + i * stride);
  }
};

std::vector<View> views_of(const FakeLaunch& launch) {
  std::vector<View> views(launch.parameters.size() / sizeof(View));
  std::memcpy(views.data(), launch.parameters.data(), launch.parameters.size());
  return views;
}

class LaunchTest : public testing::Test {
 protected:
  LaunchTest() {
    Compiler compiler;
    compiler.run_passes = [](ir::Module&, Checks) {};
    compiler.target_of = [](DeviceKind kind, unsigned capability) {
      Target target;
      target.kind = kind;
      target.compute_capability = capability;
      return target;
    };
    compiler.compile = [this](
                           const ir::Module& module,
                           const Target&,
                           const codegen::Options&,
                           const codegen::CpuVariant&) {
      ++compiled;
      Binary binary;
      binary.kind = BinaryKind::ptx;
      binary.entry().symbol = "work";
      binary.entry().parameter_bytes =
          static_cast<std::uint32_t>(sizeof(View) * module.kernel().parameters.size());
      binary.code = support::fake_code("work");
      return binary;
    };
    engine = std::make_unique<Engine>(
        CacheOptions{.enabled = false}, compiler, runtime::RuntimeOptions{.driver = &fake.table()});
    site.device = &engine->runtime().cuda(0);
    site.stream = site.device->default_stream();
  }

  // A kernel of some arrays that does `action`.
  std::shared_ptr<Kernel> kernel(
      std::size_t arrays, std::function<void(const std::vector<View>&)> action) {
    fake.kernels["work"] = [action](const FakeLaunch& launch) {
      action(views_of(launch));
      return 0;
    };
    KernelDescription description;
    description.name = "work";
    description.types.assign(arrays, array_type);
    std::string text = "kernel @work(";
    for (std::size_t i = 0; i < arrays; ++i)
      text += (i == 0 ? "%a" : ", %a") + std::to_string(i) + ": " + ir::to_string(array_type);
    text += ") {\n  return\n}\n";
    return std::make_shared<Kernel>(
        *engine, description, [text] { return std::shared_ptr<ir::Module>(ir::parse(text)); });
  }

  static Argument host(
      std::int32_t* data,
      const std::int64_t& extent,
      const std::int64_t& stride,
      bool writable = true) {
    Argument argument{};
    argument.key = ir::key::array(DType::int32, 1, ir::Layout::any, writable);
    argument.array = {data, &extent, &stride};
    return argument;
  }
  static Argument device(const views::DeviceArray& array) {
    Argument argument{};
    argument.key = array.key;
    argument.array = {
        reinterpret_cast<void*>(array.address), array.shape.data(), array.strides.data()};
    argument.device = array.device;
    argument.device_array = &array;
    return argument;
  }

  void run(const std::shared_ptr<Kernel>& work, std::vector<Argument> arguments) {
    std::vector<ir::TypeKey> keys;
    for (const Argument& argument : arguments) keys.push_back(argument.key);
    const Plan plan(keys, work);
    const auto executable = work->executable(*site.device, site.config.block);
    if (needs_copies(plan, site, arguments))
      launch_with_copies(plan, *executable, site, arguments);
    else
      launch(plan, *executable, site, arguments);
  }

  support::FakeDriver fake;
  std::unique_ptr<Engine> engine;
  LaunchSite site;
  int compiled = 0;
  const std::int64_t four = 4;
  const std::int64_t item = 4;
};

TEST_F(LaunchTest, HostArraysAreCopiedThereAndBack) {
  const auto work = kernel(1, [](const std::vector<View>& views) {
    for (std::int64_t i = 0; i < views[0].extent; ++i) views[0][i] *= 2;
  });
  std::vector<std::int32_t> values = {1, 2, 3, 4};
  run(work, {host(values.data(), four, item)});
  EXPECT_EQ(values, (std::vector<std::int32_t>{2, 4, 6, 8}));
}

TEST_F(LaunchTest, StridesAndNegativeStridesAreKept) {
  const auto work = kernel(1, [](const std::vector<View>& views) {
    for (std::int64_t i = 0; i < views[0].extent; ++i)
      views[0][i] = static_cast<std::int32_t>(100 + i);
  });
  std::vector<std::int32_t> values(8, 7);
  const std::int64_t backwards = -8;
  run(work, {host(values.data() + 6, four, backwards)});
  EXPECT_EQ(values, (std::vector<std::int32_t>{103, 7, 102, 7, 101, 7, 100, 7}));
}

TEST_F(LaunchTest, ArraysThatOverlapOnTheHostOverlapOnTheDevice) {
  const auto work = kernel(2, [](const std::vector<View>& views) {
    views[0][2] = 50;
    views[1][1] = views[1][0] + 1;  // the same element as views[0][3]
  });
  std::vector<std::int32_t> values = {0, 1, 2, 3, 4, 5};
  run(work, {host(values.data(), four, item), host(values.data() + 2, four, item)});
  EXPECT_EQ(values, (std::vector<std::int32_t>{0, 1, 50, 51, 4, 5}));
}

TEST_F(LaunchTest, AddressesAreAlignedAsOnTheHost) {
  alignas(16) std::array<std::int32_t, 8> values = {0, 1, 2, 3, 4, 5, 6, 7};
  const auto work = kernel(1, [](const std::vector<View>& views) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(views[0].data) % 16, 12U);
    views[0][0] = 30;
  });
  run(work, {host(values.data() + 3, four, item)});
  EXPECT_EQ(values[3], 30);
}

TEST_F(LaunchTest, ElementsThatAreNotAlignedOnTheHostAreAlignedOnTheDevice) {
  const auto work = kernel(1, [](const std::vector<View>& views) {
    EXPECT_EQ(reinterpret_cast<std::uintptr_t>(views[0].data) % 4, 0U);
    for (std::int64_t i = 0; i < views[0].extent; ++i) views[0][i] = 70;
  });
  alignas(16) std::array<std::byte, 20> bytes = {};
  run(work, {host(reinterpret_cast<std::int32_t*>(bytes.data() + 1), four, item)});
  EXPECT_EQ(bytes[0], std::byte{0});
  EXPECT_EQ(bytes[1], std::byte{70});
  EXPECT_EQ(bytes[13], std::byte{70});
}

TEST_F(LaunchTest, ElementsThatCannotAllBeAlignedAreRefused) {
  const auto work = kernel(2, [](const std::vector<View>&) {});
  alignas(16) std::array<std::int32_t, 8> values = {};
  const std::int64_t odd = 5;
  EXPECT_THROW(
      run(work, {host(values.data(), four, odd), host(values.data(), four, item)}), TypeError);
  auto* moved = reinterpret_cast<std::int32_t*>(reinterpret_cast<std::byte*>(values.data()) + 1);
  EXPECT_THROW(run(work, {host(values.data(), four, item), host(moved, four, item)}), TypeError);
}

TEST_F(LaunchTest, EmptyArraysAndTheSameArrayTwiceAreFine) {
  const std::int64_t none = 0;
  const auto work = kernel(3, [](const std::vector<View>& views) {
    EXPECT_EQ(views[0].extent, 0);
    EXPECT_EQ(views[1].data, views[2].data);
    views[1][0] += views[2][3];
  });
  std::vector<std::int32_t> values = {1, 2, 3, 4};
  run(work,
      {host(values.data(), none, item),
       host(values.data(), four, item),
       host(values.data(), four, item)});
  EXPECT_EQ(values[0], 5);
}

TEST_F(LaunchTest, ReadOnlyArraysAreNotCopiedBack) {
  KernelDescription description;
  const auto work = kernel(1, [](const std::vector<View>&) {});
  const auto constant = ir::Type::array(DType::int32, 1, ir::Layout::any, ir::Space::global, false);
  description.name = "work";
  description.types = {constant};
  const auto reader = std::make_shared<Kernel>(*engine, description, [&] {
    return std::shared_ptr<ir::Module>(
        ir::parse("kernel @work(%a: " + ir::to_string(constant) + ") {\n  return\n}\n"));
  });
  std::vector<std::int32_t> values = {1, 2, 3, 4};
  const int before = fake.calls("copy_to_host");
  run(reader, {host(values.data(), four, item, false)});
  EXPECT_EQ(fake.calls("copy_to_host"), before);
  EXPECT_EQ(values, (std::vector<std::int32_t>{1, 2, 3, 4}));
}

TEST_F(LaunchTest, DeviceArraysStayWhereTheyAre) {
  const auto work = kernel(2, [](const std::vector<View>& views) {
    for (std::int64_t i = 0; i < views[0].extent; ++i) views[0][i] += views[1][i];
  });
  const views::DeviceArray array =
      views::allocate_array(engine->types(), *site.device, site.stream, {DType::int32, {4}});
  std::vector<std::int32_t> values = {1, 2, 3, 4};
  engine->copier().from_host(array, {values.data(), {4}, {4}, 4}, *site.stream, true);
  const auto live = fake.live_device_bytes();
  run(work, {device(array), device(array)});
  EXPECT_EQ(fake.live_device_bytes(), live);
  // One on each side.
  run(work, {device(array), host(values.data(), four, item)});
  std::vector<std::int32_t> back(4);
  engine->copier().to_host(array, {back.data(), {4}, {4}, 4}, *site.stream, true);
  EXPECT_EQ(back, (std::vector<std::int32_t>{3, 6, 9, 12}));
  EXPECT_EQ(compiled, 1);
}

TEST_F(LaunchTest, ArraysOfTheCpuDeviceAreCopiedAsHostArraysAre) {
  const auto work = kernel(1, [](const std::vector<View>& views) { views[0][0] = 42; });
  const views::DeviceArray array =
      views::allocate_array(engine->types(), engine->runtime().cpu(), nullptr, {DType::int32, {4}});
  run(work, {device(array)});
  std::int32_t first = 0;
  std::memcpy(&first, array.host, sizeof(first));
  EXPECT_EQ(first, 42);
}

TEST_F(LaunchTest, ArraysOfAnotherGpuAreRefused) {
  fake.devices = 2;
  engine = std::make_unique<Engine>(
      CacheOptions{.enabled = false},
      engine->compiler(),
      runtime::RuntimeOptions{.driver = &fake.table()});
  site.device = &engine->runtime().cuda(0);
  site.stream = site.device->default_stream();
  const auto work = kernel(1, [](const std::vector<View>&) {});
  const views::DeviceArray array = views::allocate_array(
      engine->types(), engine->runtime().cuda(1), nullptr, {DType::int32, {4}});
  try {
    run(work, {device(array)});
    FAIL() << "launched";
  } catch (const TypeError& error) {
    EXPECT_NE(std::string(error.what()).find("on cuda:0"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("lies on cuda:1"), std::string::npos) << error.what();
  }
}

}  // namespace
}  // namespace phalanx::jit
