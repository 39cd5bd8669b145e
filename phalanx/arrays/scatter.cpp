#include "phalanx/arrays/scatter.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <ranges>
#include <string>
#include <utility>
#include <vector>

#include "phalanx/arrays/apply.h"
#include "phalanx/arrays/kernel_style.h"
#include "phalanx/arrays/operands.h"
#include "phalanx/arrays/operations.h"
#include "phalanx/base/errors.h"
#include "phalanx/jit/context.h"
#include "phalanx/numpy/broadcast.h"

namespace phalanx::arrays {
namespace {

// Where each index leads to so many elements, finding the last one of equal indices costs little
// beside them, and all threads of the CPU device write.
constexpr std::int64_t least_row = 16;

runtime::Device& device_of(const Array& array) {
  const auto lock = array.graph().locked();
  runtime::Device* const device = device_now(*array.value());
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
  std::vector<Extents> shapes = {{}};
  for (const GatherIndex& index : indices) shapes.push_back(*index.value->shape);
  return numpy::broadcast(shapes);
}

// True if two of the indices may have different elements of the value. Shapes meet at their ends.
bool varies(const Extents& value, const Extents& indices) {
  const std::size_t both = std::min(value.size(), indices.size());
  for (std::size_t i = 1; i <= both; ++i) {
    if (value[value.size() - i] > 1 && indices[indices.size() - i] > 1)
      return true;
  }
  return false;
}

// What one dimension adds to the number of an element among others.
struct Digit {
  std::int64_t extent = 0;
  Array place;
};

Array number_of(Graph& graph, const std::vector<Digit>& digits, DType dtype) {
  Array sum(graph, graph.number(DType::int64, std::int64_t{0}));
  std::int64_t stride = 1;
  for (const Digit& digit : std::views::reverse(digits)) {
    sum = sum + digit.place * stride;
    stride *= digit.extent;
  }
  return astype(sum, dtype);
}

// Finds the last one of those indices that lead to an element.
class LastIndices {
 public:
  LastIndices(const Array& array, const Scatter& scatter)
      : array_(array),
        graph_(array.graph()),
        shape_(std::make_shared<const Extents>(common_shape(scatter.indices))) {
    for (std::size_t i = 0; i < shape_->size(); ++i) own_.push_back(along(i));
    for (const GatherIndex& index : scatter.indices)
      places_.push_back({array.shape().at(index.dimension), Array(graph_, index.value)});
    // Dimensions of the target that go along with one of the indices: take_along_axis.
    const std::size_t first = scatter.shape.size() - shape_->size();
    for (const Axis& axis : scatter.axes) {
      const auto dimension = static_cast<std::size_t>(axis.dimension);
      if (axis.dimension != Axis::none && dimension >= first && shape_->at(dimension - first) > 1)
        places_.push_back(along(dimension - first));
    }
  }

  // How many elements they may lead to.
  std::int64_t count_of_places() const {
    std::int64_t count = 1;
    for (const Digit& digit : places_) count *= digit.extent;
    return count;
  }

  // True for the last ones, false for others. Each writes its number to a table of all elements
  // that they may lead to; the greatest one stays.
  NodePtr find() const {
    const bool is_narrow = element_count(*shape_) <= std::numeric_limits<std::int32_t>::max();
    const DType dtype = is_narrow ? DType::int32 : DType::int64;
    runtime::Device* const device = array_.value()->device;
    const Array number = computed(number_of(graph_, own_, dtype), device);
    const Array table = full(graph_, {count_of_places()}, dtype, std::int64_t{-1}, device);
    const Array place = computed(number_of(graph_, places_, DType::int64), device);
    const Places all = {.shape = *shape_, .axes = {Axis{}}, .indices = {{0, place, true}}};
    static const infer::Ufunc& maximum = *infer::find_ufunc("maximum");
    update_at(table, all, maximum, &number);
    return call("equal", {gather(table, all.shape, all.axes, all.indices), number}).value();
  }

 private:
  Digit along(std::size_t dimension) const {
    const Positions positions = {.dimension = static_cast<unsigned>(dimension)};
    return {shape_->at(dimension), Array(graph_, graph_.positions(shape_, positions))};
  }

  // In memory, as two kernels read them; beside the array, which positions alone are not tied to.
  Array computed(const Array& numbers, runtime::Device* device) const {
    Array made(graph_, graph_.copied(numbers.value(), numbers.shape(), device));
    made.evaluate();
    return made;
  }

  const Array& array_;
  Graph& graph_;
  ShapePtr shape_;             // of the indices
  std::vector<Digit> own_;     // of an index among all of them
  std::vector<Digit> places_;  // of the element that it leads to
};

// Leaves the last of equal indices, where that is possible and pays; else one thread writes in
// order.
void leave_last(const Array& array, Scatter& scatter) {
  const LastIndices last(array, scatter);
  const std::int64_t written = element_count(scatter.shape);
  const bool is_of_rows = written / least_row >= element_count(common_shape(scatter.indices)) &&
                          written >= last.count_of_places();
  if (!is_of_rows && !has_gpu_kernels(device_of(array)))
    return;
  try {
    scatter.condition = last.find();
    scatter.has_repeats = false;
  } catch (const OutOfMemoryError&) {  // the table was not needed, only faster
  }
}

}  // namespace

void scatter(const Array& array, const Places& places, const Array& value) {
  Graph& graph = array.graph();
  graph.broadcast(value.value(), places.shape);  // throws before anything is computed
  Scatter made = checked(array, places);
  made.has_repeats = made.has_repeats && element_count(places.shape) > 0 &&
                     varies(value.shape(), common_shape(made.indices));
  if (made.has_repeats)
    leave_last(array, made);
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
