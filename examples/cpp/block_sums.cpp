// The sum of each block of an array, in shared memory: one function for arrays of several types.
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <vector>

#include "phalanx/base/errors.h"
#include "phalanx/ir/build_memory.h"
#include "phalanx/ir/build_threads.h"
#include "phalanx/ir/builder.h"
#include "phalanx/ir/idioms.h"
#include "phalanx/jit/context.h"
#include "phalanx/jit/dispatch.h"
#include "phalanx/jit/from_cpp.h"

using namespace phalanx;
using ir::Op;

constexpr std::uint32_t threads = 256;  // of a block

// kernel block_sums(x, sums): sums[block] = the sum of the block's elements of x
std::shared_ptr<ir::Module> make_block_sums(const std::vector<ir::Type>& types) {
  auto module = std::make_shared<ir::Module>();
  ir::Builder builder(ir::add_function(
      *module, "block_sums", ir::FunctionKind::kernel, {{"x", types[0]}, {"sums", types[1]}}));
  const DType dtype = types[0].element().dtype();
  auto* const x = builder.parameter(0);
  auto* const tile = ir::shared_array(builder, dtype, {threads});
  const auto own = [&](Op op) {
    return builder.cast(ir::thread_query(builder, op, 0), DType::int64);
  };
  auto* const thread = own(Op::thread_index);
  auto* const i = ir::global_index(builder, 0);

  builder.array_store(tile, {thread}, builder.cast(builder.integer(0), dtype));
  {
    const auto inside = builder.enter(ir::guard(builder, i, builder.array_shape(x, 0)));
    builder.array_store(tile, {thread}, builder.array_load(x, {i}));
  }
  // A tree: half of the threads add the other half's elements, then a quarter, ...
  for (std::uint32_t half = threads / 2; half != 0; half /= 2) {
    ir::barrier(builder);
    const auto adds = builder.enter(ir::guard(builder, thread, builder.integer(half)));
    auto* const other = builder.elementwise(Op::add, {thread, builder.integer(half)});
    auto* const sum = builder.elementwise(
        Op::add, {builder.array_load(tile, {thread}), builder.array_load(tile, {other})});
    builder.array_store(tile, {thread}, sum);
  }
  {
    const auto first = builder.enter(ir::guard(builder, thread, builder.integer(1)));
    builder.array_store(
        builder.parameter(1), {own(Op::block_index)}, builder.array_load(tile, {thread}));
  }
  builder.return_();
  return module;
}

// The values, as copies to and from a device take them.
template <typename Number>
views::HostArray host_array(std::vector<Number>& values) {
  return {
      .data = values.data(),
      .shape = {static_cast<std::int64_t>(values.size())},
      .strides = {sizeof(Number)},
      .item_bytes = sizeof(Number)};
}

template <typename Number>
bool check(
    jit::Engine& engine, const std::shared_ptr<jit::Dispatch>& block_sums, const char* name) {
  runtime::Device& device = jit::current_device(engine);
  runtime::Stream& stream = *device.default_stream();
  std::vector<Number> x(100'003);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<Number>(i % 100);
  std::vector<Number> sums((x.size() + threads - 1) / threads);
  std::vector<Number> expected(sums.size());
  for (std::size_t i = 0; i < x.size(); ++i) expected[i / threads] += x[i];

  const auto allocate = [&](std::size_t count) {
    return views::allocate_array(
        engine.types(),
        device,
        nullptr,
        {.element = jit::dtype_of<Number>(), .shape = {static_cast<std::int64_t>(count)}});
  };
  const views::DeviceArray x_there = allocate(x.size());
  const views::DeviceArray sums_there = allocate(sums.size());
  engine.copier().from_host(x_there, host_array(x), stream, true);

  jit::ConfiguredDispatch configured(
      block_sums, {.grid = {static_cast<std::uint32_t>(sums.size())}, .block = {threads}}, nullptr);
  const std::array arguments = {jit::argument_of(x_there), jit::argument_of(sums_there)};
  // What launches of these types need; from the second on it is only looked up.
  const auto ready = configured.prepare(arguments);
  jit::launch(*ready->plan, *ready->executable, ready->site, arguments);
  engine.copier().to_host(sums_there, host_array(sums), stream, true);

  const bool is_right = sums == expected;
  std::printf(
      "sums of %zu blocks of %s on %s: %s\n",
      sums.size(),
      name,
      device.name().c_str(),
      is_right ? "right" : "WRONG");
  return is_right;
}

int main() try {
  jit::Engine engine;
  // A kernel for each tuple of argument types, made when it is first launched.
  const auto block_sums = std::make_shared<jit::Dispatch>(
      [&]() -> jit::Engine& { return engine; },
      "block_sums",
      [&](const std::vector<ir::Type>& types) {
        return jit::make_kernel(engine, make_block_sums(types));
      });
  const auto check_all = [&] {
    const bool floats = check<float>(engine, block_sums, "float");
    const bool integers = check<std::int64_t>(engine, block_sums, "int64");
    return floats && integers;
  };
  jit::set_current_device(engine.runtime().cpu());
  bool is_right = check_all();
  if (engine.runtime().cuda_device_count() > 0) {
    jit::set_current_device(engine.runtime().cuda(0));
    is_right = check_all() && is_right;
  }
  return is_right ? EXIT_SUCCESS : EXIT_FAILURE;
} catch (const std::exception& error) {
  std::fprintf(stderr, "%s\n", error.what());
  return EXIT_FAILURE;
}
