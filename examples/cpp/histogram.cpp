// A module of two kernels that share a global: one counts, the other turns counts into shares.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <span>
#include <vector>

#include "phalanx/ir/build_memory.h"
#include "phalanx/ir/build_threads.h"
#include "phalanx/ir/builder.h"
#include "phalanx/ir/idioms.h"
#include "phalanx/jit/from_cpp.h"

using namespace phalanx;
using ir::Op;

constexpr std::int64_t bins = 16;

ir::Type vector_of(DType dtype, bool is_mutable) {
  return ir::Type::array(dtype, 1, ir::Layout::c, ir::Space::global, is_mutable);
}

// kernel count(x): counts[x[i]] += 1
void add_count(ir::Module& module) {
  ir::Builder builder(ir::add_function(
      module, "count", ir::FunctionKind::kernel, {{"x", vector_of(DType::uint8, false)}}));
  auto* const x = builder.parameter(0);
  auto* const i = ir::global_index(builder, 0);
  {
    const auto inside = builder.enter(ir::guard(builder, i, builder.array_shape(x, 0)));
    auto* const counts = ir::global_array(builder, module, 0);
    auto* const bin = builder.cast(builder.array_load(x, {i}), DType::int64);
    ir::atomic(builder, ir::Atomic::add, builder.array_element(counts, {bin}), builder.integer(1));
  }
  builder.return_();
}

// kernel share(shares, all): shares[i] = counts[i] / all
void add_share(ir::Module& module) {
  ir::Builder builder(ir::add_function(
      module,
      "share",
      ir::FunctionKind::kernel,
      {{"shares", vector_of(DType::float64, true)}, {"all", DType::float64}}));
  auto* const i = ir::global_index(builder, 0);
  auto* const counts = ir::global_array(builder, module, 0);
  auto* const count = builder.cast(builder.array_load(counts, {i}), DType::float64);
  auto* const share = builder.elementwise(Op::true_divide, {count, builder.parameter(1)});
  builder.array_store(builder.parameter(0), {i}, share);
  builder.return_();
}

// The parameters as the kernels get them: phalanx/ir/abi.h.
struct Vector {
  runtime::Address data;
  std::int64_t size;
};
struct ShareParameters {
  Vector shares;
  double all;
};

template <typename Parameters>
void launch(
    const jit::Module& module,
    const char* name,
    runtime::Device& device,
    const runtime::LaunchConfig& config,
    const Parameters& parameters) {
  // On a GPU the first of these compiles all kernels of the module.
  const auto code = module.kernel(name)->executable(device, config.block, config.grid);
  device.launch(*code, config, std::as_bytes(std::span(&parameters, 1)), *device.default_stream());
}

bool check(jit::Module& module, runtime::Device& device) {
  std::vector<std::uint8_t> x(1'000'000);
  std::vector<double> expected(bins);
  for (std::size_t i = 0; i < x.size(); ++i) {
    x[i] = static_cast<std::uint8_t>(i * i % bins);
    expected[x[i]] += 1;
  }
  for (double& each : expected) each /= static_cast<double>(x.size());
  runtime::Stream& stream = *device.default_stream();
  const runtime::Buffer x_there = device.allocate(x.size());
  const runtime::Buffer shares_there = device.allocate(bins * sizeof(double));
  device.copy_to_device(x_there.address(), x.data(), x.size(), stream);

  const std::uint32_t threads = 256;
  const auto blocks = static_cast<std::uint32_t>((x.size() + threads - 1) / threads);
  const Vector numbers = {x_there.address(), static_cast<std::int64_t>(x.size())};
  launch(module, "count", device, {.grid = {blocks}, .block = {threads}}, numbers);
  const ShareParameters parameters = {
      {shares_there.address(), bins}, static_cast<double>(x.size())};
  launch(module, "share", device, {.block = {bins}}, parameters);

  std::vector<double> shares(bins);
  device.copy_to_host(shares.data(), shares_there.address(), bins * sizeof(double), stream);
  // The host reaches the global, too: its next use begins at 0.
  const runtime::GlobalMemory counts = module.global(device, "counts");
  const std::vector<std::byte> zeros(counts.bytes);
  device.copy_to_device(counts.address, zeros.data(), zeros.size(), stream);
  stream.synchronize();
  const bool is_right = shares == expected;
  std::printf(
      "shares of %zu numbers on %s: %s\n",
      x.size(),
      device.name().c_str(),
      is_right ? "right" : "WRONG");
  return is_right;
}

int main() try {
  jit::Engine engine;
  auto source = std::make_shared<ir::Module>();
  source->globals.push_back({.name = "counts", .element = DType::int64, .shape = {bins}});
  add_count(*source);
  add_share(*source);
  const auto module = jit::make_module(engine, source);
  bool is_right = check(*module, engine.runtime().cpu());
  is_right = check(*module, engine.runtime().cpu()) && is_right;
  if (engine.runtime().cuda_device_count() > 0)
    is_right = check(*module, engine.runtime().cuda(0)) && is_right;
  else
    std::printf("no GPU: %s\n", engine.runtime().driver_info().problem.c_str());
  return is_right ? EXIT_SUCCESS : EXIT_FAILURE;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return EXIT_FAILURE;
}
