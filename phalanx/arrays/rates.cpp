#include "phalanx/arrays/rates.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <functional>
#include <limits>
#include <string>

#include "phalanx/arrays/graph.h"
#include "phalanx/base/build_id.h"
#include "phalanx/infer/ufuncs.h"
#include "phalanx/jit/context.h"
#include "phalanx/jit/hash.h"

namespace phalanx::arrays {
namespace {

Width width_of(DType dtype) { return size_of(dtype) > 4 ? Width::wide : Width::single; }

// Best of some runs: what disturbs a run makes it longer.
class Meter {
 public:
  Meter(jit::Engine& engine, runtime::Device& device) : graph_(engine), device_(device) {}

  Rates measure() {
    Rates rates;
    const NodePtr one = zeros(DType::float32, 1);
    rates.launch = seconds([&] { return call("add", {one, one}); });
    const std::int64_t count = elements();
    const NodePtr large = zeros(DType::float32, count);
    const double copying = seconds([&] { return graph_.copied(large, *large->shape); });
    rates.memory = 2.0 * bytes_of(count) / std::max(copying - rates.launch, shortest);
    if (!device_.is_host())
      measure_copies(rates, graph_.evaluate(large)->address, count);
    for (const DType dtype : {DType::float32, DType::float64}) {
      const auto width = static_cast<std::size_t>(width_of(dtype));
      const NodePtr x = zeros(dtype, cached);
      const NodePtr step = graph_.number(dtype, 0.5);
      rates.arithmetic.at(width) = rate(rates.launch, arithmetic, [&] {
        NodePtr value = x;
        for (int i = 0; i < arithmetic; ++i)
          value = call(i % 2 == 0 ? "multiply" : "add", {value, step});
        return value;
      });
      rates.functions.at(width) = rate(rates.launch, functions, [&] {
        NodePtr value = x;
        for (int i = 0; i < functions; ++i) value = call("sin", {value});
        return value;
      });
    }
    return rates;
  }

 private:
  using Make = std::function<NodePtr()>;
  static constexpr double shortest = 1e-7;  // seconds that a clock tells
  static constexpr int runs = 5;
  static constexpr std::int64_t cached = std::int64_t{1} << 20U;  // elements: in a GPU's caches
  static constexpr int arithmetic = 48;                           // operations of a chain
  static constexpr int functions = 8;

  static double bytes_of(std::int64_t count) { return 4.0 * static_cast<double>(count); }

  // 64 Mi floats where there is room, which no cache holds.
  std::int64_t elements() {
    const auto free = static_cast<std::int64_t>(device_.memory_info().free / 64);
    return std::clamp(free, cached, std::int64_t{1} << (device_.is_host() ? 24U : 26U));
  }

  NodePtr zeros(DType dtype, std::int64_t count) {
    const NodePtr zero = graph_.number(dtype, 0.0);
    NodePtr node = graph_.copied(zero, {count}, &device_);
    graph_.evaluate(node);
    return node;
  }
  NodePtr call(std::string_view name, const std::vector<NodePtr>& operands) {
    std::vector<numpy::Operand> types;
    types.reserve(operands.size());
    for (const NodePtr& operand : operands) types.push_back({operand->dtype});
    return graph_.call(*find_function(*infer::find_ufunc(name), types), operands);
  }

  // The seconds of the best run, after one that compiles.
  static double best(const std::function<void()>& run) {
    double best = std::numeric_limits<double>::infinity();
    run();
    for (int i = 0; i < runs; ++i) {
      const auto start = std::chrono::steady_clock::now();
      run();
      const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - start;
      best = std::min(best, taken.count());
    }
    return best;
  }
  double seconds(const Make& make) {
    return best([&] {
      graph_.evaluate(make());
      device_.synchronize();
    });
  }
  double rate(double launch, int operations, const Make& make) {
    return static_cast<double>(operations) * static_cast<double>(cached) /
           std::max(seconds(make) - launch, shortest);
  }
  // Of pageable memory, as most arrays of the host are in.
  void measure_copies(Rates& rates, runtime::Address address, std::int64_t count) {
    std::vector<float> host(static_cast<std::size_t>(count));
    runtime::Stream& stream = *device_.default_stream();
    const auto upload = [&](std::size_t bytes) {
      return best([&] {
        device_.copy_to_device(address, host.data(), bytes, stream);
        device_.synchronize();
      });
    };
    const auto download = [&](std::size_t bytes) {
      return best([&] {
        device_.copy_to_host(host.data(), address, bytes, stream);
        device_.synchronize();
      });
    };
    rates.copy = std::max(upload(sizeof(float)), download(sizeof(float)));
    const std::size_t bytes = sizeof(float) * host.size();
    rates.from_host = bytes_of(count) / std::max(upload(bytes) - rates.copy, shortest);
    rates.to_host = bytes_of(count) / std::max(download(bytes) - rates.copy, shortest);
  }

  Graph graph_;  // of its own: the program's log does not tell of these kernels
  runtime::Device& device_;
};

jit::Digest key_of(runtime::Device& device) {
  return jit::Hasher()
      .add("rates of arrays")
      .add(build_id())
      .add(device.name())
      .add(static_cast<std::uint64_t>(device.limits().multiprocessors))
      .digest();
}

}  // namespace

Work work_of(const Program& program) {
  Work work;
  std::int64_t indices = 1;
  for (const std::int64_t extent : program.space) indices *= extent;
  for (const Access& access : program.accesses) {
    std::int64_t elements = 1;
    for (std::size_t i = 0; i < program.space.size(); ++i)
      elements *= access.strides[i] == 0 && !access.is_gathered ? 1 : program.space[i];
    work.bytes_read += elements * static_cast<std::int64_t>(access.memory->item_bytes());
  }
  for (const Step& step : program.steps) {
    if (step.kind == StepKind::fold)
      work.arithmetic.at(static_cast<std::size_t>(width_of(step.dtype))) += indices;
    if (step.kind == StepKind::call) {
      auto& counts = step.function->is_long ? work.functions : work.arithmetic;
      counts.at(static_cast<std::size_t>(width_of(step.function->operands[0]))) += indices;
    }
  }
  return work;
}

Work work_of(const Routine& routine, std::span<const views::DeviceArray> operands, DType result) {
  Work work;
  for (const views::DeviceArray& operand : operands)
    work.bytes_read += static_cast<std::int64_t>(operand.bytes());
  work.arithmetic.at(static_cast<std::size_t>(width_of(result))) = routine.operations;
  return work;
}

double Rates::seconds(const Work& work, std::int64_t bytes_written) const {
  const double moving = static_cast<double>(work.bytes_read + bytes_written) / memory;
  double computing = 0;
  for (std::size_t i = 0; i < arithmetic.size(); ++i)
    computing += static_cast<double>(work.arithmetic.at(i)) / arithmetic.at(i) +
                 static_cast<double>(work.functions.at(i)) / functions.at(i);
  return launch + std::max(moving, computing);
}

Rates rates_of(jit::Engine& engine, runtime::Device& device) {
  const jit::Digest key = key_of(device);
  Rates rates;
  if (const auto found = engine.cache().find(key); found && found->code.size() == sizeof(rates)) {
    std::memcpy(&rates, found->code.data(), sizeof(rates));
    return rates;
  }
  jit::refuse_while_recording("measure the device");
  rates = Meter(engine, device).measure();
  Binary binary;
  binary.code.resize(sizeof(rates));
  std::memcpy(binary.code.data(), &rates, sizeof(rates));
  engine.cache().store(key, binary);
  return rates;
}

}  // namespace phalanx::arrays
