#include "phalanx/arrays/scatter.h"

#include <cstdint>
#include <limits>
#include <string>
#include <utility>

#include "phalanx/arrays/apply.h"
#include "phalanx/arrays/kernel_style.h"
#include "phalanx/arrays/operations.h"
#include "phalanx/base/errors.h"
#include "phalanx/jit/context.h"
#include "phalanx/numpy/broadcast.h"

namespace phalanx::arrays {
namespace {

runtime::Device& device_of(const Array& array) {
  runtime::Device* device = array.value()->device;
  return device != nullptr ? *device : jit::current_device(array.graph().engine());
}

Scatter checked(const Array& array, const Places& places) {
  if (array.is_read_only())
    throw ValueError("assignment destination is read-only");
  Gather read = places_of(array, places.axes, places.indices);
  return {
      .shape = places.shape,
      .axes = std::move(read.axes),
      .indices = std::move(read.indices),
      .has_repeats = !places.are_distinct};
}

Extents common_shape(const std::vector<GatherIndex>& indices) {
  std::vector<Extents> shapes;
  shapes.reserve(indices.size());
  for (const GatherIndex& index : indices) shapes.push_back(*index.value->shape);
  return numpy::broadcast(shapes);
}

// A sum of what `value(i)` gives, as if these were the indices of an array of such extents in C
// order; in the type.
template <typename ValueOf>
Array linear(const Extents& extents, const ValueOf& value, Graph& graph, DType dtype) {
  Array sum(graph, graph.number(DType::int64, std::int64_t{0}));
  std::int64_t stride = 1;
  for (std::size_t i = extents.size(); i-- > 0;) {
    sum = sum + value(i) * stride;
    stride *= extents[i];
  }
  return astype(sum, dtype);
}

// True for the last of the indices that lead to an element, for the first ones of the same element
// false. Each writes its number to a table of all places; the greatest one stays.
NodePtr is_last(const Array& array, const Scatter& scatter) {
  Graph& graph = array.graph();
  const auto shape = std::make_shared<const Extents>(common_shape(scatter.indices));
  Extents extents;
  for (const GatherIndex& index : scatter.indices)
    extents.push_back(array.shape().at(index.dimension));
  const bool is_narrow = element_count(*shape) <= std::numeric_limits<std::int32_t>::max();
  const DType dtype = is_narrow ? DType::int32 : DType::int64;
  const auto position_along = [&](std::size_t i) {
    const auto dimension = static_cast<unsigned>(i);
    return Array(graph, graph.positions(shape, {.dimension = dimension, .start = 0, .step = 1}));
  };
  const auto place_along = [&](std::size_t i) { return Array(graph, scatter.indices[i].value); };
  const Array number = linear(*shape, position_along, graph, dtype);
  const Array place = linear(extents, place_along, graph, DType::int64);
  const Array table =
      full(graph, {element_count(extents)}, dtype, std::int64_t{-1}, &device_of(array));
  const Places all = {.shape = *shape, .axes = {Axis{}}, .indices = {{0, place, true}}};
  static const infer::Ufunc& maximum = *infer::find_ufunc("maximum");
  update_at(table, all, maximum, &number);
  return call("equal", {gather(table, all.shape, all.axes, all.indices), number}).value();
}

}  // namespace

void scatter(const Array& array, const Places& places, const Array& value) {
  Graph& graph = array.graph();
  graph.broadcast(value.value(), places.shape);  // throws before anything is computed
  Scatter made = checked(array, places);
  made.has_repeats = made.has_repeats && value.size() > 1 && !made.indices.empty();
  if (made.has_repeats && has_gpu_kernels(device_of(array))) {
    made.condition = is_last(array, made);
    made.has_repeats = false;
  }
  made.value = graph.cast(value.value(), array.element_type());
  Array(array).assign_at(std::move(made));
}

void update_at(
    const Array& array, const Places& places, const infer::Ufunc& ufunc, const Array* value) {
  Graph& graph = array.graph();
  std::vector<numpy::Operand> types = {{array.dtype()}};
  if (value != nullptr)
    types.push_back({value->dtype()});
  const Function* function =
      types.size() == static_cast<std::size_t>(ufunc.arity) ? find_function(ufunc, types) : nullptr;
  if (function == nullptr || array.element_type().is_time() ||
      (value != nullptr && value->element_type().is_time()))
    throw TypeError(
        "ufunc '" + std::string(ufunc.name) + "' cannot update " +
        std::string(info(array.dtype()).name) + " elements at indices");
  if (value != nullptr)
    graph.broadcast(value->value(), places.shape);  // throws before anything is computed
  Scatter made = checked(array, places);
  made.function = function;
  if (value != nullptr)
    made.value = graph.cast(value->value(), function->operands[1]);
  Array(array).assign_at(std::move(made));
}

}  // namespace phalanx::arrays
