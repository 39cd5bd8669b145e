#include "phalanx/arrays/gather.h"

#include <cstdint>
#include <stdexcept>
#include <string>
#include <utility>

#include "phalanx/arrays/apply.h"
#include "phalanx/arrays/operands.h"
#include "phalanx/arrays/operations.h"
#include "phalanx/base/errors.h"

namespace phalanx::arrays {
namespace {

// Throws std::out_of_range unless all indices are within [-extent, extent).
void check(const Array& index, std::size_t dimension, std::int64_t extent) {
  if (index.size() == 0)
    return;
  jit::refuse_while_recording(
      "check arrays of indices, which take(..., mode=\"clip\") does without");
  const Array beyond =
      call("logical_or", {index < -extent, call("greater_equal", {index, extent})});
  bool is_any = false;
  to_bytes(reduce(beyond, "any"), DType::boolean, &is_any);
  if (!is_any)
    return;
  const auto least = item<std::int64_t>(astype(min(index), DType::int64));
  const auto greatest = item<std::int64_t>(astype(max(index), DType::int64));
  throw std::out_of_range(
      "index " + std::to_string(least < -extent ? least : greatest) +
      " is out of bounds for axis " + std::to_string(dimension) + " with size " +
      std::to_string(extent));
}

// The places along a dimension, in int64.
NodePtr places(const Array& index, std::int64_t extent) {
  const Array wide = astype(index, DType::int64);
  if (is_unsigned(index.dtype()))
    return wide.value();
  return where(wide < 0, wide + extent, wide).value();
}

// Indices are checked now and used later: others must not change them meanwhile.
Array kept(const Array& index) {
  Graph& graph = index.graph();
  const auto lock = graph.locked();
  NodePtr value = index.value();
  if (!reads_exported(*value))
    return index;
  value = graph.copied(value, index.shape());
  graph.evaluate(value);
  return {graph, std::move(value)};
}

}  // namespace

Gather places_of(
    const Array& array, std::vector<Axis> axes, const std::vector<ArrayIndex>& indices) {
  Gather made{.base = {}, .axes = std::move(axes), .indices = {}};
  for (const auto& [dimension, value, is_within] : indices) {
    if (!is_integer(value.dtype()) || value.element_type().is_time())
      throw TypeError(
          "arrays used as indices must be of integer (or boolean) type, not " +
          std::string(info(value.dtype()).name));
    const std::int64_t extent = array.shape().at(dimension);
    if (!is_within)
      check(value, dimension, extent);
    made.axes.at(dimension) = {};
    made.indices.push_back(
        {dimension, is_within ? astype(value, DType::int64).value() : places(value, extent)});
  }
  return made;
}

Array gather(
    const Array& array,
    Extents shape,
    std::vector<Axis> axes,
    const std::vector<ArrayIndex>& indices) {
  std::vector<ArrayIndex> own;
  own.reserve(indices.size());
  for (const ArrayIndex& index : indices) {
    own.push_back(index);
    own.back().value = kept(index.value);
  }
  Gather made = places_of(array, std::move(axes), own);
  made.base = array.value();
  return {array.graph(), array.graph().gather(std::move(made), std::move(shape))};
}

Array compact(const Array& array, const Array& mask) {
  Graph& graph = array.graph();
  return {graph, graph.compact(mask.value(), {array.value()}).front()};
}

std::vector<Array> nonzero(const Array& array) {
  if (array.shape().empty())
    throw ValueError("an array without dimensions has no indices; x.reshape(1) has one");
  Graph& graph = array.graph();
  const auto shape = std::make_shared<const Extents>(array.shape());
  std::vector<NodePtr> positions;
  positions.reserve(shape->size());
  for (unsigned i = 0; i < shape->size(); ++i)
    positions.push_back(graph.positions(shape, {.dimension = i, .start = 0, .step = 1}));
  std::vector<Array> made;
  for (NodePtr& node : graph.compact(array.value(), positions)) made.emplace_back(graph, node);
  return made;
}

}  // namespace phalanx::arrays
