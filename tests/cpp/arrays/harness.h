// An engine on the CPU device with arrays, and plain loops over what they should be.
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <utility>
#include <vector>

#include "phalanx/arrays/array.h"
#include "phalanx/arrays/graph.h"
#include "phalanx/infer/ufuncs.h"
#include "phalanx/jit/context.h"
#include "tests/cpp/jit/temporary_directory.h"

namespace phalanx::arrays {

class Harness {
 public:
  explicit Harness(jit::Compiler compiler = jit::Compiler::standard())
      : engine({.directory = folder_.path().string()}, std::move(compiler), cpu_only()),
        graph(engine) {
    jit::set_current_device(engine.runtime().cpu());  // the thread may know another engine's
  }

  Array array(const Extents& shape, const std::vector<double>& values) {
    runtime::Device& device = jit::current_device(engine);
    views::DeviceArray memory = views::allocate_array(
        engine.types(), device, nullptr, {.element = DType::float64, .shape = shape});
    std::copy(values.begin(), values.end(), static_cast<double*>(memory.host));
    return Array(graph, graph.memory(std::move(memory)));
  }
  // 0, 1, 2, ...
  Array counted(const Extents& shape) {
    std::vector<double> values(static_cast<std::size_t>(element_count(shape)));
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i);
    return array(shape, values);
  }
  NodePtr number(double value) { return graph.number(DType::float64, value); }

  NodePtr apply(std::string_view name, std::vector<NodePtr> operands) {
    std::vector<numpy::Operand> types;
    for (const NodePtr& operand : operands) types.push_back({operand->dtype});
    return graph.call(*find_function(*infer::find_ufunc(name), types), operands);
  }
  Array slice(const Array& array, std::int64_t start, std::int64_t count, std::int64_t step = 1) {
    return array.view({count}, {{.dimension = 0, .start = start, .step = step}});
  }

  std::vector<double> values(const Array& array) { return values(array.value()); }
  // In C order.
  std::vector<double> values(const NodePtr& node) {
    const Memory memory = graph.evaluate(node);
    std::vector<double> result;
    std::vector<std::int64_t> index(memory->shape.size(), 0);
    for (std::int64_t i = 0; i < element_count(memory->shape); ++i) {
      std::int64_t offset = 0;
      std::int64_t rest = i;
      for (std::size_t d = index.size(); d-- > 0;) {
        offset += rest % memory->shape[d] * memory->strides[d];
        rest /= memory->shape[d];
      }
      const auto* bytes = static_cast<const std::byte*>(memory->host) + offset;
      if (memory->element.dtype() == DType::int64)
        result.push_back(static_cast<double>(*reinterpret_cast<const std::int64_t*>(bytes)));
      else
        result.push_back(*reinterpret_cast<const double*>(bytes));
    }
    return result;
  }
  std::uint64_t kernels() const { return graph.statistics().kernels; }

 private:
  static runtime::RuntimeOptions cpu_only() {
    runtime::RuntimeOptions options;
    options.device = "cpu";
    return options;
  }
  jit::TemporaryDirectory folder_;

 public:
  jit::Engine engine;
  Graph graph;
};

}  // namespace phalanx::arrays
