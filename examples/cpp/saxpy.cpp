// y += a * x on the CPU device, and on a GPU where there is one.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <span>
#include <vector>

#include "phalanx/ir/builder.h"
#include "phalanx/ir/idioms.h"
#include "phalanx/jit/from_cpp.h"

using namespace phalanx;

// kernel saxpy(x, y, a): y[i] += a * x[i], for the threads that have an element
std::shared_ptr<ir::Module> make_saxpy() {
  const auto array = [](bool is_mutable) {
    return ir::Type::array(DType::float32, 1, ir::Layout::c, ir::Space::global, is_mutable);
  };
  auto module = std::make_shared<ir::Module>();
  ir::Builder builder(ir::add_function(
      *module,
      "saxpy",
      ir::FunctionKind::kernel,
      {{"x", array(false)}, {"y", array(true)}, {"a", DType::float32}}));
  auto* const x = builder.parameter(0);
  auto* const y = builder.parameter(1);
  auto* const a = builder.parameter(2);
  auto* const i = ir::global_index(builder, 0);
  {
    const auto inside = builder.enter(ir::guard(builder, i, builder.array_shape(y, 0)));
    auto* const product = builder.elementwise(ir::Op::multiply, {a, builder.array_load(x, {i})});
    auto* const sum = builder.elementwise(ir::Op::add, {builder.array_load(y, {i}), product});
    builder.array_store(y, {i}, sum);
  }
  builder.return_();
  return module;
}

// The parameters as the kernel gets them: phalanx/ir/abi.h.
struct Vector {
  runtime::Address data;
  std::int64_t size;
};
struct Parameters {
  Vector x;
  Vector y;
  float a;
};

std::vector<float> run(
    jit::Kernel& saxpy,
    runtime::Device& device,
    float a,
    const std::vector<float>& x,
    std::vector<float> y) {
  const std::size_t bytes = x.size() * sizeof(float);
  runtime::Stream& stream = *device.default_stream();
  const runtime::Buffer x_there = device.allocate(bytes);
  const runtime::Buffer y_there = device.allocate(bytes);
  device.copy_to_device(x_there.address(), x.data(), bytes, stream);
  device.copy_to_device(y_there.address(), y.data(), bytes, stream);

  const auto count = static_cast<std::int64_t>(x.size());
  const Parameters parameters{{x_there.address(), count}, {y_there.address(), count}, a};
  const std::uint32_t threads = 256;
  const auto blocks = static_cast<std::uint32_t>((count + threads - 1) / threads);
  const runtime::LaunchConfig config{.grid = {blocks}, .block = {threads}};
  // Compiled for this device at the first call, and kept.
  const auto executable = saxpy.executable(device, config.block, config.grid);
  // The block of parameters ends with its last one, not where the struct does.
  const auto packed = std::as_bytes(std::span(&parameters, 1)).first(saxpy.layout().bytes);
  device.launch(*executable, config, packed, stream);

  device.copy_to_host(y.data(), y_there.address(), bytes, stream);
  stream.synchronize();
  return y;
}

bool check(jit::Kernel& saxpy, runtime::Device& device) {
  const float a = 3;
  std::vector<float> x(1'000'000);
  std::vector<float> y(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    // Whole numbers that float32 holds: results are equal, not just close.
    x[i] = static_cast<float>(i % 1000);
    y[i] = static_cast<float>(i % 77);
  }
  const std::vector<float> result = run(saxpy, device, a, x, y);
  std::size_t wrong = 0;
  for (std::size_t i = 0; i < x.size(); ++i) wrong += result[i] != y[i] + a * x[i];
  std::printf("saxpy of %zu numbers on %s: %zu wrong\n", x.size(), device.name().c_str(), wrong);
  return wrong == 0;
}

int main() try {
  jit::Engine engine;
  const auto saxpy = jit::make_kernel(engine, make_saxpy());
  bool is_right = check(*saxpy, engine.runtime().cpu());
  if (engine.runtime().cuda_device_count() > 0)
    is_right = check(*saxpy, engine.runtime().cuda(0)) && is_right;
  else
    std::printf("no GPU: %s\n", engine.runtime().driver_info().problem.c_str());
  return is_right ? EXIT_SUCCESS : EXIT_FAILURE;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return EXIT_FAILURE;
}
