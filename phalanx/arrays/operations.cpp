#include "phalanx/arrays/operations.h"

#include <algorithm>
#include <string>

#include "phalanx/arrays/products.h"
#include "phalanx/arrays/times.h"
#include "phalanx/base/errors.h"
#include "phalanx/jit/context.h"
#include "phalanx/numpy/reductions.h"

namespace phalanx::arrays {
namespace {

views::HostArray host_array(const Extents& shape, DType dtype, void* bytes) {
  const std::size_t item = size_of(dtype);
  return {
      .data = bytes,
      .shape = shape,
      .strides = views::contiguous_strides(shape, item, ir::Layout::c),
      .item_bytes = item};
}

std::size_t checked_axis(int axis, std::size_t dimensions) {
  const auto count = static_cast<int>(dimensions);
  if (axis < -count || axis >= count)
    throw ValueError(
        "axis " + std::to_string(axis) + " is out of bounds for array of dimension " +
        std::to_string(count));
  return static_cast<std::size_t>(axis < 0 ? axis + count : axis);
}

std::vector<bool> reduced_of(const Array& array, const std::optional<std::vector<int>>& axes) {
  std::vector<bool> is_reduced(array.shape().size(), !axes);
  for (const int axis : axes.value_or(std::vector<int>{}))
    is_reduced.at(checked_axis(axis, is_reduced.size())) = true;
  return is_reduced;
}

// Each dimension of the array where it is.
std::vector<Axis> same_axes(const Array& array) {
  std::vector<Axis> axes(array.shape().size());
  for (std::size_t i = 0; i < axes.size(); ++i)
    axes[i] = {.dimension = static_cast<std::int32_t>(i), .start = 0, .step = 1};
  return axes;
}

Array reduced(
    const Array& array, std::string_view name, DType dtype, std::vector<bool> is_reduced) {
  Graph& graph = array.graph();
  return {graph, graph.reduce(array.value(), name, dtype, std::move(is_reduced))};
}

}  // namespace

void check_count(const Extents& shape, std::size_t count) {
  if (static_cast<std::size_t>(element_count(shape)) != count)
    throw ShapeError(
        "an array of shape " + to_string(shape) + " has " + std::to_string(element_count(shape)) +
        " elements, not " + std::to_string(count));
}

Array full(
    Graph& graph,
    const Extents& shape,
    DType dtype,
    const ir::Constant& value,
    runtime::Device* device) {
  return {graph, graph.copied(graph.number(dtype, value), shape, device)};
}

Array arange(Graph& graph, std::int64_t count) {
  return {graph, graph.positions(std::make_shared<const Extents>(Extents{count}), {})};
}

Array from_bytes(
    Graph& graph, const Extents& shape, DType dtype, const void* bytes, runtime::Device* device) {
  jit::Engine& engine = graph.engine();
  runtime::Device& place = device != nullptr ? *device : jit::current_device(engine);
  views::DeviceArray memory =
      views::allocate_array(engine.types(), place, nullptr, {.element = dtype, .shape = shape});
  // It is read only.
  const views::HostArray host = host_array(shape, dtype, const_cast<void*>(bytes));  // NOLINT
  engine.copier().from_host(memory, host, *place.default_stream(), true);
  return {graph, graph.memory(std::move(memory))};
}

void to_bytes(const Array& array, DType dtype, void* bytes) {
  jit::refuse_while_recording("wait for the device");
  if (array.dtype() != dtype)
    throw TypeError(
        "the array is of " + std::string(info(array.dtype()).name) + ", not " +
        std::string(info(dtype).name) + ": arrays::astype converts it");
  const Memory memory = array.evaluate();
  array.graph().engine().copier().to_host(
      *memory, host_array(array.shape(), dtype, bytes), memory->queue(), true);
}

Array call(std::string_view ufunc, std::vector<Operand> operands) {
  const infer::Ufunc* found = infer::find_ufunc(ufunc);
  if (found == nullptr)
    throw TypeError("there is no ufunc " + std::string(ufunc));
  const auto array = std::ranges::find_if(
      operands, [](const Operand& operand) { return operand.graph != nullptr; });
  if (array == operands.end())
    throw ValueError(std::string(ufunc) + " of numbers alone: one operand must be an array");
  Graph& graph = *array->graph;
  return {graph, apply(graph, *found, operands)};
}

Array where(const Array& condition, const Array& x, const Array& y) {
  Graph& graph = condition.graph();
  return {graph, chosen(graph, condition.value(), x.value(), y.value())};
}

Array astype(const Array& array, const ir::Type& element) {
  return {array.graph(), array.graph().cast(array.value(), element)};
}

Array reduce(
    const Array& array, std::string_view name, const std::optional<std::vector<int>>& axes) {
  const bool is_sum = name == "sum" || name == "prod";
  const DType dtype = is_sum ? numpy::type_of_sum(array.dtype()) : array.dtype();
  return reduced(array, name, dtype, reduced_of(array, axes));
}

Array mean(const Array& array, const std::optional<std::vector<int>>& axes) {
  const bool is_time = array.element_type().is_time();
  const DType computed = is_time ? DType::int64 : numpy::type_of_mean(array.dtype());
  std::vector<bool> is_reduced = reduced_of(array, axes);
  std::int64_t count = 1;
  for (std::size_t i = 0; i < is_reduced.size(); ++i) count *= is_reduced[i] ? array.shape()[i] : 1;
  if (is_time)
    return reduced(array, "sum", computed, std::move(is_reduced)) / count;
  const Array total = reduced(astype(array, computed), "sum", computed, std::move(is_reduced));
  const Array made = total / static_cast<double>(count);
  return is_floating(array.dtype()) || is_complex(array.dtype()) ? astype(made, array.dtype())
                                                                 : made;
}

Array matmul(const Array& a, const Array& b) {
  Graph& graph = a.graph();
  return {graph, matmul(graph, a.value(), b.value())};
}

Array slice(
    const Array& array, int axis, std::int64_t start, std::int64_t stop, std::int64_t step) {
  if (step <= 0)
    throw ValueError("the step of a slice is above 0, not " + std::to_string(step));
  const std::size_t dimension = checked_axis(axis, array.shape().size());
  const std::int64_t extent = array.shape()[dimension];
  const auto within = [&](std::int64_t index) {
    return std::clamp<std::int64_t>(index < 0 ? index + extent : index, 0, extent);
  };
  Extents shape = array.shape();
  std::vector<Axis> axes = same_axes(array);
  axes[dimension].start = within(start);
  axes[dimension].step = step;
  shape[dimension] = std::max<std::int64_t>((within(stop) - within(start) + step - 1) / step, 0);
  return array.view(std::move(shape), std::move(axes));
}

Array transpose(const Array& array) {
  Extents shape = array.shape();
  std::ranges::reverse(shape);
  std::vector<Axis> axes = same_axes(array);
  for (Axis& axis : axes)
    axis.dimension = static_cast<std::int32_t>(axes.size()) - 1 - axis.dimension;
  return array.view(std::move(shape), std::move(axes));
}

Array expand_dims(const Array& array, int axis) {
  const std::size_t dimension = checked_axis(axis, array.shape().size() + 1);
  Extents shape = array.shape();
  shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(dimension), 1);
  std::vector<Axis> axes = same_axes(array);
  for (std::size_t i = dimension; i < axes.size(); ++i) ++axes[i].dimension;
  return array.view(std::move(shape), std::move(axes));
}

}  // namespace phalanx::arrays
